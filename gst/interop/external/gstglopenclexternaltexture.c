/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternaltexture.h"

#include <unistd.h>

#include "gl/gstglopenclglerror.h"

static gboolean
gst_gl_opencl_external_texture_import_memory (GstGLOpenCLExternalTexture * self,
    GError ** error)
{
  const GstGLOpenCLExternalGL *external = &self->external->gl;
  const GstGLFuncs *gl = self->external->gl_context->gl_vtable;
  const gint dedicated = gst_gl_opencl_vulkan_image_is_dedicated (self->memory);
  gint fd = gst_gl_opencl_vulkan_image_export (self->memory, error);
  if (fd < 0)
    return FALSE;

  /* Clear the errors of earlier calls. */
  gst_gl_opencl_gl_error_clear (gl);
  external->CreateMemoryObjects (1, &self->imported);
  if (dedicated)
    external->MemoryObjectParameteriv (self->imported,
        GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
  /* OpenGL owns the descriptor after a successful import. */
  if (gl->GetError () == GL_NO_ERROR) {
    external->ImportMemoryFd (self->imported,
        gst_gl_opencl_vulkan_image_get_size (self->memory),
        GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    if (gl->GetError () == GL_NO_ERROR)
      return TRUE;
  }
  close (fd);
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL cannot import memory that Vulkan allocated.");
  return FALSE;
}

static gboolean
gst_gl_opencl_external_texture_create_texture (GstGLOpenCLExternalTexture *
    self, GError ** error)
{
  const GstGLFuncs *gl = self->external->gl_context->gl_vtable;

  gl->GenTextures (1, &self->texture);
  gl->BindTexture (GL_TEXTURE_2D, self->texture);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT,
      GL_OPTIMAL_TILING_EXT);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  gl->TexParameteri (GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  self->external->gl.TexStorageMem2D (GL_TEXTURE_2D, 1,
      gst_gl_opencl_shader_copy_get_gl_format (self->format), self->width,
      self->height, self->imported, 0);
  gl->BindTexture (GL_TEXTURE_2D, 0);
  if (gl->GetError () == GL_NO_ERROR)
    return TRUE;
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL cannot make a texture in memory that Vulkan " "allocated.");
  return FALSE;
}

static gboolean
gst_gl_opencl_external_texture_create_image (GstGLOpenCLExternalTexture * self,
    GError ** error)
{
  g_autoptr (GError) reason = NULL;
  gint fd = gst_gl_opencl_vulkan_image_export (self->memory, error);
  if (fd < 0)
    return FALSE;

  self->image = ocl_importer_import_image (self->external->opencl, fd,
      self->format, self->width, self->height, &reason);
  if (self->image)
    return TRUE;
  close (fd);
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenCL cannot import memory that Vulkan allocated: %s", reason->message);
  return FALSE;
}

GstGLOpenCLExternalTexture *
gst_gl_opencl_external_texture_new (GstGLOpenCLExternal * external,
    cl_image_format format, gint width, gint height, GError ** error)
{
  GstGLOpenCLExternalTexture *self = g_new0 (GstGLOpenCLExternalTexture, 1);

  self->external = external;
  self->format = format;
  self->width = width;
  self->height = height;
  if (!gst_gl_opencl_shader_copy_prepare (external->copy, format, error))
    goto failed;
  self->memory = gst_gl_opencl_vulkan_image_new (external->vulkan, format,
      width, height, error);
  if (self->memory && gst_gl_opencl_external_texture_import_memory (self, error)
      && gst_gl_opencl_external_texture_create_texture (self, error)
      && gst_gl_opencl_external_texture_create_image (self, error))
    return self;

failed:
  gst_gl_opencl_external_texture_free (self);
  return NULL;
}

static void
delete_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  GstGLOpenCLExternalTexture *self = data;

  if (self->texture)
    gl_context->gl_vtable->DeleteTextures (1, &self->texture);
  if (self->imported)
    self->external->gl.DeleteMemoryObjects (1, &self->imported);
}

/* If the GL thread has ended, OpenGL's objects are freed with the GL
 * context. */
void
gst_gl_opencl_external_texture_free (GstGLOpenCLExternalTexture * self)
{
  gst_gl_context_thread_add (self->external->gl_context, delete_on_gl_thread,
      self);
  g_clear_pointer (&self->image, clReleaseMemObject);
  g_clear_pointer (&self->memory, gst_gl_opencl_vulkan_image_free);
  g_free (self);
}
