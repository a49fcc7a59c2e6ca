/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a Laplacian pyramid for any device, a direct implementation of
 * the definition, one kernel per step. Each work-item computes one sample.
 * Work-items outside do nothing. */

#include "pyramid.clh"

/* Returns the weight of tap i of [1 4 6 4 1] / 16. */
float
get_weight (int i)
{
  return (i == 0 ? 6.0f : abs (i) == 1 ? 4.0f : 1.0f) * (1.0f / 16.0f);
}

/* Makes every second sample of the lowpass. */
kernel void
reduce (FINE_IN, BAND_OUT (coarse), int width, int height, int coarse_width,
    int coarse_height, int border, float4 outside)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= coarse_width || y >= coarse_height)
    return;

  float4 sum = 0.0f;
  for (int j = -2; j <= 2; j++) {
    int tap_y = border_coordinate (border, 2 * y + j, height);

    for (int i = -2; i <= 2; i++) {
      int tap_x = border_coordinate (border, 2 * x + i, width);
      float4 tap = outside;

      if (tap_x >= 0 && tap_y >= 0)
        tap = READ_FINE (tap_x, tap_y);
      sum += get_weight (i) * get_weight (j) * tap;
    }
  }
  WRITE_BAND (coarse, x, y, sum);
}

/* Puts zeros between the coarse samples. */
kernel void
spread (BAND_IN (coarse), BAND_OUT (wide), int width, int height)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float4 sample = 0.0f;
  if (((x | y) & 1) == 0)
    sample = READ_BAND (coarse, x / 2, y / 2);
  WRITE_BAND (wide, x, y, sample);
}

/* Applies the lowpass to the level written by spread (). A tap outside the
 * level is at a zero, or at the sample that the border selects on the grid of
 * the coarse level. */
kernel void
lowpass (BAND_IN (wide), BAND_OUT (smooth), int width, int height,
    int coarse_width, int coarse_height, int border, float4 outside)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float4 sum = 0.0f;
  for (int j = -2; j <= 2; j++) {
    for (int i = -2; i <= 2; i++) {
      if (((x + i) | (y + j)) & 1)
        continue;

      int tap_x = 2 * border_coordinate (border, (x + i) / 2, coarse_width);
      int tap_y = 2 * border_coordinate (border, (y + j) / 2, coarse_height);
      float4 tap = outside;

      if (tap_x >= 0 && tap_y >= 0)
        tap = READ_BAND (wide, tap_x, tap_y);
      sum += get_weight (i) * get_weight (j) * tap;
    }
  }
  WRITE_BAND (smooth, x, y, sum);
}

/* Multiplies by 4, to make up for the zeros. */
kernel void
scale (BAND_IN (smooth), BAND_OUT (scaled), int width, int height)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;
  WRITE_BAND (scaled, x, y, 4.0f * READ_BAND (smooth, x, y));
}

kernel void
subtract (FINE_IN, BAND_IN (smooth), BAND_OUT (band), int width, int height)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;
  WRITE_BAND (band, x, y, READ_FINE (x, y) - READ_BAND (smooth, x, y));
}

kernel void
add (FINE_IN, FINE_OUT, BAND_IN (band), BAND_IN (smooth), int width,
    int height, float gain, float smooth_gain, float offset)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;
  WRITE_FINE (x, y, gain * READ_FROM_FIRST (band, x, y)
      + smooth_gain * READ_FROM_FIRST (smooth, x, y) + offset);
}
