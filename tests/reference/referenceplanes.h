/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bilateral filter on frames in planes, in double precision, written from
 * its specification. Samples may have any depth, and each sample may stand for
 * several pixels of the frame. */

#ifndef REFERENCE_PLANES_H
#define REFERENCE_PLANES_H

#include "reference.h"

/* Channels that lie on one grid.  Planes are row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, at least 1 */
  int height;                   /* samples down, at least 1 */
  int x_pixels;                 /* pixels across that a sample stands for */
  int y_pixels;                 /* pixels down that a sample stands for */
  int n_channels;               /* 1 to 3 */
  const double *channels[3];    /* the samples to average */
  double border_channels[3];    /* outside, REFERENCE_BORDER_CONSTANT only */
  int n_guides;                 /* 0: each channel has its own weights */
  const double *guides[3];      /* Δ is the distance between guides */
  double border_guides[3];
  double unit;                  /* without guides, Δ = difference / unit */
} ReferencePlanes;

/* Filters the channels.  Distances are in pixels.  Fills @outputs, one per
 * channel. */
void reference_bilateral_planes (const ReferenceBilateral *params,
    const ReferencePlanes *planes, double *const outputs[3]);

#endif
