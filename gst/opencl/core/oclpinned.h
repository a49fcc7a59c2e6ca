/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Host memory that a device transfers to and from without a copy in between,
 * and without making the enqueuing thread wait. */

#pragma once

#include "oclcontext.h"

G_BEGIN_DECLS

/**
 * OclPinned:
 * @memory: a buffer in host memory; owned
 * @data: @memory mapped to the host for as long as it lives
 * @size: in bytes
 *
 * Start with a zeroed struct, end with ocl_pinned_clear(). One thread at a
 * time; no transfer may be in flight.
 */
typedef struct
{
  cl_mem memory;
  void *data;
  gsize size;
} OclPinned;

/* Makes @pinned memory of @size bytes; keeps what it has where that fits. Waits
 * for the device. */
gboolean ocl_pinned_ensure (OclPinned * pinned, OclContext * context,
    gsize size, GError ** error);

void ocl_pinned_clear (OclPinned * pinned, OclContext * context);

G_END_DECLS
