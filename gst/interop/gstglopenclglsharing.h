/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend gl-sharing: OpenCL uses the GL textures as images, without a
 * copy.
 *
 * The image of a GstGLMemory is created once and kept on the memory. The image
 * is released on the GL thread before the texture is deleted. A frame is
 * acquired, filtered and released on the GL thread. The streaming thread waits
 * for the release. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

/* The context must share textures with OpenGL. */
extern const GstGLOpenCLInterop gst_gl_opencl_gl_sharing;

G_END_DECLS
