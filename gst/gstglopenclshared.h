/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL context that belongs to a GL context: one {context, queue} per
 * GstGLContext and device, shared by all elements that use both, and by the
 * cl_mems cached on GL memory.
 *
 * gl-sharing contexts are proven before they are handed out: the extension, the
 * device that owns the GL context, context creation, and a small texture that
 * goes from GL to OpenCL and back. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/oclcontext.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLShared:
 * @gl_context: the GL context; owned
 * @ocl: the OpenCL context and queue; owned
 * @gl_sharing: whether @ocl can take GL textures
 *
 * Reference-counted, the members never change. Whoever may hold the last
 * reference on the GL thread also holds @gl_context, so that a GL context is
 * never ended from its own thread.
 */
typedef struct
{
  gint ref_count;
  GstGLContext *gl_context;
  OclContext *ocl;
  gboolean gl_sharing;
} GstGLOpenCLShared;

/* A new reference to the context of @gl_context and @device, with or without
 * sharing, made where there is none. GL thread of @gl_context. OCL_ERROR_* */
GstGLOpenCLShared *gst_gl_opencl_shared_get (GstGLContext * gl_context,
    OclDevice * device, gboolean gl_sharing, GError ** error);

/* Any thread. */
GstGLOpenCLShared *gst_gl_opencl_shared_ref (GstGLOpenCLShared * shared);
void gst_gl_opencl_shared_unref (GstGLOpenCLShared * shared);

G_END_DECLS
