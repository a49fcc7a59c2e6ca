/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, one work-item per sample:
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * in levels. `weights` are rows of 2 radius_x + 1 weights, starting with the
 * upper left tap, and are not mirrored. If built with PAIRS, each weight is the
 * sum of two floats, and the rounding errors of products and of sums are added
 * up as well, for weights of any size and of both signs. */

#include "pixel.clh"
#include "border.clh"
#include "sum.clh"

#ifdef PAIRS

#define WEIGHT float2
#define NO_SUM { 0.0f, 0.0f }

typedef struct
{
  float3 sum;
  float3 lost;
} Sum;

INLINE void
add_tap (Sum *sum, float2 weight, float3 tap)
{
  const float3 product = weight.x * tap;

  sum->lost += fma ((float3) weight.x, tap, -product) + weight.y * tap;
  ADD_PART (float3, sum->sum, sum->lost, product)
}

INLINE void
add_sum (Sum *sum, Sum part)
{
  ADD_PART (float3, sum->sum, sum->lost, part.sum)
  sum->lost += part.lost;
}

/* The lost part of a sum may be larger than the sum. */
INLINE float3
get_levels (Sum sum, float3 here, float centre, float scale, float offset)
{
  float3 rest = 0.0f;

  ADD_PART (float3, sum.sum, rest, sum.lost)
  return fma ((float3) scale, sum.sum, centre * here + offset) + scale * rest;
}

#else

#define WEIGHT float
#define NO_SUM { 0.0f }

typedef struct
{
  float3 sum;
} Sum;

INLINE void
add_tap (Sum *sum, float weight, float3 tap)
{
  sum->sum += weight * tap;
}

INLINE void
add_sum (Sum *sum, Sum part)
{
  sum->sum += part.sum;
}

INLINE float3
get_levels (Sum sum, float3 here, float centre, float scale, float offset)
{
  return centre * here + scale * sum.sum + offset;
}

#endif

/* Work-items outside the frame do nothing. */
kernel void
stencil (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int radius_x,
    int radius_y, global const WEIGHT *weights, float centre, float scale,
    float offset, int border, float4 border_color)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  Sum sum = NO_SUM;

  for (int j = -radius_y; j <= radius_y; j++) {
    int tap_y = border_coordinate (border, y + j, height);
    Sum row_sum = NO_SUM;

    for (int i = -radius_x; i <= radius_x; i++, weights++) {
      int tap_x = border_coordinate (border, x + i, width);
      float4 tap = tap_x < 0 || tap_y < 0 ? border_color
          : READ_PIXEL (tap_x, tap_y);

      add_tap (&row_sum, *weights, tap.xyz);
    }
    /* A separate sum per row keeps large windows within the precision of
     * float. */
    add_sum (&sum, row_sum);
  }

  float4 here = READ_PIXEL (x, y);
  float3 levels = get_levels (sum, here.xyz, centre, scale, offset);
  WRITE_PIXEL (x, y, (float4) (levels, here.w));
}

#include "fuse.clh"
