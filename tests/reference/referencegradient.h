/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Scharr's derivatives of a frame, in double precision, written from their
 * specification:
 *
 *   [ -3 0  3 ]                       [ -3 -10 -3 ]
 *   [ -10 0 10 ] / 16 across,         [  0   0  0 ] / 16 down,
 *   [ -3 0  3 ]                       [  3  10  3 ]
 *
 * with I in [0, 1].  The taps are (size - 1) / 2 pixels away from the
 * centre. */

#ifndef REFERENCE_GRADIENT_H
#define REFERENCE_GRADIENT_H

#include "reference.h"

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
