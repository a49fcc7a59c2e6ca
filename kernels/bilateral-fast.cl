/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An approximation of the bilateral filter whose cost does not grow with the
 * window. gst/opencl/bilateral/oclbilateralfast.c has the formulas and the
 * sources.
 *
 * The weight of a difference is a sum of cosines. Because cos (a - b) = cos a
 * cos b + sin a sin b, every cosine turns the filter into plain blurs: of the
 * cosine of the luma and of its sine, each alone and times red, green and blue.
 * These eight values are a float8 here. They are blurred on a coarse grid with
 * a node every `step` pixels, a power of 2:
 *
 *   planes  splits the frame into planes of floats, with a border
 *   splat   sums up the eight values for every node, pixels weighted by a hat
 *   blur    filters the nodes with the weights of the window
 *   slice   interpolates between nodes, and adds up the cosines of each pixel
 *
 * All kernels process a strip of rows of the frame from `strip_y` on, a
 * multiple of the step. Nodes lie on the upper left corners of pixels. The
 * planes are the channels, and the guide if it is not a channel. Rows of a
 * plane are `pitch` floats apart, and planes are `plane_size` floats apart. A
 * plane has `pad` rows and columns before the first row and column of the
 * strip. Wave k has the frequency (2k + 1) · `frequency`, in turns per unit of
 * the guide. In all arrays with values per wave, the wave is the index that
 * varies fastest. */

#pragma OPENCL FP_CONTRACT OFF

#include "color.clh"
#include "vector.clh"

#define REAL float16
#include "wave.clh"

/* The largest number of intervals between nodes in 16 pixels: a step is at
 * least 4. */
#define MAX_INTERVALS 4

/* Each work-item makes 16 columns of one row of the planes. */
kernel void
planes (GUIDED_BUFFERS_IN, int width, int height, int strip_y, int rows,
    global float *out, int pitch, int plane_size, int pad, int border,
    float4 border_color, float border_luma)
{
  int column = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (column >= pitch || row >= rows)
    return;

  int x = column - pad;
  int y = strip_y + row - pad;
  Samples samples;

  read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, y, border,
      border_color);

  out += (size_t) row * pitch + column;
#define STORE_PLANE(n) vstore16 (convert_float16 (samples.channel_##n), 0, \
    out + n * plane_size);
  EACH_CHANNEL (STORE_PLANE)
#if CHANNELS == 3
  vstore16 (LUMA_100 (convert_float16 (samples.channel_0),
          convert_float16 (samples.channel_1),
          convert_float16 (samples.channel_2)), 0, out + 3 * plane_size);
#endif
#ifdef GUIDED
  vstore16 (read_guides (GUIDE_ARGUMENTS, width, height, x, y, border,
          border_luma), 0, out + GUIDE_INDEX * plane_size);
#endif
}

/* Returns how much of each of 16 pixels, from column x on, belongs to the node
 * at column 0. */
float16
get_hat (int x, int step)
{
  const float16 middles = (float16) (0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f,
      7.5f, 8.5f, 9.5f, 10.5f, 11.5f, 12.5f, 13.5f, 14.5f, 15.5f);

  return max (1.0f - fabs (middles + (float) x) / (float) step, 0.0f);
}

/* A cosine and a sine, alone and times each channel, for 16 columns. The
 * members for missing channels are 0. */
typedef struct
{
  float16 cosine, cosine_0, cosine_1, cosine_2;
  float16 sine, sine_0, sine_1, sine_2;
} Waves;

/* Sums up the rows of the planes, from `in` on, that belong to a row of
 * nodes. */
Waves
sum_rows (global const float *in, int pitch, int plane_size, int step,
    float frequency)
{
  Waves sums = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };

  for (int y = 0; y < 2 * step; y++) {
    float16 cosine, sine;
    get_wave (vload16 (0, in + GUIDE_INDEX * plane_size) * frequency, &cosine,
        &sine);

    float weight = 1.0f - fabs (y + 0.5f - step) / step;
    cosine *= weight;
    sine *= weight;
    sums.cosine += cosine;
    sums.sine += sine;
#define ADD_LEVEL(n) { \
    float16 level = vload16 (0, in + n * plane_size); \
    sums.cosine_##n = FMA (cosine, level, sums.cosine_##n); \
    sums.sine_##n = FMA (sine, level, sums.sine_##n); \
  }
    EACH_CHANNEL (ADD_LEVEL)
    in += pitch;
  }
  return sums;
}

/* FOLD_TO_n halves the groups of 2 n values in two vectors: it adds the second
 * half of each group to the first half. */
#define FOLD_TO_8(a, b) ((float16) ((a).lo + (a).hi, (b).lo + (b).hi))
#define FOLD_TO_4(a, b) ((float16) ((a).s012389ab + (a).s4567cdef, \
    (b).s012389ab + (b).s4567cdef))
#define FOLD_TO_2(a, b) ((float16) ((a).s014589cd + (a).s2367abef, \
    (b).s014589cd + (b).s2367abef))

/* Returns the weighted sums over 16 columns. */
float8
sum_columns (Waves waves, float16 weight)
{
  float16 cosine = FOLD_TO_4 (FOLD_TO_8 (waves.cosine * weight,
          waves.cosine_0 * weight), FOLD_TO_8 (waves.cosine_1 * weight,
          waves.cosine_2 * weight));
  float16 sine = FOLD_TO_4 (FOLD_TO_8 (waves.sine * weight,
          waves.sine_0 * weight), FOLD_TO_8 (waves.sine_1 * weight,
          waves.sine_2 * weight));
  float16 pairs = FOLD_TO_2 (cosine, sine);

  return pairs.even + pairs.odd;
}

/* Each work-item takes one wave and a span of columns: 16 columns or one step,
 * whichever is more. A span has nodes between its intervals and at both ends.
 * The node at its beginning is also the last node of the previous span. Its sum
 * is stored in `carries`, and `blur` adds it. The sums of the other nodes are
 * stored in `nodes`. */
kernel void
splat (global const float *planes, int pitch, int plane_size, int step,
    int waves, float frequency, int spans, int rows, global float8 *nodes,
    global float8 *carries)
{
  int wave = get_global_id (0) % waves;
  int span = get_global_id (0) / waves;
  int row = get_global_id (1);
  if (span >= spans || row >= rows)
    return;

  int intervals = max (16 / step, 1);
  int span_width = max (16, step);
  float8 sums[MAX_INTERVALS + 1];
  for (int i = 0; i <= intervals; i++)
    sums[i] = 0.0f;

  planes += (size_t) row * step * pitch + span * span_width;
  for (int x = 0; x < span_width; x += 16) {
    Waves column_sums = sum_rows (planes + x, pitch, plane_size, step,
        (2 * wave + 1) * frequency);
    for (int i = 0; i <= intervals; i++)
      sums[i] += sum_columns (column_sums, get_hat (x - i * step, step));
  }

  int index = row * spans + span;
  carries[index * waves + wave] = sums[0];
  for (int i = 0; i < intervals; i++)
    nodes[(index * intervals + i) * waves + wave] = sums[i + 1];
}

/* Each work-item computes one wave of four nodes in a row of `out`. With a
 * single node, the additions to its sum would depend on each other. `out` has
 * `columns`, a multiple of 4, x `rows` nodes and begins `reach` nodes after the
 * first node of `nodes`. `table` holds the amplitudes of the waves and, from
 * `taps` on, the weights: 2 reach + 1 rows of 2 reach + 1 weights, with three
 * zeros before each row and after the last. */
kernel void
blur (global const float8 *nodes, global const float8 *carries, int spans,
    int intervals, int waves, global const float *table, int taps, int reach,
    int columns, int rows, global float8 *out)
{
  int wave = get_global_id (0) % waves;
  int column = get_global_id (0) / waves * 4;
  int row = get_global_id (1);
  if (column >= columns || row >= rows)
    return;

  float8 sum_0 = 0.0f, sum_1 = 0.0f, sum_2 = 0.0f, sum_3 = 0.0f;
  global const float *tap = table + taps;
  for (int y = row; y <= row + 2 * reach; y++) {
    for (int x = column; x <= column + 2 * reach + 3; x++) {
      float8 node = nodes[(y * spans * intervals + x) * waves + wave];
      if (((x + 1) & (intervals - 1)) == 0)
        node += carries[(y * spans + (x + 1) / intervals) * waves + wave];

      sum_0 = FMA (node, (float8) tap[3], sum_0);
      sum_1 = FMA (node, (float8) tap[2], sum_1);
      sum_2 = FMA (node, (float8) tap[1], sum_2);
      sum_3 = FMA (node, (float8) tap[0], sum_3);
      tap++;
    }
  }

  float amplitude = table[wave];
  out += (row * columns + column) * waves + wave;
  out[0] = sum_0 * amplitude;
  out[waves] = sum_1 * amplitude;
  out[2 * waves] = sum_2 * amplitude;
  out[3 * waves] = sum_3 * amplitude;
}

/* The sums of weights and of weighted levels, for 16 samples. */
typedef struct
{
  float16 weight;
  float16 level_0;
#if CHANNELS > 1
  float16 level_1;
#endif
#if CHANNELS > 2
  float16 level_2;
#endif
} Sums;

Sums
no_sums (void)
{
  Sums sums;

  sums.weight = 0.0f;
#define CLEAR_LEVEL(n) sums.level_##n = 0.0f;
  EACH_CHANNEL (CLEAR_LEVEL)
  return sums;
}

/* Adds a wave. `node` contains a weight and the levels times the weight. */
void
add_node (Sums *sums, float16 wave, float4 node)
{
  sums->weight = FMA (wave, (float16) node.x, sums->weight);
  sums->level_0 = FMA (wave, (float16) node.y, sums->level_0);
#if CHANNELS > 1
  sums->level_1 = FMA (wave, (float16) node.z, sums->level_1);
#endif
#if CHANNELS > 2
  sums->level_2 = FMA (wave, (float16) node.w, sums->level_2);
#endif
}

/* Adds the sums `others`, multiplied by `part`. */
void
add_sums (Sums *sums, float16 part, Sums others)
{
  sums->weight = FMA (part, others.weight, sums->weight);
#define ADD_OTHER(n) sums->level_##n = \
    FMA (part, others.level_##n, sums->level_##n);
  EACH_CHANNEL (ADD_OTHER)
}

/* Returns the sums over all waves of 16 samples in one column of nodes. `above`
 * and `below` are the nodes above and below the samples. `cosine` and `sine`
 * belong to the first wave. */
Sums
sum_waves (global const float8 *above, global const float8 *below,
    float nearness_of_below, int waves, float16 cosine, float16 sine)
{
  /* Twice the angle of the first wave turns each wave into the next. */
  float16 turn_cosine = FMA (cosine, cosine, -sine * sine);
  float16 turn_sine = 2.0f * cosine * sine;
  Sums sums = no_sums ();

  for (int wave = 0; wave < waves; wave++) {
    float8 node = mix (above[wave], below[wave], nearness_of_below);

    add_node (&sums, cosine, node.lo);
    add_node (&sums, sine, node.hi);

    float16 turned = FMA (cosine, turn_cosine, -sine * turn_sine);
    sine = FMA (sine, turn_cosine, cosine * turn_sine);
    cosine = turned;
  }
  return sums;
}

/* Each work-item computes 16 samples of one row of the strip. `nodes` begins at
 * the first sample of the strip. */
kernel void
slice (global const float *planes, int pitch, int plane_size, int pad,
    int step, int waves, float frequency, global const float8 *nodes,
    int columns, BUFFERS_IN, BUFFERS_OUT, int width, int strip_y,
    int strip_height)
{
  int x = get_global_id (0) * 16;
  int row = get_global_id (1);
  if (x >= width || row >= strip_height)
    return;

  global const float *centre = planes + (size_t) (row + pad) * pitch + pad + x;
  float16 cosine, sine;
  get_wave (vload16 (0, centre + GUIDE_INDEX * plane_size) * frequency,
      &cosine, &sine);

  int intervals = max (16 / step, 1);
  float nearness_of_below = ((row & (step - 1)) + 0.5f) / step;
  global const float8 *above = nodes
      + (row / step * columns + x / step) * waves;
  Sums sums = no_sums ();
  for (int i = 0; i <= intervals; i++) {
    float16 hat = get_hat ((x & (step - 1)) - i * step, step);
    Sums column_sums = sum_waves (above + i * waves,
        above + (columns + i) * waves, nearness_of_below, waves, cosine, sine);
    add_sums (&sums, hat, column_sums);
  }

  /* The centre alone has weight 1. If the sum of weights is less, because the
   * sample is unlike all its neighbours, the centre gets the missing weight. */
  float16 lack = max (1.0f - sums.weight, 0.0f);
  Levels levels;
  sums.weight += lack;
#define GET_SAMPLE(n) levels.channel_##n = \
    FMA (lack, vload16 (0, centre + n * plane_size), sums.level_##n) \
    / sums.weight;
  EACH_CHANNEL (GET_SAMPLE)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, strip_y + row,
      width - x, levels);
}

#include "fuse.clh"
