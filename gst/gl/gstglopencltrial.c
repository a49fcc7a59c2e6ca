/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencltrial.h"

#include <gst/gl/gstglfuncs.h>
#include <gst/video/video.h>

#define SIDE GST_GL_OPENCL_TRIAL_SIDE
/* A texel has at most four components of 16 bits. */
#define MAX_BYTES (SIDE * SIDE * 8)

/* Far above the number of error flags of a driver. */
#define MAX_GL_ERRORS 32

void
gst_gl_opencl_gl_error_clear (const GstGLFuncs * gl)
{
  for (guint i = 0; i < MAX_GL_ERRORS && gl->GetError () != GL_NO_ERROR; i++);
}

typedef struct
{
  GstGLContext *gl_context;     /* not owned */
  const GstGLFuncs *gl;
  OclContext *ocl;
  guint n_components;
  guint component_bytes;
  /* The texture as GL describes it. */
  guint internal_format;
  guint format;
  guint type;
  guint texture;
  guint8 original[MAX_BYTES];
} Trial;

/* Describes the texture that GstGLMemory has for @plane. */
static void
trial_init (Trial * self, GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane)
{
  GstVideoInfo info;
  GstGLFormat unsized;

  gst_video_info_set_format (&info,
      gst_video_format_from_string (format->name), 2 * SIDE, 2 * SIDE);
  gst_gl_format_type_from_sized_gl_format (gst_gl_format_from_video_info
      (gl_context, &info, plane), &unsized, &self->type);
  self->format = unsized;
  self->internal_format = gst_gl_sized_gl_format_from_gl_format_type
      (gl_context, unsized, self->type);
  self->gl_context = gl_context;
  self->gl = gl_context->gl_vtable;
  self->ocl = ocl;
  self->component_bytes = format->image_component_bytes;
  self->n_components = ocl_format_get_image_components (format, plane);
  for (guint i = 0; i < MAX_BYTES; i++)
    self->original[i] = i * 7 + i / 256;
}

/* Makes texels contiguous in host memory, independently of the settings of
 * other code. */
static void
trial_reset_pixel_store (const Trial * self)
{
  const GstGLFuncs *gl = self->gl;

  gl->PixelStorei (GL_PACK_ALIGNMENT, 4);
  gl->PixelStorei (GL_UNPACK_ALIGNMENT, 4);
  if (!gst_gl_context_check_gl_version (self->gl_context,
          GST_GL_API_OPENGL | GST_GL_API_OPENGL3, 2, 1)
      && !gst_gl_context_check_gl_version (self->gl_context,
          GST_GL_API_GLES2, 3, 0))
    return;
  gl->BindBuffer (GL_PIXEL_PACK_BUFFER, 0);
  gl->BindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  gl->PixelStorei (GL_PACK_ROW_LENGTH, 0);
  gl->PixelStorei (GL_PACK_SKIP_ROWS, 0);
  gl->PixelStorei (GL_PACK_SKIP_PIXELS, 0);
  gl->PixelStorei (GL_UNPACK_ROW_LENGTH, 0);
  gl->PixelStorei (GL_UNPACK_SKIP_ROWS, 0);
  gl->PixelStorei (GL_UNPACK_SKIP_PIXELS, 0);
}

static gboolean
trial_create_texture (Trial * self, const GstGLOpenCLTrialBackend * backend,
    gpointer data, GError ** error)
{
  const GstGLFuncs *gl = self->gl;

  if (backend->create)
    self->texture = backend->create (data, error);
  else
    gl->GenTextures (1, &self->texture);
  if (self->texture == 0)
    return FALSE;
  gl->BindTexture (GL_TEXTURE_2D, self->texture);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (backend->create)
    gl->TexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, self->format,
        self->type, self->original);
  else
    gl->TexImage2D (GL_TEXTURE_2D, 0, self->internal_format, SIDE, SIDE, 0,
        self->format, self->type, self->original);
  gl->BindTexture (GL_TEXTURE_2D, 0);
  if (gl->GetError () == GL_NO_ERROR)
    return TRUE;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL cannot make a trial texture.");
  return FALSE;
}

/* Inverts the bytes written by GL in OpenCL. Waits until the commands have
 * ended. */
static gboolean
trial_invert_image (Trial * self, const GstGLOpenCLTrialBackend * backend,
    gpointer data, GError ** error)
{
  const size_t origin[3] = { 0, 0, 0 };
  const size_t region[3] = { SIDE, SIDE, 1 };
  const cl_command_queue queue = self->ocl->queue;
  guint8 bytes[MAX_BYTES];

  cl_mem image = backend->acquire (data, self->texture, error);
  if (!image)
    return FALSE;
  gboolean ok = ocl_check (clEnqueueReadImage (queue, image, CL_TRUE, origin,
          region, 0, 0, bytes, 0, NULL, NULL), "clEnqueueReadImage", error);
  if (ok) {
    const gsize n = SIDE * SIDE * self->n_components * self->component_bytes;

    for (gsize i = 0; i < n; i++)
      bytes[i] = ~bytes[i];
    ok = ocl_check (clEnqueueWriteImage (queue, image, CL_TRUE, origin, region,
            0, 0, bytes, 0, NULL, NULL), "clEnqueueWriteImage", error);
  }
  ok = backend->release (data, self->texture, ok ? error : NULL) && ok;
  return ocl_context_finish (self->ocl, ok ? error : NULL) && ok;
}

/* Returns whether GL reads the inverted bytes. Reads four components per texel,
 * which every GL supports. */
static gboolean
trial_check_texture (Trial * self, GError ** error)
{
  const GstGLFuncs *gl = self->gl;
  const guint texel_bytes = self->n_components * self->component_bytes;
  guint8 result[MAX_BYTES] = { 0, };
  guint framebuffer = 0;

  gl->GenFramebuffers (1, &framebuffer);
  gl->BindFramebuffer (GL_FRAMEBUFFER, framebuffer);
  gl->FramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
      GL_TEXTURE_2D, self->texture, 0);
  gboolean ok = gl->CheckFramebufferStatus (GL_FRAMEBUFFER)
      == GL_FRAMEBUFFER_COMPLETE;
  if (ok)
    gl->ReadPixels (0, 0, SIDE, SIDE, GL_RGBA, self->type, result);
  gl->BindFramebuffer (GL_FRAMEBUFFER, 0);
  gl->DeleteFramebuffers (1, &framebuffer);
  ok = ok && gl->GetError () == GL_NO_ERROR;

  for (guint i = 0; ok && i < SIDE * SIDE; i++) {
    for (guint j = 0; ok && j < texel_bytes; j++)
      ok = (result[i * 4 * self->component_bytes + j]
          ^ self->original[i * texel_bytes + j]) == 0xff;
  }
  if (!ok)
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A trial texture did not come back from OpenCL as it was written.");
  return ok;
}

gboolean
gst_gl_opencl_trial_run (GstGLContext * gl_context, OclContext * ocl,
    const OclFormat * format, guint plane,
    const GstGLOpenCLTrialBackend * backend, gpointer data, GError ** error)
{
  Trial self = { 0, };

  trial_init (&self, gl_context, ocl, format, plane);
  /* Clear errors of other code. */
  gst_gl_opencl_gl_error_clear (self.gl);
  trial_reset_pixel_store (&self);
  gboolean ok = trial_create_texture (&self, backend, data, error)
      && trial_invert_image (&self, backend, data, error)
      && trial_check_texture (&self, error);
  backend->drop (data);
  if (!backend->create)
    self.gl->DeleteTextures (1, &self.texture);
  return ok;
}
