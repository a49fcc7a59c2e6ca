/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all elements of the plugin have in common: GStreamer's virtual methods
 * around a session, the properties of the operation and of the histograms,
 * forwarding of frames that need no work, working in place, errors.
 *
 * A subclass names its operation and its metadata in class_init, and has
 * nothing else. */

#pragma once

#include <gst/gl/gstglfilter.h>

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLBaseFilter:
 *
 * An OpenGL filter that works with OpenCL: a frame in one texture or several
 * in, one of the same size and format out.
 *
 * Since: 0.1
 */
#define GST_TYPE_GL_OPENCL_BASE_FILTER (gst_gl_opencl_base_filter_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGLOpenCLBaseFilter, gst_gl_opencl_base_filter,
    GST, GL_OPENCL_BASE_FILTER, GstGLFilter)

/**
 * GstGLOpenCLBaseFilter:device:
 *
 * The OpenCL device: empty for the one that shares with OpenGL or else the
 * fastest type present, gpu, cpu, an index platform:device such as 0:1, or
 * part of a device's name.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:active-interop:
 *
 * How OpenCL gets at OpenGL's frames now; auto while nothing is negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:active-device:
 *
 * The name of the OpenCL device in use; %NULL while nothing is negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:stats:
 *
 * Since the element was started: `frames` that were filtered, `kernel-time`,
 * `transfer-time` (copies between host and device and on it; what gl-sharing
 * costs is not known) and `wait-time` (the streaming thread waited for OpenCL)
 * in nanoseconds, all guint64, and `variant`, the kernel that serves.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilterClass:
 * @parent_class: the parent class
 * @operation: what the element computes
 *
 * Since: 0.1
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
