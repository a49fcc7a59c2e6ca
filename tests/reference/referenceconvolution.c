/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referenceconvolution.h"

#include <math.h>
#include <stddef.h>

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

/* The sum for one pixel. */
static double
convolve (const ReferenceConvolution * params, const ReferencePlane * plane,
    int x, int y)
{
  double sum = 0.0;
  int i, j;

  for (j = 0; j < params->height; j++) {
    for (i = 0; i < params->width; i++) {
      const double column = (x + i - params->width / 2) / (double)
          plane->x_pixels;
      const double row = (y + j - params->height / 2) / (double)
          plane->y_pixels;

      sum += params->matrix[j * params->width + i]
          * reference_plane_get_tap (plane, params->border,
          (int) floor (column), (int) floor (row));
    }
  }
  return sum;
}

void
reference_convolution (const ReferenceConvolution * params,
    const ReferencePlane * plane, double *output)
{
  const double divisor = get_divisor (params);
  const int pixels = plane->x_pixels * plane->y_pixels;
  int x, y, n;

  for (y = 0; y < plane->height; y++) {
    for (x = 0; x < plane->width; x++) {
      double sum = 0.0;

      for (n = 0; n < pixels; n++)
        sum += convolve (params, plane, x * plane->x_pixels
            + n % plane->x_pixels, y * plane->y_pixels + n / plane->x_pixels);
      output[(ptrdiff_t) y * plane->width + x] = sum / pixels / divisor
          + params->bias * plane->max_level;
    }
  }
}
