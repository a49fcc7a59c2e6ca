/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter approximated, at a cost that does not grow with the
 * window; see kernels/bilateral-fast.cl.
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

#include "oclbilateral.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_fast;

/* How many cosines the approximation takes for @pass of frames filtered with
 * @params; 0 where it cannot serve: for colour modes other than intensity,
 * radii below 10 and spatial sigmas below 5, both in samples, intensity sigmas
 * below about 0.022, and samples that are no squares of pixels. The cost of a
 * frame grows with it. Any thread. */
gint ocl_bilateral_fast_count_waves (const OclBilateralParams * params,
    const OclPass * pass);

G_END_DECLS
