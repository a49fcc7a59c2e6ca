/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The channels of pictures as input of the float64 references. Not thread-safe:
 * one thread at a time. */

#pragma once

#include "formatpicture.h"
#include "opencl/bilateral/oclbilateral.h"
#include "referenceplanes.h"

G_BEGIN_DECLS

/* Returns how many channels a format has, without alpha. */
guint format_count_channels (const OclFormat * format);

/* Returns the level of a border colour, 0xAARRGGBB, in a channel of @format, in
 * ITU-R BT.709, full range. */
gdouble format_get_border_level (const OclFormat * format, guint channel,
    guint color);

/**
 * FormatGroup:
 * @first: the first channel
 * @n: number of channels
 * @x_pixels: pixels across that a sample stands for
 * @y_pixels: pixels down that a sample stands for
 * @planes: the input of the reference, valid after format_group_take()
 *
 * The channels of a format that are filtered together.
 */
typedef struct
{
  guint first;
  guint n;
  gint x_pixels;
  gint y_pixels;
  ReferencePlanes planes;
} FormatGroup;

/* Fills @groups with the groups of @format that @planes selects for filtering.
 * Returns how many there are. */
guint format_get_groups (const OclFormat * format, OclPlanes planes,
    FormatGroup groups[2]);

/* Copies the channels of @group from @picture, and computes the guides for
 * @color_mode. The caller ends with format_group_clear(). */
void format_group_take (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode, guint border_color);
void format_group_clear (FormatGroup * group);

G_END_DECLS
