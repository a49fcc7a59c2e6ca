/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL context that belongs to a GL context: one {context, queue} per
 * GstGLContext and device, shared by all elements that use both, and by the
 * cl_mems cached on GL memory.
 *
 * gl-sharing contexts are proven before they are handed out: the extension, the
 * device that owns the GL context, context creation, and a trial texture, see
 * gstglopencltrial.h. Further kinds of textures are proven when a format first
 * needs them. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/oclframe.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLContext:
 * @gl_context: the GL context; owned
 * @ocl: the OpenCL context and queue; owned
 * @gl_sharing: whether @ocl can take GL textures
 * @bytes_swapped: of the images that RGBA textures are shared as, see OclFrame
 * @shared: bits of the kinds of textures that are proven; GL thread
 *
 * Reference-counted, the other members never change. Whoever may hold the last
 * reference on the GL thread also holds @gl_context, so that a GL context is
 * never ended from its own thread.
 */
typedef struct
{
  gint ref_count;
  GstGLContext *gl_context;
  OclContext *ocl;
  gboolean gl_sharing;
  gboolean bytes_swapped;
  guint shared;
} GstGLOpenCLContext;

/* A new reference to the context of @gl_context and @device, with or without
 * sharing, made where there is none. GL thread of @gl_context. OCL_ERROR_* */
GstGLOpenCLContext *gst_gl_opencl_context_get (GstGLContext * gl_context,
    OclDevice * device, gboolean gl_sharing, GError ** error);

/* Whether the textures of @format are proven to be shared; a kind of texture
 * that is, is not tried again. Of a context with sharing. Any thread but the GL
 * thread's. OCL_ERROR_* */
gboolean gst_gl_opencl_context_shares (GstGLOpenCLContext * context,
    const OclFormat * format, GError ** error);

/* Any thread. */
GstGLOpenCLContext *gst_gl_opencl_context_ref (GstGLOpenCLContext * context);
void gst_gl_opencl_context_unref (GstGLOpenCLContext * context);

G_END_DECLS
