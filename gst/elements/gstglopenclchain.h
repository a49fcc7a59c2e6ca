/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The element glopenclchain runs several operations on a frame. */

#pragma once

#include "base/gstglopenclbasefilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLChain:
 *
 * Runs several operations on a frame, see element-glopenclchain.
 *
 * Since: 0.1
 */
#define GST_TYPE_GL_OPENCL_CHAIN (gst_gl_opencl_chain_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLChain, gst_gl_opencl_chain, GST,
    GL_OPENCL_CHAIN, GstGLOpenCLBaseFilter)

GST_ELEMENT_REGISTER_DECLARE (glopenclchain)

G_END_DECLS
