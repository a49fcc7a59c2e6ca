/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternal.h"

#include <string.h>
#include <unistd.h>

#include "gl/gstglopencltrial.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_external_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_external_debug

typedef struct
{
  const gchar *name;
  gsize offset;
} Function;

#define FUNCTION(name) \
  {"gl" #name "EXT", G_STRUCT_OFFSET (GstGLOpenCLExternal, gl.name)}

static const Function memory_functions[] = {
  FUNCTION (GetUnsignedBytei_v),
  FUNCTION (CreateMemoryObjects),
  FUNCTION (DeleteMemoryObjects),
  FUNCTION (MemoryObjectParameteriv),
  FUNCTION (ImportMemoryFd),
  FUNCTION (TexStorageMem2D),
};

static const Function semaphore_functions[] = {
  FUNCTION (GenSemaphores),
  FUNCTION (DeleteSemaphores),
  FUNCTION (ImportSemaphoreFd),
  FUNCTION (WaitSemaphore),
  FUNCTION (SignalSemaphore),
};

/* Checks the extension first: loaders return a function for any name. */
static gboolean
look_up (GstGLOpenCLExternal * self, const gchar * extension,
    const Function * functions, guint n)
{
  if (!gst_gl_context_check_feature (self->gl_context, extension))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    gpointer *member = G_STRUCT_MEMBER_P (self, functions[i].offset);

    *member = gst_gl_context_get_proc_address (self->gl_context,
        functions[i].name);
    if (!*member)
      return FALSE;
  }
  return TRUE;
}

/* Vulkan is opened last, because this takes long. */
static gboolean
gst_gl_opencl_external_open (GstGLOpenCLExternal * self, GError ** error)
{
  const OclDevice *device = self->ocl->device;
  /* A driver that does not report the number of UUIDs has one UUID. */
  gint n_uuids = 1;
  gboolean same_gpu = FALSE;

  self->copy = gst_gl_opencl_shader_copy_new (self->gl_context, error);
  if (!self->copy)
    return FALSE;
  if (!look_up (self, "GL_EXT_memory_object_fd", memory_functions,
          G_N_ELEMENTS (memory_functions))) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "OpenGL has no GL_EXT_memory_object_fd.");
    return FALSE;
  }
  self->has_semaphores = look_up (self, "GL_EXT_semaphore_fd",
      semaphore_functions, G_N_ELEMENTS (semaphore_functions));
  if (!device->has_uuid) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no cl_khr_device_uuid.", device->name);
    return FALSE;
  }
  self->gl_context->gl_vtable->GetIntegerv (GL_NUM_DEVICE_UUIDS_EXT, &n_uuids);
  for (gint i = 0; i < n_uuids && !same_gpu; i++) {
    guint8 uuid[OCL_UUID_BYTES] = { 0, };

    self->gl.GetUnsignedBytei_v (GL_DEVICE_UUID_EXT, i, uuid);
    same_gpu = memcmp (uuid, device->uuid, OCL_UUID_BYTES) == 0;
  }
  if (!same_gpu) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s is not the device that OpenGL runs on.", device->name);
    return FALSE;
  }
  self->opencl = ocl_importer_new (self->ocl, error);
  if (!self->opencl)
    return FALSE;
  self->vulkan = gst_gl_opencl_vulkan_new (device->uuid, error);
  if (!self->vulkan)
    return FALSE;

  self->has_semaphores = self->has_semaphores
      && ocl_importer_has_semaphores (self->opencl)
      && gst_gl_opencl_vulkan_has_semaphores (self->vulkan);
  GST_INFO ("%s: OpenGL and OpenCL wait for each other %s", device->name,
      self->has_semaphores ? "on the GPU, by semaphores"
      : "on the host: a driver has no semaphores");
  for (guint i = 0; i < GST_GL_OPENCL_MAX_ACQUIRED; i++)
    self->layouts[i] = GL_LAYOUT_GENERAL_EXT;
  return TRUE;
}

GstGLOpenCLExternal *
gst_gl_opencl_external_new (GstGLContext * gl_context, OclContext * ocl,
    GError ** error)
{
  GstGLOpenCLExternal *self = g_new0 (GstGLOpenCLExternal, 1);

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_external_debug, "glopenclexternal", 0,
      "memory that OpenGL and OpenCL share");
  self->gl_context = gl_context;
  self->ocl = ocl;
  if (gst_gl_opencl_external_open (self, error))
    return self;
  gst_gl_opencl_external_free (self);
  return NULL;
}

void
gst_gl_opencl_external_free (GstGLOpenCLExternal * self)
{
  gst_gl_opencl_external_reset_semaphores (self);
  g_clear_pointer (&self->vulkan, gst_gl_opencl_vulkan_free);
  g_clear_pointer (&self->opencl, ocl_importer_free);
  g_clear_pointer (&self->copy, gst_gl_opencl_shader_copy_free);
  g_free (self);
}

static void
gst_gl_opencl_external_clear_semaphore (GstGLOpenCLExternal * self,
    GstGLOpenCLExternalSemaphore * semaphore)
{
  g_clear_pointer (&semaphore->opencl, ocl_semaphore_free);
  if (semaphore->gl)
    self->gl.DeleteSemaphores (1, &semaphore->gl);
  semaphore->gl = 0;
  g_clear_pointer (&semaphore->vulkan, gst_gl_opencl_vulkan_semaphore_free);
}

void
gst_gl_opencl_external_reset_semaphores (GstGLOpenCLExternal * self)
{
  /* Commands that wait for a semaphore must have passed it before it is
   * freed. */
  if (self->to_opencl.gl || self->to_opengl.gl)
    self->gl_context->gl_vtable->Finish ();
  gst_gl_opencl_external_clear_semaphore (self, &self->to_opencl);
  gst_gl_opencl_external_clear_semaphore (self, &self->to_opengl);
}

/* Creates @semaphore, unless it exists. */
static gboolean
gst_gl_opencl_external_ensure_semaphore (GstGLOpenCLExternal * self,
    GstGLOpenCLExternalSemaphore * semaphore, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;

  if (semaphore->opencl)
    return TRUE;
  semaphore->vulkan = gst_gl_opencl_vulkan_semaphore_new (self->vulkan, error);
  if (!semaphore->vulkan)
    return FALSE;

  /* OpenGL and OpenCL own a descriptor after a successful import. */
  gint fd = gst_gl_opencl_vulkan_semaphore_export (semaphore->vulkan, error);
  if (fd < 0)
    goto failed;
  gst_gl_opencl_gl_error_clear (gl);
  self->gl.GenSemaphores (1, &semaphore->gl);
  gboolean imported = gl->GetError () == GL_NO_ERROR;
  if (imported) {
    self->gl.ImportSemaphoreFd (semaphore->gl, GL_HANDLE_TYPE_OPAQUE_FD_EXT,
        fd);
    imported = gl->GetError () == GL_NO_ERROR;
  }
  if (!imported) {
    close (fd);
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "OpenGL cannot import a semaphore.");
    goto failed;
  }

  fd = gst_gl_opencl_vulkan_semaphore_export (semaphore->vulkan, error);
  if (fd < 0)
    goto failed;
  semaphore->opencl = ocl_importer_import_semaphore (self->opencl, fd, error);
  if (semaphore->opencl)
    return TRUE;
  close (fd);

failed:
  gst_gl_opencl_external_clear_semaphore (self, semaphore);
  return FALSE;
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
gst_gl_opencl_external_acquire (GstGLOpenCLExternal * self,
    const guint * textures, const cl_mem * images, guint n, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;
  g_autoptr (GError) reason = NULL;

  if (self->has_semaphores
      && (!gst_gl_opencl_external_ensure_semaphore (self, &self->to_opencl,
              &reason)
          || !gst_gl_opencl_external_ensure_semaphore (self, &self->to_opengl,
              &reason))) {
    GST_WARNING ("OpenGL and OpenCL wait for each other on the host: %s",
        reason->message);
    gst_gl_opencl_external_reset_semaphores (self);
    self->has_semaphores = FALSE;
  }
  if (!self->has_semaphores) {
    gl->Finish ();
  } else {
    gst_gl_opencl_gl_error_clear (gl);
    self->gl.SignalSemaphore (self->to_opencl.gl, 0, NULL, n, textures,
        self->layouts);
    /* A wait must not reach the GPU before its signal, nor without one. */
    gl->Flush ();
    if (!check_gl (gl, "glSignalSemaphoreEXT", error)
        || !ocl_semaphore_enqueue_wait (self->to_opencl.opencl, error))
      return FALSE;
  }
  return ocl_importer_enqueue_acquire (self->opencl, n, images, error);
}

gboolean
gst_gl_opencl_external_release (GstGLOpenCLExternal * self,
    const guint * textures, const cl_mem * images, guint n,
    cl_event * released, GError ** error)
{
  const GstGLFuncs *gl = self->gl_context->gl_vtable;

  if (!ocl_importer_enqueue_release (self->opencl, n, images, released, error))
    return FALSE;
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

static gboolean
gst_gl_opencl_external_texture_import_memory (GstGLOpenCLExternalTexture * self,
    GError ** error)
{
  const GstGLFuncs *gl = self->external->gl_context->gl_vtable;
  const gint dedicated = gst_gl_opencl_vulkan_image_is_dedicated (self->memory);
  gint fd = gst_gl_opencl_vulkan_image_export (self->memory, error);
  if (fd < 0)
    return FALSE;

  /* Clear the errors of earlier calls. */
  gst_gl_opencl_gl_error_clear (gl);
  self->external->gl.CreateMemoryObjects (1, &self->imported);
  if (dedicated)
    self->external->gl.MemoryObjectParameteriv (self->imported,
        GL_DEDICATED_MEMORY_OBJECT_EXT, &dedicated);
  /* OpenGL owns the descriptor after a successful import. */
  if (gl->GetError () == GL_NO_ERROR) {
    self->external->gl.ImportMemoryFd (self->imported,
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
  if (gst_gl_opencl_shader_copy_prepare (external->copy, format, error))
    self->memory = gst_gl_opencl_vulkan_image_new (external->vulkan, format,
        width, height, error);
  if (self->memory && gst_gl_opencl_external_texture_import_memory (self, error)
      && gst_gl_opencl_external_texture_create_texture (self, error)
      && gst_gl_opencl_external_texture_create_image (self, error))
    return self;
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

/* Copies the trial texture, unless OpenCL acquires it. */
static void
external_trial_copy (ExternalTrial * self, guint source, guint target)
{
  const gint side = GST_GL_OPENCL_TRIAL_SIDE;

  if (source == target)
    return;
  gst_gl_opencl_shader_copy_run (self->external->copy, self->format, source,
      target, side, side);
  gst_gl_opencl_shader_copy_end (self->external->copy);
}

static cl_mem
external_trial_acquire (gpointer data, guint texture, GError ** error)
{
  ExternalTrial *self = data;

  if (!self->texture && external_trial_create (data, error) == 0)
    return NULL;
  external_trial_copy (self, texture, self->texture->texture);
  return gst_gl_opencl_external_acquire (self->external,
      &self->texture->texture, &self->texture->image, 1, error)
      ? self->texture->image : NULL;
}

static gboolean
external_trial_release (gpointer data, guint texture, GError ** error)
{
  ExternalTrial *self = data;

  if (!gst_gl_opencl_external_release (self->external,
          &self->texture->texture, &self->texture->image, 1, NULL, error))
    return FALSE;
  external_trial_copy (self, self->texture->texture, texture);
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
  static const GstGLOpenCLTrialBackend backends[] = {
    {.acquire = external_trial_acquire,.release = external_trial_release,
        .drop = external_trial_drop},
    {.create = external_trial_create,.acquire = external_trial_acquire,
          .release = external_trial_release,
        .drop = external_trial_drop},
  };
  ExternalTrial trial = { self, ocl_format_get_image_format (format, plane),
    NULL
  };
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < G_N_ELEMENTS (backends); i++)
    ok = gst_gl_opencl_trial_run (self->gl_context, self->ocl, format, plane,
        &backends[i], &trial, error);
  if (!ok) {
    ocl_context_finish (self->ocl, NULL);
    gst_gl_opencl_external_reset_semaphores (self);
  }
  return ok;
}
