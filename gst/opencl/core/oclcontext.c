/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclcontext.h"

#define MAX_SHARING_PROPERTIES 8

/* Siblings are lost together, because they use one device. */
static gint *
ocl_context_get_lost (OclContext * self)
{
  OclContext *parent = self->parent;

  return parent ? &parent->is_lost : &self->is_lost;
}

static void
ocl_context_clear (gpointer data)
{
  OclContext *self = data;
  const gboolean is_lost = g_atomic_int_get (ocl_context_get_lost (self));

  if (self->parent) {
    if (self->queue && !is_lost)
      clReleaseCommandQueue (self->queue);
    ocl_context_unref (self->parent);
    return;
  }
  /* The driver would wait. */
  if (is_lost)
    return;
  if (self->programs)
    ocl_programs_free (self->programs);
  g_clear_pointer (&self->database, ocl_database_free);
  if (self->queue)
    clReleaseCommandQueue (self->queue);
  if (self->timed_queue)
    clReleaseCommandQueue (self->timed_queue);
  if (self->context)
    clReleaseContext (self->context);
  ocl_device_unref (self->device);
}

OclContext *
ocl_context_new (OclDevice * device, const cl_context_properties * sharing,
    GError ** error)
{
  cl_context_properties properties[MAX_SHARING_PROPERTIES + 3];
  guint n = 0;

  while (sharing && sharing[n]) {
    g_return_val_if_fail (n + 2 <= MAX_SHARING_PROPERTIES, NULL);
    properties[n] = sharing[n];
    properties[n + 1] = sharing[n + 1];
    n += 2;
  }
  properties[n] = CL_CONTEXT_PLATFORM;
  properties[n + 1] = (cl_context_properties) device->platform;
  properties[n + 2] = 0;

  g_autoptr (OclContext) self = g_atomic_rc_box_new0 (OclContext);
  self->device = ocl_device_ref (device);

  cl_int status = CL_SUCCESS;
  self->context = clCreateContext (properties, 1, &device->id, NULL, NULL,
      &status);
  if (!ocl_check (status, "clCreateContext", error))
    return NULL;
  self->programs = ocl_programs_new (self->context, device);
  self->database = ocl_database_load (device);
  self->queue = ocl_context_create_queue (self, error);
  return self->queue ? g_steal_pointer (&self) : NULL;
}

OclContext *
ocl_context_new_sibling (OclContext * parent, GError ** error)
{
  g_autoptr (OclContext) self = g_atomic_rc_box_new0 (OclContext);

  self->device = parent->device;
  self->context = parent->context;
  self->programs = parent->programs;
  self->database = parent->database;
  self->parent = ocl_context_ref (parent);
  self->queue = ocl_context_create_queue (self, error);
  return self->queue ? g_steal_pointer (&self) : NULL;
}

static cl_command_queue
create_queue (OclContext * self, cl_command_queue_properties properties,
    GError ** error)
{
  cl_int status = CL_SUCCESS;
  cl_command_queue queue = clCreateCommandQueue (self->context,
      self->device->id, properties, &status);

  return ocl_check (status, "clCreateCommandQueue", error) ? queue : NULL;
}

cl_command_queue
ocl_context_create_queue (OclContext * context, GError ** error)
{
  return create_queue (context, CL_QUEUE_PROFILING_ENABLE, error);
}

gboolean
ocl_context_add_timed_queue (OclContext * self, GError ** error)
{
  g_return_val_if_fail (!self->timed_queue, FALSE);
  if (self->device->type & CL_DEVICE_TYPE_CPU)
    return TRUE;
  cl_command_queue queue = create_queue (self, 0, error);
  if (!queue)
    return FALSE;
  self->timed_queue = self->queue;
  self->queue = queue;
  return TRUE;
}

OclContext *
ocl_context_ref (OclContext * context)
{
  return g_atomic_rc_box_acquire (context);
}

void
ocl_context_unref (OclContext * context)
{
  g_atomic_rc_box_release_full (context, ocl_context_clear);
}

gboolean
ocl_context_finish (OclContext * context, GError ** error)
{
  if (!ocl_context_check (context, error))
    return FALSE;
  const cl_int timed_status =
      context->timed_queue ? clFinish (context->timed_queue) : CL_SUCCESS;
  return ocl_check (clFinish (context->queue), "clFinish", error)
      && ocl_check (timed_status, "clFinish", error);
}

void
ocl_context_give_up (OclContext * context)
{
  g_atomic_int_set (ocl_context_get_lost (context), TRUE);
}

gboolean
ocl_context_check (OclContext * context, GError ** error)
{
  if (!g_atomic_int_get (ocl_context_get_lost (context)))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_LOST,
      "A kernel does not end, or the driver does not end compiling it, and %s "
      "cannot be used any more. Fix the kernel, and restart the application.",
      context->device->name);
  return FALSE;
}

gboolean
ocl_image_format_equals (cl_image_format a, cl_image_format b)
{
  return a.image_channel_order == b.image_channel_order
      && a.image_channel_data_type == b.image_channel_data_type;
}

gboolean
ocl_context_supports_image (OclContext * self, cl_image_format format,
    gboolean * supported, GError ** error)
{
  cl_uint n_formats = 0;

  *supported = FALSE;
  if (!ocl_check (clGetSupportedImageFormats (self->context,
              CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n_formats),
          "clGetSupportedImageFormats", error))
    return FALSE;

  g_autofree cl_image_format *formats =
      g_new0 (cl_image_format, MAX (n_formats, 1));
  if (n_formats > 0
      && !ocl_check (clGetSupportedImageFormats (self->context,
              CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, n_formats, formats,
              NULL), "clGetSupportedImageFormats", error))
    return FALSE;
  for (guint i = 0; i < n_formats; i++)
    *supported |= ocl_image_format_equals (formats[i], format);
  return TRUE;
}
