/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter for CPUs: 16 samples of a row at a time.
 *
 * `planes` takes the frame apart into planes of floats that are wider and
 * higher than it by the border, so that the second kernel needs no test for
 * borders and its loads are of consecutive floats: the channels in levels, then
 * what differences are taken of where that is none of them: a hundred times the
 * luma of red, green and blue, or L*, a*, b*, or the luma that belongs to a
 * sample of the differences of Y'CbCr. `rows` then filters.
 *
 * Both work on a band of rows of the frame, `band_y` to `band_y + band_height`,
 * which bounds the memory the planes take. Plane rows are `pitch` floats apart,
 * planes are `plane_size` floats apart; a plane has `pad_x` columns before the
 * frame's first and `radius` rows before the band's first. */

#pragma OPENCL FP_CONTRACT OFF

#include "color.clh"
#include "vector.clh"

#if CHANNELS == 3

/* `linear` maps a level to linear light in [0, 1]. */
float16
look_up (global const float *linear, COMPONENT16 levels)
{
  COMPONENT index[16];
  float value[16];

  vstore16 (levels, 0, index);
  for (int i = 0; i < 16; i++)
    value[i] = linear[index[i]];
  return vload16 (0, value);
}

/* The three planes from `out` on become L*, a*, b*. */
void
store_lab (Samples samples, global const float *linear, global float *out,
    int plane_size)
{
  float16 red = look_up (linear, samples.channel_0);
  float16 green = look_up (linear, samples.channel_1);
  float16 blue = look_up (linear, samples.channel_2);
  float16 fx = LAB_FX (red, green, blue);
  float16 fy = LAB_FY (red, green, blue);
  float16 fz = LAB_FZ (red, green, blue);

  vstore16 (LAB_L (fy), 0, out);
  vstore16 (LAB_A (fx, fy), 0, out + plane_size);
  vstore16 (LAB_B (fy, fz), 0, out + 2 * plane_size);
}

/* What differences are taken of, of three channels. */
void
store_guide (Samples samples, global const float *linear, global float *out,
    int plane_size, int color_mode)
{
  if (color_mode == COLOR_INTENSITY)
    vstore16 (LUMA_100 (convert_float16 (samples.channel_0),
            convert_float16 (samples.channel_1),
            convert_float16 (samples.channel_2)), 0, out);
  else if (color_mode == COLOR_LAB)
    store_lab (samples, linear, out, plane_size);
}

#endif

/* One work-item is 16 columns of one row of the planes. */
kernel void
planes (GUIDED_BUFFERS_IN, int width, int height, int band_y, int band_rows,
    global float *out, int pitch, int plane_size, int pad_x, int radius,
    int color_mode, global const float *linear, int border,
    float4 border_color, float border_luma)
{
  int column = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (column >= pitch || row >= band_rows)
    return;

  int x = column - pad_x;
  int y = band_y + row - radius;
  Samples samples = read_samples (BUFFERS_IN_ARGUMENTS, width, height, x, y,
      border, border_color);

  out += (size_t) row * pitch + column;
#define STORE_PLANE(n) vstore16 (convert_float16 (samples.channel_##n), 0, \
    out + n * plane_size);
  EACH_CHANNEL (STORE_PLANE)
#if CHANNELS == 3
  store_guide (samples, linear, out + 3 * plane_size, plane_size, color_mode);
#endif
#ifdef GUIDED
  if (color_mode == COLOR_INTENSITY)
    vstore16 (read_guides (GUIDE_ARGUMENTS, width, height, x, y, border,
            border_luma), 0, out + GUIDE_INDEX * plane_size);
#endif
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

/* Sums of weighted levels, and of weights: one for each channel where they have
 * their own, else the first. Arrays would not stay in registers. */
typedef struct
{
  float16 level_0, weight_0;
#if CHANNELS > 1
  float16 level_1, weight_1;
#endif
#if CHANNELS > 2
  float16 level_2, weight_2;
#endif
} Sums;

#define CLEAR_SUM(n) sums.level_##n = 0.0f; sums.weight_##n = 0.0f;

Sums
no_sums (void)
{
  Sums sums;

  EACH_CHANNEL (CLEAR_SUM)
  return sums;
}

/* Adds a tap whose one weight serves all channels. */
void
add_tap (Sums *sums, global const float *tap, int plane_size, float16 weight)
{
#define ADD_TAP(n) sums->level_##n = FMA (weight, \
    vload16 (0, tap + n * plane_size), sums->level_##n);
  EACH_CHANNEL (ADD_TAP)
  sums->weight_0 += weight;
}

void
add_row (Sums *sums, Sums row)
{
#define ADD_ROW(n) sums->level_##n += row.level_##n;
  EACH_CHANNEL (ADD_ROW)
  sums->weight_0 += row.weight_0;
}

/* The loops below add one row of taps: those at columns -extent to extent of
 * the plane row at `tap`, whose spatial exponents start at `exponent`. `centre`
 * is the guide of the samples being filtered, scale turns the guide's unit into
 * one whose square is an exponent of 2; it comes after the difference, which is
 * exact for luma and for channels. A sum a row keeps large windows within
 * float's precision. */

void
add_row_intensity (Sums *sums, global const float *tap, int plane_size,
    int extent, global const float *exponent, float16 luma, float scale)
{
  Sums row = no_sums ();

  for (int i = -extent; i <= extent; i++) {
    float16 difference =
        (vload16 (0, tap + GUIDE_INDEX * plane_size + i) - luma) * scale;
    float16 weight = power_of_two (FMA (-difference, difference,
            (float16) exponent[i]));
    add_tap (&row, tap + i, plane_size, weight);
  }
  add_row (sums, row);
}

#if CHANNELS == 3
void
add_row_lab (Sums *sums, global const float *tap, int plane_size, int extent,
    global const float *exponent, float16 lightness, float16 a, float16 b,
    float scale)
{
  Sums row = no_sums ();

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
#endif

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

/* One work-item is 16 samples of one row of the band. `taps` holds, for every
 * row of the window, the spatial exponents of 2 of its taps; `rows_of_taps`
 * holds, for every row, how many taps it has on either side of its middle and
 * the index of the middle one in `taps`. */
kernel void
rows (global const float *in, int pitch, int plane_size, int pad_x, int radius,
    int color_mode, float guide_scale, global const float *taps,
    global const int2 *rows_of_taps, BUFFERS_IN, BUFFERS_OUT, int width,
    int band_y, int band_height)
{
  int x = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (x >= width || row >= band_height)
    return;

  global const float *centre = in + (size_t) (row + radius) * pitch + pad_x + x;
  int per_channel = color_mode == COLOR_PER_CHANNEL;
  float16 guide_0 = vload16 (0, centre
      + (per_channel ? 0 : GUIDE_INDEX * plane_size));
#if CHANNELS > 1
  float16 guide_1 = vload16 (0, centre
      + (color_mode == COLOR_LAB ? 4 : 1) * plane_size);
#endif
#if CHANNELS > 2
  float16 guide_2 = vload16 (0, centre
      + (color_mode == COLOR_LAB ? 5 : 2) * plane_size);
#endif

  Sums sums = no_sums ();
  for (int j = -radius; j <= radius; j++) {
    global const float *tap = centre + j * pitch;
    int extent = rows_of_taps[j + radius].x;
    global const float *exponent = taps + rows_of_taps[j + radius].y;

    if (color_mode == COLOR_INTENSITY) {
      add_row_intensity (&sums, tap, plane_size, extent, exponent, guide_0,
          guide_scale);
#if CHANNELS == 3
    } else if (color_mode == COLOR_LAB) {
      add_row_lab (&sums, tap, plane_size, extent, exponent, guide_0, guide_1,
          guide_2, guide_scale);
#endif
    } else {
#define ADD_ROW_CHANNEL(n) add_row_channel (&sums.level_##n, \
    &sums.weight_##n, tap + n * plane_size, extent, exponent, guide_##n, \
    guide_scale);
      EACH_CHANNEL (ADD_ROW_CHANNEL)
    }
  }

  Samples samples;
#define GET_SAMPLE(n) samples.channel_##n = CONVERT_COMPONENT16_SAT_RTE ( \
    sums.level_##n / (per_channel ? sums.weight_##n : sums.weight_0));
  EACH_CHANNEL (GET_SAMPLE)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, band_y + row,
      width - x, samples);
}
