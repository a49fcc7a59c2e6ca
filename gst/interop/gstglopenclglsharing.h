/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The gl-sharing way to borrow a frame: GL textures as OpenCL images, no copy.
 *
 * An image is made once for a GstGLMemory and kept on it; it is released on the
 * GL thread before the texture is deleted. A frame is acquired, filtered and
 * released on the GL thread; the streaming thread waits for the release. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

/* For a context that shares. */
extern const GstGLOpenCLInterop gst_gl_opencl_gl_sharing;

G_END_DECLS
