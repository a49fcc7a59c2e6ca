/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclexternal.h"

/* Vulkan is opened last, because this takes long. */
static gboolean
gst_gl_opencl_external_open (GstGLOpenCLExternal * self, GError ** error)
{
  const OclDevice *device = self->ocl->device;

  self->copy = gst_gl_opencl_shader_copy_new (self->gl_context, error);
  if (!self->copy
      || !gst_gl_opencl_external_gl_init (&self->gl, self->gl_context, error))
    return FALSE;
  if (!device->has_uuid) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no cl_khr_device_uuid.", device->name);
    return FALSE;
  }
  if (!gst_gl_opencl_external_gl_has_uuid (&self->gl, self->gl_context,
          device->uuid)) {
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
  self->handover = gst_gl_opencl_handover_new (self->gl_context, &self->gl,
      self->vulkan, self->ocl, self->opencl);
  return TRUE;
}

GstGLOpenCLExternal *
gst_gl_opencl_external_new (GstGLContext * gl_context, OclContext * ocl,
    GError ** error)
{
  GstGLOpenCLExternal *self = g_new0 (GstGLOpenCLExternal, 1);
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
  g_clear_pointer (&self->handover, gst_gl_opencl_handover_free);
  g_clear_pointer (&self->vulkan, gst_gl_opencl_vulkan_free);
  g_clear_pointer (&self->opencl, ocl_importer_free);
  g_clear_pointer (&self->copy, gst_gl_opencl_shader_copy_free);
  g_free (self);
}
