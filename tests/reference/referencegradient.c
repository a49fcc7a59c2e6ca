/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "referencegradient.h"

#include <math.h>
#include <stddef.h>

static const double pi = 3.14159265358979323846;

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
  int c;

  if (channel >= 0)
    return (outside ? frame->border_levels[channel]
        : frame->channels[channel][n]) / frame->max_level;
  for (c = 0; c < 3; c++)
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
  int i, j;

  step_x = step_x < 1 ? 1 : step_x;
  step_y = step_y < 1 ? 1 : step_y;
  *gx = *gy = 0.0;
  for (j = -1; j <= 1; j++) {
    for (i = -1; i <= 1; i++) {
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

/* Of a colour with S = 1. */
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
  int x, y, c;

  for (y = 0; y < frame->height; y++) {
    for (x = 0; x < frame->width; x++) {
      for (c = 0; c < frame->n_channels; c++) {
        double gx, gy;

        derive (params, frame, luma ? -1 : c, x, y, &gx, &gy);
        outputs[c][(ptrdiff_t) y * frame->width + x] =
            frame->max_level * get_output (params, gx, gy, c);
      }
    }
  }
}
