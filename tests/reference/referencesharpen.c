/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referencesharpen.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Without the factor that makes the sum 1. */
static double
get_weight (const ReferenceSharpen * params, int i, int j)
{
  if (params->kernel == REFERENCE_SHARPEN_AVERAGE)
    return 1.0;
  return exp (-((double) i * i + (double) j * j)
      / (2.0 * params->sigma * params->sigma));
}

static double
sum_weights (const ReferenceSharpen * params, int x_step, int y_step)
{
  const int r = params->radius;
  double sum = 0.0;
  int i, j;

  for (j = -(r / y_step) * y_step; j <= r; j += y_step)
    for (i = -(r / x_step) * x_step; i <= r; i += x_step)
      sum += get_weight (params, i, j);
  return sum;
}

/* The required sum of all weights. */
static double
get_gain (const ReferenceSharpen * params)
{
  const double side = 2.0 * params->radius + 1.0;

  if (params->kernel != REFERENCE_SHARPEN_GAUSSIAN_RAW)
    return 1.0;
  return sum_weights (params, 1, 1) / (params->sigma * sqrt (2.0 * pi))
      / (side * side);
}

/* The weights of the window on the grid of samples, row by row. */
static double *
new_weights (const ReferenceSharpen * params, const ReferencePlane * plane)
{
  const int r_x = params->radius / plane->x_pixels;
  const int r_y = params->radius / plane->y_pixels;
  double *weights = malloc (sizeof (double) * (2 * r_x + 1) * (2 * r_y + 1));
  double *weight = weights;
  int i, j;

  assert (weights);
  for (j = -r_y; j <= r_y; j++)
    for (i = -r_x; i <= r_x; i++)
      *weight++ = get_weight (params, i * plane->x_pixels, j * plane->y_pixels);
  return weights;
}

/* The weighted sum for the sample at x, y. `levels` are those of the plane,
 * with the values of outside taps. */
static double
blur (const double *weights, int r_x, int r_y, const double *levels,
    int stride, int x, int y)
{
  const int columns = 2 * r_x + 1, rows = 2 * r_y + 1;
  double sum = 0.0;
  int i, j;

  for (j = 0; j < rows; j++)
    for (i = 0; i < columns; i++)
      sum += weights[j * columns + i]
          * levels[(ptrdiff_t) (y + j) * stride + x + i];
  return sum;
}

void
reference_sharpen (const ReferenceSharpen * params,
    const ReferencePlane * plane, double *output)
{
  const double factor = get_gain (params)
      / sum_weights (params, plane->x_pixels, plane->y_pixels);
  const int r_x = params->radius / plane->x_pixels;
  const int r_y = params->radius / plane->y_pixels;
  const int stride = plane->width + 2 * r_x;
  double *levels = reference_plane_new_bordered (plane, params->border, r_x,
      r_y);
  double *weights = new_weights (params, plane);
  int x, y;

  for (y = 0; y < plane->height; y++) {
    for (x = 0; x < plane->width; x++) {
      ptrdiff_t n = (ptrdiff_t) y * plane->width + x;
      double here = plane->levels[n];
      double blurred = blur (weights, r_x, r_y, levels, stride, x, y)
          * factor;

      if (params->output == REFERENCE_SHARPEN_BLUR)
        output[n] = blurred;
      else if (params->output == REFERENCE_SHARPEN_DELTA)
        output[n] = here - blurred + 0.5 * plane->max_level;
      else
        output[n] = params->alpha * here + params->beta * blurred
            + params->gamma * plane->max_level;
    }
  }
  free (weights);
  free (levels);
}
