/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the OpenCL image of a GL texture. The image is created once for each
 * pair of a GstGLMemory and an OpenCL context. The image is kept on the memory,
 * and is released on the GL thread before the texture is deleted. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclcontext.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLTexture:
 * @context: the context of the image (owned)
 * @image: the image (owned)
 * @bytes_swapped: whether the bytes of @image are swapped, see OclFrame
 * @given_back: event that ends when the last frame that used the texture is
 *    released to GL, or NULL (owned)
 */
typedef struct
{
  GstGLOpenCLContext *context;
  cl_mem image;
  gboolean bytes_swapped;
  cl_event given_back;
} GstGLOpenCLTexture;

/* All functions must be called on the GL thread of the context. */

/* Returns the image of @memory, which is a plane of a frame of @format. The
 * memory owns the image. Fails with OCL_ERROR_NOT_SUPPORTED if OpenCL cannot
 * acquire the texture, in which case nothing has been changed. */
GstGLOpenCLTexture *gst_gl_opencl_texture_get (GstGLOpenCLContext * context,
    GstGLMemory * memory, const OclFormat * format, guint plane,
    GError ** error);

/* Frees the image of @memory, whose state is unknown after a failure. */
void gst_gl_opencl_texture_forget (GstGLOpenCLContext * context,
    GstGLMemory * memory);

/* Keeps @event, which ends when a frame is released to GL. */
gboolean gst_gl_opencl_texture_keep_event (GstGLOpenCLTexture * texture,
    cl_event event, GError ** error);

G_END_DECLS
