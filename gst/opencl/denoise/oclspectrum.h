/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spectrum of the noise of a picture, measured along the motion, and the
 * neighbours that match: an operation with a result. kernels/spectrum.clh has
 * the formulas. It needs an OclNoiseResult (oclnoise.h) and vectors
 * (oclmotionresult.h), in this order. */

#pragma once

#include "oclnoise.h"

G_BEGIN_DECLS

/**
 * OclSpectrumParams:
 * @estimate: whether the spectrum is measured; otherwise only the neighbours
 *    that match are found
 * @curve: whether the noise is measured by brightness, too
 * @planes: the planes of Y'CbCr whose noise is measured; luma is needed
 * @n_earlier: how many earlier pictures have vectors
 * @n_later: how many later pictures have vectors
 * @noise: the standard deviation of the noise of luma if it is given, in levels
 *    of 8 bits; otherwise -1
 */
typedef struct
{
  gboolean estimate;
  gboolean curve;
  OclPlanes planes;
  guint n_earlier;
  guint n_later;
  gdouble noise;
} OclSpectrumParams;

/**
 * OclSpectrumResult:
 * @levels: the standard deviation of the noise in the low frequencies, for each
 *    channel of the format and bin of brightness, in levels of 8 bits; 0 where
 *    the noise is that of the OclNoiseResult
 * @scales: 1 / sqrt of the power of each frequency, relative to the low ones;
 *    row by row, vertical frequencies down
 * @mean: the mean of @levels over the picture
 * @ratio: how much the noise varies from block to block: about 1.17 if it was
 *    not encoded
 * @slope: the level in the high frequencies, relative to the low ones: 1 for
 *    white noise
 * @n_pictures: how many pictures were measured, at most 8; 0 where there is no
 *    spectrum
 * @limit: the largest sum of differences with which pictures match
 *
 * The beginning of the result. From word OCL_SPECTRUM_MASKS on it has a mask
 * for each cell of 4 x 4 pixels, row by row: bit k says that neighbour k of
 * the run matches there. What is between them is kept from one picture to the
 * next.
 */
typedef struct
{
  cl_float levels[OCL_NOISE_N_CHANNELS][OCL_NOISE_CURVE_BINS];
  cl_float scales[OCL_NOISE_N_CHANNELS][64];
  cl_float mean[OCL_NOISE_N_CHANNELS];
  cl_float ratio[OCL_NOISE_N_CHANNELS];
  cl_float slope[OCL_NOISE_N_CHANNELS];
  cl_int n_pictures[OCL_NOISE_N_CHANNELS];
  cl_int limit;
} OclSpectrumResult;

/* As in kernels/spectrum.clh. */
#define OCL_SPECTRUM_MASKS 6720

/* A picture depends on so many pictures before it, beside those that it is
 * filtered with: those that are pooled, the two before the first of them, and
 * one more, which shows a cut. */
#define OCL_SPECTRUM_MEMORY (16 + 2 + 1)

extern const OclOperationClass ocl_spectrum_class;

G_END_DECLS
