/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames of one format and size that operations read and write: on the
 * host, and on a device in every storage. Not thread-safe: one thread at a
 * time. */

#pragma once

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/**
 * Frames:
 * @format: the format of the frames on the device
 * @width: in pixels
 * @height: in pixels
 * @pixels: the input on the host, packed RGBA
 * @written: the output of plain C, packed RGBA, or NULL, freed with the frames
 * @input: the input of kernels, in @format, indexed by OclStorage, valid after
 *    frames_upload()
 * @output: the output of kernels, in @format, indexed by OclStorage, valid
 *    after frames_upload()
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

/* Creates frames. The input has the first rows of @pixels, whose width is
 * @width, or a test picture if @pixels is NULL. */
Frames *frames_new (const OclFormat * format, gint width, gint height,
    const guint8 * pixels);
void frames_free (Frames * frames);

/* Creates the frames of @storage on the device, unless they exist, uploads the
 * input, and waits for the upload. The colorimetry is that of ITU-R BT.709,
 * limited range. A sample of a colour difference is the mean of the differences
 * of all pixels that it covers. Fails with OCL_ERROR_NOT_SUPPORTED if the
 * device has no such frames, or with OCL_ERROR_FAILED. */
gboolean frames_upload (Frames * frames, OclContext * context,
    OclStorage storage, GError ** error);

G_END_DECLS
