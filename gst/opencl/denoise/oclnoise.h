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
 * @step: the distance between blocks in samples
 * @columns: the number of blocks across, or 0 if no block fits
 * @rows: the number of blocks down, or 0
 *
 * Blocks of 8 x 8 samples of a channel.
 */
typedef struct
{
  gint step;
  gint columns;
  gint rows;
} OclNoiseBlocks;

/* Returns the blocks of channels of @pass: at most @most, with the smallest
 * step. Thread-safe. */
OclNoiseBlocks ocl_noise_get_blocks (const OclPass * pass,
    const OclFrameInfo * info, gint most);

/* Returns the number of blocks of the first of the @n @passes and of the last
 * one, at most @most for each channel. Thread-safe. */
cl_int2 ocl_noise_count_blocks (const OclPass * passes, guint n,
    const OclFrameInfo * info, gint most);

/* Sets @passes to the passes over @planes that frames of the kind @info have,
 * and returns their number. Thread-safe. */
guint ocl_noise_get_passes (OclPass passes[OCL_MAX_PASSES],
    const OclFormat * format, OclPlanes planes, const OclFrameInfo * info);

extern const OclOperationClass ocl_noise_class;

G_END_DECLS
