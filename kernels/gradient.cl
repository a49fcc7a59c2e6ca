/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scharr's derivatives, see oclgradient.h, one work-item per sample. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"
#include "gradient.clh"

/* Returns the values to derive at x, y, which may be outside the frame: the
 * channels, or a hundred times their luma. */
float3
get_value (INPUT_PIXELS, int width, int height, int x, int y, int luma,
    int border, float4 border_color)
{
  int tap_x = border_coordinate (border, x, width);
  int tap_y = border_coordinate (border, y, height);
  float4 levels = tap_x < 0 || tap_y < 0 ? border_color
      : READ_PIXEL (tap_x, tap_y);

  return luma ? (float3) LUMA_100 (levels.x, levels.y, levels.z) : levels.xyz;
}

#define TAP(i, j) get_value (INPUT_ARGUMENTS, width, height, x + i * step_x, \
    y + j * step_y, luma, border, border_color)

/* Taps are step_x and step_y samples from the middle. `unit` scales the
 * response of the six coefficients to [0, 1]. Work-items outside the frame do
 * nothing. */
kernel void
gradient (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int step_x,
    int step_y, int output, int luma, float unit, int border,
    float4 border_color)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float3 upper_left = TAP (-1, -1), upper_right = TAP (1, -1);
  float3 lower_left = TAP (-1, 1), lower_right = TAP (1, 1);
  float3 along = 3.0f * (upper_right - upper_left)
      + 10.0f * (TAP (1, 0) - TAP (-1, 0)) + 3.0f * (lower_right - lower_left);
  float3 down = 3.0f * (lower_left - upper_left)
      + 10.0f * (TAP (0, 1) - TAP (0, -1)) + 3.0f * (lower_right - upper_right);
  float3 levels = GRADIENT_LEVEL (along, down, output, unit);

  if (output == OUTPUT_DIRECTION) {
    float hue = GRADIENT_HUE (along.x, down.x);
    levels = GRADIENT_VALUE (along.x, down.x, unit)
        * (float3) (HUE_RED (hue), HUE_GREEN (hue), HUE_BLUE (hue));
  }
  WRITE_PIXEL (x, y, (float4) (levels, READ_PIXEL (x, y).w));
}

#include "fuse.clh"
