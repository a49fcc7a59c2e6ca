/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Convolution, sharpening and gradients, in double precision, written from their
 * specifications. I is in [0, 1]. */

#ifndef REFERENCE_STENCILS_H
#define REFERENCE_STENCILS_H

#include "reference.h"

/* Convolution with a matrix m, in double precision, written from its
 * specification.
 *
 *   out (p) = sum m(i,j) I(p + (i,j)) / divisor + bias
 *
 * with I in [0, 1] and rows of m from top to bottom, not mirrored. */
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

/* Sharpening by the difference of a frame and its blur, in double precision,
 * written from its specification.
 *
 *   blur (p)  = sum k(i,j) I(p + (i,j))
 *   sharp (p) = α I(p) + β blur(p) + γ
 *   delta (p) = I(p) - blur(p) + 0.5
 *
 * with I in [0, 1] and taps (i,j), in pixels, with |i| <= r and |j| <= r. */
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

/* Scharr's derivatives of a frame, in double precision, written from their
 * specification:
 *
 *   [ -3 0  3 ]                       [ -3 -10 -3 ]
 *   [ -10 0 10 ] / 16 across,         [  0   0  0 ] / 16 down,
 *   [ -3 0  3 ]                       [  3  10  3 ]
 *
 * with I in [0, 1].  The taps are (size - 1) / 2 pixels away from the
 * centre. */
typedef enum
{
  REFERENCE_GRADIENT_MAGNITUDE, /* scale sqrt (gx² + gy²) */
  REFERENCE_GRADIENT_X,         /* 0.5 + scale gx / 2 */
  REFERENCE_GRADIENT_Y,
  /* a colour in HSV: H is the angle of (gx, gy), where 0 degrees point right
   * and 90 degrees point down; S = 1; V is the magnitude, at most 1 */
  REFERENCE_GRADIENT_DIRECTION
} ReferenceGradientOutput;

typedef struct
{
  int size;
  ReferenceGradientOutput output;
  /* not 0: if there are three channels, the gradient of
   * Y = 0.3 R + 0.59 G + 0.11 B is the output of all of them */
  int luma;
  double scale;
  ReferenceBorder border;
} ReferenceGradient;

/* The channels of a frame that lie on one grid.  They are row-major, without
 * padding. */
typedef struct
{
  int width;                    /* samples across, at least 1 */
  int height;                   /* samples down, at least 1 */
  int x_pixels;                 /* pixels across that a sample stands for */
  int y_pixels;                 /* pixels down that a sample stands for */
  int n_channels;               /* 1, or 3: red, green and blue */
  const double *channels[3];    /* levels */
  double border_levels[3];      /* REFERENCE_BORDER_CONSTANT only */
  double max_level;             /* the level of I = 1 */
} ReferenceChannels;

/* Fills @outputs with levels in 0 .. max_level, which are not rounded.  If a
 * sample stands for several pixels, the distance of the taps is a whole number
 * of samples, at least one. */
void reference_gradient (const ReferenceGradient *params,
    const ReferenceChannels *frame, double *const outputs[3]);

#endif
