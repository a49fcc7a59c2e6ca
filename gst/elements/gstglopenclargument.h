/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An argument of a user's kernel as a child of the object that has the kernel:
 * its property value can be set by GstChildProxy and by a GstController. */

#pragma once

#include <gst/gst.h>

#include "opencl/user/oclusersource.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLArgument:
 *
 * An argument of the kernel of element-glopenclkernel.
 */
#define GST_TYPE_GL_OPENCL_ARGUMENT (gst_gl_opencl_argument_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLArgument, gst_gl_opencl_argument, GST,
    GL_OPENCL_ARGUMENT, GstObject)

/* Creates a child of @owner for @argument. Reading and writing its value reads
 * and writes a field of the property arguments of @owner. The caller
 * ends with gst_object_unparent(). */
GstGLOpenCLArgument *gst_gl_opencl_argument_new (GstObject * owner,
    const OclUserArgument * argument);

/* Sets the value that the argument has unless it is set. May be called from any
 * thread. */
void gst_gl_opencl_argument_set_default (GstGLOpenCLArgument * argument,
    gdouble value);

G_END_DECLS
