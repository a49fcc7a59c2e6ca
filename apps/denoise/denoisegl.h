/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* OpenGL context of the pipeline. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes @pipeline use desktop OpenGL if available, because OpenGL ES, which
 * GStreamer may prefer, has no textures for more than 8 bits. If GST_GL_API is
 * set, or there is no desktop OpenGL, GStreamer chooses the API. Loads the
 * OpenCL drivers before the OpenGL drivers. Must be called before the pipeline
 * is started. */
void denoise_gl_prepare (GstElement * pipeline);

G_END_DECLS
