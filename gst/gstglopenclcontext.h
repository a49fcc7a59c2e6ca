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

#include "opencl/oclframe.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLContext:
 * @gl_context: the GL context; owned
 * @ocl: the OpenCL context and queue; owned
 * @gl_sharing: whether @ocl can take GL textures
 * @bytes_swapped: of the images that RGBA textures are shared as, see OclFrame
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
  gboolean bytes_swapped;
} GstGLOpenCLContext;

/* Whether @image, which a driver shares a texture as, has the format that a
 * plane of @format needs, and whether its bytes are swapped, see OclFrame.
 * OCL_ERROR_NOT_SUPPORTED where it has another. Any thread. */
gboolean gst_gl_opencl_context_check_image (cl_mem image,
    const OclFormat * format, guint plane, gboolean * bytes_swapped,
    GError ** error);

/* A new reference to the context of @gl_context and @device, with or without
 * sharing, made where there is none. GL thread of @gl_context. OCL_ERROR_* */
GstGLOpenCLContext *gst_gl_opencl_context_get (GstGLContext * gl_context,
    OclDevice * device, gboolean gl_sharing, GError ** error);

/* Any thread. */
GstGLOpenCLContext *gst_gl_opencl_context_ref (GstGLOpenCLContext * context);
void gst_gl_opencl_context_unref (GstGLOpenCLContext * context);

G_END_DECLS
