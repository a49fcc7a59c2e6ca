/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The OpenCL context that belongs to a GL context: one {context, queue} per
 * GstGLContext and device, shared by all elements that use both, and by the
 * cl_mems cached on GL memory.
 *
 * Contexts that share are proven before they are handed out: the extensions,
 * the device that OpenGL runs on, context creation, and a trial texture, see
 * gstglopencltrial.h. Further kinds of textures are proven when a format first
 * needs them. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLInteropMode:
 * @GST_GL_OPENCL_INTEROP_AUTO: the first of gl-sharing and external-memory that
 *    works, else host-copy
 * @GST_GL_OPENCL_INTEROP_GL_SHARING: OpenCL borrows the GL textures, no copy
 * @GST_GL_OPENCL_INTEROP_HOST_COPY: OpenCL works on frames mapped to the host
 * @GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY: OpenCL and GL share memory of
 *    Vulkan's, which frames are copied to and from on the GPU
 */
typedef enum
{
  GST_GL_OPENCL_INTEROP_AUTO,
  GST_GL_OPENCL_INTEROP_GL_SHARING,
  GST_GL_OPENCL_INTEROP_HOST_COPY,
  GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY,
} GstGLOpenCLInteropMode;

typedef struct _GstGLOpenCLExternal GstGLOpenCLExternal;

/**
 * GstGLOpenCLContext:
 * @gl_context: the GL context; owned
 * @ocl: the OpenCL context and queue; owned
 * @mode: the way that it is made for; all can do host-copy, too
 * @external: what external-memory needs, or NULL; owned
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
  GstGLOpenCLInteropMode mode;
  GstGLOpenCLExternal *external;
  gboolean bytes_swapped;
  guint shared;
} GstGLOpenCLContext;

/* A new reference to the context of @gl_context and @device for @mode, which is
 * not AUTO, made where there is none. GL thread of @gl_context. OCL_ERROR_* */
GstGLOpenCLContext *gst_gl_opencl_context_get (GstGLContext * gl_context,
    OclDevice * device, GstGLOpenCLInteropMode mode, GError ** error);

/* Whether the textures of frames of that format and size are shared, which is
 * proven: a kind of texture that is, is not tried again. Of a context for
 * gl-sharing or external-memory. Any thread but the GL thread's.
 * OCL_ERROR_NOT_SUPPORTED with a sentence that says what the limit is. */
gboolean gst_gl_opencl_context_check_format (GstGLOpenCLContext * context,
    const OclFormat * format, gint width, gint height, GError ** error);

/* Any thread. */
GstGLOpenCLContext *gst_gl_opencl_context_ref (GstGLOpenCLContext * context);
void gst_gl_opencl_context_unref (GstGLOpenCLContext * context);

G_END_DECLS
