/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Device memory that only grows, for data that a kernel passes to the next
 * kernel. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclMemory:
 * @memory: a buffer (owned)
 * @size: in bytes
 *
 * Start with a zeroed struct and end with ocl_memory_clear(). Use the struct
 * from one thread at a time.
 */
typedef struct
{
  cl_mem memory;
  gsize size;
} OclMemory;

/* Allocates a buffer of at least @size bytes. Keeps the present buffer if it is
 * large enough. Commands that use the present buffer may be in flight. */
gboolean ocl_memory_ensure (OclMemory * memory, OclContext * context,
    gsize size, GError ** error);

/* Releases the buffer. Commands that use it may be in flight. */
void ocl_memory_clear (OclMemory * memory);

/* Enqueues a command that fills @size bytes from byte @offset on with the
 * 4-byte word @value. Does not wait. */
gboolean ocl_memory_enqueue_fill (OclMemory * memory, OclContext * context,
    guint32 value, gsize offset, gsize size, OclTimer * timer, GError ** error);

G_END_DECLS
