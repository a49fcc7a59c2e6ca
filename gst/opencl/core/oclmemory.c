/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmemory.h"

gboolean
ocl_memory_ensure (OclMemory * self, OclContext * context, gsize size,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  if (self->memory && self->size >= size)
    return TRUE;

  ocl_memory_clear (self);
  self->memory = clCreateBuffer (context->context, CL_MEM_READ_WRITE, size,
      NULL, &status);
  self->size = size;
  return ocl_check (status, "clCreateBuffer", error);
}

void
ocl_memory_clear (OclMemory * self)
{
  g_clear_pointer (&self->memory, clReleaseMemObject);
}

gboolean
ocl_memory_enqueue_fill (OclMemory * self, OclContext * context,
    guint32 value, gsize offset, gsize size, OclTimer * timer, GError ** error)
{
  return ocl_check (clEnqueueFillBuffer (ocl_timer_get_queue (timer, context),
          self->memory, &value, sizeof (value), offset, size, 0, NULL,
          ocl_timer_add (timer, OCL_TIMER_KERNEL)), "clEnqueueFillBuffer",
      error);
}

gboolean
ocl_pinned_ensure (OclPinned * self, OclContext * context, gsize size,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  if (self->data && self->size == size)
    return TRUE;

  ocl_pinned_clear (self, context);
  self->memory = clCreateBuffer (context->context,
      CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  self->size = size;
  self->data = clEnqueueMapBuffer (context->queue, self->memory, CL_TRUE,
      CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &status);
  return ocl_check (status, "clEnqueueMapBuffer", error);
}

void
ocl_pinned_clear (OclPinned * self, OclContext * context)
{
  /* A failure is ignored: the memory is released in any case. */
  if (self->data
      && ocl_check (clEnqueueUnmapMemObject (context->queue, self->memory,
              self->data, 0, NULL, NULL), "clEnqueueUnmapMemObject", NULL))
    ocl_context_finish (context, NULL);
  self->data = NULL;
  g_clear_pointer (&self->memory, clReleaseMemObject);
}

gboolean
ocl_result_ensure (OclResult * self, OclContext * context, gsize size,
    GError ** error)
{
  return ocl_memory_ensure (&self->device, context, size, error)
      && ocl_pinned_ensure (&self->host, context, size, error);
}

void
ocl_result_clear (OclResult * self, OclContext * context)
{
  ocl_pinned_clear (&self->host, context);
  ocl_memory_clear (&self->device);
}

gboolean
ocl_result_enqueue_copy (const OclResult * from, OclResult * to,
    OclContext * context, gsize offset, gsize size, OclTimer * timer,
    GError ** error)
{
  return ocl_check (clEnqueueCopyBuffer (ocl_timer_get_queue (timer, context),
          from->device.memory, to->device.memory, 0, offset, size, 0, NULL,
          ocl_timer_add (timer, OCL_TIMER_TRANSFER)), "clEnqueueCopyBuffer",
      error);
}

gboolean
ocl_result_enqueue_read (OclResult * self, OclContext * context, gsize size,
    OclTimer * timer, GError ** error)
{
  return ocl_check (clEnqueueReadBuffer (ocl_timer_get_queue (timer, context),
          self->device.memory, CL_FALSE, 0, size, self->host.data, 0, NULL,
          ocl_timer_add_event (timer, OCL_TIMER_TRANSFER)),
      "clEnqueueReadBuffer", error);
}

gboolean
ocl_coefficients_begin (OclCoefficients * self, OclContext * context,
    gsize size, GError ** error)
{
  cl_int status = CL_SUCCESS;

  self->context = context;
  if (self->written) {
    const gboolean ok = ocl_check (clWaitForEvents (1, &self->written),
        "clWaitForEvents", error);

    g_clear_pointer (&self->written, clReleaseEvent);
    return ok;
  }
  if (self->memory)
    return TRUE;
  self->memory = clCreateBuffer (context->context, CL_MEM_READ_ONLY, size,
      NULL, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  self->data = g_malloc0 (size);
  return TRUE;
}

gboolean
ocl_coefficients_enqueue_write (OclCoefficients * self, OclContext * context,
    gsize size, OclTimer * timer, GError ** error)
{
  cl_event *event = ocl_timer_add_event (timer, OCL_TIMER_TRANSFER);

  if (!ocl_check (clEnqueueWriteBuffer (ocl_timer_get_queue (timer, context),
              self->memory, CL_FALSE, 0, size, self->data, 0, NULL, event),
          "clEnqueueWriteBuffer", error)
      || !ocl_check (clRetainEvent (*event), "clRetainEvent", error))
    return FALSE;
  self->written = *event;
  return TRUE;
}

void
ocl_coefficients_clear (OclCoefficients * self)
{
  /* The driver keeps the buffer as long as commands use it, but not the memory
   * that a write reads. A write in a lost context never ends. */
  if (self->written && !ocl_context_check (self->context, NULL))
    self->data = NULL;
  else if (self->written)
    clWaitForEvents (1, &self->written);
  g_clear_pointer (&self->written, clReleaseEvent);
  g_clear_pointer (&self->memory, clReleaseMemObject);
  g_clear_pointer (&self->data, g_free);
}
