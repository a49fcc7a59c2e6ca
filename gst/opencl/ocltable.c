/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltable.h"

gboolean
ocl_table_init (OclTable * self, OclContext * context, gsize size,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  self->memory = clCreateBuffer (context->context, CL_MEM_READ_ONLY, size,
      NULL, &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  self->data = g_malloc0 (size);
  self->size = size;
  return TRUE;
}

void
ocl_table_clear (OclTable * self)
{
  g_clear_pointer (&self->written, clReleaseEvent);
  g_clear_pointer (&self->memory, clReleaseMemObject);
  g_clear_pointer (&self->data, g_free);
}

gboolean
ocl_table_begin (OclTable * self, GError ** error)
{
  if (!self->written)
    return TRUE;

  gboolean ok = ocl_check (clWaitForEvents (1, &self->written),
      "clWaitForEvents", error);
  g_clear_pointer (&self->written, clReleaseEvent);
  return ok;
}

gboolean
ocl_table_enqueue_write (OclTable * self, OclContext * context, gsize size,
    OclTimer * timer, GError ** error)
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
