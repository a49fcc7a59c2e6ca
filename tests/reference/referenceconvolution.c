/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referenceconvolution.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static double
get_divisor (const ReferenceConvolution * params)
{
  double sum = 0.0;
  int n;

  if (params->divisor != 0.0)
    return params->divisor;
  for (n = 0; n < params->width * params->height; n++)
    sum += params->matrix[n];
  return fabs (sum) < 1e-9 ? 1.0 : sum;
}

/* Rounds down, unlike C's division. */
static int
divide (int position, int pixels)
{
  return (position - (position < 0 ? pixels - 1 : 0)) / pixels;
}

/* The sum for one pixel. `levels` are those of the plane, with the values of
 * outside taps: params->width and params->height more samples on each side. */
static double
convolve (const ReferenceConvolution * params, const ReferencePlane * plane,
    const double *levels, int x, int y)
{
  const int stride = plane->width + 2 * params->width;
  double sum = 0.0;
  int i, j;

  for (j = 0; j < params->height; j++) {
    const int row = divide (y + j - params->height / 2, plane->y_pixels);
    const double *taps = levels
        + (ptrdiff_t) (row + params->height) * stride + params->width;

    for (i = 0; i < params->width; i++)
      sum += params->matrix[j * params->width + i]
          * taps[divide (x + i - params->width / 2, plane->x_pixels)];
  }
  return sum;
}

void
reference_convolution (const ReferenceConvolution * params,
    const ReferencePlane * plane, double *output)
{
  const double divisor = get_divisor (params);
  const int pixels = plane->x_pixels * plane->y_pixels;
  double *levels = reference_plane_new_bordered (plane, params->border,
      params->width, params->height);
  int x, y, n;

  for (y = 0; y < plane->height; y++) {
    for (x = 0; x < plane->width; x++) {
      double sum = 0.0;

      for (n = 0; n < pixels; n++)
        sum += convolve (params, plane, levels, x * plane->x_pixels
            + n % plane->x_pixels, y * plane->y_pixels + n / plane->x_pixels);
      output[(ptrdiff_t) y * plane->width + x] = sum / pixels / divisor
          + params->bias * plane->max_level;
    }
  }
  free (levels);
}
