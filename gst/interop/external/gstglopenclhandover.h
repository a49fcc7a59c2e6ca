/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Orders the commands of OpenGL and OpenCL on shared memory. With semaphores,
 * the GPU keeps the order. If a driver has no semaphores, or none can be
 * created, the calling thread waits. */

#pragma once

#include "gstglopenclexternalgl.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLHandover GstGLOpenCLHandover;

/* All functions must be called on the GL thread of @gl_context. */

/* All arguments must outlive the handover, except @gl, which is copied. */
GstGLOpenCLHandover *gst_gl_opencl_handover_new (GstGLContext * gl_context,
    const GstGLOpenCLExternalGL * gl, GstGLOpenCLVulkan * vulkan,
    OclContext * ocl, OclImporter * external);

/* OpenCL must have finished all its commands. */
void gst_gl_opencl_handover_free (GstGLOpenCLHandover * handover);

/* Hands @n @textures to OpenCL, at most GST_GL_OPENCL_MAX_HANDED_OVER. OpenCL
 * commands that are enqueued after this call run after the OpenGL commands that
 * were issued before. They see the changes of these OpenGL commands to the
 * textures. */
gboolean gst_gl_opencl_handover_to_opencl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Hands @n @textures back to OpenGL. OpenGL commands that are issued after this
 * call run after the OpenCL commands that were enqueued before. If OpenCL
 * cannot enqueue its signal, no OpenGL command waits. */
gboolean gst_gl_opencl_handover_to_opengl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Frees the semaphores. Must be called after a failure, when OpenCL has
 * finished, because the semaphores may be in any state. They are created again
 * on their next use. */
void gst_gl_opencl_handover_reset (GstGLOpenCLHandover * handover);

#define GST_GL_OPENCL_MAX_HANDED_OVER 80

G_END_DECLS
