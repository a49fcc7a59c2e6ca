/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operations of an element, each with its parameters. Most elements have
 * one operation, and it stays. The element glopenclchain has several, and gets
 * others while frames flow. */

#pragma once

#include "gstglopenclparams.h"
#include "opencl/graph/ocllinks.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLOperations:
 * @element: the element whose object lock is taken; not owned
 * @items: the parameters of each operation; not owned
 * @links: the operations and their parameters, which belong to @items
 * @format: the format of the frames that flow, or NULL
 * @started: whether the element is started
 *
 * All members are protected by the object lock of @element.
 */
typedef struct
{
  GstElement *element;
  GstGLOpenCLParams *items[OCL_MAX_LINKS];
  OclLinks links;
  const OclFormat *format;
  gboolean started;
} GstGLOpenCLOperations;

/* Makes the @n @items the operations. They must live until others take their
 * place. If the frames that flow cannot be computed with them, returns FALSE
 * with OCL_ERROR_NEEDS_RGB, and changes nothing. Takes the object lock. May be
 * called from any thread. */
gboolean gst_gl_opencl_operations_set (GstGLOpenCLOperations * operations,
    GstGLOpenCLParams * const *items, guint n, GError ** error);

/* Call it when the element starts, see gst_gl_opencl_params_start(). Takes the
 * object lock. */
gboolean gst_gl_opencl_operations_start (GstGLOpenCLOperations * operations,
    GError ** error);

/* Call it when the element is stopped and no frames flow. Takes the object
 * lock. */
void gst_gl_opencl_operations_stop (GstGLOpenCLOperations * operations);

/* Sets the format that parameters are checked against from now on. Takes the
 * object lock. May be called from any thread. */
void gst_gl_opencl_operations_set_format (GstGLOpenCLOperations * operations,
    const OclFormat * format);

/* Returns the caps of the frames that can be computed with the current
 * parameters, see gst_gl_opencl_caps_create(). Takes the object lock. May be
 * called from any thread. */
GstCaps *gst_gl_opencl_operations_create_caps (GstGLOpenCLOperations *
    operations, GstGLContext * gl_context, gboolean shared);

/* Returns how many later frames the first operation reads. The caller holds the
 * object lock. */
guint gst_gl_opencl_operations_get_lookahead (const GstGLOpenCLOperations *
    operations);

/* Returns how many earlier frames the result for a frame depends on. The caller
 * holds the object lock. */
guint gst_gl_opencl_operations_get_lead (const GstGLOpenCLOperations *
    operations);

/* Returns whether the report of the first operation that has one is posted. */
gboolean gst_gl_opencl_operations_have_messages (const GstGLOpenCLOperations *
    operations);

G_END_DECLS
