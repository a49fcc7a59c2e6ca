/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Scharr's derivatives of a frame, in double precision, written from their
 * specification:
 *
 *   [ -3 0  3 ]                       [ -3 -10 -3 ]
 *   [ -10 0 10 ] / 16 across,         [  0   0  0 ] / 16 down,
 *   [ -3 0  3 ]                       [  3  10  3 ]
 *
 * with taps (size - 1) / 2 pixels from the middle, of I in [0, 1]. */

#ifndef REFERENCE_GRADIENT_H
#define REFERENCE_GRADIENT_H

#include "reference.h"

typedef enum
{
  REFERENCE_GRADIENT_MAGNITUDE, /* scale sqrt (gx² + gy²) */
  REFERENCE_GRADIENT_X,         /* 0.5 + scale gx / 2 */
  REFERENCE_GRADIENT_Y,
  /* a colour in HSV: H the angle of (gx, gy), 0 being to the right and 90 degrees
   * down, S = 1, V the magnitude, at most 1 */
  REFERENCE_GRADIENT_DIRECTION
} ReferenceGradientOutput;

typedef struct
{
  int size;
  ReferenceGradientOutput output;
  /* of Y = 0.3 R + 0.59 G + 0.11 B, the same for all of three channels */
  int luma;
  double scale;
  ReferenceBorder border;
} ReferenceGradient;

/* Channels of a frame on one grid: row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, and down, at least 1 */
  int height;
  int x_pixels;                 /* that a sample stands for, across and down */
  int y_pixels;
  int n_channels;               /* 1, or 3: red, green and blue */
  const double *channels[3];    /* levels */
  double border_levels[3];      /* REFERENCE_BORDER_CONSTANT only */
  double max_level;             /* that 1 stands for */
} ReferenceChannels;

/* Fills @outputs with levels in 0 .. max_level, not rounded.  Where a sample stands
 * for several pixels the taps are whole samples away, at least one. */
void reference_gradient (const ReferenceGradient *params,
    const ReferenceChannels *frame, double *const outputs[3]);

#endif
