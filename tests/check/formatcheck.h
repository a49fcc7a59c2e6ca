/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations on pictures of every format, and compares the results with
 * the float64 references. Not thread-safe: one thread at a time. */

#pragma once

#include "formatpicture.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/operation/ocloperation.h"
#include "referenceplanes.h"

G_BEGIN_DECLS

/* The colour of a constant border, 0xAARRGGBB, and a function that returns its
 * level in a channel of @format. The function is written for this one colour,
 * in ITU-R BT.709, full range. */
#define FORMAT_BORDER_COLOR 0xffc81e5a
gdouble format_get_border_level (const OclFormat * format, guint channel);

/* Creates an operation on @context and forces @variant. The caller frees the
 * operation. */
OclOperation *format_create_operation (OclContext * context,
    const OclOperationClass * klass, const OclVariant * variant);

/* Runs an operation on @input with the colorimetry of FORMAT_BORDER_COLOR, and
 * waits for the result. */
void format_picture_run (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, OclStorage storage);

/* Gives @operation, which keeps frames, the frame @input, unless it is NULL, and
 * sets @output, unless it is NULL, to the result for the frame that it was given
 * @age frames before the last one, see ocl_operation_enqueue(). */
void format_picture_run_kept (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, guint age,
    OclStorage storage);

/* Returns whether the tests try @variant with the format @name. They do not try
 * all combinations, because the driver of a CPU takes seconds to build a
 * kernel. The variants for CPUs depend most on the format. operations.c tests
 * RGBA, and formats.c tests all formats with another filter. */
gboolean format_is_tried (OclContext * context, const OclVariant * variant,
    const gchar * name);

/**
 * FormatGroup:
 * @first: the first channel
 * @n: number of channels
 * @x_pixels: pixels across that a sample stands for
 * @y_pixels: pixels down that a sample stands for
 * @planes: the input of the reference, valid after format_group_take()
 * @outputs: the expected output, which the reference fills in
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

/* Fills @groups with the groups of @format that @planes selects for filtering.
 * Returns how many there are. */
guint format_get_groups (const OclFormat * format, OclPlanes planes,
    FormatGroup groups[2]);

/* Copies the channels of @group from @picture, and computes the guides for
 * @color_mode. The caller ends with format_group_clear(). */
void format_group_take (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode);
void format_group_clear (FormatGroup * group);

/* Asserts that all channels of the group in @output are within 1 level of the
 * expected output, or within 2 levels if they have 16 bits. @what names the
 * output, for people. */
void format_group_assert_near (const FormatGroup * group,
    const FormatPicture * output, const gchar * what);

/* Asserts that the channels of @output outside the @n groups are equal to those
 * of @input, and that the bytes outside the pixels of @output are unchanged. */
void format_groups_assert_rest (const FormatGroup * groups, guint n,
    const FormatPicture * output, const FormatPicture * input);

G_END_DECLS
