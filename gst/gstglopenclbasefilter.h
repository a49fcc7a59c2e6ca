/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all elements of the plugin have in common: GStreamer's virtual methods
 * around a session, the properties of the operation and of the histograms,
 * forwarding of frames that need no work, working in place, errors.
 *
 * A subclass names its operation and its metadata in class_init, and has
 * nothing else. */

#pragma once

#include <gst/gl/gstglfilter.h>

#include "opencl/ocloperation.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLBaseFilter:
 *
 * An OpenGL filter that works with OpenCL: one RGBA texture in, one of the same
 * size out.
 */
#define GST_TYPE_GL_OPENCL_BASE_FILTER (gst_gl_opencl_base_filter_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGLOpenCLBaseFilter, gst_gl_opencl_base_filter,
    GST, GL_OPENCL_BASE_FILTER, GstGLFilter)

/**
 * GstGLOpenCLBaseFilterClass:
 * @parent_class: the parent class
 * @operation: what the element computes
 */
struct _GstGLOpenCLBaseFilterClass
{
  GstGLFilterClass parent_class;

  const OclOperationClass *operation;
};

/* Makes elements of @klass compute @operation, and gives them a property for
 * each of its parameters: from the class_init of a subclass. */
void gst_gl_opencl_base_filter_class_set_operation (GstGLOpenCLBaseFilterClass
    * klass, const OclOperationClass * operation);

G_END_DECLS
