/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame that OpenCL can work on, and copies of frames. */

#pragma once

#include "oclcontext.h"
#include "oclformat.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclStorage:
 * @OCL_STORAGE_BUFFER: a buffer
 * @OCL_STORAGE_IMAGE: a 2D image
 * @OCL_STORAGE_IMAGE_ARRAY: a layer of an array of 2D images
 * @OCL_STORAGE_IMAGE_BUFFER: pixels of a 1D image that is made on a buffer
 *
 * What the memory of a plane is. The values index arrays, and are part of what
 * a kernel is built for. Frames that come and go are in one of the first
 * OCL_N_STORAGES; the others are for what kernels hand on to each other.
 */
typedef enum
{
  OCL_STORAGE_BUFFER,
  OCL_STORAGE_IMAGE,
  OCL_STORAGE_IMAGE_ARRAY,
  OCL_STORAGE_IMAGE_BUFFER,
} OclStorage;

#define OCL_N_STORAGES 2

/**
 * OclPlane:
 * @memory: a buffer, or an image; not owned
 * @offset: bytes of a buffer, or pixels of an image on one, before the first
 *    pixel; the layer of an array; 0 for a 2D image
 * @stride: bytes, or pixels, from one row to the next of them, at least those
 *    of a row's pixels; 0 for others
 */
typedef struct
{
  cl_mem memory;
  cl_int offset;
  cl_int stride;
} OclPlane;

/**
 * OclFrame:
 * @format: what its pixels are: those that a kernel reads from an image, or the
 *    bytes of a buffer
 * @storage: what the memory of all planes is
 * @width: in pixels
 * @height: in pixels
 * @planes: as many as the format has
 * @colorimetry: how colours become pixels
 * @interlaced: whether rows 0, 2, 4 ... are one picture and rows 1, 3, 5 ...
 *    another
 * @lacks_row: whether subsampled planes have one row less than @height, rounded
 *    up, asks for, see ocl_frame_get_field()
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
  OclColorimetry colorimetry;
  gboolean interlaced;
  gboolean lacks_row;
  gboolean bytes_swapped;
} OclFrame;

/* The bytes of a plane from the first pixel's first to the last pixel's last.
 */
gsize ocl_frame_get_size (const OclFrame * frame, guint plane);

/* Samples down of a grid on which a row stands for 2^@shift rows of @frame. */
gint ocl_frame_count_rows (const OclFrame * frame, guint shift);

/* Groups of a plane across, and its rows. */
gint ocl_frame_get_plane_width (const OclFrame * frame, guint plane);
gint ocl_frame_get_plane_height (const OclFrame * frame, guint plane);

/* The bytes of the groups of a plane's row. */
gsize ocl_frame_get_row_bytes (const OclFrame * frame, guint plane);

/* Whether the two pictures of @frame can be seen as frames of their own: where
 * it is interlaced and in buffers. */
gboolean ocl_frame_has_fields (const OclFrame * frame);

/* The picture of @frame in its rows from @field, 0 or 1, on, of each plane by
 * itself: rows 0, 2, 4 ... of a plane belong to the first picture. Where rows
 * are odd in number the first picture has one more, so that the second one may
 * have no row at all. Where the rows of chroma are odd in number, and those of
 * the frame even, the second picture has a row of chroma less than its height
 * asks for. */
OclFrame ocl_frame_get_field (const OclFrame * frame, guint field);

/* What the bytes of a copy of @frame to a buffer are. */
const OclFormat *ocl_frame_get_bytes_format (const OclFrame * frame);

/* Enqueues a copy of the bytes of one plane of @source to @target, which must
 * have the same width and height and the same bytes, and may have another
 * storage or stride; the buffer of a copy between storages is packed, and
 * buffers have no offset. The thread that owns the frames' operation; does not
 * wait. */
gboolean ocl_frame_enqueue_plane_copy (OclContext * context,
    const OclFrame * source, const OclFrame * target, guint plane,
    OclTimer * timer, GError ** error);

/* The same for all planes. */
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
