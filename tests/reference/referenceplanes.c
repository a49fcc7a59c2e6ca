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

/* Positions read by a window: the column of each x from -radius on, and the row
 * of each y from -radius on.  Negative ones are the border colour. */
typedef struct
{
  const ReferenceBilateral *params;
  const ReferencePlanes *planes;
  const int *columns;
  const int *rows;
  const double *spatial;        /* the weight of each distance */
} Window;

static double
value_at (const Window * window, const double *plane, double outside, int x,
    int y)
{
  int column = window->columns[x + window->params->radius];
  int row = window->rows[y + window->params->radius];

  return column < 0 || row < 0 ? outside
      : plane[(size_t) row * window->planes->width + column];
}

static double
guides_distance (const Window * window, int x, int y, int i, int j)
{
  const ReferencePlanes *planes = window->planes;
  double sum = 0.0;

  for (int n = 0; n < planes->n_guides; n++) {
    double difference = value_at (window, planes->guides[n],
        planes->border_guides[n], x + i, y + j)
        - planes->guides[n][(size_t) y * planes->width + x];

    sum += difference * difference;
  }
  return sqrt (sum);
}

/* Filters a sample of channels @first to @first + @n - 1, which have the same
 * weights. */
static void
filter_sample (const Window * window, int first, int n, int x, int y,
    double *const outputs[3])
{
  const ReferenceBilateral *params = window->params;
  const ReferencePlanes *planes = window->planes;
  const size_t place = (size_t) y * planes->width + x;
  double sums[3] = { 0.0, }, weights = 0.0;
  int radius = params->radius;

  for (int j = -radius; j <= radius; j++) {
    for (int i = -radius; i <= radius; i++) {
      int across = i * planes->x_pixels, down = j * planes->y_pixels;
      double squared = (double) across * across + (double) down * down;
      double taps[3], delta, weight;

      if (abs (across) > radius || abs (down) > radius)
        continue;
      if (params->window == REFERENCE_WINDOW_DISC
          && squared > (double) radius * radius)
        continue;
      for (int c = 0; c < n; c++)
        taps[c] = value_at (window, planes->channels[first + c],
            planes->border_channels[first + c], x + i, y + j);
      delta = planes->n_guides == 0
          ? (taps[0] - planes->channels[first][place]) / planes->unit
          : guides_distance (window, x, y, i, j);
      weight = window->spatial[abs (j) * (radius + 1) + abs (i)]
          * gaussian (delta, params->intensity_sigma);
      for (int c = 0; c < n; c++)
        sums[c] += weight * taps[c];
      weights += weight;
    }
  }
  for (int c = 0; c < n; c++)
    outputs[first + c][place] = sums[c] / weights;
}

void
reference_bilateral_planes (const ReferenceBilateral * params,
    const ReferencePlanes * planes, double *const outputs[3])
{
  const int radius = params->radius, side = radius + 1;
  const int n = planes->n_guides == 0 ? 1 : planes->n_channels;
  int *columns = malloc (sizeof (int) * (planes->width + 2 * radius));
  int *rows = malloc (sizeof (int) * (planes->height + 2 * radius));
  double *spatial = malloc (sizeof (double) * side * side);
  const Window window = { params, planes, columns, rows, spatial };

  for (int i = 0; planes->height > 0 && i < planes->width + 2 * radius; i++)
    columns[i] = reference_border_index (params->border, i - radius,
        planes->width);
  for (int i = 0; planes->height > 0 && i < planes->height + 2 * radius; i++)
    rows[i] = reference_border_index (params->border, i - radius,
        planes->height);
  for (int i = 0; i < side * side; i++)
    spatial[i] = gaussian (hypot (i % side * planes->x_pixels,
            i / side * planes->y_pixels), params->spatial_sigma);
  for (int first = 0; first < planes->n_channels; first += n) {
#pragma omp parallel for if (planes->height * side > 1000)
    for (int y = 0; y < planes->height; y++) {
      for (int x = 0; x < planes->width; x++)
        filter_sample (&window, first, n, x, y, outputs);
    }
  }
  free (columns);
  free (rows);
  free (spatial);
}
