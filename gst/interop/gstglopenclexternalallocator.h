/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Textures for buffer pools that OpenCL has as images, too: frames in them go
 * from one to the other without a copy. */

#pragma once

#include "gstglopenclcontext.h"
#include "interop/external/gstglopenclexternaltexture.h"

G_BEGIN_DECLS

/* An allocator of GstGLMemory, for pools of frames. Where there can be no such
 * texture it gives a plain one. It keeps a reference to @context, and so does
 * memory that it made. Any thread. */
GstAllocator *gst_gl_opencl_external_allocator_new (GstGLOpenCLContext *
    context);

/* Whether one of these made @memory on a texture that OpenCL has. Any
 * thread. */
gboolean gst_gl_opencl_external_allocator_made (GstGLMemory * memory);

/* The texture of @memory, if an allocator made it, and it is of @external; NULL
 * for others. Owned by @memory. Any thread. */
GstGLOpenCLExternalTexture
    * gst_gl_opencl_external_allocator_get_texture (GstGLMemory * memory,
    GstGLOpenCLExternal * external);

G_END_DECLS
