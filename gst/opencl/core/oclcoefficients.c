/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclcoefficients.h"

static gboolean
ocl_coefficients_ensure (OclCoefficients * self, OclContext * context,
    gsize size, GError ** error)
{
  cl_int status = CL_SUCCESS;

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
ocl_coefficients_begin (OclCoefficients * self, OclContext * context,
    gsize size, GError ** error)
{
  self->context = context;
  if (!self->written)
    return ocl_coefficients_ensure (self, context, size, error);

  gboolean ok = ocl_check (clWaitForEvents (1, &self->written),
      "clWaitForEvents", error);
  g_clear_pointer (&self->written, clReleaseEvent);
  return ok;
}

gboolean
ocl_coefficients_enqueue_write (OclCoefficients * self, OclContext * context,
    gsize size, OclTimer * timer, GError ** error)
{
  cl_event *event = ocl_timer_add (timer, OCL_TIMER_TRANSFER);

  if (!ocl_check (clEnqueueWriteBuffer (context->queue, self->memory, CL_FALSE,
              0, size, self->data, 0, NULL, event), "clEnqueueWriteBuffer",
          error)
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
