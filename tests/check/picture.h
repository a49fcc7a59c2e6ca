/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RGBA pictures on the host, for the tests of kernels, and frames with the
 * pixels of the pictures on a device. Every failure ends the test. */

#pragma once

#include "opencl/core/oclframe.h"
#include "opencl/operation/ocloperation.h"

G_BEGIN_DECLS

/* The number of bytes before the first pixel and after each row, and their
 * value. Operations must not change these bytes. The number is odd, so that
 * pixels are not aligned. */
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
 * A copy of the struct with other @pixels and @height is a view of some rows.
 * It may be used for frames and pixels only. It owns nothing and must not be
 * cleared.
 */
typedef struct
{
  gint width;
  gint height;
  gint stride;
  guint8 *bytes;
  guint8 *pixels;
} Picture;

/* Initialise a picture; picture_clear() ends it. After picture_init() all bytes
 * are CANARY. */
void picture_init (Picture * picture, gint width, gint height);
void picture_init_copy (Picture * picture, const Picture * source);
void picture_clear (Picture * picture);

/* Returns the size of @bytes of the picture. */
gsize picture_get_size (const Picture * picture);
guint8 *picture_get_pixel (const Picture * picture, gint x, gint y);

/* Fills the picture with gradients, edges and noise, that is, with differences
 * of every size. Equal seeds and sizes give equal pictures. */
void picture_fill (Picture * picture, guint32 seed);

/* Converts the bytes of the picture in place from format @from to format @to.
 * Both formats have 8 bits. */
void picture_convert (Picture * picture, const OclFormat * from,
    const OclFormat * to);

/* Asserts that all bytes around the pixels are still CANARY. */
void picture_assert_margins (const Picture * picture);

/* Creates a frame with the pixels of the picture and the format, storage and
 * bytes_swapped of @kind. A buffer starts at the first pixel and is in the
 * picture's own memory, which has the margins and must outlive the frame. The
 * caller ends with ocl_frame_clear(). */
OclFrame picture_create_frame (Picture * picture, OclContext * context,
    const OclFrame * kind);

/* Waits for the enqueued commands, and copies the pixels of @frame back to the
 * picture from which it was created. */
void picture_download (Picture * picture, OclContext * context,
    const OclFrame * frame);

/* Creates a context on the first device. */
OclContext *open_context (void);

/* Returns whether the tests leave @storage out, because
 * GLOPENCL_TEST_STORAGE=buffer is set for a tool that runs kernels on buffers
 * only. */
gboolean is_left_out (OclStorage storage);

/* Returns whether the device can run @variant with the defaults. It cannot if
 * its work-groups are too small. */
gboolean can_run (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant);

/* Returns whether @variant can serve all passes over frames of @format, of which
 * there has to be one. */
gboolean serves_all_passes (const OclOperationClass * klass,
    const OclVariant * variant, gconstpointer params,
    const OclFormat * format);

/* Returns whether the device can run @variant, which @operation is forced to, on
 * frames like @frame: what needs many frames in tiles needs much local memory.
 * Every device has to run the plain variant. */
gboolean has_room (OclOperation * operation, const OclVariant * variant,
    const OclFrame * frame, gconstpointer params);

/* Returns all parameters with their values, each after a space, for people. The
 * caller frees the text. */
gchar *describe_params (const OclOperationClass * klass,
    gconstpointer params);

/* Makes the plan for the frames of @run and enqueues @operation. Does not
 * wait. */
gboolean run_operation (OclOperation * operation, const OclRun * run,
    GError ** error);

/* Returns the variant that the operation chooses for the first pass of frames
 * like @frame. Returns NULL and sets @error on failure. */
const OclVariant *find_variant (OclOperation * operation,
    const OclFrame * frame, gconstpointer params, GError ** error);

/* Asserts that a call succeeded. @ok is the return value of the call, and
 * @error is the error that the call sets if it returns FALSE. */
void assert_ok (gboolean ok, GError * error);

G_END_DECLS
