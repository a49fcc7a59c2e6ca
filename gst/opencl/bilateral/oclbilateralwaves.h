/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter approximated, at a cost that does not grow with the
 * window: what its variants have in common.
 *
 * The weight by difference, a Gaussian of Δ in [-1, 1], is taken as a sum of K
 * cosines of odd multiples of half of 1 / T:
 *
 *   exp (-Δ² / (2 σr²)) ≈ Σ a(k) cos (2π f(k) Δ),   f(k) = (k + 1/2) / T
 *   a(k) = 2 √(2π) σr / T · exp (-2 (π σr f(k))²)
 *
 * which is exact for the Gaussian repeated every T with alternating signs, and
 * K = ∞. T (T - 1) = 2π σr² (K + 1/2) makes the error by the repetition,
 * exp (-(T - 1)² / (2 σr²)), as large as that by the waves left out; K is the
 * least for which it is below 0.0002. The choice of T by both errors is that of
 * K. Sugimoto and S. Kamata, "Compressive bilateral filtering", IEEE
 * Transactions on Image Processing 24 (11), 2015; the decomposition into blurs
 * that of K. N. Chaudhury, D. Sage and M. Unser, "Fast O(1) bilateral filtering
 * using trigonometric range kernels", same journal, 20 (12), 2011.
 *
 * What is blurred is collected at nodes some pixels apart, and interpolated
 * between them, as S. Paris and F. Durand do, "A fast approximation of the
 * bilateral filter using a signal processing approach", ECCV 2006. The weights
 * between nodes are those which, from every pixel to every other, come closest
 * to the window's in least squares: its shape, and that it ends, are kept.
 *
 * Pixels outside the frame are read before any of this, so that all borders are
 * as good as the inside.
 *
 * Least PSNR against the exact filter that was measured for four photographs,
 * each as it is and with noise of 10 and of 25 levels: 57 dB for sigmas of 16
 * and 0.25; 48 dB over spatial sigmas of 5 to 40, where nodes are furthest
 * apart for them, and intensity sigmas of 0.025 to 1. */

#pragma once

#include "core/oclcoefficients.h"
#include "oclbilateralparams.h"
#include "operation/oclvariant.h"

G_BEGIN_DECLS

/* Nodes one behind the other that are blurred together: the zeros that go
 * between the rows of weights are one fewer. */
#define OCL_BILATERAL_BLURRED_NODES 4

/**
 * OclBilateralWavesSetting:
 * @spatial_sigma: in samples
 * @intensity_sigma: in units of the [0, 1] range
 * @radius: in samples
 * @window: the taps of the window
 *
 * What the weights depend on.
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
 * @coefficients: what kernels read: the amplitudes of the waves, then the
 *    weights between nodes, 2 @reach + 1 rows of as many, with zeros before
 *    each and after the last
 * @setting: what @coefficients were made for
 * @step: samples from a node to the next, a power of 2 from 4 on
 * @reach: nodes that a window has to each side of its middle
 * @n_waves: how many there are
 * @frequency: half of that of the first wave, in turns a unit of what
 *    differences are taken of; wave k has 2k + 1 times as much
 *
 * Start with a zeroed struct, end with ocl_bilateral_waves_clear(). One thread
 * at a time.
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

/* No command may be in flight. */
void ocl_bilateral_waves_clear (OclBilateralWaves * waves);

/* Makes @waves what @run needs, whose frames have the same format each time,
 * and enqueues writing the coefficients where they change; waits for their last
 * change to have reached the device. */
gboolean ocl_bilateral_waves_update (OclBilateralWaves * waves,
    OclContext * context, const OclRun * run, GError ** error);

/* Columns, or rows, of nodes from the first to the last that @samples of them
 * lie between, where @unit are interpolated at a time. */
gint ocl_bilateral_waves_count_nodes (const OclBilateralWaves * waves,
    gint samples, gint unit);

/* How many cosines the approximation takes for @pass of frames filtered with
 * @params; 0 where it cannot serve: for colour modes other than intensity,
 * radii below 10 and spatial sigmas below 5, both in samples, intensity sigmas
 * below about 0.022, and samples that are no squares of pixels. The cost of a
 * frame grows with it. Any thread. */
gint ocl_bilateral_waves_count (const OclBilateralParams * params,
    const OclPass * pass);

/* Whether it can, as OclVariant asks it. Any thread. */
gboolean ocl_bilateral_waves_can_serve (gconstpointer params,
    const OclFormat * format, const OclPass * pass);

G_END_DECLS
