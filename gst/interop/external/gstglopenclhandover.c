/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclhandover.h"

#include <unistd.h>

#include "gl/gstglopenclglerror.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_handover_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_handover_debug

/* One semaphore in Vulkan, OpenGL and OpenCL. */
typedef struct
{
  GstGLOpenCLVulkanSemaphore *vulkan;
  guint gl;
  OclSemaphore *opencl;
} Semaphore;

struct _GstGLOpenCLHandover
{
  GstGLContext *gl_context;     /* not owned, nor are the next three */
  GstGLOpenCLVulkan *vulkan;
  OclContext *ocl;
  OclImporter *external;
  GstGLOpenCLExternalGL gl;
  gboolean has_semaphores;
  Semaphore to_opencl;          /* made when first needed */
  Semaphore to_opengl;
  /* The layouts of textures that OpenGL releases. They allow any use. */
  guint layouts[GST_GL_OPENCL_MAX_HANDED_OVER];
};

GstGLOpenCLHandover *
gst_gl_opencl_handover_new (GstGLContext * gl_context,
    const GstGLOpenCLExternalGL * gl, GstGLOpenCLVulkan * vulkan,
    OclContext * ocl, OclImporter * external)
{
  GstGLOpenCLHandover *self = g_new0 (GstGLOpenCLHandover, 1);

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_handover_debug, "glopenclhandover", 0,
      "order of OpenGL and OpenCL");
  self->gl_context = gl_context;
  self->gl = *gl;
  self->vulkan = vulkan;
  self->ocl = ocl;
  self->external = external;
  self->has_semaphores = gl->has_semaphores
      && ocl_importer_has_semaphores (external)
      && gst_gl_opencl_vulkan_has_semaphores (vulkan);
  GST_INFO ("%s: OpenGL and OpenCL wait for each other %s",
      ocl->device->name, self->has_semaphores ? "on the GPU, by semaphores"
      : "on the host: a driver has no semaphores");
  for (guint i = 0; i < GST_GL_OPENCL_MAX_HANDED_OVER; i++)
    self->layouts[i] = GL_LAYOUT_GENERAL_EXT;
  return self;
}

void
gst_gl_opencl_handover_free (GstGLOpenCLHandover * self)
{
  gst_gl_opencl_handover_reset (self);
  g_free (self);
}

static void
gst_gl_opencl_handover_clear_semaphore (GstGLOpenCLHandover * self,
    Semaphore * semaphore)
{
  g_clear_pointer (&semaphore->opencl, ocl_semaphore_free);
  if (semaphore->gl)
    self->gl.DeleteSemaphores (1, &semaphore->gl);
  semaphore->gl = 0;
  g_clear_pointer (&semaphore->vulkan, gst_gl_opencl_vulkan_semaphore_free);
}

static gboolean
gst_gl_opencl_handover_import_to_gl (GstGLOpenCLHandover * self,
    Semaphore * semaphore, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;
  gint fd = gst_gl_opencl_vulkan_semaphore_export (semaphore->vulkan, error);
  if (fd < 0)
    return FALSE;

  gst_gl_opencl_gl_error_clear (gl);
  self->gl.GenSemaphores (1, &semaphore->gl);
  if (gl->GetError () == GL_NO_ERROR) {
    self->gl.ImportSemaphoreFd (semaphore->gl, GL_HANDLE_TYPE_OPAQUE_FD_EXT,
        fd);
    if (gl->GetError () == GL_NO_ERROR)
      return TRUE;
  }
  close (fd);
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL cannot import a semaphore.");
  return FALSE;
}

static gboolean
gst_gl_opencl_handover_import_to_opencl (GstGLOpenCLHandover * self,
    Semaphore * semaphore, GError ** error)
{
  gint fd = gst_gl_opencl_vulkan_semaphore_export (semaphore->vulkan, error);
  if (fd < 0)
    return FALSE;

  semaphore->opencl = ocl_importer_import_semaphore (self->external, fd, error);
  if (!semaphore->opencl)
    close (fd);
  return semaphore->opencl != NULL;
}

static gboolean
gst_gl_opencl_handover_ensure_semaphore (GstGLOpenCLHandover * self,
    Semaphore * semaphore, GError ** error)
{
  if (semaphore->opencl)
    return TRUE;
  semaphore->vulkan = gst_gl_opencl_vulkan_semaphore_new (self->vulkan, error);
  if (semaphore->vulkan
      && gst_gl_opencl_handover_import_to_gl (self, semaphore, error)
      && gst_gl_opencl_handover_import_to_opencl (self, semaphore, error))
    return TRUE;
  gst_gl_opencl_handover_clear_semaphore (self, semaphore);
  return FALSE;
}

/* Creates the semaphores that do not exist yet. If this fails, no semaphores
 * are used from then on. */
static void
gst_gl_opencl_handover_ensure_semaphores (GstGLOpenCLHandover * self)
{
  g_autoptr (GError) error = NULL;

  if (!self->has_semaphores
      || (gst_gl_opencl_handover_ensure_semaphore (self, &self->to_opencl,
              &error)
          && gst_gl_opencl_handover_ensure_semaphore (self, &self->to_opengl,
              &error)))
    return;
  GST_WARNING ("OpenGL and OpenCL wait for each other on the host: %s",
      error->message);
  gst_gl_opencl_handover_reset (self);
  self->has_semaphores = FALSE;
}

/* Returns whether @function reported no error. The caller must have cleared the
 * errors of earlier calls. */
static gboolean
check_gl (const GstGLFuncs * gl, const gchar * function, GError ** error)
{
  const guint status = gl->GetError ();

  if (status == GL_NO_ERROR)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_FAILED, "%s gives the error 0x%x.",
      function, status);
  return FALSE;
}

gboolean
gst_gl_opencl_handover_to_opencl (GstGLOpenCLHandover * self,
    const guint * textures, guint n, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;

  gst_gl_opencl_handover_ensure_semaphores (self);
  if (!self->has_semaphores) {
    gl->Finish ();
    return TRUE;
  }
  gst_gl_opencl_gl_error_clear (gl);
  self->gl.SignalSemaphore (self->to_opencl.gl, 0, NULL, n, textures,
      self->layouts);
  /* A wait must not reach the GPU before its signal, nor without a signal. */
  gl->Flush ();
  return check_gl (gl, "glSignalSemaphoreEXT", error)
      && ocl_semaphore_enqueue_wait (self->to_opencl.opencl, error);
}

gboolean
gst_gl_opencl_handover_to_opengl (GstGLOpenCLHandover * self,
    const guint * textures, guint n, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;

  if (!self->has_semaphores)
    return ocl_context_finish (self->ocl, error);
  if (!ocl_semaphore_enqueue_signal (self->to_opengl.opencl, error)
      || !ocl_check (clFlush (self->ocl->queue), "clFlush", error))
    return FALSE;
  gst_gl_opencl_gl_error_clear (gl);
  self->gl.WaitSemaphore (self->to_opengl.gl, 0, NULL, n, textures,
      self->layouts);
  return check_gl (gl, "glWaitSemaphoreEXT", error);
}

void
gst_gl_opencl_handover_reset (GstGLOpenCLHandover * self)
{
  /* Commands that wait for a semaphore must have passed it before it is
   * freed. */
  if (self->to_opencl.gl || self->to_opengl.gl)
    self->gl_context->gl_vtable->Finish ();
  gst_gl_opencl_handover_clear_semaphore (self, &self->to_opencl);
  gst_gl_opencl_handover_clear_semaphore (self, &self->to_opengl);
}
