/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclsharpen sharpens and blurs frames. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLSharpen:
 *
 * Sharpens and blurs, see element-glopenclsharpen.
 */
#define GST_TYPE_GL_OPENCL_SHARPEN (gst_gl_opencl_sharpen_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLSharpen, gst_gl_opencl_sharpen, GST,
    GL_OPENCL_SHARPEN, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclsharpen)

G_END_DECLS
