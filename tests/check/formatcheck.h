/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs operations on pictures of every format, and compares the results with
 * the float64 references. Not thread-safe: one thread at a time. */

#pragma once

#include "formatpicture.h"
#include "opencl/operation/ocloperation.h"

G_BEGIN_DECLS

/* A colour of a constant border, 0xAARRGGBB. */
#define FORMAT_BORDER_COLOR 0xffc81e5a

/* Creates an operation on @context and forces @variant. The caller frees the
 * operation. */
OclOperation *format_create_operation (OclContext * context,
    const OclOperationClass * klass, const OclVariant * variant);

/* The frame of a picture on the device, with the colorimetry of ITU-R BT.709,
 * full range; a frame of zeros for NULL. The caller clears it. */
OclFrame format_create_frame (FormatPicture * picture, OclContext * context,
    OclStorage storage);

/* Runs an operation on @input with the colorimetry of ITU-R BT.709, full range,
 * and waits for the result. */
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

/* Asserts that @output is @input filtered: @wanted has the levels of each
 * channel that is filtered, not rounded; other channels are copied. An exact
 * variant rounds levels of 8 bits to nearest, or to either side near a tie. With
 * more bits it is off by up to 1 level, with 16 bits by up to 2 levels, beside
 * the rounding. An approximation has a PSNR of at least 40 dB. @what names the
 * output, for people. */
void format_assert_filtered (const OclOperationClass * klass,
    gconstpointer params, const FormatPicture * input,
    const FormatPicture * output, gdouble * const wanted[3],
    gboolean approximate, const gchar * what);

/* Runs @operation on @input, as its first frame, and asserts that it is filtered
 * as the reference says, and that the bytes around the pixels stay. Each field
 * of an interlaced picture is a picture of its own. */
void format_check_picture (OclOperation * operation, gconstpointer params,
    FormatPicture * input, OclStorage storage, gboolean approximate);

/* Does so with a picture of that size, for exact variants. */
void format_check (OclOperation * operation, gconstpointer params,
    const OclFormat * format, OclStorage storage, gint width, gint height);

G_END_DECLS
