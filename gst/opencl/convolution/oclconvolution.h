/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A convolution with a matrix m of odd sides:
 *
 *   out (p) = Σ m (i, j) I (p + (i, j)) / divisor + bias
 *
 * with m's rows from top to bottom, not mirrored. I is a pixel in [0, 1], i and
 * j are offsets in pixels from the middle. Alpha is carried through.
 *
 * Where a sample stands for several pixels, all of them have its level, and the
 * mean of what they become is that of the sample: the sum of all weights is
 * that of the matrix, and a constant stays what it is in other planes. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclConvolutionParams:
 * @matrix: m
 * @matrix_file: the name of the file that @matrix was read from, or none
 * @divisor: what the sum is divided by; 0 for the sum of m, or 1 where that is
 *    0
 * @bias: added, in units of the [0, 1] range
 * @planes: what is changed of Y'CbCr
 * @border: what taps outside the frame read
 */
typedef struct
{
  OclMatrix matrix;
  OclFileName matrix_file;
  gdouble divisor;
  gdouble bias;
  OclPlanes planes;
  OclBorder border;
} OclConvolutionParams;

/* The operation. Variants called separable take one direction after the other,
 * for matrices that are a column times a row; dense ones take each number that
 * is not 0. */
extern const OclOperationClass ocl_convolution_class;

/* What the sum is divided by. Any thread. */
gdouble ocl_convolution_get_divisor (const OclConvolutionParams * params);

G_END_DECLS
