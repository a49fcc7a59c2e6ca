/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclkernel filters frames with the user's own kernel. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLKernel:
 *
 * Filters frames with the user's own kernel, see element-glopenclkernel.
 */
#define GST_TYPE_GL_OPENCL_KERNEL (gst_gl_opencl_kernel_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLKernel, gst_gl_opencl_kernel, GST,
    GL_OPENCL_KERNEL, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclkernel)

G_END_DECLS
