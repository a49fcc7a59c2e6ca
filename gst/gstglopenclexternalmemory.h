/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The external-memory way to borrow a frame: each flight has textures that are
 * images of OpenCL's as well. OpenGL copies the frame into one, OpenCL works
 * from that to another, and OpenGL copies from that. All of it is enqueued at
 * once; the GPU keeps the order.
 *
 * Frames that are held back go together, see gstglopenclbatch.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_external_memory;

G_END_DECLS
