/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Approximation of the bilateral filter for GPUs. The one for CPUs is
 * bilateral-fast.cl.
 *
 *   splat  sums up pixels for every node, straight from the frame
 *   blur   filters the nodes, from a tile in local memory
 *   slice  interpolates between nodes, and adds up the waves of each pixel
 *
 * A wave has two NODEs at each node of the grid: one for its cosine, alone and
 * times the channels, and one for its sine, alone and times the channels. The
 * cosine of wave k is in plane 2k, and its sine is in plane 2k + 1, so that
 * concurrent work-items read and write adjacent nodes.
 *
 * All kernels process a strip of rows of the frame from `strip_y` on, a
 * multiple of the step. Nodes lie on the upper left corners of pixels. On each
 * side, splat computes `reach` more nodes than slice reads. Wave k has the
 * frequency (2k + 1) · `frequency`, in turns per unit of the guide.
 *
 * Build with SPLAT_WIDTH, the work-items of a group of splat; GROUP_WIDTH and
 * GROUP_HEIGHT, the work-items of a group of blur and slice; and ROWS, the
 * number of pixels that a work-item of slice makes, which divides each step. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"

#define FMA(a, b, c) mad (a, b, c)
#define REAL float
#include "wave.clh"

/* The vector of 1 and the levels of the channels. */
#if CHANNELS == 1
#define NODE float2
#define NODE_FLOATS 2
#define TO_NODE(levels) ((float2) (1.0f, (levels).x))
#else
#define NODE float4
#define NODE_FLOATS 4
#define TO_NODE(levels) ((float4) (1.0f, (levels).xyz))
#endif

/* The number of floats of a wave at a node. */
#define WAVE_FLOATS (2 * NODE_FLOATS)

/* A pixel and its guide. */
typedef struct
{
  float4 levels;
  float guide;
} Sample;

INLINE Sample
make_sample (float4 levels, float luma)
{
#ifdef GUIDED
  return (Sample) { levels, luma };
#elif CHANNELS == 1
  return (Sample) { levels, levels.x };
#else
  return (Sample) { levels, LUMA_100 (levels.x, levels.y, levels.z) };
#endif
}

INLINE Sample
read_sample (INPUT_PIXELS, int x, int y)
{
  return make_sample (READ_PIXEL (x, y), READ_LUMA_OF (x, y));
}

/* Two nodes, one below the other. The pixels between the nodes are added to
 * both. */
typedef struct
{
  NODE cosine[2];
  NODE sine[2];
} Sums;

/* Adds a pixel to both nodes. `nearness` is its nearness to the lower node. */
INLINE void
add_sample (Sums *sums, Sample sample, float nearness, float frequency)
{
  float cosine, sine;

  get_wave (sample.guide * frequency, &cosine, &sine);

  NODE levels = TO_NODE (sample.levels);
  NODE below = levels * nearness;
  NODE above = levels - below;
  sums->cosine[0] = mad (above, (NODE) cosine, sums->cosine[0]);
  sums->cosine[1] = mad (below, (NODE) cosine, sums->cosine[1]);
  sums->sine[0] = mad (above, (NODE) sine, sums->sine[0]);
  sums->sine[1] = mad (below, (NODE) sine, sums->sine[1]);
}

/* Moves down by a node: the lower node becomes the upper node. */
INLINE void
go_down (Sums *sums)
{
  sums->cosine[0] = sums->cosine[1];
  sums->sine[0] = sums->sine[1];
  sums->cosine[1] = 0.0f;
  sums->sine[1] = 0.0f;
}

/* A group stores the sums of its columns of pixels for one row of nodes, one
 * line of sums for each float of a wave. Each line has one spare float, which
 * puts the sums that work-items add up at the same time into different
 * banks. */
#define COLUMNS_PITCH (SPLAT_WIDTH + 1)

INLINE void
put_column (local float *columns, NODE cosine, NODE sine)
{
  columns += get_local_id (0);
  columns[0] = cosine.x;
  columns[COLUMNS_PITCH] = cosine.y;
#if NODE_FLOATS > 2
  columns[2 * COLUMNS_PITCH] = cosine.z;
  columns[3 * COLUMNS_PITCH] = cosine.w;
#endif
  columns += NODE_FLOATS * COLUMNS_PITCH;
  columns[0] = sine.x;
  columns[COLUMNS_PITCH] = sine.y;
#if NODE_FLOATS > 2
  columns[2 * COLUMNS_PITCH] = sine.z;
  columns[3 * COLUMNS_PITCH] = sine.w;
#endif
}

/* Returns the sum of the columns of a node, which start at `columns`. */
INLINE float
sum_columns (local const float *columns, int step)
{
  float scale = 1.0f / step;
  float sum = 0.0f;

  for (int i = 0; i < step; i++) {
    float hat = (i + 0.5f) * scale;

    sum = mad (columns[i], hat, sum);
    sum = mad (columns[i + step], 1.0f - hat, sum);
  }
  return sum;
}

/* Writes the nodes of a row that belong to a group, from the sums of columns: a
 * work-item sums up one float of one node at a time. `nodes` is the cosine of
 * the first node of the group in this row. `count` is the number of nodes in
 * the row from there on. */
INLINE void
put_nodes (local const float *columns, int step, int count,
    global float *nodes, size_t plane_floats)
{
  int n = min (SPLAT_WIDTH / step - 1, count) * WAVE_FLOATS;

  for (int i = get_local_id (0); i < n; i += SPLAT_WIDTH) {
    int node = i / WAVE_FLOATS;
    int part = i % WAVE_FLOATS;

    nodes[part / NODE_FLOATS * plane_floats + node * NODE_FLOATS
        + part % NODE_FLOATS] =
        sum_columns (columns + part * COLUMNS_PITCH + node * step, step);
  }
}

/* Each work-item takes one column of pixels, one wave, and `n_rows` rows of
 * nodes. A group computes the nodes whose pixels are all in its columns. `rows`
 * and `columns` are the numbers of rows and columns of all nodes. */
kernel __attribute__ ((reqd_work_group_size (SPLAT_WIDTH, 1, 1))) void
splat (INPUT_PIXELS, int width, int height, int strip_y, int step, int reach,
    int waves, float frequency, int n_rows, int border, float4 border_color,
    float border_luma, global float *nodes, int columns, int rows)
{
  local float sums_of_columns[WAVE_FLOATS * COLUMNS_PITCH];
  int wave = get_group_id (1) % waves;
  int column = get_group_id (0) * (SPLAT_WIDTH / step - 1);
  int first_row = get_group_id (1) / waves * n_rows;
  int x = border_coordinate (border,
      (column - reach - 1) * step + (int) get_local_id (0), width);
  int y = strip_y + (first_row - reach - 1) * step;
  float scale = 1.0f / step;
  size_t plane_floats = (size_t) rows * columns * NODE_FLOATS;
  Sample outside = make_sample (border_color, border_luma);
  Sums sums = { { 0.0f, 0.0f }, { 0.0f, 0.0f } };

  frequency *= 2 * wave + 1;
  nodes += 2 * wave * plane_floats;

  /* The first row of pixels is above the first row of nodes. */
  for (int row = first_row - 1; row < min (first_row + n_rows, rows); row++) {
    for (int i = 0; i < step; i++, y++) {
      int tap_y = border_coordinate (border, y, height);
      int inside = x >= 0 && tap_y >= 0;

      add_sample (&sums, inside ? read_sample (INPUT_ARGUMENTS, x, tap_y)
          : outside, (i + 0.5f) * scale, frequency);
    }
    if (row >= first_row) {
      put_column (sums_of_columns, sums.cosine[0], sums.sine[0]);
      barrier (CLK_LOCAL_MEM_FENCE);
      put_nodes (sums_of_columns, step, columns - column,
          nodes + ((size_t) row * columns + column) * NODE_FLOATS,
          plane_floats);
      barrier (CLK_LOCAL_MEM_FENCE);    /* all have read the sums */
    }
    go_down (&sums);
  }
}

/* The number of nodes that a work-item of blur makes, one below the other. */
#define BLURRED_NODES 4
#define BLOCK_HEIGHT (GROUP_HEIGHT * BLURRED_NODES)

/* Fills the tile with the nodes of a plane from x, y on, and with zeros beyond
 * the plane. */
INLINE void
fill_tile (local NODE *tile, int tile_width, int tile_height,
    global const NODE *nodes, int columns, int rows, int x, int y)
{
  for (int j = get_local_id (1); j < tile_height; j += GROUP_HEIGHT) {
    for (int i = get_local_id (0); i < tile_width; i += GROUP_WIDTH)
      tile[j * tile_width + i] = x + i < columns && y + j < rows
          ? nodes[(size_t) (y + j) * columns + x + i] : (NODE) 0.0f;
  }
}

/* Adds a column of taps to the sums of the nodes of a work-item. `taps` has
 * BLURRED_NODES - 1 zeros before and after it. */
INLINE void
add_column (NODE *sums, local const NODE *nodes, int tile_width,
    constant float *taps, int count)
{
  float tap_1 = 0.0f, tap_2 = 0.0f, tap_3 = 0.0f;

  for (int j = 0; j < count + BLURRED_NODES - 1; j++) {
    NODE node = nodes[j * tile_width];
    float tap = taps[BLURRED_NODES - 1 + j];

    sums[0] = mad (node, (NODE) tap, sums[0]);
    sums[1] = mad (node, (NODE) tap_1, sums[1]);
    sums[2] = mad (node, (NODE) tap_2, sums[2]);
    sums[3] = mad (node, (NODE) tap_3, sums[3]);
    tap_3 = tap_2;
    tap_2 = tap_1;
    tap_1 = tap;
  }
}

/* Each work-item makes four nodes of a plane. `table` holds the amplitudes of
 * the waves and, from `taps` on, the weights, which are the same across and
 * down: 2 reach + 1 columns of 2 reach + 1 weights, with three zeros before
 * each column and after the last. The tile has room for the nodes that `chunk`
 * columns of weights need. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
blur (global const NODE *nodes, constant float *table, int taps, int reach,
    int chunk, global NODE *out, int columns, int rows, local NODE *tile)
{
  int blocks = (rows + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT;
  int plane = get_group_id (1) / blocks;
  int group_x = get_group_id (0) * GROUP_WIDTH;
  int group_y = get_group_id (1) % blocks * BLOCK_HEIGHT;
  int diameter = 2 * reach + 1;
  int source_columns = columns + 2 * reach;
  int source_rows = rows + 2 * reach;
  NODE sums[BLURRED_NODES] = { 0.0f, 0.0f, 0.0f, 0.0f };

  nodes += (size_t) plane * source_rows * source_columns;
  for (int first = 0; first < diameter; first += chunk) {
    int count = min (chunk, diameter - first);
    int tile_width = GROUP_WIDTH + count - 1;

    fill_tile (tile, tile_width, BLOCK_HEIGHT + 2 * reach, nodes,
        source_columns, source_rows, group_x + first, group_y);
    barrier (CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < count; i++)
      add_column (sums, tile + get_local_id (1) * BLURRED_NODES * tile_width
          + get_local_id (0) + i, tile_width,
          table + taps + (first + i) * (diameter + BLURRED_NODES - 1),
          diameter);
    barrier (CLK_LOCAL_MEM_FENCE);      /* all have read the tile */
  }

  int x = group_x + get_local_id (0);
  int y = group_y + get_local_id (1) * BLURRED_NODES;
  float amplitude = table[plane / 2];
  out += ((size_t) plane * rows + y) * columns + x;
#pragma unroll
  for (int k = 0; k < BLURRED_NODES; k++) {
    if (x < columns && y + k < rows)
      out[k * columns] = sums[k] * amplitude;
  }
}

/* The pixels of a work-item of slice: for each pixel its present wave, the turn
 * to its next wave, and the sum of the weight and of the weighted levels. */
typedef struct
{
  float cosine[ROWS], sine[ROWS];
  float turn_cosine[ROWS], turn_sine[ROWS];
  NODE sum[ROWS];
} Pixels;

/* Starts with the first wave. Twice the angle of the first wave turns each wave
 * into the next. */
INLINE void
begin (Pixels *pixels, int k, float turns)
{
  float cosine, sine;

  get_wave (turns, &cosine, &sine);
  pixels->cosine[k] = cosine;
  pixels->sine[k] = sine;
  pixels->turn_cosine[k] = mad (cosine, cosine, -sine * sine);
  pixels->turn_sine[k] = 2.0f * cosine * sine;
  pixels->sum[k] = 0.0f;
}

INLINE void
turn (Pixels *pixels, int k)
{
  float cosine = pixels->cosine[k];
  float sine = pixels->sine[k];

  pixels->cosine[k] = mad (cosine, pixels->turn_cosine[k],
      -sine * pixels->turn_sine[k]);
  pixels->sine[k] = mad (sine, pixels->turn_cosine[k],
      cosine * pixels->turn_sine[k]);
}

/* The values of nodes, interpolated for a column of pixels: the value at the
 * first pixel of a work-item, and its change from one pixel to the next. */
typedef struct
{
  NODE first, change;
} Edge;

/* Returns the edge between four nodes. `node` is the upper left node. */
INLINE Edge
make_edge (global const NODE *node, int columns, float nearness_of_right,
    float nearness_of_below, float scale)
{
  NODE above = mix (node[0], node[1], nearness_of_right);
  NODE below = mix (node[columns], node[columns + 1], nearness_of_right);

  return (Edge) { mix (above, below, nearness_of_below),
    (below - above) * scale
  };
}

/* Adds up all waves. `node` is the upper left node of the first wave. */
INLINE void
add_waves (Pixels *pixels, global const NODE *node, int columns,
    size_t plane_size, int waves, int step, int x, int y)
{
  float scale = 1.0f / step;
  float right = ((x & (step - 1)) + 0.5f) * scale;
  float below = ((y & (step - 1)) + 0.5f) * scale;

  for (int wave = 0; wave < waves; wave++, node += 2 * plane_size) {
    Edge cosine = make_edge (node, columns, right, below, scale);
    Edge sine = make_edge (node + plane_size, columns, right, below, scale);

#pragma unroll
    for (int k = 0; k < ROWS; k++) {
      pixels->sum[k] = mad (mad (cosine.change, (NODE) k, cosine.first),
          (NODE) pixels->cosine[k], pixels->sum[k]);
      pixels->sum[k] = mad (mad (sine.change, (NODE) k, sine.first),
          (NODE) pixels->sine[k], pixels->sum[k]);
      turn (pixels, k);
    }
  }
}

/* Returns a pixel from the sums of weights and of weighted levels. The centre
 * alone has weight 1. If the sum of weights is less, because the sample is
 * unlike all its neighbours, the centre gets the missing weight. */
INLINE float4
get_levels (NODE sum, float4 centre)
{
  float lack = max (1.0f - sum.x, 0.0f);
  float scale = 1.0f / (sum.x + lack);

#if CHANNELS == 1
  return (float4) (mad (lack, centre.x, sum.y) * scale, 0.0f, 0.0f, 0.0f);
#else
  return (float4) (mad ((float3) lack, centre.xyz, sum.yzw) * scale, centre.w);
#endif
}

/* Each work-item computes ROWS pixels of a column. Pixels outside the frame are
 * not written. `nodes` begins at the first pixel of the strip. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
slice (INPUT_PIXELS, OUTPUT_PIXELS, int width, int strip_y, int strip_height,
    int step, int waves, float frequency, global const NODE *nodes,
    int columns, int rows)
{
  int x = get_global_id (0);
  int y = get_global_id (1) * ROWS;
  if (x >= width || y >= strip_height)
    return;

  Pixels pixels;
#pragma unroll
  for (int k = 0; k < ROWS; k++)
    begin (&pixels, k, frequency * read_sample (INPUT_ARGUMENTS, x,
            strip_y + min (y + k, strip_height - 1)).guide);
  add_waves (&pixels, nodes + y / step * columns + x / step, columns,
      (size_t) rows * columns, waves, step, x, y);

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (y + k < strip_height)
      WRITE_PIXEL (x, strip_y + y + k, get_levels (pixels.sum[k],
              READ_PIXEL (x, strip_y + y + k)));
  }
}

#include "fuse.clh"
