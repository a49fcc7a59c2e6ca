/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopencldenoise removes noise from frames. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLDenoise:
 *
 * Removes noise from frames, see element-glopencldenoise.
 */
#define GST_TYPE_GL_OPENCL_DENOISE (gst_gl_opencl_denoise_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLDenoise, gst_gl_opencl_denoise, GST,
    GL_OPENCL_DENOISE, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopencldenoise)

G_END_DECLS
