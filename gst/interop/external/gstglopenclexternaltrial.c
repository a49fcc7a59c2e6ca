/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternaltrial.h"

#include "gl/gstglopencltrial.h"
#include "gstglopenclexternaltexture.h"

/* Trial textures are passed with a copy and without a copy, like frames. */
typedef struct
{
  GstGLOpenCLExternal *external;
  cl_image_format format;
  GstGLOpenCLExternalTexture *texture;
} ExternalTrial;

static guint
external_trial_create (gpointer data, GError ** error)
{
  const gint side = GST_GL_OPENCL_TRIAL_SIDE;
  ExternalTrial *self = data;

  self->texture = gst_gl_opencl_external_texture_new (self->external,
      self->format, side, side, error);
  return self->texture ? self->texture->texture : 0;
}

static cl_mem
external_trial_take (gpointer data, guint texture, GError ** error)
{
  ExternalTrial *self = data;
  GstGLOpenCLExternal *external = self->external;

  (void) texture;
  return gst_gl_opencl_handover_to_opencl (external->handover,
      &self->texture->texture, 1, error)
      && ocl_importer_enqueue_acquire (external->opencl, 1,
      &self->texture->image, error) ? self->texture->image : NULL;
}

static gboolean
external_trial_give_back (gpointer data, guint texture, GError ** error)
{
  ExternalTrial *self = data;
  GstGLOpenCLExternal *external = self->external;

  (void) texture;
  return ocl_importer_enqueue_release (external->opencl, 1,
      &self->texture->image, NULL, error)
      && gst_gl_opencl_handover_to_opengl (external->handover,
      &self->texture->texture, 1, error);
}

static cl_mem
external_trial_take_copy (gpointer data, guint texture, GError ** error)
{
  const gint side = GST_GL_OPENCL_TRIAL_SIDE;
  ExternalTrial *self = data;
  GstGLOpenCLShaderCopy *copy = self->external->copy;

  if (external_trial_create (data, error) == 0)
    return NULL;
  gst_gl_opencl_shader_copy_run (copy, self->format, texture,
      self->texture->texture, side, side);
  gst_gl_opencl_shader_copy_end (copy);
  return external_trial_take (data, texture, error);
}

static gboolean
external_trial_give_back_copy (gpointer data, guint texture, GError ** error)
{
  const gint side = GST_GL_OPENCL_TRIAL_SIDE;
  ExternalTrial *self = data;
  GstGLOpenCLShaderCopy *copy = self->external->copy;

  if (!external_trial_give_back (data, texture, error))
    return FALSE;
  gst_gl_opencl_shader_copy_run (copy, self->format, self->texture->texture,
      texture, side, side);
  gst_gl_opencl_shader_copy_end (copy);
  return TRUE;
}

static void
external_trial_drop (gpointer data)
{
  ExternalTrial *self = data;

  g_clear_pointer (&self->texture, gst_gl_opencl_external_texture_free);
}

gboolean
gst_gl_opencl_external_try (GstGLOpenCLExternal * self,
    const OclFormat * format, guint plane, GError ** error)
{
  static const GstGLOpenCLTrialWay ways[] = {
    {.take = external_trial_take_copy,
          .give_back = external_trial_give_back_copy,
        .drop = external_trial_drop},
    {.create = external_trial_create,.take = external_trial_take,
          .give_back = external_trial_give_back,
        .drop = external_trial_drop},
  };
  ExternalTrial trial = { self, ocl_format_get_image_format (format, plane),
    NULL
  };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < G_N_ELEMENTS (ways); i++)
    ok = gst_gl_opencl_trial_run (self->gl_context, self->ocl, format, plane,
        &ways[i], &trial, error);
  if (!ok) {
    ocl_context_finish (self->ocl, NULL);
    gst_gl_opencl_handover_reset (self->handover);
  }
  return ok;
}
