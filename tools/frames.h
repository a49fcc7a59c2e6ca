/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames of one format and size that operations are run on: on the host,
 * and on a device in every storage. One thread at a time. */

#pragma once

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/**
 * Frames:
 * @format: of those on the device
 * @width: in pixels
 * @height: in pixels
 * @pixels: what is read, packed RGBA
 * @written: where plain C writes, likewise; NULL before
 *    frames_ensure_written()
 * @input: what is read on the device, in the format, by OclStorage, when
 *    frames_upload() has ended
 * @output: where kernels write, likewise
 */
typedef struct
{
  const OclFormat *format;
  gint width;
  gint height;
  guint8 *pixels;
  guint8 *written;
  OclFrame input[OCL_N_STORAGES];
  OclFrame output[OCL_N_STORAGES];
} Frames;

/* With the first rows of @pixels, which has this width, or, where that is NULL,
 * with a picture. */
Frames *frames_new (const OclFormat * format, gint width, gint height,
    const guint8 * pixels);
void frames_free (Frames * frames);

void frames_ensure_written (Frames * frames);

/* Makes the frames of @storage on the device and brings the input there, where
 * that was not done yet; waits for it. OCL_ERROR_NOT_SUPPORTED where the device
 * has no such frames, or OCL_ERROR_FAILED. */
gboolean frames_upload (Frames * frames, OclContext * context,
    OclStorage storage, GError ** error);

/* Makes the output of @storage a copy of the input; waits for it. */
gboolean frames_copy_to_output (Frames * frames, OclContext * context,
    OclStorage storage, GError ** error);

G_END_DECLS
