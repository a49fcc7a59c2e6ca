/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An operation of a chain as a child of the element: its properties are the
 * parameters of the operation, so that they can be set by GstChildProxy and by
 * a GstController. There is a type for each operation. */

#pragma once

#include "base/gstglopenclparams.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLLink:
 *
 * An operation of element-glopenclchain.
 */
#define GST_TYPE_GL_OPENCL_LINK (gst_gl_opencl_link_get_type ())
G_DECLARE_DERIVABLE_TYPE (GstGLOpenCLLink, gst_gl_opencl_link, GST,
    GL_OPENCL_LINK, GstObject)

/**
 * GstGLOpenCLLinkClass:
 * @parent_class: the parent class
 */
struct _GstGLOpenCLLinkClass
{
  GstObjectClass parent_class;
};

/* The functions may be called from any thread. */

/* Creates a child of @element with the name @name for @operation, with a copy
 * of @params. @follows: whether the operation is behind another one. The caller
 * ends with gst_object_unparent(). */
GstGLOpenCLLink *gst_gl_opencl_link_new (GstElement * element,
    const gchar * name, const OclOperationClass * operation,
    gconstpointer params, gboolean follows);

/* Returns the parameters, which belong to the link. */
GstGLOpenCLParams *gst_gl_opencl_link_get_params (GstGLOpenCLLink * link);

/* Sets what follows a curve in time, if @stream_time is one, and looks whether
 * a file has changed. Call it on the streaming thread before a frame. */
void gst_gl_opencl_link_sync (GstGLOpenCLLink * link,
    GstClockTime stream_time);

G_END_DECLS
