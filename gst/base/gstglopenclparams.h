/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations of an element, with the parameters that are in force. Most
 * elements have one operation, and it stays. The element glopenclchain has
 * several, each with a child of the element, and gets others while frames flow.
 *
 * Properties, controllers, presets, files that are written again and children
 * all set parameters with gst_gl_opencl_params_set(). The object lock of the
 * element protects everything. The streaming thread copies the parameters for
 * each frame. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclwatch.h"
#include "opencl/graph/ocllinks.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLItem:
 * @report: the settings of the operation's report
 * @watch: the settings of an operation with a text that users write, and what
 *    the streaming thread has seen of the file
 * @refused: for each parameter, the error that rejected the last value set
 *    while the element was not started, or NULL; owned
 *
 * What an element keeps for an operation beside its parameters.
 */
typedef struct
{
  OclReportSettings report;
  GstGLOpenCLWatch watch;
  GError **refused;
} GstGLOpenCLItem;

/**
 * GstGLOpenCLParams:
 * @element: the element whose object lock is taken; not owned
 * @links: the operations and their parameters; owned
 * @objects: the object that has the properties of each operation: the element,
 *    or a child of it; owned, or NULL
 * @items: what else there is of each operation
 * @refused: the error that rejected the last operations while the element was
 *    not started, or NULL; owned
 * @format: the format of the frames that flow, or NULL
 * @started: whether the element is started
 * @serial: how often parameters were set
 */
typedef struct
{
  GstElement *element;
  OclLinks links;
  GPtrArray *objects;
  GstGLOpenCLItem items[OCL_MAX_LINKS];
  GError *refused;
  const OclFormat *format;
  gboolean started;
  guint serial;
} GstGLOpenCLParams;

/* Installs the properties of the elements of @operation, with ids from
 * @first_id on. Call it only from class_init. */
void gst_gl_opencl_params_install (GObjectClass * klass, guint first_id,
    const OclOperationClass * operation);

/* Returns the names of the properties that a preset of the elements of
 * @operation has: the parameters, but not the files that they may be read from.
 * The caller frees the list. */
gchar **gst_gl_opencl_params_list_names (const OclOperationClass * operation);

/* Frees what @params has. */
void gst_gl_opencl_params_clear (GstGLOpenCLParams * params);

/* The functions below may be called from any thread. Those that say so need
 * the object lock, the others take it. */

/* Makes the operations of @links, whose parameters become those of @params, the
 * operations, and @objects the objects that have their properties. Takes both.
 * If the frames that flow cannot be computed with them, returns FALSE with
 * OCL_ERROR_NEEDS_RGB, and changes nothing. Otherwise @objects becomes the
 * objects before, or NULL. */
gboolean gst_gl_opencl_params_use (GstGLOpenCLParams * params,
    OclLinks * links, GPtrArray ** objects, GError ** error);

/* Says that operations could not be used because of @error, in a warning
 * message, and keeps the error if the element is not started. */
void gst_gl_opencl_params_refuse (GstGLOpenCLParams * params,
    const GError * error);

/* Returns the present objects. The caller ends with g_ptr_array_unref(). */
GPtrArray *gst_gl_opencl_params_get_objects (GstGLOpenCLParams * params);

/* Sets the property of @object with the id @index + the first id. An invalid
 * value, or a value with which the frames that flow cannot be computed, is
 * rejected with a warning message, and the parameter keeps its value. Does
 * nothing if @object has no operation any more. */
void gst_gl_opencl_params_set (GstGLOpenCLParams * params, GObject * object,
    guint index, const GValue * value);
void gst_gl_opencl_params_get (GstGLOpenCLParams * params, GObject * object,
    guint index, GValue * value);

/* Sets @text to a reference to the text of the operation of @object. Returns
 * FALSE if it has no operation any more. */
gboolean gst_gl_opencl_params_get_text (GstGLOpenCLParams * params,
    GObject * object, OclLiteral ** text);

/* Call it when the element starts. Returns FALSE if the last value of a
 * parameter, or the last operations, set before the start were rejected,
 * because users may not have seen the warning. A file and the parameter that it
 * sets count as one: setting a matrix makes up for a bad file name. */
gboolean gst_gl_opencl_params_start (GstGLOpenCLParams * params,
    GError ** error);

/* Call it when the element is stopped and no frames flow. */
void gst_gl_opencl_params_stop (GstGLOpenCLParams * params);

/* Sets the format that parameters are checked against from now on. */
void gst_gl_opencl_params_set_format (GstGLOpenCLParams * params,
    const OclFormat * format);

/* Sets texts of files again if the files have changed and users want that.
 * Call it on the streaming thread before a frame. */
void gst_gl_opencl_params_look (GstGLOpenCLParams * params);

/* Return how many later frames the first operation reads, and how many earlier
 * frames the result for a frame depends on. The caller holds the object
 * lock. */
guint gst_gl_opencl_params_get_lookahead (const GstGLOpenCLParams * params);
guint gst_gl_opencl_params_get_lead (const GstGLOpenCLParams * params);

/* Returns whether the report of the first operation that has one is posted.
 * The caller holds the object lock. */
gboolean gst_gl_opencl_params_have_messages (const GstGLOpenCLParams *
    params);

G_END_DECLS
