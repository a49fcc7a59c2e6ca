/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations of an element, with their current parameters. Most elements
 * have one fixed operation. The element glopenclchain has several, each with a
 * child of the element, and they may be replaced while frames flow.
 *
 * Properties, controllers, presets, changed files and children all set
 * parameters with gst_gl_opencl_params_set(). Protected by the object lock of
 * the element. The streaming thread copies the parameters for each frame. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclwatch.h"
#include "opencl/graph/ocllinks.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLItem:
 * @report: the settings of the operation's report
 * @watch: the settings of an operation with a user's text, and the state of its
 *    file that the streaming thread has seen
 * @refused: for each parameter, the error that rejected the last value set
 *    while the element was not started, or NULL (owned)
 *
 * Data of an operation besides its parameters.
 */
typedef struct
{
  OclReportSettings report;
  GstGLOpenCLWatch watch;
  GError **refused;
} GstGLOpenCLItem;

/**
 * GstGLOpenCLParams:
 * @element: the element whose object lock is used (not owned)
 * @links: the operations and their parameters (owned)
 * @objects: the object that has the properties of each operation: the element,
 *    or a child of it (owned), or NULL
 * @items: the other data of each operation
 * @refused: the error that rejected the last operations while the element was
 *    not started, or NULL (owned)
 * @format: the format of the current frames, or NULL
 * @started: whether the element is started
 * @serial: the number of times that parameters were set
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
 * @first_id on. Must be called from class_init. */
void gst_gl_opencl_params_install (GObjectClass * klass, guint first_id,
    const OclOperationClass * operation);

/* Returns the names of the properties in a preset of the elements of
 * @operation: the parameters, but not the files that they may be read from. The
 * caller frees the list. */
gchar **gst_gl_opencl_params_list_names (const OclOperationClass * operation);

/* Frees the members of @params. */
void gst_gl_opencl_params_clear (GstGLOpenCLParams * params);

/* The functions below may be called from any thread. They take the object lock,
 * unless noted otherwise. */

/* Replaces the operations and their parameters by @links, and the objects that
 * have their properties by @objects. Takes ownership of both. If the operations
 * cannot process the current frames, returns FALSE with OCL_ERROR_NEEDS_RGB,
 * and changes nothing. Otherwise sets @objects to the previous objects, or
 * NULL. */
gboolean gst_gl_opencl_params_use (GstGLOpenCLParams * params,
    OclLinks * links, GPtrArray ** objects, GError ** error);

/* Posts a warning that operations were rejected because of @error, and keeps
 * the error if the element is not started. */
void gst_gl_opencl_params_refuse (GstGLOpenCLParams * params,
    const GError * error);

/* Returns the current objects. The caller releases them with
 * g_ptr_array_unref(). */
GPtrArray *gst_gl_opencl_params_get_objects (GstGLOpenCLParams * params);

/* Sets the property of @object with the id @index + the first id. Rejects a
 * value that is invalid, or that cannot be used for the current frames, with a
 * warning message, and the parameter keeps its value. Does nothing if @object
 * no longer has an operation. */
void gst_gl_opencl_params_set (GstGLOpenCLParams * params, GObject * object,
    guint index, const GValue * value);
void gst_gl_opencl_params_get (GstGLOpenCLParams * params, GObject * object,
    guint index, GValue * value);

/* Sets @text to a reference to the text of the operation of @object. Returns
 * FALSE if it no longer has an operation. */
gboolean gst_gl_opencl_params_get_text (GstGLOpenCLParams * params,
    GObject * object, OclLiteral ** text);

/* Must be called when the element starts. Returns FALSE if the last value of a
 * parameter, or the last operations, set before the start were rejected,
 * because users may not have seen the warning. A file and the parameter that it
 * sets count as one: setting a matrix clears the error of a bad file name. */
gboolean gst_gl_opencl_params_start (GstGLOpenCLParams * params,
    GError ** error);

/* Must be called when the element is stopped and no frames flow. */
void gst_gl_opencl_params_stop (GstGLOpenCLParams * params);

/* Sets the format that new parameters are checked against. */
void gst_gl_opencl_params_set_format (GstGLOpenCLParams * params,
    const OclFormat * format);

/* Reloads the texts of watched files that have changed. Must be called on the
 * streaming thread before a frame. */
void gst_gl_opencl_params_look (GstGLOpenCLParams * params);

/* Return the number of later frames that the first operation reads, and the
 * number of earlier frames that the result for a frame depends on. The caller
 * holds the object lock. */
guint gst_gl_opencl_params_get_lookahead (const GstGLOpenCLParams * params);
guint gst_gl_opencl_params_get_lead (const GstGLOpenCLParams * params);

/* Returns whether the report of the first operation that has one is posted.
 * The caller holds the object lock. */
gboolean gst_gl_opencl_params_have_messages (const GstGLOpenCLParams *
    params);

G_END_DECLS
