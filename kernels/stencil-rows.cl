/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for CPUs: a work-item
 * processes a strip of whole rows, 16 samples at a time.
 *
 * `separable` processes two rows at a time. It keeps the rows of their windows
 * as planes of floats in a ring. The planes are wider than the frame by the
 * border, so that only the code that fills the ring has to test for the border.
 * A row of the ring has CHANNELS planes of `pitch` floats, a multiple of STEP.
 * The first column of the frame is at `pad`, which is more than radius_x. Two
 * more rows of this size follow the ring, for sums down the columns. `box`
 * keeps only one such row of sums. A strip has `scratch_floats` floats of
 * scratch. */

#include "stencil.clh"

/* The number of columns per iteration of a loop over several vectors. */
#define STEP 64

/* Windows up to this radius are summed tap by tap. */
#define SMALL_RADIUS 4

#define STRIP_PARAMETERS BUFFERS_IN, BUFFERS_OUT, int width, int height, \
    int strip_height, global float *scratch, int scratch_floats, int pitch, \
    int pad, int radius_x, int radius_y, global const float *weights, \
    float centre, float scale, float offset, int border, float4 border_color

/* Makes the sums down the columns for two rows, one below the other, from
 * column x of the planes of the ring on. Each sample that is read counts for
 * both rows. */
INLINE void
add_columns (global float *line, global const float *ring, int x, int oldest,
    int rows, int row_floats, global const float *weights)
{
  float16 sums[2][STEP / 16];
  float16 weight = 0.0f;
  int slot = oldest;

#pragma unroll
  for (int k = 0; k < STEP / 16; k++)
    sums[0][k] = sums[1][k] = 0.0f;
  for (int j = 0; j <= rows; j++) {
    global const float *row = ring + slot * row_floats + x;
    const float16 above = weight;

    weight = j < rows ? weights[j] : 0.0f;
#pragma unroll
    for (int k = 0; k < STEP / 16; k++) {
      float16 tap = vload16 (k, row);

      sums[0][k] = FMA (weight, tap, sums[0][k]);
      sums[1][k] = FMA (above, tap, sums[1][k]);
    }
    slot = slot == rows ? 0 : slot + 1;
  }
#pragma unroll
  for (int k = 0; k < STEP / 16; k++) {
    STORE_FLOATS (sums[0][k], line + x + 16 * k);
    STORE_FLOATS (sums[1][k], line + row_floats + x + 16 * k);
  }
}

/* Makes row y of the frame from the sums down the columns, which `line` has
 * from the first column on, and from the row itself, `here`. */
INLINE void
add_along (BUFFERS_IN, BUFFERS_OUT, int width, int y, global const float *line,
    global const float *here, int pitch, int radius_x,
    global const float *columns, float centre, float scale, float offset)
{
  for (int x = 0; x < width; x += STEP) {
    float16 sums[CHANNELS][STEP / 16];

#pragma unroll
    for (int n = 0; n < CHANNELS * STEP / 16; n++)
      sums[n / (STEP / 16)][n % (STEP / 16)] = 0.0f;
    for (int i = -radius_x; i <= radius_x; i++) {
      float16 weight = columns[i];

#pragma unroll
      for (int n = 0; n < CHANNELS; n++) {
        global const float *tap = line + n * pitch + x + i;

#pragma unroll
        for (int k = 0; k < STEP / 16; k++)
          sums[n][k] = FMA (weight, vload16 (k, tap), sums[n][k]);
      }
    }
#pragma unroll
    for (int k = 0; k < STEP / 16; k++) {
      const int column = x + 16 * k;
      Levels levels;

#define FINISH_SUMS(n) levels.channel_##n = FINISH (sums[n][k], \
      vload16 (0, here + n * pitch + column));
      EACH_CHANNEL (FINISH_SUMS)
      if (column < width)
        write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, column, y,
            width - column, levels);
    }
  }
}

/* For weights that are products of a weight of the row and a weight of the
 * column. `weights` holds 2 radius_y + 1 weights of rows, and the weights of
 * columns follow. */
kernel void
separable (STRIP_PARAMETERS)
{
  const int first = get_global_id (0) * strip_height;
  const int end = min (first + strip_height, height);
  const int rows = 2 * radius_y + 1;
  const int row_floats = CHANNELS * pitch;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  global float *line = ring + (rows + 1) * row_floats;
  global const float *columns = weights + rows + radius_x;
  int oldest = 0;

  for (int j = 0; j < rows - 1; j++)
    load_row (ring + j * row_floats, BUFFERS_IN_ARGUMENTS, width, height,
        first - radius_y + j, pitch, pad, radius_x, border, border_color);

  for (int y = first; y < end; y += 2) {
    for (int j = 0; j < 2; j++)
      load_row (ring + (oldest + rows - 1 + j) % (rows + 1) * row_floats,
          BUFFERS_IN_ARGUMENTS, width, height, y + radius_y + j, pitch, pad,
          radius_x, border, border_color);
    for (int x = 0; x < row_floats; x += STEP)
      add_columns (line, ring, x, oldest, rows, row_floats, weights);
    for (int j = 0; j < min (end - y, 2); j++)
      add_along (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, width, y + j,
          line + j * row_floats + pad,
          ring + (oldest + radius_y + j) % (rows + 1) * row_floats + pad,
          pitch, radius_x, columns, centre, scale, offset);
    oldest = (oldest + 2) % (rows + 1);
  }
}

/* Returns the running sums of a vector: each element plus all elements before
 * it. */
INLINE int16
sum_up (int16 v)
{
  v += (int16) (0, v.s01234567, v.s89ab, v.scd, v.se);
  v += (int16) (0, 0, v.s01234567, v.s89ab, v.scd);
  v += (int16) ((int4) 0, v.s01234567, v.s89ab);
  v += (int16) ((int8) 0, v.s01234567);
  return v;
}

/* Returns the sums of 2 radius + 1 columns around each of 16 columns. The first
 * of the 16 is at `column`. `before` is the sum around the column before the
 * first, and becomes the sum around the last. All sums are whole numbers. */
INLINE float16
slide (global const float *column, int radius, uint *before)
{
  int16 sums = sum_up (convert_int16 (vload16 (0, column + radius))
      - convert_int16 (vload16 (0, column - radius - 1)));
  uint16 totals = as_uint16 (sums) + (uint16) *before;

  *before = totals.sf;
  return convert_float16 (totals);
}

/* Sums down the columns in `line`. Running sums have to be exact: floats hold
 * those of whole numbers. Those of wide levels are integers, of which the
 * floats of `line` hold the bits. Windows up to SMALL_RADIUS do not
 * overflow. */
#ifdef STEPS_IN
#define SUMS int16
#define UNIT ((float) STEPS_IN)
#define TO_SUMS(levels) convert_int16 ((levels) * UNIT)
#define LOAD_SUMS(from) as_int16 (vload16 (0, from))
#define STORE_SUMS(sums, to) STORE_FLOATS (as_float16 (sums), to)
#define OUTSIDE_SUMS(levels) as_float4 (convert_int4 ((levels) * UNIT))
#else
#define SUMS float16
#define UNIT 1.0f
#define TO_SUMS(levels) convert_float16 (levels)
#define LOAD_SUMS(from) vload16 (0, from)
#define STORE_SUMS STORE_FLOATS
#define OUTSIDE_SUMS(levels) (levels)
#endif

INLINE float16
add_up (global const float *column, int radius)
{
  SUMS sum = 0;

  for (int i = -radius; i <= radius; i++)
    sum += LOAD_SUMS (column + i);
  return convert_float16 (sum) * (1.0f / UNIT);
}

/* Returns the sum around the column before the first column of the frame. */
INLINE uint
start_sliding (global const float *column, int radius)
{
  uint sum = 0;

  for (int i = -radius - 1; i < radius; i++)
    sum += (uint) column[i];
  return sum;
}

/* Adds row y to the sums down the columns. If `begins` is set, the sums start
 * with this row. y may be outside the frame. */
INLINE void
add_row (global float *line, BUFFERS_IN, int width, int height, int y,
    int pitch, int pad, int border, float4 border_color, int begins)
{
  const int tap_y = border_coordinate (border, y, height);

  for (int x = 0; x < width; x += 16) {
    global float *sums = line + pad + x;
    Samples samples;

    read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, tap_y, border,
        border_color);
#define ADD_LEVELS(n) STORE_SUMS (TO_SUMS (samples.channel_##n) \
    + (begins ? (SUMS) 0 : LOAD_SUMS (sums + n * pitch)), sums + n * pitch);
    EACH_CHANNEL (ADD_LEVELS)
  }
}

/* Adds row y to the sums down the columns and subtracts row old_y. */
INLINE void
move_down (global float *line, BUFFERS_IN, int width, int height, int y,
    int old_y, int pitch, int pad, int border, float4 border_color)
{
  const int tap_y = border_coordinate (border, y, height);
  const int old_tap_y = border_coordinate (border, old_y, height);

  for (int x = 0; x < width; x += 16) {
    global float *sums = line + pad + x;
    Samples samples, old;

    read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, tap_y, border,
        border_color);
    read_row (&old, BUFFERS_IN_ARGUMENTS, width, height, x, old_tap_y, border,
        border_color);
#define MOVE_LEVELS(n) STORE_SUMS (LOAD_SUMS (sums + n * pitch) \
    + (TO_SUMS (samples.channel_##n) - TO_SUMS (old.channel_##n)), \
    sums + n * pitch);
    EACH_CHANNEL (MOVE_LEVELS)
  }
}

/* For weights that are all 1: samples that leave the window are subtracted from
 * the sums down the columns and along the rows, and samples that enter the
 * window are added. */
kernel void
box (STRIP_PARAMETERS)
{
  const int first = get_global_id (0) * strip_height;
  const int rows = 2 * radius_y + 1;
  global float *line = scratch + (size_t) get_global_id (0) * scratch_floats;
  global const float *column = line + pad;

  (void) weights;
  for (int j = 0; j < rows; j++)
    add_row (line, BUFFERS_IN_ARGUMENTS, width, height, first - radius_y + j,
        pitch, pad, border, border_color, j == 0);

  for (int y = first; y < min (first + strip_height, height); y++) {
    uint before[CHANNELS];

    if (y > first)
      move_down (line, BUFFERS_IN_ARGUMENTS, width, height, y + radius_y,
          y - radius_y - 1, pitch, pad, border, border_color);
    PAD_ROWS (line, width, pitch, pad, radius_x, border,
        OUTSIDE_SUMS (border_color * (float) rows))
    for (int n = 0; n < CHANNELS; n++)
      before[n] = radius_x <= SMALL_RADIUS ? 0
          : start_sliding (column + n * pitch, radius_x);
    for (int x = 0; x < width; x += 16) {
      Samples samples;
      Levels levels;

      read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, y, border,
          border_color);
#define FINISH_BOX(n) levels.channel_##n = FINISH ( \
      radius_x <= SMALL_RADIUS ? add_up (column + n * pitch + x, radius_x) \
      : slide (column + n * pitch + x, radius_x, &before[n]), \
      convert_float16 (samples.channel_##n));
      EACH_CHANNEL (FINISH_BOX)
      write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y,
          width - x, levels);
    }
  }
}

#include "fuse.clh"
