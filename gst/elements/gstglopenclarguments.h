/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The arguments of a user's kernel as children of an object that has the
 * properties `source` and `arguments`: an element, or a child of one. */

#pragma once

#include "gstglopenclargument.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLArguments:
 * @owner: the object; not owned
 * @mutex: guards the members below
 * @text: the kernel of the children; owned, or NULL
 * @children: the children, of GstGLOpenCLArgument; owned
 */
typedef struct
{
  GstObject *owner;
  GMutex mutex;
  gchar *text;
  GPtrArray *children;
} GstGLOpenCLArguments;

/* All functions may be called from any thread, but no function may run at the
 * same time as init or clear. */

void gst_gl_opencl_arguments_init (GstGLOpenCLArguments * arguments,
    GstObject * owner);

/* Releases the children; call it from dispose of the owner. */
void gst_gl_opencl_arguments_dispose (GstGLOpenCLArguments * arguments);
void gst_gl_opencl_arguments_clear (GstGLOpenCLArguments * arguments);

/* Returns the number of children of the present kernel. */
guint gst_gl_opencl_arguments_count (GstGLOpenCLArguments * arguments);

/* Returns child @index of the present kernel, or NULL. The caller owns a
 * reference. */
GObject *gst_gl_opencl_arguments_get (GstGLOpenCLArguments * arguments,
    guint index);

/* Sets the values that follow a curve in time. */
void gst_gl_opencl_arguments_sync (GstGLOpenCLArguments * arguments,
    GstClockTime stream_time);

G_END_DECLS
