/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bilateral filter on each band of a Laplacian pyramid, in double
 * precision, written from its specification.
 *
 *   g(0) = I;  g(k+1) = reduce (g(k));  l(k) = g(k) - expand (g(k+1))
 *   l'(k) = BF (l(k));  g'(n) = BF (g(n))
 *   o(n) = a(n) g'(n);  o(k) = a(k) l'(k) + expand (o(k+1))
 *   result = o(0) + offset
 *
 * Levels are not rounded in between (P. Burt and E. Adelson, "The Laplacian
 * pyramid as a compact image code", IEEE Transactions on Communications,
 * 1983). */

#ifndef REFERENCE_MULTIRESOLUTION_H
#define REFERENCE_MULTIRESOLUTION_H

#include "referenceplanes.h"

#define REFERENCE_MULTIRESOLUTION_MAX_LEVELS 8
#define REFERENCE_MULTIRESOLUTION_MAX_BANDS \
    (REFERENCE_MULTIRESOLUTION_MAX_LEVELS + 1)

/* The bands are l(0) to l(n-1), and g(n). n is the smaller one of @levels and
 * of the number of halvings, rounded up, that reduce the plane to one sample.
 * The number of halvings counts as 1 at least. */
typedef struct
{
  int levels;                   /* 0 to REFERENCE_MULTIRESOLUTION_MAX_LEVELS */
  /* σs and σr of each band, as in ReferenceBilateral. If one of them is 0, the
   * band is not filtered */
  double spatial_sigmas[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  double intensity_sigmas[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  double gains[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  int radius;                   /* negative means floor (2 σs) of the band */
  /* The only band of the result, or -1 for all bands. If there are fewer bands,
   * g(n) is the only one. The gains of other bands are then 0, and the offset
   * is half of the largest level if the band is a difference l(k). Otherwise
   * the offset is 0. */
  int show_band;
  ReferenceBorder border;
} ReferenceMultiresolution;

/* Fills @output, which has half the width and half the height of @fine, both
 * rounded up:
 *
 *   reduce (g) (X, Y) = sum w(i) w(j) g(2X + i, 2Y + j),  |i| <= 2, |j| <= 2
 *
 * with w = [1 4 6 4 1] / 16. */
void reference_reduce (const ReferencePlane *fine, ReferenceBorder border,
    double *output);

/* Fills @output, which is @width wide and @height high. @coarse has half this
 * width and half this height, both rounded up:
 *
 *   expand (c) (x, y) = sum 4 w(i) w(j) c((x + i) / 2, (y + j) / 2)
 *
 * over the taps of reference_reduce() for which both x + i and y + j are even.
 * Taps outside the grid of @coarse read the border. */
void reference_expand (const ReferencePlane *coarse, ReferenceBorder border,
    int width, int height, double *output);

/* Fills @outputs, one per channel, with levels, which are not rounded and may
 * be out of range. @max_level is the largest level.
 *
 * Guides have pyramids, like channels. Band k of the guides guides band k of
 * all channels. Guides must be linear in the levels, as luma is. Without guides
 * each channel is filtered by its own differences. Distances in a band are in
 * pixels of the band. a sample stands for as many of these pixels as a sample
 * of @planes does for pixels of the frame.
 *
 * With a constant border, outside the frame all g(k) have the level of the
 * border, all l(k) are 0, and all o(k) are a(n) times the level of the
 * border. */
void reference_multiresolution (const ReferenceMultiresolution *params,
    const ReferencePlanes *planes, double max_level, double *const outputs[3]);

#endif
