/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclshadercopy.h"

#include "opencl/core/oclcontext.h"

/* Width and height of a work-group, in texels. */
#define GROUP_SIDE 16

/* The shader copies texels as integers, bit by bit. The integer format has the
 * components of the texture, because some drivers bind a texture only with a
 * format of equal components. */
static const struct
{
  cl_image_format format;
  guint texture;
  guint image;
  const gchar *qualifier;
} kinds[] = {
  {{CL_R, CL_UNORM_INT8}, GL_R8, GL_R8UI, "r8ui"},
  {{CL_RG, CL_UNORM_INT8}, GL_RG8, GL_RG8UI, "rg8ui"},
  {{CL_RGBA, CL_UNORM_INT8}, GL_RGBA8, GL_RGBA8UI, "rgba8ui"},
  {{CL_R, CL_UNORM_INT16}, GL_R16, GL_R16UI, "r16ui"},
  {{CL_RG, CL_UNORM_INT16}, GL_RG16, GL_RG16UI, "rg16ui"},
  {{CL_RGBA, CL_UNORM_INT16}, GL_RGBA16, GL_RGBA16UI, "rgba16ui"},
};

#define N_KINDS G_N_ELEMENTS (kinds)

struct _GstGLOpenCLShaderCopy
{
  GstGLContext *gl_context;     /* not owned */
  GstGLShader *shaders[N_KINDS];        /* built when first needed (owned) */
  gboolean has_run;             /* a copy ran since the last end */
  void (GSTGLAPI * BindImageTexture) (guint unit, guint texture, gint level,
      guchar layered, gint layer, guint access, guint format);
  void (GSTGLAPI * DispatchCompute) (guint x, guint y, guint z);
  void (GSTGLAPI * MemoryBarrier) (guint barriers);
};

/* Returns N_KINDS if @format cannot be copied. */
static guint
find_kind (cl_image_format format)
{
  guint kind = 0;

  while (kind < N_KINDS
      && !ocl_image_format_equals (kinds[kind].format, format))
    kind++;
  return kind;
}

guint
gst_gl_opencl_shader_copy_get_gl_format (cl_image_format format)
{
  const guint kind = find_kind (format);

  return kind < N_KINDS ? kinds[kind].texture : 0;
}

gboolean
gst_gl_opencl_shader_copy_takes (GstGLContext * gl_context,
    GstGLFormat tex_format, cl_image_format format)
{
  const guint wanted = gst_gl_opencl_shader_copy_get_gl_format (format);
  GstGLFormat unsized;
  guint type;

  gst_gl_format_type_from_sized_gl_format (tex_format, &unsized, &type);
  return wanted != 0 && gst_gl_sized_gl_format_from_gl_format_type (gl_context,
      unsized, type) == wanted;
}

GstGLOpenCLShaderCopy *
gst_gl_opencl_shader_copy_new (GstGLContext * gl_context, GError ** error)
{
  GstGLOpenCLShaderCopy *self = g_new0 (GstGLOpenCLShaderCopy, 1);

  self->gl_context = gl_context;
  self->BindImageTexture =
      gst_gl_context_get_proc_address (gl_context, "glBindImageTexture");
  self->DispatchCompute =
      gst_gl_context_get_proc_address (gl_context, "glDispatchCompute");
  self->MemoryBarrier =
      gst_gl_context_get_proc_address (gl_context, "glMemoryBarrier");
  if (gst_gl_context_check_gl_version (gl_context,
          GST_GL_API_OPENGL | GST_GL_API_OPENGL3, 4, 3)
      && self->BindImageTexture && self->DispatchCompute && self->MemoryBarrier)
    return self;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL is older than 4.3, or OpenGL ES.");
  gst_gl_opencl_shader_copy_free (self);
  return NULL;
}

void
gst_gl_opencl_shader_copy_free (GstGLOpenCLShaderCopy * self)
{
  for (guint i = 0; i < N_KINDS; i++)
    g_clear_pointer (&self->shaders[i], gst_object_unref);
  g_free (self);
}

static GstGLShader *
gst_gl_opencl_shader_copy_build (GstGLOpenCLShaderCopy * self, guint kind)
{
  const GstGLSLProfile profile =
      gst_gl_context_get_gl_api (self->gl_context) & GST_GL_API_OPENGL3
      ? GST_GLSL_PROFILE_CORE : GST_GLSL_PROFILE_COMPATIBILITY;
  g_autofree gchar *version =
      gst_glsl_version_profile_to_string (GST_GLSL_VERSION_430, profile);
  g_autofree gchar *source = g_strdup_printf ("#version %s\n"
      "layout (local_size_x = %d, local_size_y = %d) in;\n"
      "layout (%s, binding = 0) readonly uniform uimage2D source;\n"
      "layout (%s, binding = 1) writeonly uniform uimage2D target;\n"
      "uniform ivec2 size;\n"
      "void main () {\n"
      "  ivec2 at = ivec2 (gl_GlobalInvocationID.xy);\n"
      "  if (all (lessThan (at, size)))\n"
      "    imageStore (target, at, imageLoad (source, at));\n"
      "}\n", version, GROUP_SIDE, GROUP_SIDE, kinds[kind].qualifier,
      kinds[kind].qualifier);
  GstGLSLStage *stage = gst_glsl_stage_new_with_string (self->gl_context,
      GL_COMPUTE_SHADER, GST_GLSL_VERSION_430, profile, source);

  /* GStreamer logs the messages of the compiler. */
  return stage ? gst_gl_shader_new_link_with_stages (self->gl_context, NULL,
      stage, NULL) : NULL;
}

gboolean
gst_gl_opencl_shader_copy_prepare (GstGLOpenCLShaderCopy * self,
    cl_image_format format, GError ** error)
{
  const guint kind = find_kind (format);

  if (kind < N_KINDS && !self->shaders[kind])
    self->shaders[kind] = gst_gl_opencl_shader_copy_build (self, kind);
  if (kind < N_KINDS && self->shaders[kind])
    return TRUE;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL cannot build the shader that copies textures.");
  return FALSE;
}

void
gst_gl_opencl_shader_copy_run (GstGLOpenCLShaderCopy * self,
    cl_image_format format, guint source, guint target, gint width, gint height)
{
  const guint kind = find_kind (format);
  const gint size[2] = { width, height };

  self->has_run = TRUE;
  gst_gl_shader_use (self->shaders[kind]);
  gst_gl_shader_set_uniform_2iv (self->shaders[kind], "size", 1, size);
  self->BindImageTexture (0, source, 0, GL_FALSE, 0, GL_READ_ONLY,
      kinds[kind].image);
  self->BindImageTexture (1, target, 0, GL_FALSE, 0, GL_WRITE_ONLY,
      kinds[kind].image);
  self->DispatchCompute ((width + GROUP_SIDE - 1) / GROUP_SIDE,
      (height + GROUP_SIDE - 1) / GROUP_SIDE, 1);
}

void
gst_gl_opencl_shader_copy_end (GstGLOpenCLShaderCopy * self)
{
  if (!self->has_run)
    return;
  self->has_run = FALSE;
  for (guint unit = 0; unit < 2; unit++)
    self->BindImageTexture (unit, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R8UI);
  gst_gl_context_clear_shader (self->gl_context);
  self->MemoryBarrier (GL_ALL_BARRIER_BITS);
}
