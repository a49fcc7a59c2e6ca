/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The external-memory way to borrow a frame: OpenCL works in textures that are
 * also OpenCL images. Frames from our own pools are already in textures of this
 * kind. Other frames are copied: OpenGL copies the input into a texture that
 * the flight keeps, and copies the result out of another texture that the
 * flight keeps. All commands are enqueued at once; the GPU keeps their order.
 *
 * Frames that are held back are enqueued together, see gstglopenclbatch.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_external_memory;

G_END_DECLS
