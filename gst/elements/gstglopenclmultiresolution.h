/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopenclmultiresolution: the multiresolution filter as an element. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLMultiresolution:
 *
 * Smooths coarse and fine structure by themselves, see
 * element-glopenclmultiresolution.
 */
#define GST_TYPE_GL_OPENCL_MULTIRESOLUTION \
    (gst_gl_opencl_multiresolution_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLMultiresolution,
    gst_gl_opencl_multiresolution, GST, GL_OPENCL_MULTIRESOLUTION,
    GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclmultiresolution)

G_END_DECLS
