/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations on pictures of every format, and what the float64 references say
 * of them. One thread at a time. */

#pragma once

#include "formatpicture.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/operation/ocloperation.h"
#include "referenceplanes.h"

G_BEGIN_DECLS

/* The colour of a constant border, 0xAARRGGBB, and the level that a channel of
 * @format has there: written out for this one, in ITU-R BT.709, full range. */
#define FORMAT_BORDER_COLOR 0xffc81e5a
gdouble format_get_border_level (const OclFormat * format, guint channel);

/* An operation on @context with a variant that is forced; free it. */
OclOperation *format_create_operation (OclContext * context,
    const OclOperationClass * klass, const OclVariant * variant);

/* Runs an operation on @input, as that colorimetry says, and waits. */
void format_picture_run (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, OclStorage storage);

/* Whether a variant is tried with the format of that name: a CPU's driver takes
 * seconds to build a kernel, and those for CPUs know most about formats;
 * operations.c has RGBA, and formats.c all, with another filter. */
gboolean format_is_tried (OclContext * context, const OclVariant * variant,
    const gchar * name);

/**
 * FormatGroup:
 * @first: the first channel
 * @n: how many there are
 * @x_pixels: that a sample stands for, across
 * @y_pixels: the same, down
 * @planes: for the reference, when format_group_take() has run
 * @outputs: what is to come out; for the reference to fill
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
  gdouble *outputs[3];
} FormatGroup;

/* The groups of @format that @planes filters; returns how many. */
guint format_get_groups (const OclFormat * format, OclPlanes planes,
    FormatGroup groups[2]);

/* Takes the channels out of @picture, and what differences of @color_mode are
 * taken of. End with format_group_clear(). */
void format_group_take (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode);
void format_group_clear (FormatGroup * group);

/* All channels of @output are within 1 level of what is to come out, within 2
 * of 16 bits. @what names it, for people. */
void format_group_assert_near (const FormatGroup * group,
    const FormatPicture * output, const gchar * what);

/* What is in none of the @n groups, and no pixel's, is what it was. */
void format_groups_assert_rest (const FormatGroup * groups, guint n,
    const FormatPicture * output, const FormatPicture * input);

G_END_DECLS
