/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How strong the noise of a picture is, and where cuts are around it: an
 * operation with a result. kernels/noise.clh has the formulas. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

#define OCL_NOISE_N_CHANNELS 3

/* The bins of brightness, from black to white. */
#define OCL_NOISE_CURVE_BINS 8

/**
 * OclNoiseParams:
 * @estimate: whether the noise is estimated; otherwise only cuts are found
 * @curve: whether the noise is estimated by brightness, too
 * @planes: the planes of Y'CbCr whose noise is estimated; luma is needed to
 *    find cuts
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
 *    levels of 8 bits: the mean over the last pictures since a cut
 * @n_earlier: how many pictures before this one are of the same shot
 * @n_estimates: of how many pictures the estimates are in the mean, for each
 *    channel
 * @n_later: how many pictures behind this one are known to be of the same shot
 * @curve: @sigma by the level of a sample, if this is asked for; the value of a
 *    bin is that of its middle
 *
 * The beginning of the result. What is behind it is kept from one picture to
 * the next: the result of a picture follows from the result before it, unless
 * OclRun.is_first is set.
 */
typedef struct
{
  cl_float sigma[OCL_NOISE_N_CHANNELS];
  cl_int n_earlier;
  cl_int n_estimates[OCL_NOISE_N_CHANNELS];
  cl_int n_later;
  cl_float curve[OCL_NOISE_N_CHANNELS][OCL_NOISE_CURVE_BINS];
} OclNoiseResult;

extern const OclOperationClass ocl_noise_class;

G_END_DECLS
