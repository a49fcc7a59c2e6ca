/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scharr's derivatives, see oclgradient.h, for CPUs: a work-item processes a
 * strip of whole rows, 16 samples at a time.
 *
 * A ring holds the rows of the taps, see strips.clh, as planes: the channels,
 * or a hundred times their luma. Two more rows follow the ring: one holds
 * smoothing sums down the columns, the other holds differences down the
 * columns. A strip has `scratch_floats` floats of scratch. */

#pragma OPENCL FP_CONTRACT OFF

#include "strips.clh"
#include "color.clh"
#include "gradient.clh"

#define STRIP_PARAMETERS BUFFERS_IN, BUFFERS_OUT, int width, int height, \
    int strip_height, global float *scratch, int scratch_floats, int pitch, \
    int pad, int step_x, int step_y, int output, float unit, int border, \
    float4 border_color
#define STRIP_ARGUMENTS BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, width, \
    height, strip_height, scratch, scratch_floats, pitch, pad, step_x, step_y, \
    output, unit, border, border_color

#if CHANNELS == 3

/* Loads row y into a row of the ring that has luma only. */
INLINE void
load_luma (global float *row, BUFFERS_IN, int width, int height, int y,
    int pad, int step_x, int border, float4 border_color)
{
  const int tap_y = border_coordinate (border, y, height);

  for (int x = 0; x < width; x += 16) {
    Samples samples;

    read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, tap_y, border,
        border_color);
    STORE_FLOATS (LUMA_100 (convert_float16 (samples.channel_0),
            convert_float16 (samples.channel_1),
            convert_float16 (samples.channel_2)), row + pad + x);
  }
  pad_row (row, width, pad, step_x, border, LUMA_100 (border_color.x,
          border_color.y, border_color.z));
}

/* Returns levels from the derivatives of the luma: one level for all channels,
 * or a colour. */
INLINE Levels
get_levels_of_luma (float16 along, float16 down, int output, float unit)
{
  Levels levels;

  if (output == OUTPUT_DIRECTION) {
    float16 hue = GRADIENT_HUE (along, down);
    float16 value = GRADIENT_VALUE (along, down, unit);

    levels.channel_0 = value * HUE_RED (hue);
    levels.channel_1 = value * HUE_GREEN (hue);
    levels.channel_2 = value * HUE_BLUE (hue);
  } else {
    levels.channel_0 = GRADIENT_LEVEL (along, down, output, unit);
    levels.channel_1 = levels.channel_0;
    levels.channel_2 = levels.channel_0;
  }
  return levels;
}

#endif

/* Return the derivatives of 16 samples: along the row from the smoothed
 * columns, and down the columns from the differences. */
INLINE float16
derive_along (global const float *smooth, int step_x)
{
  return vload16 (0, smooth + step_x) - vload16 (0, smooth - step_x);
}

INLINE float16
derive_down (global const float *differ, int step_x)
{
  return FMA (vload16 (0, differ), (float16) 10.0f,
      (vload16 (0, differ - step_x) + vload16 (0, differ + step_x)) * 3.0f);
}

/* `luma` is a constant in each call, so that each kernel is compiled to
 * separate loops. */
INLINE void
derive (STRIP_PARAMETERS, int luma)
{
  const int first = get_global_id (0) * strip_height;
  const int rows = 2 * step_y + 1;
  const int row_floats = (luma ? 1 : CHANNELS) * pitch;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  global float *smooth = ring + rows * row_floats;
  global float *differ = smooth + row_floats;

  for (int y = first - step_y; y < min (first + strip_height, height) + step_y;
      y++) {
    global float *below = ring + (y - first + step_y) % rows * row_floats;

#if CHANNELS == 3
    if (luma)
      load_luma (below, BUFFERS_IN_ARGUMENTS, width, height, y, pad, step_x,
          border, border_color);
    else
#endif
      load_row (below, BUFFERS_IN_ARGUMENTS, width, height, y, pitch, pad,
          step_x, border, border_color);
    if (y < first + step_y)
      continue;

    global const float *middle = ring + (y - first) % rows * row_floats;
    global const float *above = ring
        + (y - first + step_y + 1) % rows * row_floats;
    for (int x = 0; x < row_floats; x += 16) {
      float16 a = vload16 (0, above + x);
      float16 c = vload16 (0, below + x);

      STORE_FLOATS (FMA (vload16 (0, middle + x), (float16) 10.0f,
              (a + c) * 3.0f), smooth + x);
      STORE_FLOATS (c - a, differ + x);
    }
    for (int x = 0; x < width; x += 16) {
      Levels levels;

#if CHANNELS == 3
      if (luma)
        levels = get_levels_of_luma (derive_along (smooth + pad + x, step_x),
            derive_down (differ + pad + x, step_x), output, unit);
      else
#endif
      {
#define DERIVE_CHANNEL(n) levels.channel_##n = GRADIENT_LEVEL ( \
        derive_along (smooth + n * pitch + pad + x, step_x), \
        derive_down (differ + n * pitch + pad + x, step_x), output, unit);
        EACH_CHANNEL (DERIVE_CHANNEL)
      }
      write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x,
          y - step_y, width - x, levels);
    }
  }
}

kernel void
each (STRIP_PARAMETERS)
{
  derive (STRIP_ARGUMENTS, 0);
}

#if CHANNELS == 3
kernel void
luma (STRIP_PARAMETERS)
{
  derive (STRIP_ARGUMENTS, 1);
}
#endif

#include "fuse.clh"
