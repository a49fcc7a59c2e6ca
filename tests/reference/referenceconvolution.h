/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Convolution with a matrix m, in double precision, written from its
 * specification.
 *
 *   out (p) = sum m(i,j) I(p + (i,j)) / divisor + bias
 *
 * with I in [0, 1] and rows of m from top to bottom, not mirrored. */

#ifndef REFERENCE_CONVOLUTION_H
#define REFERENCE_CONVOLUTION_H

#include "referenceplane.h"

typedef struct
{
  int width;                    /* columns and rows of the matrix, odd */
  int height;
  const double *matrix;         /* row by row */
  double divisor;               /* 0: sum of the matrix, or 1 if that is 0 */
  double bias;
  ReferenceBorder border;
} ReferenceConvolution;

/* Fills @output with levels, which are not rounded and may be out of range. If
 * samples stand for several pixels, each pixel has the level of its sample, all
 * pixels are convolved, and the output is the mean of the pixels of each
 * sample. */
void reference_convolution (const ReferenceConvolution *params,
    const ReferencePlane *plane, double *output);

#endif
