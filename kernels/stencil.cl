/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, one sample a work-item:
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * in levels. `weights` are rows of 2 radius_x + 1, from the upper left tap on:
 * not mirrored. */

#include "pixel.clh"
#include "border.clh"

/* Work-items outside the frame do nothing. */
kernel void
stencil (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int radius_x,
    int radius_y, global const float *weights, float centre, float scale,
    float offset, int border, float4 border_color)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float3 sum = 0.0f;

  for (int j = -radius_y; j <= radius_y; j++) {
    int tap_y = border_coordinate (border, y + j, height);
    float3 row_sum = 0.0f;

    for (int i = -radius_x; i <= radius_x; i++, weights++) {
      int tap_x = border_coordinate (border, x + i, width);
      float4 tap = tap_x < 0 || tap_y < 0 ? border_color
          : READ_PIXEL (tap_x, tap_y);

      row_sum += *weights * tap.xyz;
    }
    /* A sum a row keeps large windows within float's precision. */
    sum += row_sum;
  }

  float4 here = READ_PIXEL (x, y);
  float3 levels = centre * here.xyz + scale * sum + offset;
  WRITE_PIXEL (x, y, (float4) (clamp (levels, 0.0f, LEVELS), here.w));
}
