/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a Laplacian pyramid for CPUs: a work-item processes a strip of
 * whole rows of the coarse level, 16 samples at a time. The scratch of a
 * work-item contains rows that are wider than the level by the border, see
 * strips.clh.
 *
 * The fine level is a frame or, with -D INNER, a level of the pyramid. Levels
 * are planes of floats in a buffer. The layout of a level contains three
 * numbers of floats: the offset of the first float, the distance between rows,
 * and the distance between planes. Rows start at addresses aligned for a
 * float16 and have room for a whole number of float16 vectors. Levels have
 * BAND_CHANNELS planes, luma first if the pass is guided. Only the planes from
 * BAND_FIRST on are reconstructed. */

#pragma OPENCL FP_CONTRACT OFF

#include "border.clh"
#include "inline.clh"

#ifdef INNER

#define STORE_FLOATS(floats, to) (*(global float16 *) (to) = (floats))

#define FINE_IN global const float *fine, int4 fine_layout
#define FINE_OUT global float *output, int4 output_layout
#define FINE_ARGUMENTS fine, fine_layout
#define OUTPUT_ARGUMENTS output, output_layout

#else

#include "strips.clh"

#ifdef GUIDED
#define FINE_IN BUFFERS_IN, GUIDE_IN
#define FINE_ARGUMENTS BUFFERS_IN_ARGUMENTS, GUIDE_ARGUMENTS
#else
#define FINE_IN BUFFERS_IN
#define FINE_ARGUMENTS BUFFERS_IN_ARGUMENTS
#endif
#define FINE_OUT BUFFERS_OUT
#define OUTPUT_ARGUMENTS BUFFERS_OUT_ARGUMENTS

#endif

#define RING 5

/* Repeats a statement for each plane. */
#if BAND_CHANNELS == 1
#define EACH_BAND(statement) statement (0)
#elif BAND_CHANNELS == 2
#define EACH_BAND(statement) statement (0) statement (1)
#else
#define EACH_BAND(statement) statement (0) statement (1) statement (2)
#endif

/* 16 samples of all planes. */
typedef struct
{
  float16 band_0;
#if BAND_CHANNELS > 1
  float16 band_1;
#endif
#if BAND_CHANNELS > 2
  float16 band_2;
#endif
} Bands;

#define OUTSIDE_0 outside.x
#define OUTSIDE_1 outside.y
#define OUTSIDE_2 outside.z

/* The start of row `row` of plane n of a pyramid level. */
#define OCTAVE_ROW(octave, n, row) ((octave) + octave##_layout.x \
    + (n) * (size_t) octave##_layout.z + (size_t) (row) * octave##_layout.y)

#ifdef INNER

/* Reads 16 samples of row tap_y from column x on. tap_y is -1 for a row
 * outside. */
INLINE void
read_fine (Bands *bands, FINE_IN, int width, int height, int x, int tap_y,
    int border, float4 outside)
{
  if (tap_y < 0) {
#define FILL(n) bands->band_##n = OUTSIDE_##n;
    EACH_BAND (FILL)
    return;
  }
#define READ_OCTAVE(n) \
  bands->band_##n = *(global const float16 *) (OCTAVE_ROW (fine, n, tap_y) + x);
  EACH_BAND (READ_OCTAVE)
}

/* Stores 16 samples from column x of row y on. */
INLINE void
write_fine (Bands bands, FINE_IN, FINE_OUT, int width, int x, int y)
{
#define WRITE_OCTAVE(n) if (n >= BAND_FIRST) \
  STORE_FLOATS (bands.band_##n, OCTAVE_ROW (output, n, y) + x);
  EACH_BAND (WRITE_OCTAVE)
}

#else

#ifdef GUIDED
#define BORDER_COLOR(outside) ((outside).yzww)
#define CHANNEL_OF_1 samples.channel_0
#define CHANNEL_OF_2 samples.channel_1
#else
#define BORDER_COLOR(outside) (outside)
#define CHANNEL_OF_0 samples.channel_0
#define CHANNEL_OF_1 samples.channel_1
#define CHANNEL_OF_2 samples.channel_2
#endif

INLINE void
read_fine (Bands *bands, FINE_IN, int width, int height, int x, int tap_y,
    int border, float4 outside)
{
  Samples samples;

  read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, tap_y, border,
      BORDER_COLOR (outside));
#ifdef GUIDED
  bands->band_0 = read_guides (GUIDE_ARGUMENTS, width, height, x, tap_y,
      border, outside.x);
#else
  bands->band_0 = convert_float16 (CHANNEL_OF_0);
#endif
#if BAND_CHANNELS > 1
  bands->band_1 = convert_float16 (CHANNEL_OF_1);
#endif
#if BAND_CHANNELS > 2
  bands->band_2 = convert_float16 (CHANNEL_OF_2);
#endif
}

INLINE void
write_fine (Bands bands, FINE_IN, FINE_OUT, int width, int x, int y)
{
  Levels levels;

#ifdef GUIDED
  levels.channel_0 = bands.band_1;
  levels.channel_1 = bands.band_2;
#else
#define TAKE_BAND(n) levels.channel_##n = bands.band_##n;
  EACH_CHANNEL (TAKE_BAND)
#endif
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, width - x,
      levels);
}

#endif

/* Fills the border left and right of a row in the scratch. */
INLINE void
pad_scratch (global float *row, int width, int pad, int reach, int border,
    float outside)
{
  for (int i = 0; i < reach; i++) {
    int left = border_coordinate (border, -1 - i, width);
    int right = border_coordinate (border, width + i, width);

    row[pad - 1 - i] = left < 0 ? outside : row[pad + left];
    row[pad + width + i] = right < 0 ? outside : row[pad + right];
  }
}

/* Makes every second sample of the lowpass along a row. */
INLINE void
reduce_row (global const float *row, global float *out, int coarse_width)
{
  for (int x = 0; x < coarse_width; x += 16) {
    global const float *tap = row + 2 * x;
    float16 first = vload16 (0, tap - 2);
    float16 second = vload16 (0, tap + 14);
    float16 third = vload16 (0, tap);
    float16 fourth = vload16 (0, tap + 16);
    float16 outer = (float16) (first.even, second.even)
        + (float16) (vload16 (0, tap + 2).even, vload16 (0, tap + 18).even);
    float16 inner = (float16) (first.odd, second.odd)
        + (float16) (third.odd, fourth.odd);
    float16 middle = (float16) (third.even, fourth.even);

    STORE_FLOATS (outer + 4.0f * inner + 6.0f * middle, out + x);
  }
}

/* Fills a row of the ring from row y of the fine level. y may be outside. */
INLINE void
fill_ring (global float *ring, global float *row, FINE_IN, int width,
    int height, int y, int coarse_width, int pitch, int pad, int border,
    float4 outside)
{
  const int tap_y = border_coordinate (border, y, height);

  for (int x = 0; x < width; x += 16) {
    Bands bands;

    read_fine (&bands, FINE_ARGUMENTS, width, height, x, tap_y, border,
        outside);
#define STORE_BAND(n) STORE_FLOATS (bands.band_##n, row + n * pitch + pad + x);
    EACH_BAND (STORE_BAND)
  }
#define REDUCE_BAND(n) \
  pad_scratch (row + n * pitch, width, pad, 2, border, OUTSIDE_##n); \
  reduce_row (row + n * pitch + pad, ring + n * pitch, coarse_width);
  EACH_BAND (REDUCE_BAND)
}

/* Applies the lowpass down the five rows of the ring. `oldest` is the first
 * row. */
INLINE void
reduce_column (global const float *ring, int ring_pitch, int oldest,
    global float *out, int coarse_width)
{
  global const float *rows[RING];

  for (int i = 0; i < RING; i++)
    rows[i] = ring + (oldest + i) % RING * ring_pitch;
  for (int x = 0; x < coarse_width; x += 16) {
    float16 outer = vload16 (0, rows[0] + x) + vload16 (0, rows[4] + x);
    float16 inner = vload16 (0, rows[1] + x) + vload16 (0, rows[3] + x);
    float16 middle = vload16 (0, rows[2] + x);

    STORE_FLOATS ((outer + 4.0f * inner + 6.0f * middle) * (1.0f / 256.0f),
        out + x);
  }
}

#define STRIP_PARAMETERS int strip_height, global float *scratch, \
    int scratch_floats, int pitch, int pad

kernel void
reduce (FINE_IN, global float *coarse, int4 coarse_layout, int width,
    int height, int coarse_width, int coarse_height, STRIP_PARAMETERS,
    int border, float4 outside)
{
  const int first = get_global_id (0) * strip_height;
  const int end = min (first + strip_height, coarse_height);
  const int ring_pitch = BAND_CHANNELS * pitch;
  global float *row = scratch + get_global_id (0) * (size_t) scratch_floats;
  global float *ring = row + ring_pitch;
  int n = 0;

  for (int y = 2 * first - 2; y <= 2 * end; y++, n++) {
    fill_ring (ring + n % RING * ring_pitch, row, FINE_ARGUMENTS, width,
        height, y, coarse_width, pitch, pad, border, outside);
    if (n < RING - 1 || n % 2 != 0)
      continue;
#define REDUCE_COLUMN(i) \
    reduce_column (ring + i * pitch, ring_pitch, n + 1, \
        OCTAVE_ROW (coarse, i, y / 2 - 1), coarse_width);
    EACH_BAND (REDUCE_COLUMN)
  }
}

/* Expands the coarse level down the columns. Computes the fine rows 2 y and 2 y
 * + 1 as two rows of the scratch. */
INLINE void
expand_column (global float *even, global float *odd,
    global const float *above, global const float *here,
    global const float *below, int coarse_width, int pad, int border,
    float outside)
{
  for (int x = 0; x < coarse_width; x += 16) {
    float16 up = outside, down = outside;
    float16 middle = *(global const float16 *) (here + x);

    if (above)
      up = *(global const float16 *) (above + x);
    if (below)
      down = *(global const float16 *) (below + x);
    STORE_FLOATS ((up + down) * 0.125f + middle * 0.75f, even + pad + x);
    STORE_FLOATS ((middle + down) * 0.5f, odd + pad + x);
  }
  pad_scratch (even, coarse_width, pad, 1, border, outside);
  pad_scratch (odd, coarse_width, pad, 1, border, outside);
}

/* Expands 32 samples of the fine level along a row of the scratch. */
INLINE void
expand_row (float16 *left, float16 *right, global const float *row)
{
  float16 before = vload16 (0, row - 1);
  float16 here = vload16 (0, row);
  float16 after = vload16 (0, row + 1);
  float16 even = (before + after) * 0.125f + here * 0.75f;
  float16 odd = (here + after) * 0.5f;

  left->even = even.lo;
  left->odd = odd.lo;
  right->even = even.hi;
  right->odd = odd.hi;
}

/* Makes both fine rows for the coarse row y, for the planes from `first` on. */
INLINE void
expand_columns (global float *rows, global const float *coarse,
    int4 coarse_layout, int coarse_width, int coarse_height, int first, int y,
    int pitch, int pad, int border, float4 outside)
{
  const int above = border_coordinate (border, y - 1, coarse_height);
  const int below = border_coordinate (border, y + 1, coarse_height);

#define EXPAND_COLUMN(n) if (n >= first) \
  expand_column (rows + n * pitch, rows + (BAND_CHANNELS + n) * pitch, \
      above < 0 ? 0 : OCTAVE_ROW (coarse, n, above), \
      OCTAVE_ROW (coarse, n, y), \
      below < 0 ? 0 : OCTAVE_ROW (coarse, n, below), coarse_width, pad, \
      border, OUTSIDE_##n);
  EACH_BAND (EXPAND_COLUMN)
}

/* The loop of subtract and add. For each row y of the fine level in the strip,
 * FIRST (x) handles 16 samples from column x on, and SECOND (x) handles 16 more
 * if the row has more. `row` is a row of the scratch. Its planes are expanded
 * from PLANE on. */
#define EACH_EXPANDED(PLANE, FIRST, SECOND) \
  const int first = get_global_id (0) * strip_height; \
  const int end = min (first + strip_height, coarse_height); \
  global float *rows = scratch + get_global_id (0) * (size_t) scratch_floats; \
 \
  for (int y = 2 * first; y < min (2 * end, height); y++) { \
    global const float *row = rows + (y & 1) * BAND_CHANNELS * pitch + pad; \
 \
    if ((y & 1) == 0) \
      expand_columns (rows, coarse, coarse_layout, coarse_width, \
          coarse_height, PLANE, y / 2, pitch, pad, border, outside); \
    for (int x = 0; x < width; x += 32) { \
      Bands left, right, smooth_left, smooth_right; \
 \
      FIRST (x) \
      if (x + 16 >= width) \
        break; \
      SECOND (x + 16) \
    } \
  }

kernel void
subtract (FINE_IN, global const float *coarse, int4 coarse_layout,
    global float *band, int4 band_layout, int width, int height,
    int coarse_width, int coarse_height, STRIP_PARAMETERS, int border,
    float4 outside)
{
#define SUBTRACT_LEFT(n) \
      expand_row (&smooth_left.band_##n, &smooth_right.band_##n, \
          row + n * pitch + x / 2); \
      STORE_FLOATS (left.band_##n - smooth_left.band_##n, \
          OCTAVE_ROW (band, n, y) + x);
#define SUBTRACT_FIRST(column) \
      read_fine (&left, FINE_ARGUMENTS, width, height, column, y, border, \
          outside); \
      EACH_BAND (SUBTRACT_LEFT)
#define SUBTRACT_RIGHT(n) \
      STORE_FLOATS (right.band_##n - smooth_right.band_##n, \
          OCTAVE_ROW (band, n, y) + x + 16);
#define SUBTRACT_SECOND(column) \
      read_fine (&right, FINE_ARGUMENTS, width, height, column, y, border, \
          outside); \
      EACH_BAND (SUBTRACT_RIGHT)
  EACH_EXPANDED (0, SUBTRACT_FIRST, SUBTRACT_SECOND)
}

kernel void
add (FINE_IN, FINE_OUT, global const float *band, int4 band_layout,
    global const float *coarse, int4 coarse_layout, int width, int height,
    int coarse_width, int coarse_height, STRIP_PARAMETERS, int border,
    float4 outside, float gain, float coarse_gain, float offset)
{
#define SUM(n, expanded, column) (expanded.band_##n * coarse_gain + offset \
      + gain * *(global const float16 *) (OCTAVE_ROW (band, n, y) + column))
#define ADD_LEFT(n) if (n >= BAND_FIRST) { \
        expand_row (&smooth_left.band_##n, &smooth_right.band_##n, \
            row + n * pitch + x / 2); \
        left.band_##n = SUM (n, smooth_left, x); \
      }
#define ADD_FIRST(column) \
      EACH_BAND (ADD_LEFT) \
      write_fine (left, FINE_ARGUMENTS, OUTPUT_ARGUMENTS, width, column, y);
#define ADD_RIGHT(n) if (n >= BAND_FIRST) \
        right.band_##n = SUM (n, smooth_right, x + 16);
#define ADD_SECOND(column) \
      EACH_BAND (ADD_RIGHT) \
      write_fine (right, FINE_ARGUMENTS, OUTPUT_ARGUMENTS, width, column, y);
  EACH_EXPANDED (BAND_FIRST, ADD_FIRST, ADD_SECOND)
}
