/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The multiresolution filter: the bilateral filter on each band of a Laplacian
 * pyramid, so that coarse and fine structure are smoothed at their own scale;
 * with gains it makes details stronger or weaker.
 *
 *   g(0) = I;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   l'(k) = BF (l(k));  g'(n) = BF (g(n))
 *   o(n) = a(n) g'(n);  o(k) = a(k) l'(k) + expand (o(k+1));  result = o(0)
 *
 * reduce() and expand() are those of oclpyramid.h, BF is the filter of
 * oclbilateral.h with a square window, and pixels of an octave are its unit of
 * distance. Bands are l(0) to l(n-1), finest first, and g(n), which has the
 * rest. Alpha is carried through.
 * P. Burt and E. Adelson, "The Laplacian pyramid as a compact image code",
 * IEEE Transactions on Communications, 1983. */

#pragma once

#include "oclmultiresolutionparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The operation. Differences of Y'CbCr, which have pyramids of their own on
 * their own grid, are filtered by luma where that is what differences are
 * taken of: by the bands of the pyramid of the mean luma of the pixels that a
 * sample stands for. Its variants:
 *
 *   plain  a step of the definition a launch, a pixel a work-item, images or
 *          buffers, any device
 *   rows   strips of whole rows, for CPUs
 *   tiled  from tiles in local memory, for GPUs
 *
 * The last two have one launch for each of reduce, expand and subtract, filter,
 * expand and add of an octave. */
extern const OclOperationClass ocl_multiresolution_class;

G_END_DECLS
