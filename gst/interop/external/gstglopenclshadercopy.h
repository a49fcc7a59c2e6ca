/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies of GL textures, byte for byte, by a compute shader: on NVIDIA's driver
 * all else that copies takes 8 to 20 times as long where one of the textures is
 * on imported memory. */

#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

#include "opencl/core/oclformat.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLShaderCopy GstGLOpenCLShaderCopy;

/* GL thread of @gl_context for all. */

/* OCL_ERROR_NOT_SUPPORTED where OpenGL has no compute shaders. @gl_context has
 * to outlive it. */
GstGLOpenCLShaderCopy *gst_gl_opencl_shader_copy_new (GstGLContext * gl_context,
    GError ** error);
void gst_gl_opencl_shader_copy_free (GstGLOpenCLShaderCopy * copy);

/* What OpenGL calls textures of @format, of those that can be copied; 0 for
 * others. */
guint gst_gl_opencl_shader_copy_get_gl_format (cl_image_format format);

/* Whether textures that GStreamer has as @tex_format are of @format, and can be
 * copied. */
gboolean gst_gl_opencl_shader_copy_takes (GstGLContext * gl_context,
    GstGLFormat tex_format, cl_image_format format);

/* Builds what textures of @format need, once. OCL_ERROR_NOT_SUPPORTED where
 * they cannot be copied. */
gboolean gst_gl_opencl_shader_copy_prepare (GstGLOpenCLShaderCopy * copy,
    cl_image_format format, GError ** error);

/* Enqueues a copy of @width by @height texels of @source, from the first on, to
 * @target; both are of @format, which is prepared, and no smaller. */
void gst_gl_opencl_shader_copy_run (GstGLOpenCLShaderCopy * copy,
    cl_image_format format, guint source, guint target, gint width,
    gint height);

/* Commands that follow see what was copied since the last call, if anything.
 * Leaves GL's state as GStreamer has it. */
void gst_gl_opencl_shader_copy_end (GstGLOpenCLShaderCopy * copy);

G_END_DECLS
