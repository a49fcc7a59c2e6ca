/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps the commands of OpenGL and OpenCL on shared memory in order. With
 * semaphores, the GPU keeps the order. If a driver has no semaphores, or none
 * can be created, the calling thread waits. */

#pragma once

#include "gstglopenclexternalgl.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLHandover GstGLOpenCLHandover;

/* Call all functions on the GL thread of @gl_context. */

/* All arguments have to outlive the handover, except @gl, which is copied. */
GstGLOpenCLHandover *gst_gl_opencl_handover_new (GstGLContext * gl_context,
    const GstGLOpenCLExternalGL * gl, GstGLOpenCLVulkan * vulkan,
    OclContext * ocl, OclImporter * external);

/* OpenCL must be done with all its commands. */
void gst_gl_opencl_handover_free (GstGLOpenCLHandover * handover);

/* Hands @n @textures to OpenCL, at most GST_GL_OPENCL_MAX_HANDED_OVER. OpenCL
 * commands that are enqueued after this call run after the OpenGL commands that
 * were issued before. They see what these OpenGL commands did to the
 * textures. */
gboolean gst_gl_opencl_handover_to_opencl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Hands @n @textures back to OpenGL. OpenGL commands that are issued after this
 * call run after the OpenCL commands that were enqueued before. If OpenCL
 * cannot enqueue the signal that OpenGL is to wait for, no OpenGL command
 * waits. */
gboolean gst_gl_opencl_handover_to_opengl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* Frees the semaphores. Call it after a failure, when OpenCL is done: the
 * semaphores may be in any state. They are created again when they are next
 * needed. */
void gst_gl_opencl_handover_reset (GstGLOpenCLHandover * handover);

#define GST_GL_OPENCL_MAX_HANDED_OVER 80

G_END_DECLS
