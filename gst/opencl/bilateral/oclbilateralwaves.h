/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Approximates the bilateral filter at a cost that does not grow with the
 * window. Common code of the variants of the approximation.
 *
 * The weight of a difference is a Gaussian of Δ in [-1, 1]. It is approximated
 * by a sum of K cosines, with odd multiples of half of 1 / T as frequencies:
 *
 *   exp (-Δ² / (2 σr²)) ≈ Σ a(k) cos (2π f(k) Δ),   f(k) = (k + 1/2) / T
 *   a(k) = 2 √(2π) σr / T · exp (-2 (π σr f(k))²)
 *
 * With K = ∞ the sum equals a Gaussian that is repeated every T with
 * alternating signs. T (T - 1) = 2π σr² (K + 1/2) makes the error of the
 * repetition, exp (-(T - 1)² / (2 σr²)), as large as the error of the omitted
 * waves. K is the smallest number for which this error is below 0.0002. K.
 * Sugimoto and S. Kamata choose T by both errors in "Compressive bilateral
 * filtering", IEEE Transactions on Image Processing 24 (11), 2015. The
 * decomposition into blurs is from K. N. Chaudhury, D. Sage and M. Unser, "Fast
 * O(1) bilateral filtering using trigonometric range kernels", IEEE
 * Transactions on Image Processing 20 (12), 2011.
 *
 * The input of the blurs is collected at nodes some pixels apart, and the blurs
 * are interpolated between the nodes, as S. Paris and F. Durand do in "A fast
 * approximation of the bilateral filter using a signal processing approach",
 * ECCV 2006. The weights between nodes are a least-squares fit: from every
 * pixel to every other pixel, they come closest to the weights of the window.
 * The fit keeps the shape and the finite extent of the window.
 *
 * Pixels outside the frame are read before all of these steps, so that the
 * result is as good at every border as inside the frame.
 *
 * The PSNR against the exact filter was measured for four photographs, each
 * without noise and with added noise of 10 and of 25 levels. The lowest PSNR is
 * 57 dB for sigmas of 16 and 0.25. It is 48 dB over spatial sigmas of 5 to 40,
 * at which nodes are furthest apart in relation to the sigma, and intensity
 * sigmas of 0.025 to 1. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclbilateralparams.h"
#include "operation/oclvariant.h"

G_BEGIN_DECLS

/* Number of consecutive nodes that are blurred together. The rows of weights
 * are separated by one zero fewer. */
#define OCL_BILATERAL_BLURRED_NODES 4

/**
 * OclBilateralWavesSetting:
 * @spatial_sigma: the spatial sigma in samples
 * @intensity_sigma: the intensity sigma in units of the [0, 1] range
 * @radius: the radius in samples
 * @window: the shape of the window
 *
 * Values that determine the coefficients.
 */
typedef struct
{
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  gint radius;
  OclBilateralWindow window;
} OclBilateralWavesSetting;

/**
 * OclBilateralWaves:
 * @coefficients: the input of the kernels: the amplitudes of the waves, then
 *    the weights between nodes. There are 2 @reach + 1 rows of 2 @reach + 1
 *    weights, with zeros before each row and after the last row
 * @setting: the setting of @coefficients
 * @step: the number of samples from one node to the next: 4 or a larger power
 *    of 2
 * @reach: the number of nodes of the window on each side of its middle
 * @n_waves: the number of waves
 * @frequency: the frequency of the first wave, in turns per unit of the guide.
 *    The frequency of wave k is 2k + 1 times @frequency
 *
 * Start with a zeroed struct, end with ocl_bilateral_waves_clear(). Use the
 * struct from one thread at a time.
 */
typedef struct
{
  OclCoefficients coefficients;
  OclBilateralWavesSetting setting;
  cl_int step;
  cl_int reach;
  cl_int n_waves;
  cl_float frequency;
} OclBilateralWaves;

/* Commands may be in flight, see ocl_coefficients_clear(). */
void ocl_bilateral_waves_clear (OclBilateralWaves * waves);

/* Updates @waves for @run. The frames of all runs must have the same format. If
 * the coefficients change, waits until their last change has reached the
 * device, and enqueues a write of the new coefficients. */
gboolean ocl_bilateral_waves_update (OclBilateralWaves * waves,
    OclContext * context, const OclRun * run, GError ** error);

/* Returns the number of columns (or rows) of nodes that enclose @samples
 * columns (or rows) of samples, if @unit samples are interpolated at a time. */
gint ocl_bilateral_waves_count_nodes (const OclBilateralWaves * waves,
    gint samples, gint unit);

/* Returns the number of cosines of the approximation for @pass of frames that
 * are filtered with @params. The cost of a frame grows with this number.
 * Returns 0 if the approximation is not available: for colour modes other than
 * intensity, for radii below 10 and spatial sigmas below 5, both in samples,
 * for intensity sigmas below about 0.022, and for samples that do not stand for
 * a square of pixels. Thread-safe. */
gint ocl_bilateral_waves_count (const OclBilateralParams * params,
    const OclPass * pass);

/* Returns whether the approximation is available, as @can_serve of OclVariant.
 * Thread-safe. */
gboolean ocl_bilateral_waves_can_serve (gconstpointer params,
    const OclFormat * format, const OclPass * pass);

G_END_DECLS
