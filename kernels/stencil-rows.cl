/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for CPUs: a work-item
 * takes a band of whole rows, 16 samples at a time.
 *
 * The rows of a window are kept as planes of floats in a ring, wider than the
 * frame by the border: nothing else has to test for it. A row of the ring has
 * CHANNELS planes of `pitch` floats, a multiple of STEP; the frame's first
 * column is at `pad`, which is more than radius_x. Behind the ring there is one
 * more such row for sums down the columns. A band has `scratch_floats`. */

#include "stencil.clh"

/* Columns that a loop takes at a time where it can be several vectors. */
#define STEP 64

/* Windows up to this radius are summed tap by tap. */
#define SMALL_RADIUS 4

#define BAND_PARAMETERS BUFFERS_IN, BUFFERS_OUT, int width, int height, \
    int band_height, global float *scratch, int scratch_floats, int pitch, \
    int pad, int radius_x, int radius_y, global const float *weights, \
    float centre, float scale, float offset, int border, float4 border_color

/* Weights that are products of one for the row, of which `weights` has
 * 2 radius_y + 1, and one for the column, which come behind. */
kernel void
separable (BAND_PARAMETERS)
{
  const int first = get_global_id (0) * band_height;
  const int rows = 2 * radius_y + 1;
  const int row_floats = CHANNELS * pitch;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  global float *line = ring + rows * row_floats;
  global const float *columns = weights + rows + radius_x;
  int oldest = 0;

  for (int j = 0; j < rows - 1; j++)
    load_row (ring + j * row_floats, BUFFERS_IN_ARGUMENTS, width, height,
        first - radius_y + j, pitch, pad, radius_x, border, border_color);

  for (int y = first; y < min (first + band_height, height); y++) {
    int newest = oldest == 0 ? rows - 1 : oldest - 1;
    int middle = oldest + radius_y;
    middle -= middle >= rows ? rows : 0;
    load_row (ring + newest * row_floats, BUFFERS_IN_ARGUMENTS, width, height,
        y + radius_y, pitch, pad, radius_x, border, border_color);

    for (int x = 0; x < row_floats; x += STEP) {
      float16 sum_0 = 0.0f, sum_1 = 0.0f, sum_2 = 0.0f, sum_3 = 0.0f;
      int slot = oldest;

      for (int j = 0; j < rows; j++) {
        global const float *row = ring + slot * row_floats + x;
        float16 weight = weights[j];

        sum_0 = FMA (weight, vload16 (0, row), sum_0);
        sum_1 = FMA (weight, vload16 (1, row), sum_1);
        sum_2 = FMA (weight, vload16 (2, row), sum_2);
        sum_3 = FMA (weight, vload16 (3, row), sum_3);
        slot = slot == rows - 1 ? 0 : slot + 1;
      }
      vstore16 (sum_0, 0, line + x);
      vstore16 (sum_1, 1, line + x);
      vstore16 (sum_2, 2, line + x);
      vstore16 (sum_3, 3, line + x);
    }

    global const float *here = ring + middle * row_floats + pad;
    for (int x = 0; x < width; x += 16) {
      Samples samples;
#define CLEAR_TAPS(n) float16 taps_##n = 0.0f;
      EACH_CHANNEL (CLEAR_TAPS)

      for (int i = -radius_x; i <= radius_x; i++) {
        float16 weight = columns[i];
#define ADD_TAP(n) taps_##n = FMA (weight, \
        vload16 (0, line + n * pitch + pad + x + i), taps_##n);
        EACH_CHANNEL (ADD_TAP)
      }
#define FINISH_TAPS(n) samples.channel_##n = FINISH (taps_##n, \
      vload16 (0, here + n * pitch + x));
      EACH_CHANNEL (FINISH_TAPS)
      write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y,
          width - x, samples);
    }
    oldest = oldest == rows - 1 ? 0 : oldest + 1;
  }
}

/* Sums of all that came before in the vector, and itself. */
INLINE int16
sum_up (int16 v)
{
  v += (int16) (0, v.s01234567, v.s89ab, v.scd, v.se);
  v += (int16) (0, 0, v.s01234567, v.s89ab, v.scd);
  v += (int16) ((int4) 0, v.s01234567, v.s89ab);
  v += (int16) ((int8) 0, v.s01234567);
  return v;
}

/* The sums of 2 radius + 1 columns around the 16 of which the first is at
 * `column`; `before` is that around the one before it, and becomes that around
 * the last. All are whole numbers. */
INLINE float16
slide (global const float *column, int radius, uint *before)
{
  int16 sums = sum_up (convert_int16 (vload16 (0, column + radius))
      - convert_int16 (vload16 (0, column - radius - 1)));
  uint16 totals = as_uint16 (sums) + (uint16) *before;

  *before = totals.sf;
  return convert_float16 (totals);
}

INLINE float16
add_up (global const float *column, int radius)
{
  float16 sum = 0.0f;

  for (int i = -radius; i <= radius; i++)
    sum += vload16 (0, column + i);
  return sum;
}

/* Around the column before the frame's first. */
INLINE uint
start_sliding (global const float *column, int radius)
{
  uint sum = 0;

  for (int i = -radius - 1; i < radius; i++)
    sum += (uint) column[i];
  return sum;
}

/* All weights are 1: sums down the columns and along the rows lose what leaves
 * the window and gain what comes in. */
kernel void
box (BAND_PARAMETERS)
{
  const int first = get_global_id (0) * band_height;
  const int rows = 2 * radius_y + 1;
  const int row_floats = CHANNELS * pitch;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  global float *line = ring + rows * row_floats;
  int oldest = 0;

  (void) weights;
  for (int x = 0; x < row_floats; x += 16)
    vstore16 ((float16) 0.0f, 0, line + x);
  for (int j = 0; j < rows; j++) {
    global float *row = ring + j * row_floats;

    load_row (row, BUFFERS_IN_ARGUMENTS, width, height, first - radius_y + j,
        pitch, pad, radius_x, border, border_color);
    for (int x = 0; x < row_floats; x += 16)
      vstore16 (vload16 (0, line + x) + vload16 (0, row + x), 0, line + x);
  }

  for (int y = first; y < min (first + band_height, height); y++) {
    int middle = oldest + radius_y;
    middle -= middle >= rows ? rows : 0;
    global const float *here = ring + middle * row_floats + pad;
    global const float *column = line + pad;
    uint before[CHANNELS];

    for (int n = 0; n < CHANNELS; n++)
      before[n] = start_sliding (column + n * pitch, radius_x);
    for (int x = 0; x < width; x += 16) {
      Samples samples;

#define FINISH_BOX(n) samples.channel_##n = FINISH ( \
      radius_x <= SMALL_RADIUS ? add_up (column + n * pitch + x, radius_x) \
      : slide (column + n * pitch + x, radius_x, &before[n]), \
      vload16 (0, here + n * pitch + x));
      EACH_CHANNEL (FINISH_BOX)
      write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y,
          width - x, samples);
    }

    global float *row = ring + oldest * row_floats;
    for (int x = 0; x < row_floats; x += 16)
      vstore16 (vload16 (0, line + x) - vload16 (0, row + x), 0, line + x);
    load_row (row, BUFFERS_IN_ARGUMENTS, width, height, y + radius_y + 1,
        pitch, pad, radius_x, border, border_color);
    for (int x = 0; x < row_floats; x += 16)
      vstore16 (vload16 (0, line + x) + vload16 (0, row + x), 0, line + x);
    oldest = oldest == rows - 1 ? 0 : oldest + 1;
  }
}
