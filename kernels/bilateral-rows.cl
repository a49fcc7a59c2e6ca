/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter for CPUs: 16 samples of a row at a time.
 *
 * The kernel `planes` splits the frame into planes of floats that are wider and
 * higher than the frame by the border, so that the second kernel, `rows`, needs
 * no test for borders and loads consecutive floats. The planes hold the
 * channels in levels and then the guide, if it is not a channel: a hundred
 * times the luma of red, green and blue, or L*, a*, b*, or the luma for a
 * chroma sample of Y'CbCr. The guide, whether a channel or not, is multiplied
 * by `scale`, so that the square of a difference is an exponent of 2. The
 * kernel `rows` then filters.
 *
 * Both kernels process a strip of rows of the frame, `strip_y` to `strip_y +
 * strip_height`, which bounds the memory of the planes. Rows of a plane are
 * `pitch` floats apart, and planes are `plane_size` floats apart. A plane has
 * `pad_x` columns before the first column of the frame and `radius` rows before
 * the first row of the strip. */

#pragma OPENCL FP_CONTRACT OFF

#include "color.clh"
#include "vector.clh"
#include "power.clh"

/* Whether each channel is its own guide. */
#if CHANNELS == 1
#define OWN_GUIDES(color_mode) 1
#else
#define OWN_GUIDES(color_mode) ((color_mode) == COLOR_PER_CHANNEL)
#endif

#ifdef HAS_LAB

/* Returns the linear light of 16 levels. `linear` maps a level to linear light
 * in [0, 1]. Levels that are floats are not in this table. */
float16
look_up (global const float *linear, COMPONENT16 levels)
{
#ifdef FLOATS_IN
  const float16 values = levels * (1.0f / LEVELS);

  (void) linear;
  return SRGB_TO_LINEAR (float16, values);
#else
  COMPONENT index[16];
  float value[16];

  vstore16 (levels, 0, index);
  for (int i = 0; i < 16; i++)
    value[i] = linear[index[i]];
  return vload16 (0, value);
#endif
}

/* Stores L*, a*, b* in the three planes from `out` on. */
INLINE void
store_lab (Samples samples, global const float *linear, global float *out,
    int plane_size, float scale)
{
  float16 red = look_up (linear, samples.channel_0);
  float16 green = look_up (linear, samples.channel_1);
  float16 blue = look_up (linear, samples.channel_2);
  float16 fx = LAB_FX (red, green, blue);
  float16 fy = LAB_FY (red, green, blue);
  float16 fz = LAB_FZ (red, green, blue);

  vstore16 (LAB_L (fy) * scale, 0, out);
  vstore16 (LAB_A (fx, fy) * scale, 0, out + plane_size);
  vstore16 (LAB_B (fy, fz) * scale, 0, out + 2 * plane_size);
}

#endif

#if CHANNELS == 3

/* Stores the guide of pixels with three channels. */
INLINE void
store_guide (Samples samples, global const float *linear, global float *out,
    int plane_size, float scale, int color_mode)
{
  if (color_mode == COLOR_INTENSITY)
    vstore16 (LUMA_100 (convert_float16 (samples.channel_0),
            convert_float16 (samples.channel_1),
            convert_float16 (samples.channel_2)) * scale, 0, out);
#ifdef HAS_LAB
  else if (color_mode == COLOR_LAB)
    store_lab (samples, linear, out, plane_size, scale);
#else
  (void) linear;
#endif
}

#endif

/* Each work-item makes 16 columns of one row of the planes. */
kernel void
planes (GUIDED_BUFFERS_IN, int width, int height, int strip_y, int strip_rows,
    global float *out, int pitch, int plane_size, int pad_x, int radius,
    int color_mode, float scale, global const float *linear, int border,
    float4 border_color, float border_luma)
{
  int column = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (column >= pitch || row >= strip_rows)
    return;

  int x = column - pad_x;
  int y = strip_y + row - radius;
  Samples samples;

  read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, y, border,
      border_color);

  const float unit = OWN_GUIDES (color_mode) ? scale : 1.0f;

  out += (size_t) row * pitch + column;
#define STORE_PLANE(n) vstore16 (convert_float16 (samples.channel_##n) * unit, \
    0, out + n * plane_size);
  EACH_CHANNEL (STORE_PLANE)
#if CHANNELS == 3
  store_guide (samples, linear, out + 3 * plane_size, plane_size, scale,
      color_mode);
#endif
#ifdef GUIDED
  if (color_mode == COLOR_INTENSITY)
    vstore16 (read_guides (GUIDE_ARGUMENTS, width, height, x, y, border,
            border_luma) * scale, 0, out + GUIDE_INDEX * plane_size);
#endif
}

/* Returns the weight of a tap: its exponent is the spatial exponent minus the
 * square of a difference. Usually no difference results in an exponent below
 * -126. Omitting the test then saves a tenth. */
float16
get_weight (float exponent, float16 difference, int may_vanish)
{
  float16 t = FMA (-difference, difference, (float16) exponent);

  if (may_vanish)
    t = select ((float16) -126.0f, t, t > -126.0f);
  return power_of_two (t);
}

/* The sums of weighted levels, or of weighted differences if each channel is
 * its own guide, and the sums of weights. If each channel is its own guide,
 * each has a separate sum of weights. Otherwise only the first is used. Arrays
 * would not stay in registers. */
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

#if CHANNELS > 1

/* Adds a tap with one weight for all channels. */
INLINE void
add_tap (Sums *sums, global const float *tap, int plane_size, float16 weight)
{
#define ADD_TAP(n) sums->level_##n = FMA (weight, \
    vload16 (0, tap + n * plane_size), sums->level_##n);
  EACH_CHANNEL (ADD_TAP)
  sums->weight_0 += weight;
}

INLINE void
add_row (Sums *sums, Sums row)
{
#define ADD_ROW(n) sums->level_##n += row.level_##n;
  EACH_CHANNEL (ADD_ROW)
  sums->weight_0 += row.weight_0;
}

#endif

/* The loops below add one row of taps: the taps at columns -extent to extent of
 * the plane row at `tap`. `exponent` points to the spatial exponent of the
 * middle tap. The guide parameters are the guides of the samples being
 * filtered. A separate sum per row keeps large windows within the precision of
 * float. */

#if CHANNELS > 1
INLINE void
add_row_intensity (Sums *sums, global const float *tap, int plane_size,
    int extent, global const float *exponent, float16 guide, int may_vanish)
{
  Sums row = no_sums ();

  for (int i = -extent; i <= extent; i++) {
    float16 difference = vload16 (0, tap + GUIDE_INDEX * plane_size + i)
        - guide;
    float16 weight = get_weight (exponent[i], difference, may_vanish);
    add_tap (&row, tap + i, plane_size, weight);
  }
  add_row (sums, row);
}
#endif

#ifdef HAS_LAB
INLINE void
add_row_lab (Sums *sums, global const float *tap, int plane_size, int extent,
    global const float *exponent, float16 lightness, float16 a, float16 b)
{
  Sums row = no_sums ();

  for (int i = -extent; i <= extent; i++) {
    global const float *lab = tap + 3 * plane_size + i;
    float16 difference_l = vload16 (0, lab) - lightness;
    float16 difference_a = vload16 (0, lab + plane_size) - a;
    float16 difference_b = vload16 (0, lab + 2 * plane_size) - b;
    float16 t = FMA (-difference_l, difference_l, (float16) exponent[i]);
    t = FMA (-difference_a, difference_a, t);
    float16 weight = power_of_two (max (FMA (-difference_b, difference_b, t),
            -126.0f));
    add_tap (&row, tap + i, plane_size, weight);
  }
  add_row (sums, row);
}
#endif

INLINE void
add_row_channel (float16 *sum, float16 *sum_of_weights,
    global const float *tap, int extent, global const float *exponent,
    float16 guide, int may_vanish)
{
  float16 differences = 0.0f, weights = 0.0f;

  for (int i = -extent; i <= extent; i++) {
    float16 difference = vload16 (0, tap + i) - guide;
    float16 weight = get_weight (exponent[i], difference, may_vanish);
    differences = FMA (weight, difference, differences);
    weights += weight;
  }
  *sum += differences;
  *sum_of_weights += weights;
}

/* The guides of the samples that are filtered. */
typedef struct
{
  float16 guide_0;
#if CHANNELS > 1
  float16 guide_1;
#endif
#if CHANNELS > 2
  float16 guide_2;
#endif
} Guides;

/* Adds all rows of taps around `centre`. may_vanish is a constant in each call,
 * so that each call is compiled to separate loops. oclgrind does not support
 * returning a struct here. */
INLINE void
add_rows (Sums *sums, global const float *centre, int pitch, int plane_size,
    int radius, int color_mode, global const float *taps,
    global const int2 *rows_of_taps, Guides guides, int may_vanish)
{
  for (int j = -radius; j <= radius; j++) {
    global const float *tap = centre + j * pitch;
    int extent = rows_of_taps[j + radius].x;
    global const float *exponent = taps + rows_of_taps[j + radius].y;

    if (OWN_GUIDES (color_mode)) {
#define ADD_ROW_CHANNEL(n) add_row_channel (&sums->level_##n, \
    &sums->weight_##n, tap + n * plane_size, extent, exponent, \
    guides.guide_##n, may_vanish);
      EACH_CHANNEL (ADD_ROW_CHANNEL)
#ifdef HAS_LAB
    } else if (color_mode == COLOR_LAB) {
      add_row_lab (sums, tap, plane_size, extent, exponent, guides.guide_0,
          guides.guide_1, guides.guide_2);
#endif
#if CHANNELS > 1
    } else {
      add_row_intensity (sums, tap, plane_size, extent, exponent,
          guides.guide_0, may_vanish);
#endif
    }
  }
}

/* Each work-item filters 16 samples of one row of the strip. `taps` holds, for
 * every row of the window, the spatial exponents of 2 of its taps.
 * `rows_of_taps` holds, for every row, the number of taps on either side of its
 * middle tap and the index of the middle tap in `taps`. `unit` is 1 / scale. If
 * `may_vanish` is 0, no squared difference of intensity is above 64. Spatial
 * exponents are not below -62. */
kernel void
rows (global const float *in, int pitch, int plane_size, int pad_x, int radius,
    int color_mode, float unit, int may_vanish, global const float *taps,
    global const int2 *rows_of_taps, BUFFERS_IN, BUFFERS_OUT, int width,
    int strip_y, int strip_height)
{
  int x = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (x >= width || row >= strip_height)
    return;

  global const float *centre = in + (size_t) (row + radius) * pitch + pad_x + x;
  const int own_guides = OWN_GUIDES (color_mode);
  Guides guides;
  guides.guide_0 = vload16 (0, centre
      + (own_guides ? 0 : GUIDE_INDEX * plane_size));
#if CHANNELS > 1
  guides.guide_1 = vload16 (0, centre
      + (color_mode == COLOR_LAB ? 4 : 1) * plane_size);
#endif
#if CHANNELS > 2
  guides.guide_2 = vload16 (0, centre
      + (color_mode == COLOR_LAB ? 5 : 2) * plane_size);
#endif

  Sums sums = no_sums ();
  if (may_vanish)
    add_rows (&sums, centre, pitch, plane_size, radius, color_mode, taps,
        rows_of_taps, guides, 1);
  else
    add_rows (&sums, centre, pitch, plane_size, radius, color_mode, taps,
        rows_of_taps, guides, 0);
  Levels levels;
#define GET_SAMPLE(n) levels.channel_##n = own_guides \
    ? (guides.guide_##n + sums.level_##n / sums.weight_##n) * unit \
    : sums.level_##n / sums.weight_0;
  EACH_CHANNEL (GET_SAMPLE)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, strip_y + row,
      width - x, levels);
}

#include "fuse.clh"
