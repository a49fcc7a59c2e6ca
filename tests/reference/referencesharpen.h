/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sharpening by the difference of a frame and its blur, in double precision,
 * written from its specification.
 *
 *   blur (p)  = sum k(i,j) I(p + (i,j))
 *   sharp (p) = α I(p) + β blur(p) + γ
 *   delta (p) = I(p) - blur(p) + 0.5
 *
 * with I in [0, 1] and taps (i,j), in pixels, with |i| <= r and |j| <= r. */

#ifndef REFERENCE_SHARPEN_H
#define REFERENCE_SHARPEN_H

#include "referenceplane.h"

typedef enum
{
  REFERENCE_SHARPEN_AVERAGE,    /* k = 1 / (2r + 1)² */
  /* k proportional to exp (-(i² + j²) / (2 σ²)), of sum 1 */
  REFERENCE_SHARPEN_GAUSSIAN,
  /* k = exp (-(i² + j²) / (2 σ²)) / (σ sqrt (2π)) / (2r + 1)² */
  REFERENCE_SHARPEN_GAUSSIAN_RAW
} ReferenceSharpenKernel;

typedef enum
{
  REFERENCE_SHARPEN_SHARP,
  REFERENCE_SHARPEN_BLUR,
  REFERENCE_SHARPEN_DELTA
} ReferenceSharpenOutput;

typedef struct
{
  ReferenceSharpenKernel kernel;
  int radius;
  double sigma;
  double alpha;
  double beta;
  double gamma;
  ReferenceSharpenOutput output;
  ReferenceBorder border;
} ReferenceSharpen;

/* Fills @output with levels, which are not rounded and may be out of range. If
 * samples stand for several pixels, only the taps at a whole number of samples
 * are taken, and their weights are scaled so that the sum stays the sum of the
 * weights of all taps. */
void reference_sharpen (const ReferenceSharpen *params,
    const ReferencePlane *plane, double *output);

#endif
