/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates GObject properties from a table of parameters, and converts their
 * values. A matrix is an array of rows, and each row is an array of numbers. A
 * list is an array of numbers, and numbers with names are a structure whose
 * fields are numbers. Numbers may be integers, fractions and floating-point
 * numbers, in any mixture.
 *
 * Unless noted otherwise, the functions may be called from any thread. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclwatch.h"
#include "opencl/graph/ocloperationlist.h"

G_BEGIN_DECLS

/* Name of a structure whose fields change or add numbers with names, without a
 * race between reading and setting the property. A structure with any other
 * name replaces all numbers. */
#define GST_GL_OPENCL_NAMED_NUMBERS_CHANGE "glopencl-change"

/* Returns the GType of an enumeration or, if they @are_flags, of flags with
 * @values. The first call for @values registers the type. Must be called from
 * class_init. */
GType gst_gl_opencl_properties_get_type (const OclValues * values,
    gboolean are_flags);

/* Installs a property for every entry of @table, with ids from @first_id on.
 * @table may be NULL. Must be called from class_init. */
void gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table);

/* Copy the value of one parameter to and from the struct @params. @object has
 * the property. The caller holds the lock that protects @params. Setting a
 * literal may fail with OCL_ERROR_SETTINGS, without setting anything. */
gboolean gst_gl_opencl_properties_set (const OclParam * param,
    gpointer params, gpointer object, const GValue * value, GError ** error);
void gst_gl_opencl_properties_get (const OclParam * param,
    gconstpointer params, GValue * value);

/* Wraps GStreamer's functions in @interface, to store the object that a preset
 * is being loaded for. */
void gst_gl_opencl_properties_init_preset (GstPresetInterface * interface);

/* Returns the text in @value, a new value of a property of @object, without the
 * double escaping of presets: GStreamer escapes a text twice when it saves a
 * preset, and unescapes it once when it loads the preset. The caller frees the
 * text, which may be NULL. */
gchar *gst_gl_opencl_properties_get_text (gpointer object,
    const GValue * value);

/* The operations of an element, with their current parameters. Most elements
 * have one fixed operation. The element glopenclchain has several, each with a
 * child of the element, and they may be replaced while frames flow.
 *
 * Properties, controllers, presets, changed files and children all set
 * parameters with gst_gl_opencl_params_set(). Protected by the object lock of
 * the element. The streaming thread copies the parameters for each frame. */

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
 * @operations: the operations and their parameters (owned)
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
  OclOperationList operations;
  GPtrArray *objects;
  GstGLOpenCLItem items[OCL_MAX_OPERATIONS];
  GError *refused;
  const OclFormat *format;
  gboolean started;
  guint serial;
} GstGLOpenCLParams;

/* Installs the properties of the elements of @operation, with ids from
 * @first_id on. Must be called from class_init. */
void gst_gl_opencl_params_install (GObjectClass * klass, guint first_id,
    const OclOperationClass * operation);

/* Frees the members of @params. */
void gst_gl_opencl_params_clear (GstGLOpenCLParams * params);

/* The functions below may be called from any thread. They take the object lock,
 * unless noted otherwise. */

/* Replaces the operations and their parameters by @operations, and the objects
 * that have their properties by @objects. Takes ownership of both. If the
 * operations cannot process the current frames, returns FALSE with
 * OCL_ERROR_NEEDS_RGB, and changes nothing. Otherwise sets @objects to the
 * previous objects, or NULL. */
gboolean gst_gl_opencl_params_use (GstGLOpenCLParams * params,
    OclOperationList * operations, GPtrArray ** objects, GError ** error);

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
