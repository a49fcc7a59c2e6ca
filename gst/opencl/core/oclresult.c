/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclresult.h"

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
    OclContext * context, gsize size, OclTimer * timer, GError ** error)
{
  return ocl_check (clEnqueueCopyBuffer (context->queue, from->device.memory,
          to->device.memory, 0, 0, size, 0, NULL, ocl_timer_add (timer,
              OCL_TIMER_TRANSFER)), "clEnqueueCopyBuffer", error);
}

gboolean
ocl_result_enqueue_read (OclResult * self, OclContext * context, gsize size,
    OclTimer * timer, GError ** error)
{
  return ocl_check (clEnqueueReadBuffer (context->queue, self->device.memory,
          CL_FALSE, 0, size, self->host.data, 0, NULL, ocl_timer_add (timer,
              OCL_TIMER_TRANSFER)), "clEnqueueReadBuffer", error);
}
