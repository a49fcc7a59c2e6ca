/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of what OpenGL and OpenCL do with memory that both have. With
 * semaphores the GPU keeps it; where a driver has none, or none that can be
 * made, this waits. */

#pragma once

#include "gstglopenclexternalgl.h"
#include "gstglopenclvulkan.h"
#include "opencl/core/oclimporter.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLHandover GstGLOpenCLHandover;

/* GL thread of @gl_context for all. */

/* All have to outlive it; @gl is copied. */
GstGLOpenCLHandover *gst_gl_opencl_handover_new (GstGLContext * gl_context,
    const GstGLOpenCLExternalGL * gl, GstGLOpenCLVulkan * vulkan,
    OclContext * ocl, OclImporter * external);

/* OpenCL is done. */
void gst_gl_opencl_handover_free (GstGLOpenCLHandover * handover);

/* OpenCL's commands that are enqueued from now on run after those of OpenGL
 * that were before, and see what they did to @n @textures, at most
 * GST_GL_OPENCL_MAX_HANDED_OVER. */
gboolean gst_gl_opencl_handover_to_opencl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* The other way round. Where OpenCL cannot enqueue what OpenGL is to wait for,
 * no command of OpenGL waits. */
gboolean gst_gl_opencl_handover_to_opengl (GstGLOpenCLHandover * handover,
    const guint * textures, guint n, GError ** error);

/* After a failure, when OpenCL is done: semaphores may be in any state, and are
 * made anew when next needed. */
void gst_gl_opencl_handover_reset (GstGLOpenCLHandover * handover);

#define GST_GL_OPENCL_MAX_HANDED_OVER 64

G_END_DECLS
