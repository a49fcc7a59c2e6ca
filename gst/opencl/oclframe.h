/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame of 8-bit RGBA pixels that OpenCL can work on, and copies of frames.
 */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

typedef enum
{
  OCL_STORAGE_BUFFER,
  OCL_STORAGE_IMAGE,
} OclStorage;

/**
 * OclFrame:
 * @storage: what @memory is
 * @memory: a buffer that starts at the first pixel, or a 2D image; not owned
 * @width: in pixels
 * @height: in pixels
 * @stride: bytes from one row to the next of a buffer, at least 4 * width; 0
 *    for an image
 * @bgra: whether the bytes of a pixel are blue, green, red, alpha, where they
 *    are seen as bytes: in a buffer, or in a copy of an image to a buffer
 *
 * A description to pass by pointer; copying it copies no pixel.
 */
typedef struct
{
  OclStorage storage;
  cl_mem memory;
  gint width;
  gint height;
  gint stride;
  gboolean bgra;
} OclFrame;

/* The bytes from the first pixel's first to the last pixel's last. */
gsize ocl_frame_get_size (const OclFrame * frame);

/* Enqueues a copy of the bytes of @source to @target, which must have the same
 * width, height and byte order, and may have another storage or stride. The
 * thread that owns the frames' operation; does not wait. */
gboolean ocl_frame_enqueue_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, OclTimer * timer, GError ** error);

/* Makes @frame, whose memory is owned through it, a frame of @storage like
 * @like in size and byte order; keeps the memory it has where that fits. Start
 * with a zeroed struct, end with ocl_frame_clear(). */
gboolean ocl_frame_ensure (OclFrame * frame, OclContext * context,
    OclStorage storage, const OclFrame * like, GError ** error);

void ocl_frame_clear (OclFrame * frame);

/* Enqueues making all of @frame, whose buffer is packed, transparent black;
 * does not wait. */
gboolean ocl_frame_enqueue_blank (OclContext * context, const OclFrame * frame,
    GError ** error);

G_END_DECLS
