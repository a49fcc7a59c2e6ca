/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The external-memory way to borrow a frame: OpenCL works in textures that are
 * images of its own as well. Frames that pools of ours allocated are in such;
 * of others OpenGL makes a copy in one that the flight keeps, and copies the
 * result out of another. All of it is enqueued at once; the GPU keeps the
 * order.
 *
 * Frames that are held back go together, see gstglopenclbatch.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_external_memory;

G_END_DECLS
