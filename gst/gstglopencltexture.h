/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The gl-sharing way to borrow a frame: GL textures as OpenCL images, no copy.
 *
 * An image is made once for a GstGLMemory and kept on it; it is released on the
 * GL thread before the texture is deleted. */

#pragma once

#include "gstglopenclinterop.h"
#include "gstglopenclshared.h"

G_BEGIN_DECLS

/* As gst_gl_opencl_interop_process(), with @shared a context that shares.
 * @scratch holds the copy of a frame that is filtered in place. Streaming
 * thread. */
gboolean gst_gl_opencl_texture_process (GstGLOpenCLShared * shared,
    OclFrame * scratch, const GstGLOpenCLWork * work, OclTimer * timer,
    guint64 * wait_time, GError ** error);

G_END_DECLS
