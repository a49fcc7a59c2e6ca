/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A channel of a frame, in double precision. */

#ifndef REFERENCE_PLANE_H
#define REFERENCE_PLANE_H

#include "reference.h"

/* The levels are row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, at least 1 */
  int height;                   /* samples down, at least 1 */
  int x_pixels;                 /* pixels across that a sample stands for */
  int y_pixels;                 /* pixels down that a sample stands for */
  const double *levels;
  double border_level;          /* outside, REFERENCE_BORDER_CONSTANT only */
  double max_level;             /* the level of I = 1 */
} ReferencePlane;

/* Returns the level of the sample at x, y. The position may also be anywhere
 * outside the plane. */
double reference_plane_get_tap (const ReferencePlane *plane,
    ReferenceBorder border, int x, int y);

/* Returns the levels of the plane and of @reach_x samples on its left and
 * right, and @reach_y above and below, for taps there: row-major, without
 * padding. The caller frees them. */
double *reference_plane_new_bordered (const ReferencePlane *plane,
    ReferenceBorder border, int reach_x, int reach_y);

#endif
