/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Describes frames in OpenCL memory, and copies them. */

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
 * @OCL_STORAGE_IMAGE_BUFFER: pixels of a 1D image created from a buffer
 *
 * Kind of memory of a plane. The values index arrays, and a kernel is built for
 * one of them. Input and output frames have one of the first OCL_N_STORAGES
 * values. The other values are for intermediate data of kernels.
 */
typedef enum
{
  OCL_STORAGE_BUFFER,
  OCL_STORAGE_IMAGE,
  OCL_STORAGE_IMAGE_ARRAY,
  OCL_STORAGE_IMAGE_BUFFER,
} OclStorage;

/* Names of storages for users, ended by NULL. */
extern const gchar *const ocl_storage_names[];

#define OCL_N_STORAGES 2

/**
 * OclPlane:
 * @memory: a buffer or an image (not owned)
 * @offset: offset of the first pixel: in bytes in a buffer, in pixels in an
 *    image created from a buffer, the layer in an array of images, 0 for a 2D
 *    image
 * @stride: distance from one row to the next, at least the length of a row: in
 *    bytes in a buffer, in pixels in an image created from a buffer, 0 for
 *    other images
 */
typedef struct
{
  cl_mem memory;
  cl_int offset;
  cl_int stride;
} OclPlane;

/**
 * OclFrameInfo:
 * @format: format of the pixels, as a kernel reads them from an image, or as
 *    the bytes of a buffer hold them
 * @storage: the kind of memory of all planes
 * @width: in pixels
 * @height: in pixels
 * @colorimetry: conversion of colours to pixels
 * @interlaced: whether rows 0, 2, 4 ... and rows 1, 3, 5 ... are separate
 *    fields
 * @lacks_row: whether subsampled planes have one row less than @height, rounded
 *    up, requires, see ocl_frame_info_get_field()
 * @bytes_swapped: for images: whether a copy of the bytes has the swapped
 *    format of @format. Drivers may share an RGBA texture as a BGRA image.
 *    Kernels read both alike.
 *
 * Describes a kind of frames, as GstVideoInfo does.
 */
typedef struct
{
  const OclFormat *format;
  OclStorage storage;
  gint width;
  gint height;
  OclColorimetry colorimetry;
  gboolean interlaced;
  gboolean lacks_row;
  gboolean bytes_swapped;
} OclFrameInfo;

/**
 * OclFrame:
 * @info: the kind of the frame
 * @planes: the memory, as many planes as the format has
 *
 * A frame in the memory of the device. Copying the struct copies no pixels.
 */
typedef struct
{
  OclFrameInfo info;
  OclPlane planes[OCL_MAX_PLANES];
} OclFrame;

/* Returns the number of rows of a grid whose rows each cover 2^@shift rows of
 * a frame. */
gint ocl_frame_info_count_rows (const OclFrameInfo * info, guint shift);

/* Return the number of groups in a row of @plane, and the number of rows of
 * @plane. */
gint ocl_frame_info_get_plane_width (const OclFrameInfo * info, guint plane);
gint ocl_frame_info_get_plane_height (const OclFrameInfo * info, guint plane);

/* Returns the width of an image that holds @plane. */
gint ocl_frame_info_get_image_width (const OclFrameInfo * info, guint plane);

/* Returns the size of all groups in a row of @plane, in bytes. */
gsize ocl_frame_info_get_row_bytes (const OclFrameInfo * info, guint plane);

/* Returns whether the fields can be used as separate frames: frames must be
 * interlaced and in buffers. */
gboolean ocl_frame_info_has_fields (const OclFrameInfo * info);

/* Returns the kind of field @field, see ocl_frame_get_field(). */
OclFrameInfo ocl_frame_info_get_field (const OclFrameInfo * info, guint field);

/* Returns the format of the bytes of a copy in a buffer. */
const OclFormat *ocl_frame_info_get_bytes_format (const OclFrameInfo * info);

/* Returns the kind of a copy in buffers, which has the same bytes. */
OclFrameInfo ocl_frame_info_get_copy (const OclFrameInfo * info);

/* Returns the number of bytes from the first byte of the plane's first pixel to
 * the last byte of its last pixel. */
gsize ocl_frame_get_size (const OclFrame * frame, guint plane);

/* Returns the field of @frame that starts at row @field, 0 or 1, of each plane.
 * Rows are counted in each plane separately: rows 0, 2, 4 ... of a plane belong
 * to the first field. If the number of rows is odd, the first field has one row
 * more, and the second field may have no row. If chroma has an odd number of
 * rows and the frame has an even number, the second field has one row of chroma
 * less than its height requires. */
OclFrame ocl_frame_get_field (const OclFrame * frame, guint field);

/* Enqueues a copy of the bytes of one plane of @source to @target. Both frames
 * must have equal width, height and bytes. Storage, stride and offset may
 * differ. If one storage is an image and the other a buffer, the buffer must be
 * packed and have no offset. Must be called on the thread that owns the
 * operation on the frames. Does not wait. */
gboolean ocl_frame_enqueue_plane_copy (OclContext * context,
    const OclFrame * source, const OclFrame * target, guint plane,
    OclTimer * timer, GError ** error);

/* Returns whether the rows of each plane are contiguous, from the start of its
 * memory on. */
gboolean ocl_frame_is_packed (const OclFrame * frame);

/* Copies all planes, like ocl_frame_enqueue_plane_copy(). */
gboolean ocl_frame_enqueue_copy (OclContext * context, const OclFrame * source,
    const OclFrame * target, OclTimer * timer, GError ** error);

/* Allocates a packed frame like @info, but with all rows, see OclFrameInfo.
 * @frame owns its memory. Keeps the present memory if it fits. Start with a
 * zeroed struct and end with ocl_frame_clear(). */
gboolean ocl_frame_ensure (OclFrame * frame, OclContext * context,
    const OclFrameInfo * info, GError ** error);

void ocl_frame_clear (OclFrame * frame);

/* Returns the bytes of @plane of @frame, packed, and sets @size to their
 * number. Waits for the device. Adds the event of the copy to @timer. The
 * caller frees the bytes. */
guint8 *ocl_frame_read_plane (OclContext * context, const OclFrame * frame,
    guint plane, gsize * size, OclTimer * timer, GError ** error);

/* Enqueues commands that set every byte of @frame to 0. The buffers of @frame
 * must be packed. Does not wait. */
gboolean ocl_frame_enqueue_blank (OclContext * context, const OclFrame * frame,
    GError ** error);

G_END_DECLS
