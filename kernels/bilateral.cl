/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter, written as it is defined: the variant that runs on any
 * device, in images or buffers, and that the others are measured against.
 *
 *   w (i, j) = exp (-(i² + j²) / (2 σs²)) · exp (-Δ² / (2 σr²))
 *   BF (p)   = Σ w (i, j) I (p + (i, j)) / Σ w (i, j)
 *
 * C. Tomasi and R. Manduchi, "Bilateral filtering for gray and color images",
 * ICCV 1998. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"

/* What differences are taken of, for a pixel in levels. */
float3
guide (float4 levels, int color_mode)
{
  if (color_mode == COLOR_LAB) {
    float3 value = levels.xyz / LEVELS;
    float r = srgb_to_linear (value.x);
    float g = srgb_to_linear (value.y);
    float b = srgb_to_linear (value.z);
    float fx = LAB_FX (r, g, b);
    float fy = LAB_FY (r, g, b);
    float fz = LAB_FZ (r, g, b);

    return (float3) (LAB_L (fy), LAB_A (fx, fy), LAB_B (fy, fz));
  }
  if (color_mode == COLOR_INTENSITY)
    return (float3) (LUMA_100 (levels.x, levels.y, levels.z), 0.0f, 0.0f);
  return levels.xyz;
}

/* What a guide has to be divided by for its distance to be Δ. */
float
guide_unit (int color_mode)
{
  if (color_mode == COLOR_LAB)
    return 100.0f;
  return color_mode == COLOR_INTENSITY ? 100.0f * LEVELS : LEVELS;
}

/* One work-item a pixel; work-items outside the frame do nothing.
 * spatial_scale is -1 / (2 σs²), range_scale -1 / (2 σr²), both finite. */
kernel void
bilateral (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height,
    float spatial_scale, float range_scale, int radius, int color_mode,
    int disc, int border, float4 border_color)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float4 centre = READ_PIXEL (x, y);
  float3 centre_guide = guide (centre, color_mode);
  float3 sum = 0.0f;
  float3 weights = 0.0f;

  for (int j = -radius; j <= radius; j++) {
    int tap_y = border_coordinate (border, y + j, height);
    float3 row_sum = 0.0f;
    float3 row_weights = 0.0f;

    for (int i = -radius; i <= radius; i++) {
      if (disc && i * i + j * j > radius * radius)
        continue;

      int tap_x = border_coordinate (border, x + i, width);
      float4 tap = tap_x < 0 || tap_y < 0 ? border_color
          : READ_PIXEL (tap_x, tap_y);
      float3 difference = (guide (tap, color_mode) - centre_guide)
          / guide_unit (color_mode);
      float3 distance = difference * difference;
      if (color_mode != COLOR_PER_CHANNEL)
        distance = distance.x + distance.y + distance.z;

      float3 weight = exp ((float) (i * i + j * j) * spatial_scale)
          * exp (distance * range_scale);
      row_sum += weight * tap.xyz;
      row_weights += weight;
    }
    /* A sum a row keeps large windows within float's precision. */
    sum += row_sum;
    weights += row_weights;
  }

  WRITE_PIXEL (x, y, (float4) (sum / weights, centre.w));
}
