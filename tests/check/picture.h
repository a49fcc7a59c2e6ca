/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RGBA pictures on the host for the tests of kernels, and frames with their
 * pixels on a device. What fails ends the test. */

#pragma once

#include "opencl/core/oclframe.h"
#include "opencl/operation/ocloperation.h"

G_BEGIN_DECLS

/* Bytes before the first pixel and after each row, which must stay as they
 * are; odd, so that pixels are not aligned. */
#define MARGIN 3
#define CANARY 0xa5

/**
 * Picture:
 * @width: in pixels
 * @height: in pixels
 * @stride: bytes from one row to the next, 4 * @width + MARGIN at first
 * @bytes: MARGIN bytes, then @height rows of @stride bytes; owned
 * @pixels: the first pixel, within @bytes
 *
 * A copy of the struct with other @pixels and @height is a view of some rows,
 * for frames and pixels only: it owns nothing and needs no end.
 */
typedef struct
{
  gint width;
  gint height;
  gint stride;
  guint8 *bytes;
  guint8 *pixels;
} Picture;

/* Start with one of these, end with picture_clear(). All bytes are CANARY. */
void picture_init (Picture * picture, gint width, gint height);
void picture_init_copy (Picture * picture, const Picture * source);
void picture_clear (Picture * picture);

/* The size of bytes. */
gsize picture_get_size (const Picture * picture);
guint8 *picture_get_pixel (const Picture * picture, gint x, gint y);

/* Gradients, edges and noise: differences of every size. Always the same for
 * the same @seed and size. */
void picture_fill (Picture * picture, guint32 seed);

/* Makes bytes of format @to from those of format @from, both of 8 bits. */
void picture_convert (Picture * picture, const OclFormat * from,
    const OclFormat * to);

/* Ends the test where the bytes around the pixels are not CANARY any more. */
void picture_assert_margins (const Picture * picture);

/* A frame of the format, storage and bytes_swapped of @kind: a buffer that
 * starts at the first pixel, in the picture's own memory, which has the margins
 * and must outlive it; or an image with these pixels. End with
 * ocl_frame_clear(). */
OclFrame picture_create_frame (Picture * picture, OclContext * context,
    const OclFrame * kind);

/* Waits for what is enqueued and brings the pixels of @frame back to the
 * picture it was created from. */
void picture_download (Picture * picture, OclContext * context,
    const OclFrame * frame);

/* A context on the first device that there is. */
OclContext *open_context (void);

/* Whether GLOPENCL_TEST_STORAGE=buffer leaves @storage out, as tools that run
 * kernels on buffers only want it. */
gboolean is_left_out (OclStorage storage);

/* Whether the device can run @variant with the defaults: not where its groups
 * are too small. */
gboolean can_run (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant);

/* Runs @operation on the frames of @run with what they need; does not wait. */
gboolean run_operation (OclOperation * operation, const OclRun * run,
    GError ** error);

/* The variant that the first pass of frames like @frame gets; NULL with @error.
 */
const OclVariant *find_variant (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* For calls that return @ok and set @error where that is FALSE. */
void assert_ok (gboolean ok, GError * error);

G_END_DECLS
