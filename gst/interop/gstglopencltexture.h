/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL image of a GL texture. It is made once for a GstGLMemory and an
 * OpenCL context, kept on the memory, and released on the GL thread before the
 * texture is deleted. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclcontext.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLTexture:
 * @context: where the image is; owned
 * @image: the image; owned
 * @bytes_swapped: see OclFrame
 * @given_back: of the last frame that used it, or NULL; owned
 */
typedef struct
{
  GstGLOpenCLContext *context;
  cl_mem image;
  gboolean bytes_swapped;
  cl_event given_back;
} GstGLOpenCLTexture;

/* GL thread of @context for all. */

/* The image of @memory, a plane of a frame of @format; owned by the memory.
 * OCL_ERROR_NOT_SUPPORTED where OpenCL cannot borrow it; nothing was touched
 * then. */
GstGLOpenCLTexture *gst_gl_opencl_texture_get (GstGLOpenCLContext * context,
    GstGLMemory * memory, const OclFormat * format, guint plane,
    GError ** error);

/* Frees the image of a memory: after a failure its state is not known. */
void gst_gl_opencl_texture_forget (GstGLOpenCLContext * context,
    GstGLMemory * memory);

/* Keeps the event that says that a frame was given back to GL. */
gboolean gst_gl_opencl_texture_keep_event (GstGLOpenCLTexture * texture,
    cl_event event, GError ** error);

G_END_DECLS
