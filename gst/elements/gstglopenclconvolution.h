/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclconvolution convolves frames with any matrix. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLConvolution:
 *
 * Convolves frames with a matrix, see element-glopenclconvolution.
 */
#define GST_TYPE_GL_OPENCL_CONVOLUTION (gst_gl_opencl_convolution_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLConvolution, gst_gl_opencl_convolution, GST,
    GL_OPENCL_CONVOLUTION, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclconvolution)

G_END_DECLS
