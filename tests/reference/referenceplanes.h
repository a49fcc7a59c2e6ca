/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bilateral filter of frames in planes, in double precision, written from
 * its specification: samples of any depth, each of which stands for some pixels
 * of the frame. */

#ifndef REFERENCE_PLANES_H
#define REFERENCE_PLANES_H

#include "reference.h"

/* Channels that lie on one grid.  Planes are row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, and down, at least 1 */
  int height;
  int x_pixels;                 /* that a sample stands for, across and down */
  int y_pixels;
  int n_channels;               /* 1 to 3 */
  const double *channels[3];    /* what is averaged */
  double border_channels[3];    /* outside, REFERENCE_BORDER_CONSTANT only */
  int n_guides;                 /* 0: each channel has its own weights */
  const double *guides[3];      /* what Δ is the distance of */
  double border_guides[3];
  double unit;                  /* a channel's Δ is its difference by this */
} ReferencePlanes;

/* Filters with the sigmas, radius, window and border of @params, its radius
 * not negative; distances are in pixels.  Fills @outputs, one a channel. */
void reference_bilateral_planes (const ReferenceBilateral *params,
    const ReferencePlanes *planes, double *const outputs[3]);

#endif
