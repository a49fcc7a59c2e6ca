/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referencestencils.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Convolution */

static double
get_divisor (const ReferenceConvolution * params)
{
  double sum = 0.0;

  if (params->divisor != 0.0)
    return params->divisor;
  for (int n = 0; n < params->width * params->height; n++)
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

  for (int j = 0; j < params->height; j++) {
    const int row = divide (y + j - params->height / 2, plane->y_pixels);
    const double *taps = levels
        + (ptrdiff_t) (row + params->height) * stride + params->width;

    for (int i = 0; i < params->width; i++)
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

  for (int y = 0; y < plane->height; y++) {
    for (int x = 0; x < plane->width; x++) {
      double sum = 0.0;

      for (int n = 0; n < pixels; n++)
        sum += convolve (params, plane, levels, x * plane->x_pixels
            + n % plane->x_pixels, y * plane->y_pixels + n / plane->x_pixels);
      output[(ptrdiff_t) y * plane->width + x] = sum / pixels / divisor
          + params->bias * plane->max_level;
    }
  }
  free (levels);
}

/* Sharpening */

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

  for (int j = -(r / y_step) * y_step; j <= r; j += y_step)
    for (int i = -(r / x_step) * x_step; i <= r; i += x_step)
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

  assert (weights);
  for (int j = -r_y; j <= r_y; j++)
    for (int i = -r_x; i <= r_x; i++)
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

  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns; i++)
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

  for (int y = 0; y < plane->height; y++) {
    for (int x = 0; x < plane->width; x++) {
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

/* Gradients */

static const double across[3][3] = { {-3, 0, 3}, {-10, 0, 10}, {-3, 0, 3} };

/* A channel, or where that is -1 the luma, in [0, 1]. */
static double
get_tap (const ReferenceGradient * params, const ReferenceChannels * frame,
    int channel, int x, int y)
{
  static const double parts[3] = { 0.3, 0.59, 0.11 };
  int column = reference_border_index (params->border, x, frame->width);
  int row = reference_border_index (params->border, y, frame->height);
  ptrdiff_t n = (ptrdiff_t) row * frame->width + column;
  int outside = column < 0 || row < 0;
  double sum = 0.0;

  if (channel >= 0)
    return (outside ? frame->border_levels[channel]
        : frame->channels[channel][n]) / frame->max_level;
  for (int c = 0; c < 3; c++)
    sum += parts[c] * (outside ? frame->border_levels[c]
        : frame->channels[c][n]);
  return sum / frame->max_level;
}

static void
derive (const ReferenceGradient * params, const ReferenceChannels * frame,
    int channel, int x, int y, double *gx, double *gy)
{
  int step_x = (params->size - 1) / 2 / frame->x_pixels;
  int step_y = (params->size - 1) / 2 / frame->y_pixels;

  step_x = step_x < 1 ? 1 : step_x;
  step_y = step_y < 1 ? 1 : step_y;
  *gx = *gy = 0.0;
  for (int j = -1; j <= 1; j++) {
    for (int i = -1; i <= 1; i++) {
      double tap = get_tap (params, frame, channel, x + i * step_x,
          y + j * step_y);

      *gx += across[j + 1][i + 1] * tap / 16.0;
      *gy += across[i + 1][j + 1] * tap / 16.0;
    }
  }
}

static double
limit (double value)
{
  return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

/* Returns a component of the colour with hue @degrees, S = 1 and V = @value. */
static double
get_component (double degrees, double value, int channel)
{
  /* Where the component is largest. */
  double away = fabs (degrees - 120.0 * channel);

  if (away > 180.0)
    away = 360.0 - away;
  return value * limit (2.0 - away / 60.0);
}

static double
get_output (const ReferenceGradient * params, double gx, double gy, int channel)
{
  double magnitude = params->scale * sqrt (gx * gx + gy * gy);
  double degrees = atan2 (gy, gx) * 180.0 / pi;

  switch (params->output) {
    case REFERENCE_GRADIENT_X:
      return limit (0.5 + params->scale * gx / 2.0);
    case REFERENCE_GRADIENT_Y:
      return limit (0.5 + params->scale * gy / 2.0);
    case REFERENCE_GRADIENT_DIRECTION:
      return get_component (degrees < 0.0 ? degrees + 360.0 : degrees,
          limit (magnitude), channel);
    default:
      return limit (magnitude);
  }
}

void
reference_gradient (const ReferenceGradient * params,
    const ReferenceChannels * frame, double *const outputs[3])
{
  int luma = frame->n_channels == 3
      && (params->luma || params->output == REFERENCE_GRADIENT_DIRECTION);

  for (int y = 0; y < frame->height; y++) {
    for (int x = 0; x < frame->width; x++) {
      for (int c = 0; c < frame->n_channels; c++) {
        double gx, gy;

        derive (params, frame, luma ? -1 : c, x, y, &gx, &gy);
        outputs[c][(ptrdiff_t) y * frame->width + x] =
            frame->max_level * get_output (params, gx, gy, c);
      }
    }
  }
}
