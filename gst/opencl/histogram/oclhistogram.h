/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of a frame: for each channel and bin, the number of samples whose
 * level is in the bin.
 *
 * The channels, in the order of their counts, are
 *
 *   OCL_MODEL_RGB     red, green, blue, luma
 *   OCL_MODEL_YCBCR   luma, cb, cr (cb and cr on the chroma grid)
 *   OCL_MODEL_GREY    luma
 *
 * The luma of red, green and blue levels is (30 R + 59 G + 11 B + 50) div 100.
 * A channel has one bin per level, but at most 1024 bins, which have equally
 * many levels each. Bin b starts at level b * 2^depth div bins. A value above
 * the largest level is treated as the largest level. The counts of a channel
 * add up to its number of samples, which must be less than 2^32. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_HISTOGRAM_MAX_BINS 1024

/* The channels of OCL_MODEL_RGB, and the largest number of channels of any
 * model. */
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
 * @counts: numbers of samples, by channel and bin, 0 in channels and bins that
 *    the format does not have
 *
 * The result of the operation.
 */
typedef struct
{
  guint32 counts[OCL_HISTOGRAM_N_CHANNELS][OCL_HISTOGRAM_MAX_BINS];
} OclHistogramCounts;

/* The operation, without parameters. Its variants:
 *
 *   groups  work-groups count in local memory, images or buffers, any device
 *   strips  each work-item counts one slice of rows separately, for CPUs */
extern const OclOperationClass ocl_histogram_class;

/* The functions below may be called from any thread. */

/* Returns the number of bins per channel: 256 for a depth of 8 bits, otherwise
 * 1024. */
guint ocl_histogram_get_n_bins (const OclFormat * format);

guint ocl_histogram_get_n_channels (const OclFormat * format);

/* Returns the name of a channel: "red", "luma", "cb", ... */
const gchar *ocl_histogram_get_channel_name (const OclFormat * format,
    guint channel);

G_END_DECLS
