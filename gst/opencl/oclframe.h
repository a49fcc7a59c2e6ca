/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame that OpenCL can work on, and copies of frames. */

#pragma once

#include "oclcontext.h"
#include "oclformat.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/* The values index arrays, and are part of what a kernel is built for. */
typedef enum
{
  OCL_STORAGE_BUFFER,
  OCL_STORAGE_IMAGE,
} OclStorage;

#define OCL_N_STORAGES 2

/**
 * OclPlane:
 * @memory: a buffer that starts at the first pixel, or a 2D image; not owned
 * @stride: bytes from one row to the next of a buffer, at least those of a
 *    row's pixels; 0 for an image
 */
typedef struct
{
  cl_mem memory;
  gint stride;
} OclPlane;

/**
 * OclFrame:
 * @format: what its pixels are: those that a kernel reads from an image, or the
 *    bytes of a buffer
 * @storage: what the memory of all planes is
 * @width: in pixels
 * @height: in pixels
 * @planes: as many as the format has
 * @bytes_swapped: of an image: a copy of its bytes has the format's swapped
 *    one. Drivers may share a texture of RGBA as an image of BGRA, which a
 *    kernel does not see.
 *
 * A description to pass by pointer; copying it copies no pixel.
 */
typedef struct
{
  const OclFormat *format;
  OclStorage storage;
  gint width;
  gint height;
  OclPlane planes[OCL_MAX_PLANES];
  gboolean bytes_swapped;
} OclFrame;

/* The bytes of a plane from the first pixel's first to the last pixel's last.
 */
gsize ocl_frame_get_size (const OclFrame * frame, guint plane);

/* The bytes of the pixels of a plane's row. */
gsize ocl_frame_get_row_bytes (const OclFrame * frame, guint plane);

/* What the bytes of a copy of @frame to a buffer are. */
const OclFormat *ocl_frame_get_bytes_format (const OclFrame * frame);

/* Enqueues a copy of the bytes of @source to @target, which must have the same
 * width and height and the same bytes, and may have another storage or stride;
 * the buffer of a copy between storages is packed. The thread that owns the
 * frames' operation; does not wait. */
gboolean ocl_frame_enqueue_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, OclTimer * timer, GError ** error);

/* Makes @frame, whose memory is owned through it, a packed frame of @storage
 * for the bytes of @like; keeps the memory it has where that fits. Start with a
 * zeroed struct, end with ocl_frame_clear(). */
gboolean ocl_frame_ensure (OclFrame * frame, OclContext * context,
    OclStorage storage, const OclFrame * like, GError ** error);

void ocl_frame_clear (OclFrame * frame);

/* Enqueues making every byte of @frame, whose buffers are packed, 0; does not
 * wait. */
gboolean ocl_frame_enqueue_blank (OclContext * context, const OclFrame * frame,
    GError ** error);

G_END_DECLS
