/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclfilter is the bilateral filter. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLFilter:
 *
 * Smooths noise and keeps edges with the bilateral filter, see
 * element-glopenclfilter.
 */
#define GST_TYPE_GL_OPENCL_FILTER (gst_gl_opencl_filter_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLFilter, gst_gl_opencl_filter, GST,
    GL_OPENCL_FILTER, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclfilter)

G_END_DECLS
