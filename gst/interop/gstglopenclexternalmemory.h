/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interop backend external-memory: OpenCL uses textures that are also OpenCL
 * images. Frames from our own pools are already in textures of this kind. For
 * other frames, OpenGL copies the input into a texture of the flight, and the
 * result out of another texture of the flight. All commands are enqueued at
 * once, and the GPU keeps their order.
 *
 * Frames that are held back are enqueued together, see gstglopenclbatch.h. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

extern const GstGLOpenCLInterop gst_gl_opencl_external_memory;

G_END_DECLS
