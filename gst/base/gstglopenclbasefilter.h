/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The base class of all elements of the plugin. It implements GStreamer's
 * virtual methods around a session, the properties of the operation and of the
 * histograms, the forwarding of frames that need no work, in-place filtering,
 * and error messages.
 *
 * A subclass only sets its operation and its metadata, in class_init. */

#pragma once

#include <gst/gl/gstglfilter.h>

#include "gstglopenclproperties.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLBaseFilter:
 *
 * An OpenGL filter that computes with OpenCL. A frame is in one texture or in
 * several. The output frame has the size and the format of the input frame.
 *
 * Since: 0.1
 */
#define GST_TYPE_GL_OPENCL_BASE_FILTER (gst_gl_opencl_base_filter_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGLOpenCLBaseFilter, gst_gl_opencl_base_filter,
    GST, GL_OPENCL_BASE_FILTER, GstGLFilter)

/**
 * GstGLOpenCLBaseFilter:device:
 *
 * Selects the OpenCL device. An empty value selects the device that shares with
 * OpenGL, or else the fastest type of device present. Other values: gpu, cpu,
 * an index platform:device such as 0:1, or part of a device's name.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:active-interop:
 *
 * The interop backend in use, with which OpenCL accesses OpenGL's frames. auto
 * while nothing is negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:active-device:
 *
 * The name of the OpenCL device in use, %NULL while nothing is negotiated.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:stats:
 *
 * Statistics since the element was started. `frames` is the number of filtered
 * frames. `kernel-time`, `transfer-time` and `wait-time` are in nanoseconds.
 * `kernel-time`, `transfer-time` and the times of operations are estimates: the
 * first 16 frames after a start or a change of the operations are measured,
 * then one in 16, and the others count like the last measured one.
 * `transfer-time` includes copies between host and device and on the device,
 * but not the unknown cost of gl-sharing. `wait-time` is the time that the
 * streaming thread waited for OpenCL. These four fields are guint64. `variant`
 * is the kernel in use. For a chain, it lists the kernels with commas, and
 * `operations` is an array with a structure for each operation, whose field
 * `time` is its part of the first two times. `noise` is a structure with the
 * noise of each channel of the last frame, in levels of 8 bits, if the element
 * estimates it.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilterClass:
 * @parent_class: the parent class
 * @operation: the operation that the element computes, or %NULL if it has
 *    several
 *
 * Since: 0.1
 */
struct _GstGLOpenCLBaseFilterClass
{
  GstGLFilterClass parent_class;

  const OclOperationClass *operation;
};

/* Makes elements of @klass compute @operation, and installs a property for each
 * parameter of @operation. Must be called from the class_init of a subclass. */
void gst_gl_opencl_base_filter_class_set_operation (GstGLOpenCLBaseFilterClass
    * klass, const OclOperationClass * operation);

/* Returns the operations of the element and their parameters (owned by the
 * element). */
GstGLOpenCLParams *gst_gl_opencl_base_filter_get_params (GstGLOpenCLBaseFilter *
    self);

/* Sets a property of @object, the element or a child, see
 * gst_gl_opencl_params_set(). May be called from any thread. */
void gst_gl_opencl_base_filter_set_param (GstGLOpenCLBaseFilter * self,
    GObject * object, guint index, const GValue * value);

/* Must be called after setting a parameter that may change the number of frames
 * in the element. May be called from any thread. */
void gst_gl_opencl_base_filter_update_depth (GstGLOpenCLBaseFilter * self);

G_END_DECLS
