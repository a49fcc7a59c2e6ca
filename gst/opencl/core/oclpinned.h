/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pinned host memory. A device transfers to and from it without an intermediate
 * copy, and a transfer does not block the enqueuing thread. */

#pragma once

#include "oclcontext.h"

G_BEGIN_DECLS

/**
 * OclPinned:
 * @memory: a buffer in host memory (owned)
 * @data: the address of @memory, which stays mapped to the host as long as it
 *    lives
 * @size: in bytes
 *
 * Start with a zeroed struct and end with ocl_pinned_clear(). Must be called
 * from one thread at a time, and only while no transfer is in flight.
 */
typedef struct
{
  cl_mem memory;
  void *data;
  gsize size;
} OclPinned;

/* Allocates @size bytes of pinned memory. Keeps the present memory if it fits.
 * Waits for the device. */
gboolean ocl_pinned_ensure (OclPinned * pinned, OclContext * context,
    gsize size, GError ** error);

void ocl_pinned_clear (OclPinned * pinned, OclContext * context);

G_END_DECLS
