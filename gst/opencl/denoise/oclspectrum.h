/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Noise spectrum: an operation whose result is the spectrum of the noise of a
 * frame, measured along the motion, and the matching neighbours.
 * kernels/spectrum.clh has the formulas. Needs an OclNoiseResult (oclnoise.h)
 * and vectors (oclmotion.h), in this order. */

#pragma once

#include "oclnoise.h"

G_BEGIN_DECLS

/**
 * OclSpectrumParams:
 * @estimate: whether the spectrum is measured. Otherwise only the matching
 *    neighbours are found
 * @curve: whether the noise is also measured by brightness
 * @planes: the planes of Y'CbCr whose noise is measured. Must include luma
 * @n_earlier: number of earlier frames with vectors
 * @n_later: number of later frames with vectors
 * @noise: the standard deviation of the noise of luma if it is given, in levels
 *    of 8 bits, otherwise -1
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
 *    channel of the format and bin of brightness, in levels of 8 bits, or 0
 *    where the noise of the OclNoiseResult applies
 * @scales: 1 / sqrt of the power of each frequency, relative to the low
 *    frequencies, row by row, vertical frequencies down
 * @mean: the mean of @levels over the frame
 * @ratio: variation of the noise between blocks: about 1.17 if it was not
 *    encoded
 * @slope: the level in the high frequencies, relative to the low frequencies: 1
 *    for white noise
 * @n_frames: number of frames measured, at most 8, or 0 where there is no
 *    spectrum
 * @limit: the largest sum of differences of matching frames
 *
 * Beginning of the result. From word OCL_SPECTRUM_MASKS on, it has a mask for
 * each cell of 4 x 4 pixels, row by row, where bit k is set if neighbour k of
 * the run matches. The words between them are private state that is kept
 * between frames.
 */
typedef struct
{
  cl_float levels[OCL_NOISE_N_CHANNELS][OCL_NOISE_CURVE_BINS];
  cl_float scales[OCL_NOISE_N_CHANNELS][64];
  cl_float mean[OCL_NOISE_N_CHANNELS];
  cl_float ratio[OCL_NOISE_N_CHANNELS];
  cl_float slope[OCL_NOISE_N_CHANNELS];
  cl_int n_frames[OCL_NOISE_N_CHANNELS];
  cl_int limit;
} OclSpectrumResult;

/* As in kernels/spectrum.clh. */
#define OCL_SPECTRUM_MASKS 6720

/* Number of previous frames that a frame depends on, in addition to the
 * neighbours that are read to filter it: the pooled frames, the two before
 * the first of them, and one more, which shows a cut. */
#define OCL_SPECTRUM_MEMORY (16 + 2 + 1)

extern const OclOperationClass ocl_spectrum_class;

G_END_DECLS
