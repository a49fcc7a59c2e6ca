/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers that the host works out and kernels read, and that change now and
 * then while earlier frames may be in flight. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclTable:
 * @memory: what kernels read; owned
 * @data: what the host writes; owned
 * @size: of both, in bytes
 * @written: the last write of @data to @memory; owned, or NULL
 *
 * Start with a zeroed struct, end with ocl_table_clear(). One thread at a time.
 */
typedef struct
{
  cl_mem memory;
  gpointer data;
  gsize size;
  cl_event written;
} OclTable;

gboolean ocl_table_init (OclTable * table, OclContext * context, gsize size,
    GError ** error);

/* No command may be in flight. */
void ocl_table_clear (OclTable * table);

/* Call it before @data is changed: waits until the last write has read it. */
gboolean ocl_table_begin (OclTable * table, GError ** error);

/* Enqueues writing the first @size bytes of @data to @memory; does not wait. */
gboolean ocl_table_enqueue_write (OclTable * table, OclContext * context,
    gsize size, OclTimer * timer, GError ** error);

G_END_DECLS
