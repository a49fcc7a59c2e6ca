/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stores the parameters of an operation for an element, and the settings that
 * only the elements of some operations have. Any thread may change the
 * parameters; the streaming thread copies them for each frame. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/operation/ocloperationclass.h"
#include "gstglopenclwatch.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLParams:
 * @object: the object that has the properties: the element, or a child of it;
 *    not owned
 * @element: the element whose object lock is taken; not owned
 * @operation: the operation that has the parameters
 * @values: the struct of the parameters; owned. Writers hold @setting and the
 *    object lock; readers hold either lock.
 * @report: settings of the operation's report; protected by the object lock
 * @watch: the settings of elements with a text that users write, protected by
 *    the object lock, and what the streaming thread has seen of the file
 * @format: the format of the frames that flow, or NULL; protected by the object
 *    lock
 * @started: whether the element is started; protected by the object lock
 * @follows: whether the operation is behind another one, so that it cannot read
 *    later frames
 * @refused: for each parameter, the error that rejected the last value set
 *    while the element was not started, or NULL; owned; protected by the object
 *    lock
 * @setting: held while a parameter is set, which may include reading a file;
 *    taken before the object lock. A controller sets parameters on the
 *    streaming thread, so the streaming thread waits while another thread reads
 *    a file.
 */
typedef struct
{
  GObject *object;
  GstElement *element;
  const OclOperationClass *operation;
  gpointer values;
  OclReportSettings report;
  GstGLOpenCLWatch watch;
  const OclFormat *format;
  gboolean started;
  gboolean follows;
  GError **refused;
  GMutex setting;
} GstGLOpenCLParams;

/* Installs the properties of the elements of @operation, with ids from
 * @first_id on. Call it only from class_init. */
void gst_gl_opencl_params_install (GObjectClass * klass, guint first_id,
    const OclOperationClass * operation);

/* Initialises @params with all parameters at their defaults. */
void gst_gl_opencl_params_init (GstGLOpenCLParams * params, GObject * object,
    GstElement * element, const OclOperationClass * operation);
void gst_gl_opencl_params_clear (GstGLOpenCLParams * params);

/* Returns the names of the properties that a preset of the elements of
 * @operation has: the parameters, but not the files that they may be read from.
 * The caller frees the list. */
gchar **gst_gl_opencl_params_list_names (const OclOperationClass * operation);

/* The functions below take the object lock, but for one. They may be called
 * from any thread. */

/* Sets the property with the id @index + the first id. An invalid value, or a
 * value with which the frames that flow cannot be computed, is rejected with a
 * warning message, and the parameter keeps its value. */
void gst_gl_opencl_params_set (GstGLOpenCLParams * params, guint index,
    const GValue * value);
void gst_gl_opencl_params_get (GstGLOpenCLParams * params, guint index,
    GValue * value);

/* Call it when the element starts, with the object lock. Returns FALSE if the
 * last value of a parameter set before the start was rejected, because users
 * may not have seen the warning. A file and the parameter that it sets count as
 * one: setting a matrix makes up for a bad file name. */
gboolean gst_gl_opencl_params_start (GstGLOpenCLParams * params,
    GError ** error);

/* Sets the text of a file again if the file has changed and users want that.
 * Call it on the streaming thread before a frame. */
void gst_gl_opencl_params_look (GstGLOpenCLParams * params);

G_END_DECLS
