/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Allocates textures for buffer pools. OpenCL has each of these textures as an
 * image, too: frames in them go from OpenGL to OpenCL and back without a
 * copy. */

#pragma once

#include "gstglopenclcontext.h"
#include "interop/external/gstglopenclexternaltexture.h"

G_BEGIN_DECLS

/* Returns an allocator of GstGLMemory for pools of frames. If OpenCL cannot
 * have a texture as an image, the allocator makes a plain texture. The
 * allocator keeps a reference to @context, and so does the memory that the
 * allocator made. Any thread may call this function. */
GstAllocator *gst_gl_opencl_external_allocator_new (GstGLOpenCLContext *
    context);

/* Returns whether an allocator of this kind made @memory on a texture that
 * OpenCL has as an image. Any thread may call this function. */
gboolean gst_gl_opencl_external_allocator_made (GstGLMemory * memory);

/* Returns the texture of @memory if an allocator of this kind made @memory and
 * the texture belongs to @external, otherwise NULL. @memory owns the texture.
 * Any thread may call this function. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_allocator_get_texture (GstGLMemory * memory,
    GstGLOpenCLExternal * external);

G_END_DECLS
