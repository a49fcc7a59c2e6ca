/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The gl-sharing way to borrow a frame: GL textures as OpenCL images, no copy.
 *
 * An image is made once for a GstGLMemory and kept on it; it is released on the
 * GL thread before the texture is deleted. */

#pragma once

#include "gstglopenclflight.h"
#include "gstglopenclshared.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLTextures GstGLOpenCLTextures;

/* Keeps a reference to @shared, a context that shares. Any thread. */
GstGLOpenCLTextures *gst_gl_opencl_textures_new (GstGLOpenCLShared * shared);

/* Any thread; no frame may be on its way. */
void gst_gl_opencl_textures_free (GstGLOpenCLTextures * textures);

/* As gst_gl_opencl_interop_begin(). @scratch holds the copy of a frame that is
 * filtered in place. Streaming thread. */
gboolean gst_gl_opencl_textures_begin (GstGLOpenCLTextures * textures,
    GstGLOpenCLFlight * flight, OclFrame * scratch, GError ** error);

/* As gst_gl_opencl_interop_finish(). Streaming thread. */
gboolean gst_gl_opencl_textures_finish (GstGLOpenCLTextures * textures,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error);

G_END_DECLS
