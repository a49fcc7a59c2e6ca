/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Noise estimate: an operation whose result is the noise level of a frame and
 * the cuts around it. kernels/noise.clh has the formulas. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_NOISE_N_CHANNELS 3

/* Number of bins of brightness, from black to white. */
#define OCL_NOISE_CURVE_BINS 8

/**
 * OclNoiseParams:
 * @estimate: whether the noise is estimated. Otherwise only cuts are found
 * @curve: whether the noise is also estimated by brightness
 * @planes: the planes of Y'CbCr whose noise is estimated. Must include luma,
 *    which finds cuts
 */
typedef struct
{
  gboolean estimate;
  gboolean curve;
  OclPlanes planes;
} OclNoiseParams;

/**
 * OclNoiseResult:
 * @sigma: the standard deviation of the noise in each channel of the format, in
 *    levels of 8 bits: the mean over the last frames since a cut
 * @n_earlier: number of previous frames in the same shot
 * @n_estimates: number of frames in the mean, for each channel
 * @n_later: number of following frames known to be in the same shot
 * @curve: @sigma by the level of a sample, if requested. The value of a bin
 *    applies to its middle
 *
 * Beginning of the result, followed by private state that is kept between
 * frames, and by temporary data. The result of a frame depends on the previous
 * result, unless OclRun.is_first is set.
 */
typedef struct
{
  cl_float sigma[OCL_NOISE_N_CHANNELS];
  cl_int n_earlier;
  cl_int n_estimates[OCL_NOISE_N_CHANNELS];
  cl_int n_later;
  cl_float curve[OCL_NOISE_N_CHANNELS][OCL_NOISE_CURVE_BINS];
} OclNoiseResult;

/**
 * OclNoiseBlocks:
 * @sizes: the width and the height of channel 0, and of the other channels, in
 *    samples
 * @steps: the distance between blocks in samples
 * @columns: the number of blocks across, or 0 if no block fits
 * @rows: the number of blocks down, or 0
 * @n_blocks: the number of blocks
 * @all_rows: the number of rows of blocks of all channels
 *
 * Blocks of 8 x 8 samples: of channel 0, and of each other channel. All are 0
 * if there are no other channels.
 */
typedef struct
{
  cl_int4 sizes;
  cl_int2 steps;
  cl_int2 columns;
  cl_int2 rows;
  cl_int2 n_blocks;
  gint all_rows;
} OclNoiseBlocks;

/* Returns the blocks of all channels of @pass: at most @most of each channel,
 * with the smallest step. Thread-safe. */
OclNoiseBlocks ocl_noise_get_blocks (const OclPass * pass,
    const OclFrameInfo * info, gint most);

/* Sets @passes to the one pass over all channels of @planes, luma among them,
 * which kernels read one at a time, see kernels/channels.clh. Returns 1.
 * Thread-safe. */
guint ocl_noise_get_passes (OclPass passes[OCL_MAX_PASSES],
    const OclFormat * format, OclPlanes planes);

extern const OclOperationClass ocl_noise_class;

G_END_DECLS
