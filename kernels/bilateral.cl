/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter, a direct implementation of the definition. This variant
 * runs on any device, in images or buffers. The other variants are compared
 * with it.
 *
 *   w (i, j) = exp (-(i² + j²) / (2 σs²)) · exp (-Δ² / (2 σr²))
 *   BF (p)   = Σ w (i, j) I (p + (i, j)) / Σ w (i, j)
 *
 * C. Tomasi and R. Manduchi, "Bilateral filtering for gray and color images",
 * ICCV 1998. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"

#define GUIDE_PARAMETERS
#define LIGHT_OF(level) srgb_to_linear ((level) / LEVELS)
#include "guide.clh"

/* Returns the divisor that makes the distance of two guides Δ. */
float
guide_unit (int color_mode)
{
  if (color_mode == COLOR_LAB)
    return 100.0f;
#if CHANNELS == 3
  if (color_mode == COLOR_INTENSITY)
    return 100.0f * LEVELS;
#endif
  return LEVELS;
}

/* The guide of the sample at x, y, which must be in the frame. */
#ifdef GUIDED
#define GET_GUIDE(levels, x, y) get_guide (levels, READ_GUIDE (x, y), \
    color_mode)
#else
#define GET_GUIDE(levels, x, y) get_guide (levels, 0.0f, color_mode)
#endif

/* Each work-item filters one sample. Work-items outside the frame do nothing.
 * Distances are in pixels of the frame. A sample may cover several pixels
 * across and down. spatial_scale is -1 / (2 σs²), range_scale is -1 / (2 σr²),
 * both finite. */
kernel void
bilateral (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height,
    float spatial_scale, float range_scale, int radius, int color_mode,
    int disc, int border, float4 border_color, float border_luma)
{
  const int radius_x = radius >> X_SHIFT;
  const int radius_y = radius >> Y_SHIFT;
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  float4 centre = READ_PIXEL (x, y);
  float3 centre_guide = GET_GUIDE (centre, x, y);
  float3 sum = 0.0f;
  float3 weights = 0.0f;

  for (int j = -radius_y; j <= radius_y; j++) {
    int tap_y = border_coordinate (border, y + j, height);
    float3 row_sum = 0.0f;
    float3 row_weights = 0.0f;

    for (int i = -radius_x; i <= radius_x; i++) {
      int pixels_x = i << X_SHIFT;
      int pixels_y = j << Y_SHIFT;
      int squared = pixels_x * pixels_x + pixels_y * pixels_y;
      if (disc && squared > radius * radius)
        continue;

      int tap_x = border_coordinate (border, x + i, width);
      float4 tap = border_color;
      float3 tap_guide;
      if (tap_x < 0 || tap_y < 0) {
        tap_guide = get_guide (border_color, border_luma, color_mode);
      } else {
        tap = READ_PIXEL (tap_x, tap_y);
        tap_guide = GET_GUIDE (tap, tap_x, tap_y);
      }
      float3 difference = (tap_guide - centre_guide)
          / guide_unit (color_mode);
      float3 distance = difference * difference;
      if (color_mode != COLOR_PER_CHANNEL)
        distance = distance.x + distance.y + distance.z;

      float3 weight = exp ((float) squared * spatial_scale)
          * exp (distance * range_scale);
      row_sum += weight * tap.xyz;
      row_weights += weight;
    }
    /* A separate sum per row keeps large windows within the precision of
     * float. */
    sum += row_sum;
    weights += row_weights;
  }

  WRITE_PIXEL (x, y, (float4) (sum / weights, centre.w));
}

#include "fuse.clh"
