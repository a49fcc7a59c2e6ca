/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of a device that only grows: what a kernel hands to the next. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclMemory:
 * @memory: a buffer; owned
 * @size: in bytes
 *
 * Start with a zeroed struct, end with ocl_memory_clear(). One thread at a
 * time.
 */
typedef struct
{
  cl_mem memory;
  gsize size;
} OclMemory;

/* Makes @memory a buffer of at least @size bytes; keeps the one it has where
 * that fits. Commands that use that one may be in flight. */
gboolean ocl_memory_ensure (OclMemory * memory, OclContext * context,
    gsize size, GError ** error);

void ocl_memory_clear (OclMemory * memory);

/* Enqueues setting the first @size bytes, in words of 4, to @value; does not
 * wait. */
gboolean ocl_memory_enqueue_fill (OclMemory * memory, OclContext * context,
    guint32 value, gsize size, OclTimer * timer, GError ** error);

G_END_DECLS
