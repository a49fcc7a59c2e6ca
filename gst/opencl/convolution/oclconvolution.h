/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Convolves a frame with a matrix m that has odd width and height:
 *
 *   out (p) = Σ m (i, j) I (p + (i, j)) / divisor + bias
 *
 * The rows of m run from top to bottom, and m is not mirrored. I is a pixel in
 * [0, 1], i and j are offsets in pixels from the middle. Alpha is copied.
 *
 * If a sample stands for several pixels, all these pixels have the level of the
 * sample. The new level of the sample is the mean of the new levels of its
 * pixels. The sum of all weights therefore equals the sum of the matrix, and a
 * constant area changes as in other planes. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclConvolutionParams:
 * @matrix: the matrix m
 * @matrix_file: the name of the file that @matrix was read from, or NULL
 * @divisor: the divisor of the sum. 0 stands for the sum of m, or for 1 if the
 *    sum of m is 0
 * @bias: the value that is added, in units of the [0, 1] range
 * @planes: the planes of Y'CbCr that are changed
 * @border: the values of samples outside the frame
 */
typedef struct
{
  OclLiteral *matrix;
  OclLiteral *matrix_file;
  gdouble divisor;
  gdouble bias;
  OclPlanes planes;
  OclBorder border;
} OclConvolutionParams;

/* The operation. Separable variants process one direction after the other, for
 * matrices that are the product of a column and a row. Dense variants compute
 * one tap for each non-zero number of the matrix. */
extern const OclOperationClass ocl_convolution_class;

/* Returns the divisor of the sum. Thread-safe. */
gdouble ocl_convolution_get_divisor (const OclConvolutionParams * params);

G_END_DECLS
