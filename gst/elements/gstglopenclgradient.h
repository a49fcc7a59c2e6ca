/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclgradient shows the gradient of frames. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLGradient:
 *
 * Shows the gradient of frames, see element-glopenclgradient.
 */
#define GST_TYPE_GL_OPENCL_GRADIENT (gst_gl_opencl_gradient_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLGradient, gst_gl_opencl_gradient, GST,
    GL_OPENCL_GRADIENT, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclgradient)

G_END_DECLS
