/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Manages the OpenCL context that belongs to a GL context. There is one
 * {context, queue} for each pair of a GstGLContext and a device. All elements
 * that use this pair share it, and so do the cl_mems that are cached on GL
 * memory.
 *
 * A context that shares textures with OpenGL is checked before it is returned.
 * The check covers the extensions, the device that OpenGL runs on, context
 * creation, and a trial texture, see gstglopencltrial.h. Other kinds of
 * textures are checked when a format first needs them. */

#pragma once

#include <gst/gl/gl.h>

#include "opencl/core/oclframe.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLInteropMode:
 * @GST_GL_OPENCL_INTEROP_AUTO: tries gl-sharing, external-memory and host-copy
 *    in this order. Live sources try external-memory first
 * @GST_GL_OPENCL_INTEROP_GL_SHARING: OpenCL acquires the GL textures without a
 *    copy
 * @GST_GL_OPENCL_INTEROP_HOST_COPY: OpenCL works on frames that are mapped to
 *    the host
 * @GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY: OpenCL and GL share memory that
 *    Vulkan allocates. Frames are copied to and from this memory on the GPU
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
 * @gl_context: the GL context (owned)
 * @ocl: the OpenCL context and queue (owned)
 * @mode: the interop backend that the context is made for. Every context also
 *    supports host-copy
 * @external: the objects of external-memory, or NULL (owned)
 * @bytes_swapped: whether RGBA textures are shared as images with swapped
 *    bytes, see OclFrame
 * @shared: one bit for each kind of texture that passed the check (GL thread
 *    only)
 *
 * The context is reference-counted. Its members other than @ref_count and
 * @shared never change. A holder that may drop the last reference on the GL
 * thread must also hold a reference to @gl_context, because a GL context must
 * not be freed on its GL thread.
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

/* Returns a new reference to the context of @gl_context and @device for @mode,
 * which must not be AUTO. Creates the context if there is none. Must be called
 * on the GL thread of @gl_context. Fails with OCL_ERROR_*. */
GstGLOpenCLContext *gst_gl_opencl_context_get (GstGLContext * gl_context,
    OclDevice * device, GstGLOpenCLInteropMode mode, GError ** error);

/* Returns whether @context shares the textures of frames of @format, @width by
 * @height in size. Every kind of texture is checked once. @context must be for
 * gl-sharing or external-memory. Must not be called on the GL thread. Fails
 * with OCL_ERROR_NOT_SUPPORTED and a message that names the limit. */
gboolean gst_gl_opencl_context_check_format (GstGLOpenCLContext * context,
    const OclFormat * format, gint width, gint height, GError ** error);

/* May be called from any thread. */
GstGLOpenCLContext *gst_gl_opencl_context_ref (GstGLOpenCLContext * context);
void gst_gl_opencl_context_unref (GstGLOpenCLContext * context);

G_END_DECLS
