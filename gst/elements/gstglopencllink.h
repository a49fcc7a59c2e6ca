/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An operation of a chain as a child of the element. Its properties are the
 * parameters of the operation, for GstChildProxy and GstController. Each
 * operation has a type. */

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

/* Creates a child of @element with the name @name for @operation, whose
 * parameters the element has. The caller releases it with
 * gst_object_unparent(). May be called from any thread. */
GObject *gst_gl_opencl_link_new (GstElement * element, const gchar * name,
    const OclOperationClass * operation);

G_END_DECLS
