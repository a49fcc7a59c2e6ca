/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arguments of a user's kernel as children of the object that has the
 * kernel, an element or a child of one: the property value of each can be set
 * by GstChildProxy and by a GstController.
 *
 * The functions may be called from any thread. */

#pragma once

#include "base/gstglopenclproperties.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLArgument:
 *
 * An argument of the kernel of element-glopenclkernel.
 */
#define GST_TYPE_GL_OPENCL_ARGUMENT (gst_gl_opencl_argument_get_type ())
G_DECLARE_FINAL_TYPE (GstGLOpenCLArgument, gst_gl_opencl_argument, GST,
    GL_OPENCL_ARGUMENT, GstObject)

/* Implements GstChildProxy for objects with a kernel. */
void gst_gl_opencl_arguments_init_proxy (gpointer interface, gpointer data);

G_END_DECLS
