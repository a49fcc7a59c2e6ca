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

#include "referenceplane.h"
#include "referenceplanes.h"

#define REFERENCE_MULTIRESOLUTION_MAX_LEVELS 8
#define REFERENCE_MULTIRESOLUTION_MAX_BANDS \
    (REFERENCE_MULTIRESOLUTION_MAX_LEVELS + 1)

/* Bands are l(0) to l(n-1), and g(n). n is @levels, or the number of halvings,
 * rounded up, that make one sample of the plane, where that is less; 1 at
 * least. */
typedef struct
{
  int levels;                   /* 0 to REFERENCE_MULTIRESOLUTION_MAX_LEVELS */
  /* σs and σr of a band, as those of ReferenceBilateral; where one is 0 the
   * band is not filtered */
  double spatial_sigmas[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  double intensity_sigmas[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  double gains[REFERENCE_MULTIRESOLUTION_MAX_BANDS];
  int radius;                   /* negative means floor (2 σs) of the band */
  /* Of this band alone, or of g(n) where there are less: other gains are 0, and
   * the offset, else 0, is half of the largest level for differences. -1 for
   * all bands. */
  int show_band;
  ReferenceBorder border;
} ReferenceMultiresolution;

/* Fills @output, of half the width and half the height, both rounded up:
 *
 *   reduce (g) (X, Y) = sum w(i) w(j) g(2X + i, 2Y + j),  |i| <= 2, |j| <= 2
 *
 * with w = [1 4 6 4 1] / 16. */
void reference_reduce (const ReferencePlane *fine, ReferenceBorder border,
    double *output);

/* Fills @output, @width wide and @height high, where @coarse is half of that,
 * rounded up:
 *
 *   expand (c) (x, y) = sum 4 w(i) w(j) c((x + i) / 2, (y + j) / 2)
 *
 * over the same taps where both x + i and y + j are even. What is outside is
 * outside of the grid of @coarse. */
void reference_expand (const ReferencePlane *coarse, ReferenceBorder border,
    int width, int height, double *output);

/* Fills @outputs, one a channel, with levels, which are not rounded and may be
 * out of range. @max_level is the largest level.
 *
 * Guides have pyramids like those of channels, of which band k guides band k of
 * all channels; they must be linear in the levels, as luma is. Without guides
 * each channel is filtered by its own differences. Distances in a band are in
 * pixels of the band, of which samples stand for as many as in @planes.
 *
 * With a constant border all g(k) are its level outside, all l(k) 0, and all
 * o(k) a(n) times the level. */
void reference_multiresolution (const ReferenceMultiresolution *params,
    const ReferencePlanes *planes, double max_level, double *const outputs[3]);

#endif
