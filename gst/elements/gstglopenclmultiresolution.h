/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclmultiresolution is the multiresolution filter. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLMultiresolution:
 *
 * Smooths coarse and fine structure separately, see
 * element-glopenclmultiresolution.
 */
#define GST_TYPE_GL_OPENCL_MULTIRESOLUTION \
    (gst_gl_opencl_multiresolution_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLMultiresolution,
    gst_gl_opencl_multiresolution, GST, GL_OPENCL_MULTIRESOLUTION,
    GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclmultiresolution)

G_END_DECLS
