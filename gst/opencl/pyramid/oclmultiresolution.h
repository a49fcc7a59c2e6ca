/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Multiresolution filter: applies the bilateral filter to each band of a
 * Laplacian pyramid, so that coarse and fine structures are smoothed at the
 * respective scale. Gains amplify or attenuate details.
 *
 *   g(0) = I;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   l'(k) = BF (l(k));  g'(n) = BF (g(n))
 *   o(n) = a(n) g'(n);  o(k) = a(k) l'(k) + expand (o(k+1));  result = o(0)
 *
 * oclpyramid.h defines reduce() and expand(). BF is the filter of
 * oclbilateral.h with a square window, whose unit of distance is a pixel of the
 * octave. The bands are l(0) to l(n-1), finest first, and g(n), which holds the
 * rest of the frame. Alpha is copied.
 *
 * P. Burt and E. Adelson, "The Laplacian pyramid as a compact image code", IEEE
 * Transactions on Communications, 1983. */

#pragma once

#include "oclmultiresolutionparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The operation. The chroma of Y'CbCr has separate pyramids, on the chroma
 * grid. If luma is the guide (OCL_BILATERAL_COLOR_INTENSITY), the chroma bands
 * are filtered with the bands of another pyramid as their guide: the pyramid of
 * the mean luma of the pixels that a chroma sample stands for. The variants of
 * the operation:
 *
 *   plain  one launch per step of the definition, one work-item per pixel,
 *          images or buffers, any device
 *   rows   strips of whole rows, for CPUs
 *   tiled  from tiles in local memory, for GPUs
 *
 * For each octave, rows and tiled launch one kernel to reduce, one to expand
 * and subtract, one to filter, and one to expand and add. */
extern const OclOperationClass ocl_multiresolution_class;

G_END_DECLS
