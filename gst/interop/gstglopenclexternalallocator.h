/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Allocates textures for buffer pools. Each of these textures is also an OpenCL
 * image, so frames in them pass from OpenGL to OpenCL and back without a
 * copy. */

#pragma once

#include "gstglopenclcontext.h"
#include "interop/external/gstglopenclexternal.h"

G_BEGIN_DECLS

/* Returns an allocator of GstGLMemory for pools of frames. If OpenCL does not
 * support a texture as an image, allocates a plain texture. The allocator and
 * its memory keep a reference to @context. May be called from any thread. */
GstAllocator *gst_gl_opencl_external_allocator_new (GstGLOpenCLContext *
    context);

/* Returns whether an allocator of this kind allocated @memory on a texture that
 * is also an OpenCL image. May be called from any thread. */
gboolean gst_gl_opencl_external_allocator_made (GstGLMemory * memory);

/* Returns the texture of @memory if an allocator of this kind allocated @memory
 * and the texture belongs to @external, otherwise NULL. @memory owns the
 * texture. May be called from any thread. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_allocator_get_texture (GstGLMemory * memory,
    GstGLOpenCLExternal * external);

G_END_DECLS
