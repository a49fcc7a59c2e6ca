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
  return ocl_check (clEnqueueFillBuffer (context->queue, self->memory, &value,
          sizeof (value), offset, size, 0, NULL, ocl_timer_add (timer,
              OCL_TIMER_KERNEL)), "clEnqueueFillBuffer", error);
}
