/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter for CPUs: 16 pixels of a row at a time.
 *
 * `planes` takes the frame apart into planes of floats that are wider and
 * higher than it by the border, so that the second kernel needs no test for
 * borders and its loads are of consecutive floats: red, green and blue in grey
 * levels, then what differences are taken of: a hundred times the luma, or L*,
 * a*, b*. `rows` then filters.
 *
 * Both work on a band of rows of the frame, `band_y` to `band_y + band_height`,
 * which bounds the memory the planes take. Plane rows are `pitch` floats apart,
 * planes are `plane_size` floats apart; a plane has `pad_x` columns before the
 * frame's first and `radius` rows before the band's first. */

#pragma OPENCL FP_CONTRACT OFF

#include "color.clh"
#include "vector.clh"

/* `linear` maps a byte to linear light in [0, 1]. */
float16
look_up (global const float *linear, uchar16 bytes)
{
  uchar index[16];
  float value[16];

  vstore16 (bytes, 0, index);
  for (int i = 0; i < 16; i++)
    value[i] = linear[index[i]];
  return vload16 (0, value);
}

/* The three planes from `out` on become L*, a*, b*. */
void
store_lab (Pixels pixels, global const float *linear, global float *out,
    int plane_size)
{
  float16 red = look_up (linear, pixels.red);
  float16 green = look_up (linear, pixels.green);
  float16 blue = look_up (linear, pixels.blue);
  float16 fx = LAB_FX (red, green, blue);
  float16 fy = LAB_FY (red, green, blue);
  float16 fz = LAB_FZ (red, green, blue);

  vstore16 (LAB_L (fy), 0, out);
  vstore16 (LAB_A (fx, fy), 0, out + plane_size);
  vstore16 (LAB_B (fy, fz), 0, out + 2 * plane_size);
}

/* One work-item is 16 columns of one row of the planes. */
kernel void
planes (global const uchar *input, int input_stride, int width, int height,
    int band_y, int band_rows, global float *out, int pitch,
    int plane_size, int pad_x, int radius, int color_mode,
    global const float *linear, int border, float4 border_color)
{
  int column = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (column >= pitch || row >= band_rows)
    return;

  int x = column - pad_x;
  int y = band_y + row - radius;
  Pixels pixels;
  if (x >= 0 && x + 16 <= width && y >= 0 && y < height)
    pixels = read_pixels (input, input_stride, x, y);
  else
    pixels = read_pixels_with_border (input, input_stride, width, height, x, y,
        border, border_color);

  float16 red = convert_float16 (pixels.red);
  float16 green = convert_float16 (pixels.green);
  float16 blue = convert_float16 (pixels.blue);
  out += (size_t) row * pitch + column;
  vstore16 (red, 0, out);
  vstore16 (green, 0, out + plane_size);
  vstore16 (blue, 0, out + 2 * plane_size);
  if (color_mode == COLOR_INTENSITY)
    vstore16 (LUMA_100 (red, green, blue), 0, out + 3 * plane_size);
  else if (color_mode == COLOR_LAB)
    store_lab (pixels, linear, out + 3 * plane_size, plane_size);
}

/* 2^t for t <= 0, to 2 units in the last place: the whole part goes into the
 * exponent, a polynomial of degree 5 (least maximum relative error on
 * [-1/2, 1/2]) gives the rest. Below 2^-126 the result stays there. */
float16
power_of_two (float16 t)
{
  const float16 round_by_adding = 12582912.0f;  /* 1.5 · 2^23 */
  t = select ((float16) -126.0f, t, t > -126.0f);
  float16 rounded = t + round_by_adding;
  float16 rest = t - (rounded - round_by_adding);
  float16 p = FMA (rest, (float16) 1.3333558146e-3f,
      (float16) 9.6181291076e-3f);
  p = FMA (p, rest, (float16) 5.5504108664e-2f);
  p = FMA (p, rest, (float16) 2.4022650696e-1f);
  p = FMA (p, rest, (float16) 6.9314718056e-1f);
  p = FMA (p, rest, (float16) 1.0f);
  return as_float16 (as_int16 (p) + (as_int16 (rounded) << 23));
}

/* Sums of weighted levels and of weights, for 16 pixels and three channels. */
typedef struct
{
  float16 red, green, blue;
  float16 red_weight, green_weight, blue_weight;
} Sums;

/* Adds a tap whose one weight serves all channels. */
void
add_tap (Sums *sums, global const float *tap, int plane_size, float16 weight)
{
  sums->red = FMA (weight, vload16 (0, tap), sums->red);
  sums->green = FMA (weight, vload16 (0, tap + plane_size), sums->green);
  sums->blue = FMA (weight, vload16 (0, tap + 2 * plane_size), sums->blue);
  sums->red_weight += weight;
}

void
add_row (Sums *sums, Sums row)
{
  sums->red += row.red;
  sums->green += row.green;
  sums->blue += row.blue;
  sums->red_weight += row.red_weight;
}

/* The loops below add one row of taps: those at columns -extent to extent of
 * the plane row at `tap`, whose spatial exponents start at `exponent`. `centre`
 * is the guide of the pixels being filtered, scale turns the guide's unit into
 * one whose square is an exponent of 2; it comes after the difference, which is
 * exact for luma and for channels. A sum a row keeps large windows within
 * float's precision. */

void
add_row_intensity (Sums *sums, global const float *tap, int plane_size,
    int extent, global const float *exponent, float16 luma, float scale)
{
  Sums row = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };

  for (int i = -extent; i <= extent; i++) {
    float16 difference = (vload16 (0, tap + 3 * plane_size + i) - luma) * scale;
    float16 weight = power_of_two (FMA (-difference, difference,
            (float16) exponent[i]));
    add_tap (&row, tap + i, plane_size, weight);
  }
  add_row (sums, row);
}

void
add_row_lab (Sums *sums, global const float *tap, int plane_size, int extent,
    global const float *exponent, float16 lightness, float16 a, float16 b,
    float scale)
{
  Sums row = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };

  for (int i = -extent; i <= extent; i++) {
    global const float *lab = tap + 3 * plane_size + i;
    float16 difference_l = (vload16 (0, lab) - lightness) * scale;
    float16 difference_a = (vload16 (0, lab + plane_size) - a) * scale;
    float16 difference_b = (vload16 (0, lab + 2 * plane_size) - b) * scale;
    float16 t = FMA (-difference_l, difference_l, (float16) exponent[i]);
    t = FMA (-difference_a, difference_a, t);
    float16 weight = power_of_two (FMA (-difference_b, difference_b, t));
    add_tap (&row, tap + i, plane_size, weight);
  }
  add_row (sums, row);
}

void
add_row_channel (float16 *sum, float16 *sum_of_weights,
    global const float *tap, int extent, global const float *exponent,
    float16 centre, float scale)
{
  float16 levels = 0.0f, weights = 0.0f;

  for (int i = -extent; i <= extent; i++) {
    float16 level = vload16 (0, tap + i);
    float16 difference = (level - centre) * scale;
    float16 weight = power_of_two (FMA (-difference, difference,
            (float16) exponent[i]));
    levels = FMA (weight, level, levels);
    weights += weight;
  }
  *sum += levels;
  *sum_of_weights += weights;
}

/* One work-item is 16 pixels of one row of the band. `taps` holds, for every
 * row of the window, the spatial exponents of 2 of its taps; `rows_of_taps`
 * holds, for every row, how many taps it has on either side of its middle and
 * the index of the middle one in `taps`. */
kernel void
rows (global const float *in, int pitch, int plane_size, int pad_x, int radius,
    int color_mode, float guide_scale, global const float *taps,
    global const int2 *rows_of_taps, global const uchar *source,
    int source_stride, global uchar *output, int output_stride, int width,
    int band_y, int band_height)
{
  int x = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (x >= width || row >= band_height)
    return;

  global const float *centre = in + (size_t) (row + radius) * pitch + pad_x + x;
  float16 centre_0 = vload16 (0, centre
      + (color_mode == COLOR_PER_CHANNEL ? 0 : 3 * plane_size));
  float16 centre_1 = 0.0f;
  float16 centre_2 = 0.0f;
  if (color_mode != COLOR_INTENSITY) {
    centre_1 = vload16 (0, centre
        + (color_mode == COLOR_LAB ? 4 : 1) * plane_size);
    centre_2 = vload16 (0, centre
        + (color_mode == COLOR_LAB ? 5 : 2) * plane_size);
  }

  Sums sums = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
  for (int j = -radius; j <= radius; j++) {
    global const float *tap = centre + j * pitch;
    int extent = rows_of_taps[j + radius].x;
    global const float *exponent = taps + rows_of_taps[j + radius].y;

    if (color_mode == COLOR_INTENSITY) {
      add_row_intensity (&sums, tap, plane_size, extent, exponent, centre_0,
          guide_scale);
    } else if (color_mode == COLOR_LAB) {
      add_row_lab (&sums, tap, plane_size, extent, exponent, centre_0, centre_1,
          centre_2, guide_scale);
    } else {
      add_row_channel (&sums.red, &sums.red_weight, tap, extent, exponent,
          centre_0, guide_scale);
      add_row_channel (&sums.green, &sums.green_weight, tap + plane_size,
          extent, exponent, centre_1, guide_scale);
      add_row_channel (&sums.blue, &sums.blue_weight, tap + 2 * plane_size,
          extent, exponent, centre_2, guide_scale);
    }
  }
  if (color_mode != COLOR_PER_CHANNEL) {
    sums.green_weight = sums.red_weight;
    sums.blue_weight = sums.red_weight;
  }

  size_t y = band_y + row;
  write_pixels (source + y * source_stride + (size_t) x * 4,
      output + y * output_stride + (size_t) x * 4, width - x,
      convert_uchar16_sat_rte (sums.red / sums.red_weight),
      convert_uchar16_sat_rte (sums.green / sums.green_weight),
      convert_uchar16_sat_rte (sums.blue / sums.blue_weight));
}
