/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is kept between frames: on the device, on the host, and on both,
 * for results that are read and for coefficients that are written. */

#pragma once

#include "oclcontext.h"
#include "ocltimer.h"

G_BEGIN_DECLS

/**
 * OclMemory:
 * @memory: a buffer (owned)
 * @size: in bytes
 *
 * Device memory that only grows, for data that a kernel passes to the next
 * kernel. Start with a zeroed struct and end with ocl_memory_clear(). Use the
 * struct from one thread at a time.
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

/**
 * OclPinned:
 * @memory: a buffer in host memory (owned)
 * @data: the address of @memory, which stays mapped to the host as long as it
 *    lives
 * @size: in bytes
 *
 * Pinned host memory. A device transfers to and from it without an intermediate
 * copy, and a transfer does not block the enqueuing thread. Start with a zeroed
 * struct and end with ocl_pinned_clear(). Must be called from one thread at a
 * time, and only while no transfer is in flight.
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

/**
 * OclResult:
 * @device: the memory that kernels write
 * @host: the memory that the result is read to
 * @shared: further data for operations that need the result for the same frame,
 *    owned by the operation that computes the result. NULL for none
 *
 * Data that an operation computes about one frame. Kernels write it on the
 * device. Then it is read to the host. Start with a zeroed struct and end with
 * ocl_result_clear(). Use the struct from one thread at a time.
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

/* Enqueues a copy of the first @size bytes of @from to @offset in @to, on the
 * device. Does not wait. */
gboolean ocl_result_enqueue_copy (const OclResult * from, OclResult * to,
    OclContext * context, gsize offset, gsize size, OclTimer * timer,
    GError ** error);

/* Enqueues a read of @size bytes to the host. Does not wait. The bytes are in
 * host.data from the end of the read until the next read is enqueued. */
gboolean ocl_result_enqueue_read (OclResult * result, OclContext * context,
    gsize size, OclTimer * timer, GError ** error);

/**
 * OclCoefficients:
 * @context: the context of @memory, which outlives the struct
 * @memory: the buffer that kernels read (owned). NULL before
 *    ocl_coefficients_begin()
 * @data: the memory that the host writes (owned)
 * @written: the event of the last write of @data to @memory (owned), or NULL
 *
 * Coefficients that the host computes and kernels read. They may change while
 * earlier frames are in flight. Start with a zeroed struct and end with
 * ocl_coefficients_clear(). Use the struct from one thread at a time.
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
