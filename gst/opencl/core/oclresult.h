/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an operation finds out about one frame: on the device, and read to the
 * host. */

#pragma once

#include "oclmemory.h"
#include "oclpinned.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclResult:
 * @device: what the kernels write
 * @host: what it is read to
 *
 * Start with a zeroed struct, end with ocl_result_clear(). One thread at a
 * time.
 */
typedef struct
{
  OclMemory device;
  OclPinned host;
} OclResult;

/* Makes room for @size bytes; nothing where there is. Waits for the device
 * where there is not. */
gboolean ocl_result_ensure (OclResult * result, OclContext * context,
    gsize size, GError ** error);

/* No command may be in flight. */
void ocl_result_clear (OclResult * result, OclContext * context);

/* Enqueues reading @size bytes to the host; does not wait. What they are is in
 * host.data when the queue has ended this, until the next read is enqueued. */
gboolean ocl_result_enqueue_read (OclResult * result, OclContext * context,
    gsize size, OclTimer * timer, GError ** error);

G_END_DECLS
