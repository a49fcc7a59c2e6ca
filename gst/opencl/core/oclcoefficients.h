/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Coefficients that the host computes and kernels read. They may change while
 * earlier frames are in flight. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclCoefficients:
 * @context: the context of @memory, which outlives the struct
 * @memory: the buffer that kernels read (owned). NULL before
 *    ocl_coefficients_begin()
 * @data: the memory that the host writes (owned)
 * @written: the event of the last write of @data to @memory (owned), or NULL
 *
 * Start with a zeroed struct and end with ocl_coefficients_clear(). Use the
 * struct from one thread at a time.
 */
typedef struct
{
  OclContext *context;
  cl_mem memory;
  gpointer data;
  cl_event written;
} OclCoefficients;

/* Must be called before @data is changed. The first call allocates @memory and
 * @data, @size bytes each. @size must be equal in all calls. Later calls wait
 * until the last write has read @data. */
gboolean ocl_coefficients_begin (OclCoefficients * coefficients,
    OclContext * context, gsize size, GError ** error);

/* Enqueues a write of the first @size bytes of @data to @memory. Does not
 * wait. */
gboolean ocl_coefficients_enqueue_write (OclCoefficients * coefficients,
    OclContext * context, gsize size, OclTimer * timer, GError ** error);

/* Releases all members. Commands may be in flight: waits until the last write
 * has read @data. If the context is lost, @data is not freed. */
void ocl_coefficients_clear (OclCoefficients * coefficients);

G_END_DECLS
