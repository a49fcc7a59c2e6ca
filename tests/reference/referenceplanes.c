/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referenceplanes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* exp (-distance² / (2 sigma²)), divided before it is squared because the
 * square of a small sigma can be zero. */
static double
gaussian (double distance, double sigma)
{
  double ratio = distance / sigma;

  return exp (-ratio * ratio / 2.0);
}

/* The value at column x and row y of a plane, both anywhere. */
static double
value_at (const ReferencePlanes * planes, ReferenceBorder border,
    const double *plane, double outside, int x, int y)
{
  int column = reference_border_index (border, x, planes->width);
  int row = reference_border_index (border, y, planes->height);

  return column < 0 || row < 0 ? outside
      : plane[(size_t) row * planes->width + column];
}

static double
guides_distance (const ReferencePlanes * planes, ReferenceBorder border, int x,
    int y, int i, int j)
{
  double sum = 0.0;
  int n;

  for (n = 0; n < planes->n_guides; n++) {
    double difference = value_at (planes, border, planes->guides[n],
        planes->border_guides[n], x + i, y + j)
        - planes->guides[n][(size_t) y * planes->width + x];

    sum += difference * difference;
  }
  return sqrt (sum);
}

static double
filter_sample (const ReferenceBilateral * params,
    const ReferencePlanes * planes, int channel, int x, int y)
{
  const double *plane = planes->channels[channel];
  double centre = plane[(size_t) y * planes->width + x];
  double sum = 0.0, weights = 0.0;
  int radius = params->radius;
  int i, j;

  for (j = -radius; j <= radius; j++) {
    for (i = -radius; i <= radius; i++) {
      int across = i * planes->x_pixels, down = j * planes->y_pixels;
      double squared = (double) across * across + (double) down * down;
      double tap, delta, weight;

      if (abs (across) > radius || abs (down) > radius)
        continue;
      if (params->window == REFERENCE_WINDOW_DISC
          && squared > (double) radius * radius)
        continue;
      tap = value_at (planes, params->border, plane,
          planes->border_channels[channel], x + i, y + j);
      delta = planes->n_guides == 0 ? (tap - centre) / planes->unit
          : guides_distance (planes, params->border, x, y, i, j);
      weight = gaussian (sqrt (squared), params->spatial_sigma)
          * gaussian (delta, params->intensity_sigma);
      sum += weight * tap;
      weights += weight;
    }
  }
  return sum / weights;
}

void
reference_bilateral_planes (const ReferenceBilateral * params,
    const ReferencePlanes * planes, double *const outputs[3])
{
  int channel, x, y;

  for (channel = 0; channel < planes->n_channels; channel++) {
    for (y = 0; y < planes->height; y++) {
      for (x = 0; x < planes->width; x++)
        outputs[channel][(size_t) y * planes->width + x] =
            filter_sample (params, planes, channel, x, y);
    }
  }
}
