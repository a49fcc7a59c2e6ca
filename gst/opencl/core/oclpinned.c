/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpinned.h"

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
