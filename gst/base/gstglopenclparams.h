/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of an operation as an element holds them: any thread changes
 * them, the streaming thread takes a copy for each frame. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLParams:
 * @element: whose lock it is; not owned
 * @operation: whose parameters they are
 * @values: the struct; owned; written with @setting and the object lock, read
 *    with either
 * @format: of the frames that flow, or NULL; with the object lock
 * @started: whether the element is; with the object lock
 * @refused: for each parameter why the last value that it was set to while the
 *    element was not started could not be, or NULL; owned; with the object lock
 * @setting: held while a parameter is set, which may take reading a file; taken
 *    before the object lock. A controller sets on the streaming thread: that
 *    waits for a file that another thread reads.
 */
typedef struct
{
  GstElement *element;
  const OclOperationClass *operation;
  gpointer values;
  const OclFormat *format;
  gboolean started;
  GError **refused;
  GMutex setting;
} GstGLOpenCLParams;

/* All at their defaults. */
void gst_gl_opencl_params_init (GstGLOpenCLParams * params,
    GstElement * element, const OclOperationClass * operation);
void gst_gl_opencl_params_clear (GstGLOpenCLParams * params);

/* Take the object lock; any thread. */

/* Sets the parameter of that place in the table. What it cannot be, or what the
 * frames that flow cannot be computed with, is refused with a warning message:
 * what it was stays. */
void gst_gl_opencl_params_set (GstGLOpenCLParams * params, guint index,
    const GValue * value);
void gst_gl_opencl_params_get (GstGLOpenCLParams * params, guint index,
    GValue * value);

/* The element starts: FALSE where the last value that a parameter was set to
 * before was refused, which users may not have seen. A file and
 * what it sets are one: a matrix makes up for the name of a bad file. */
gboolean gst_gl_opencl_params_start (GstGLOpenCLParams * params,
    GError ** error);

/* The element is stopped, and no frames flow. */
void gst_gl_opencl_params_stop (GstGLOpenCLParams * params);

/* What parameters are checked against from now on. */
void gst_gl_opencl_params_set_format (GstGLOpenCLParams * params,
    const OclFormat * format);

/* The frames that the parameters there are now can be used for, see
 * gst_gl_opencl_caps_create(). */
GstCaps *gst_gl_opencl_params_create_caps (GstGLOpenCLParams * params,
    GstGLContext * gl_context, gboolean shared);

G_END_DECLS
