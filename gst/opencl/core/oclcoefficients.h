/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Coefficients that the host works out and kernels read, and that change now
 * and then while earlier frames may be in flight. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclCoefficients:
 * @memory: what kernels read; owned. NULL before ocl_coefficients_begin()
 * @data: what the host writes; owned
 * @written: the last write of @data to @memory; owned, or NULL
 *
 * Start with a zeroed struct, end with ocl_coefficients_clear(). One thread at
 * a time.
 */
typedef struct
{
  cl_mem memory;
  gpointer data;
  cl_event written;
} OclCoefficients;

/* Call it before @data is changed: makes @memory and @data of @size bytes,
 * which is the same each time, where there are none, and waits until the last
 * write has read @data. */
gboolean ocl_coefficients_begin (OclCoefficients * coefficients,
    OclContext * context, gsize size, GError ** error);

/* Enqueues writing the first @size bytes of @data to @memory; does not wait. */
gboolean ocl_coefficients_enqueue_write (OclCoefficients * coefficients,
    OclContext * context, gsize size, OclTimer * timer, GError ** error);

/* No command may be in flight. */
void ocl_coefficients_clear (OclCoefficients * coefficients);

G_END_DECLS
