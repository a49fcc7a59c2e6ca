/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenGL of the pipeline. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes @pipeline use desktop OpenGL if the machine has it: OpenGL ES, which
 * GStreamer may prefer, has no textures for more than 8 bits. If GST_GL_API is
 * set, or there is no desktop OpenGL, GStreamer chooses the API. Loads the
 * drivers of OpenCL before those of OpenGL. Must be called before the pipeline
 * is started. */
void denoise_gl_prepare (GstElement * pipeline);

G_END_DECLS
