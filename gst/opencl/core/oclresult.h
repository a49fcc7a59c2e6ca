/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A result is data that an operation computes about one frame. Kernels write
 * the result on the device. Then it is read to the host. */

#pragma once

#include "oclmemory.h"
#include "oclpinned.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclResult:
 * @device: the memory that kernels write
 * @host: the memory that the result is read to
 * @shared: further data for operations that need the result for the same frame,
 *    owned by the operation that computes the result. NULL for none
 *
 * Start with a zeroed struct and end with ocl_result_clear(). Use the struct
 * from one thread at a time.
 */
typedef struct
{
  OclMemory device;
  OclPinned host;
  gconstpointer shared;
} OclResult;

/* Allocates @size bytes. Does nothing if the present memory is large enough.
 * Otherwise waits for the device. */
gboolean ocl_result_ensure (OclResult * result, OclContext * context,
    gsize size, GError ** error);

/* Releases the memory. No command may be in flight. */
void ocl_result_clear (OclResult * result, OclContext * context);

/* Enqueues a copy of @size bytes on the device. Does not wait. */
gboolean ocl_result_enqueue_copy (const OclResult * from, OclResult * to,
    OclContext * context, gsize size, OclTimer * timer, GError ** error);

/* Enqueues a read of @size bytes to the host. Does not wait. The bytes are in
 * host.data from the end of the read until the next read is enqueued. */
gboolean ocl_result_enqueue_read (OclResult * result, OclContext * context,
    gsize size, OclTimer * timer, GError ** error);

G_END_DECLS
