/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of a frame: how many of its pixels have each value of red, green,
 * blue and luma.
 *
 * Luma is (30 R + 59 G + 11 B + 50) div 100 of the bytes. The counts of a
 * channel sum to width * height, which must be less than 2^32. */

#pragma once

#include "oclframe.h"

G_BEGIN_DECLS

#define OCL_HISTOGRAM_BINS 256

typedef enum
{
  OCL_HISTOGRAM_RED,
  OCL_HISTOGRAM_GREEN,
  OCL_HISTOGRAM_BLUE,
  OCL_HISTOGRAM_LUMA,
  OCL_HISTOGRAM_N_CHANNELS,
} OclHistogramChannel;

/**
 * OclHistogramCounts:
 * @counts: pixels that have the value, by channel and value
 */
typedef struct
{
  guint32 counts[OCL_HISTOGRAM_N_CHANNELS][OCL_HISTOGRAM_BINS];
} OclHistogramCounts;

/**
 * OclHistogramVariant:
 * @OCL_HISTOGRAM_VARIANT_AUTO: the one that suits the device
 * @OCL_HISTOGRAM_VARIANT_GROUPS: work-groups count in local memory; images or
 *    buffers, any device
 * @OCL_HISTOGRAM_VARIANT_BANDS: a work-item counts a band of rows alone, for
 *    CPUs; copies images to buffers
 */
typedef enum
{
  OCL_HISTOGRAM_VARIANT_AUTO,
  OCL_HISTOGRAM_VARIANT_GROUPS,
  OCL_HISTOGRAM_VARIANT_BANDS,
} OclHistogramVariant;

typedef struct _OclHistogram OclHistogram;

/* One thread at a time for all that follows. */

/* Keeps a reference to @context. Does not touch the device. The counts of
 * @n_slots frames can be kept on the host. */
OclHistogram *ocl_histogram_new (OclContext * context,
    OclHistogramVariant variant, guint n_slots);

/* No command may be under way. */
void ocl_histogram_free (OclHistogram * histogram);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclHistogram, ocl_histogram_free)

/* Builds and warms up the kernels for frames in @storage; nothing where that
 * was done before. Waits for the device. OCL_ERROR_BUILD or
 * OCL_ERROR_FAILED. */
gboolean ocl_histogram_prepare (OclHistogram * histogram, OclStorage storage,
    GError ** error);

/* Enqueues counting @frame, in a storage that was prepared, on the device; does
 * not wait. After an error, wait for the queue before @frame is touched. */
gboolean ocl_histogram_enqueue (OclHistogram * histogram,
    const OclFrame * frame, OclTimer * timer, GError ** error);

/* Enqueues bringing the counts of the last frame to the host, where they are
 * kept in @slot; does not wait. */
gboolean ocl_histogram_enqueue_read (OclHistogram * histogram, guint slot,
    OclTimer * timer, GError ** error);

/* The counts in @slot; owned by @histogram. Call it when the queue has ended
 * the read, and before the next into that slot is enqueued. */
const OclHistogramCounts *ocl_histogram_get_counts (OclHistogram * histogram,
    guint slot);

/* A buffer with the counts of the last frame on the device, laid out as
 * OclHistogramCounts; owned by @histogram. NULL before the first prepare. */
cl_mem ocl_histogram_get_memory (OclHistogram * histogram);

G_END_DECLS
