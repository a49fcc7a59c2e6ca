/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A channel of a frame, in double precision. */

#ifndef REFERENCE_PLANE_H
#define REFERENCE_PLANE_H

#include "reference.h"

/* Row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, and down, at least 1 */
  int height;
  int x_pixels;                 /* that a sample stands for, across and down */
  int y_pixels;
  const double *levels;
  double border_level;          /* outside, REFERENCE_BORDER_CONSTANT only */
  double max_level;             /* that 1 stands for */
} ReferencePlane;

/* The level of the sample at x, y, which may be anywhere. */
double reference_plane_get_tap (const ReferencePlane *plane,
    ReferenceBorder border, int x, int y);

#endif
