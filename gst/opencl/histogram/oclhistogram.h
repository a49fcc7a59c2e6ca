/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of a frame: how many samples of each channel have levels in each
 * bin.
 *
 * Channels, in the order of their counts, are
 *
 *   OCL_MODEL_RGB     red, green, blue, luma
 *   OCL_MODEL_YCBCR   luma, cb, cr: the differences on their own grid
 *   OCL_MODEL_GREY    luma
 *
 * Luma of red, green and blue is (30 R + 59 G + 11 B + 50) div 100 of the
 * levels. There is a bin for each level, or 1024 of as many levels each where
 * that is less: bin b has the levels from b * 2^depth div bins on. What is
 * above the largest level counts as that. The counts of a channel sum to its
 * samples, which must be less than 2^32. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_HISTOGRAM_MAX_BINS 1024

/* The channels of OCL_MODEL_RGB, and how many any model has at most. */
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
 * @counts: samples, by channel and bin; 0 in those that the format has not
 *
 * The result of the operation.
 */
typedef struct
{
  guint32 counts[OCL_HISTOGRAM_N_CHANNELS][OCL_HISTOGRAM_MAX_BINS];
} OclHistogramCounts;

/* The operation; it has no parameters. Its variants:
 *
 *   groups  work-groups count in local memory; images or buffers, any device
 *   strips  a work-item counts a strip of rows alone, for CPUs */
extern const OclOperationClass ocl_histogram_class;

/* Any thread for these. */

/* Bins of each channel: 256 of 8 bits, or 1024. */
guint ocl_histogram_get_n_bins (const OclFormat * format);

guint ocl_histogram_get_n_channels (const OclFormat * format);

/* "red", "luma", "cb", ... */
const gchar *ocl_histogram_get_channel_name (const OclFormat * format,
    guint channel);

/* Channels that a pass counts. */
guint ocl_histogram_get_n_counted (const OclPass * pass);

G_END_DECLS
