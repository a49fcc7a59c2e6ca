/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of a frame: how many of its pixels have each value of red, green,
 * blue and luma.
 *
 * Luma is (30 R + 59 G + 11 B + 50) div 100 of the levels. The counts of a
 * channel sum to width * height, which must be less than 2^32. */

#pragma once

#include "ocloperation.h"

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
 *
 * The result of the operation.
 */
typedef struct
{
  guint32 counts[OCL_HISTOGRAM_N_CHANNELS][OCL_HISTOGRAM_BINS];
} OclHistogramCounts;

/* The operation; it has no parameters. Its variants:
 *
 *   groups  work-groups count in local memory; images or buffers, any device
 *   bands   a work-item counts a band of rows alone, for CPUs */
extern const OclOperationClass ocl_histogram_class;

G_END_DECLS
