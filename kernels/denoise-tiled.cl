/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoising for GPUs, see denoise.cl. A group filters a tile: the blocks whose
 * middles are in one block of luma that has a vector.
 *
 * The transform of a block is one of rows, then one of columns, and blocks that
 * are above each other have 6 of 8 rows in common. So each row of the tile is
 * transformed once, and once back, after the columns of all blocks that cover
 * it are added up. Tiles overlap. A tile is written to global memory with its
 * weights, and `join_tiles` adds tiles up.
 *
 * Build with EARLIER, LATER, BLOCK_STEP, CURVE and STEP_Y, the samples from one
 * tile to the one below: a block of luma, or half of it, so that the rows of
 * many frames fit into local memory. */

#include "pixel.clh"
#include "border.clh"

#define REAL float
#include "denoise.clh"
#include "shrink.clh"
#include "apart.clh"

/* Tiles are this many samples apart across. */
#define STEP_X (VECTOR_BLOCK >> X_SHIFT)

#define BLOCKS_X (STEP_X / BLOCK_STEP)
#define BLOCKS_Y (STEP_Y / BLOCK_STEP)
#define BLOCKS (BLOCKS_X * BLOCKS_Y)

/* The blocks of a tile cover this many samples. BLOCK_STEP by BLOCK_STEP
 * samples have one weight. */
#define TILE_WIDTH (STEP_X + 8 - BLOCK_STEP)
#define TILE_HEIGHT (STEP_Y + 8 - BLOCK_STEP)
#define TILE_SAMPLES (TILE_WIDTH * TILE_HEIGHT)
#define TILE_WEIGHTS (TILE_SAMPLES / (BLOCK_STEP * BLOCK_STEP))
#define TILE_FLOATS (TILE_SAMPLES + TILE_WEIGHTS)

/* The first sample of a tile of luma is this far before the block of luma. */
#define BEFORE 4

/* A work-item filters one column of this many blocks, one above the other. */
#define BLOCKS_OF_ITEM (4 / BLOCK_STEP)

/* The columns of a row of blocks, and the work-items for each. */
#define COLUMNS (BLOCKS_X * 8)
#define PARTS (BLOCKS_Y / BLOCKS_OF_ITEM)
#define GROUP_SIZE (COLUMNS * PARTS)

/* The samples from one part to the next, and those that its blocks cover. */
#define PART_STEP (BLOCKS_OF_ITEM * BLOCK_STEP)
#define PART_HEIGHT (PART_STEP + 8 - BLOCK_STEP)

/* In floats: the transformed rows of a frame, and the sums of the parts. Sums
 * are written over the rows of the other frames. Rows that are transformed back
 * are written over those of the first frame. */
#define ROWS_SIZE (TILE_HEIGHT * COLUMNS)
#define SUMS_SIZE (PARTS * PART_HEIGHT * COLUMNS)
#if FRAMES * ROWS_SIZE > ROWS_SIZE + SUMS_SIZE
#define SHARED_SIZE (FRAMES * ROWS_SIZE)
#else
#define SHARED_SIZE (ROWS_SIZE + SUMS_SIZE)
#endif

/* Repeats a statement for numbers that are distributed over the work-items. */
#define EACH_OF(n, count) \
    for (int n = get_local_id (0); n < (count); n += GROUP_SIZE)

/* Transforms the rows of the tile in one frame. `from` is the first sample of
 * the tile. Rows that no block of the frame needs become 0. */
INLINE void
transform_rows (local float *rows, global const float *from, int pitch, int y,
    int height)
{
  EACH_OF (n, TILE_HEIGHT * BLOCKS_X) {
    const int column = n % BLOCKS_X;
    const int row = n / BLOCKS_X;
    float values[8] = { 0.0f };

    if (y + row >= FIRST_BLOCK && y + row < height + 8) {
#pragma unroll
      for (int i = 0; i < 8; i++)
        values[i] = from[row * pitch + BLOCK_STEP * column + i];
      dct_8 (values, 1);
    }
    vstore8 (vload8 (0, values), n, rows);
  }
}

/* The mean of a block of the current frame, by its transformed rows. */
INLINE float
get_mean (local const float *rows, int column, int row)
{
  float sum = 0.0f;

#if CURVE
#pragma unroll
  for (int i = 0; i < 8; i++)
    sum += rows[((BLOCK_STEP * row + i) * BLOCKS_X + column) * 8];
#endif
  return sum * (DCT_4 / 8.0f);
}

/* Transforms the columns of `n` frames or sums. */
INLINE void
transform_columns (float *values, int n)
{
#pragma unroll
  for (int k = 0; k < n; k++)
    dct_8 (values + 8 * k, 1);
}

/* E of up to this many frames is in registers. E of more frames would take so
 * many that only one group runs at a time. */
#define FRAMES_IN_REGISTERS 5

#if FRAMES > FRAMES_IN_REGISTERS

/* Shrinks the 8 coefficients of a column, see shrink_over_time (), with one row
 * of E in registers at a time. */
INLINE void
shrink_column_over_time (float *values, int j, global const float *basis,
    Noise noise, Ramps ramps, float *kept)
{
  float column[8] = { 0.0f };

#pragma unroll 1
  for (int q = 0; q < FRAMES; q++) {
    const float own = basis[q * FRAMES];
    const float factor = FACTOR_OF (q, basis[0]);
    float u[8];

#pragma unroll
    for (int i = 0; i < 8; i++)
      u[i] = own * values[i];
#pragma unroll
    for (int k = 1; k < FRAMES; k++) {
      const float other = basis[q * FRAMES + k];

#pragma unroll
      for (int i = 0; i < 8; i++)
        u[i] = FMA (other, values[8 * k + i], u[i]);
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
      const float gain = own * get_gain (u[i],
          RAMP_AT (ramps, noise.scales[8 * i + j]) * factor,
          i == 0 && j == 0 && q == 0);

      *kept = FMA (own, gain, *kept);
      column[i] = FMA (gain, u[i], column[i]);
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = column[i];
}

#endif

/* Transforms and shrinks column j of a block: 8 values for each frame. */
INLINE void
shrink_column (float *values, int j, int mask, global const float *bases,
    Noise noise, Ramps ramps, float *kept)
{
#if FRAMES > 1
#if SUMS > 0
  if (mask == (1 << (FRAMES - 1)) - 1) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      combine (values + i, 8);
    transform_columns (values, SUMS);
#pragma unroll
    for (int i = 0; i < 8; i++)
      values[i] = shrink_sums (values + i, 8,
          RAMP_AT (ramps, noise.scales[8 * i + j]), i == 0 && j == 0, kept);
    *kept *= FRAMES;
    return;
  }
#endif
  bases += mask * FRAMES * FRAMES;
  transform_columns (values, FRAMES);
#if FRAMES > FRAMES_IN_REGISTERS
  shrink_column_over_time (values, j, bases, noise, ramps, kept);
#else
  float basis[FRAMES * FRAMES];

#pragma unroll
  for (int i = 0; i < FRAMES * FRAMES; i++)
    basis[i] = bases[i];
#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = shrink_over_time (values + i, 8, basis,
        RAMP_AT (ramps, noise.scales[8 * i + j]), i == 0 && j == 0, kept);
#endif
  *kept *= COUNT_OF (bases);
#else
  transform_columns (values, 1);
#pragma unroll
  for (int i = 0; i < 8; i++)
    values[i] = shrink_alone (values[i], ramps.white, i == 0 && j == 0, kept);
#endif
}

/* Adds up the parts that cover a row, and transforms the row back. */
INLINE void
finish_rows (local float *rows, local const float *sums)
{
  EACH_OF (n, TILE_HEIGHT * BLOCKS_X) {
    const int row = n / BLOCKS_X;
    const int last = min (PARTS - 1, row / PART_STEP);
    float8 sum = 0.0f;
    float values[8];

    for (int m = max (0, (row + FIRST_BLOCK) / PART_STEP); m <= last; m++)
      sum += vload8 ((m * PART_HEIGHT + row - PART_STEP * m) * BLOCKS_X
          + n % BLOCKS_X, sums);
    vstore8 (sum, 0, values);
    inverse_dct_8 (values, 1);
    vstore8 (vload8 (0, values), n, rows);
  }
}

/* Writes the sums of the samples of the tile, then those of their weights. */
INLINE void
write_tile (global float *tile, local const float *rows,
    local const float *weights)
{
  EACH_OF (n, TILE_SAMPLES) {
    const int x = n % TILE_WIDTH;
    const int row = n / TILE_WIDTH;
    const int last = min (BLOCKS_X - 1, x / BLOCK_STEP);
    float sum = 0.0f;

    for (int m = max (0, (x + FIRST_BLOCK) / BLOCK_STEP); m <= last; m++)
      sum += rows[(row * BLOCKS_X + m) * 8 + x - BLOCK_STEP * m];
    tile[n] = sum;
  }
  EACH_OF (n, TILE_WEIGHTS) {
    const int x = n % (TILE_WIDTH / BLOCK_STEP);
    const int y = n / (TILE_WIDTH / BLOCK_STEP);
    float sum = 0.0f;

    for (int j = max (0, y - COVERING + 1); j <= min (BLOCKS_Y - 1, y); j++) {
      for (int i = max (0, x - COVERING + 1); i <= min (BLOCKS_X - 1, x); i++)
        sum += weights[j * BLOCKS_X + i];
    }
    tile[TILE_SAMPLES + n] = sum;
  }
}

/* Each group filters the blocks of a tile. The first tile across precedes the
 * frame, and the first one down is tile `first_row`, counted likewise. Rows of
 * tiles of all channels of the pass follow each other, `tile_rows` for each.
 * The other arguments are those of `shrink`, see denoise.cl. */
kernel __attribute__ ((reqd_work_group_size (GROUP_SIZE, 1, 1))) void
shrink_tiles (global const float *pictures, int current, int8 neighbours,
    int pitch, int plane_size, int height, int tile_rows, int first_row,
#if FRAMES > 1
    MOTION_IN, global const float *bases,
#endif
    NOISE_IN, global float *tiles)
{
  local float shared[SHARED_SIZE];
  local float *rows = shared;
  local float *sums = shared + ROWS_SIZE;
  local float kept[BLOCKS * 8];
  local float weights[BLOCKS];
  const int x = ((int) get_group_id (0) - 1) * STEP_X - BEFORE;
  const int channel = get_group_id (1) / tile_rows;
  const int y = ((int) get_group_id (1) % tile_rows + first_row - 1)
      * STEP_Y - BEFORE;
  const int place = (y + PAD_Y) * pitch + x + PAD_X;
  const Noise own = get_noise (NOISE_ARGUMENTS, channel, CURVE);

  pictures += (size_t) channel * plane_size;
  transform_rows (rows, pictures + current + place, pitch, y, height);
#if FRAMES > 1
  int starts[8];

  vstore8 (neighbours, 0, starts);

#pragma unroll
  for (int k = 1; k < FRAMES; k++) {
    const int2 vector = TO_SAMPLES (VECTOR_AT (k - 1, (x + BEFORE) << X_SHIFT,
            (y + BEFORE) << Y_SHIFT), (int2) (X_SHIFT, Y_SHIFT));

    transform_rows (rows + k * ROWS_SIZE, pictures
        + starts[k - 1] + place + vector.y * pitch + vector.x, pitch, y,
        height);
  }
#else
  (void) neighbours;
  global const float *bases = 0;
#endif
  barrier (CLK_LOCAL_MEM_FENCE);

  const int column = get_local_id (0) % COLUMNS;
  const int part = get_local_id (0) / COLUMNS;
  const int block_x = column / 8;
  float filtered[BLOCKS_OF_ITEM][8];
  float sum_of_part[PART_HEIGHT] = { 0.0f };

#pragma unroll
  for (int m = 0; m < BLOCKS_OF_ITEM; m++) {
    const int block_y = part * BLOCKS_OF_ITEM + m;
    float values[8 * FRAMES];
    float sum = 0.0f;
    int mask = 0;

#pragma unroll
    for (int k = 0; k < FRAMES; k++) {
#pragma unroll
      for (int i = 0; i < 8; i++)
        values[8 * k + i] = rows[(k * TILE_HEIGHT + BLOCK_STEP * block_y + i)
            * COLUMNS + column];
    }
#if FRAMES > 1
    mask = MASK_AT ((x + BLOCK_STEP * block_x + 4) << X_SHIFT,
        (y + BLOCK_STEP * block_y + 4) << Y_SHIFT);
#endif
    shrink_column (values, column % 8, mask, bases, own,
        get_ramps (own, get_mean (rows, block_x, block_y)), &sum);
    inverse_dct_8 (values, 1);
#pragma unroll
    for (int i = 0; i < 8; i++)
      filtered[m][i] = values[i];
    kept[block_y * COLUMNS + column] = sum;
  }
  barrier (CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int m = 0; m < BLOCKS_OF_ITEM; m++) {
    const int block_y = part * BLOCKS_OF_ITEM + m;
    const int top = y + BLOCK_STEP * block_y;
    const float8 of_columns = vload8 (block_y * BLOCKS_X + block_x, kept);
    const float4 half_sums = of_columns.lo + of_columns.hi;
    const float weight = top < FIRST_BLOCK || top >= height ? 0.0f
        : 1.0f / (half_sums.x + half_sums.y + half_sums.z + half_sums.w + 0.5f);

    if (column % 8 == 0)
      weights[block_y * BLOCKS_X + block_x] = weight;
#pragma unroll
    for (int i = 0; i < 8; i++)
      sum_of_part[BLOCK_STEP * m + i] += weight * filtered[m][i];
  }
#pragma unroll
  for (int i = 0; i < PART_HEIGHT; i++)
    sums[(part * PART_HEIGHT + i) * COLUMNS + column] = sum_of_part[i];
  barrier (CLK_LOCAL_MEM_FENCE);
  finish_rows (rows, sums);
  barrier (CLK_LOCAL_MEM_FENCE);
  write_tile (tiles + ((size_t) get_group_id (1) * get_num_groups (0)
          + get_group_id (0)) * TILE_FLOATS, rows, weights);
}

/* The sums of the tiles that cover a sample, and of their weights. `columns` is
 * the number of tiles across, and `y` counts from the first row of tile 1. */
INLINE float
join_sample (global const float *tiles, int columns, int x, int y)
{
  const int last_column = (x + BEFORE) / STEP_X + 1;
  const int last_row = (y + BEFORE) / STEP_Y + 1;
  float sum = 0.0f;
  float weight = 0.0f;

  for (int row = last_row - 1; row <= last_row; row++) {
    const int j = y + BEFORE - (row - 1) * STEP_Y;

    for (int column = last_column - 1; column <= last_column; column++) {
      const int i = x + BEFORE - (column - 1) * STEP_X;
      global const float *tile =
          tiles + ((size_t) row * columns + column) * TILE_FLOATS;

      if (i >= TILE_WIDTH || j >= TILE_HEIGHT)
        continue;
      sum += tile[j * TILE_WIDTH + i];
      weight += tile[TILE_SAMPLES + j / BLOCK_STEP * (TILE_WIDTH / BLOCK_STEP)
          + i / BLOCK_STEP];
    }
  }
  return sum / weight;
}

/* Each work-item writes one sample, with `grain` of the noise. The tiles of a
 * channel are `channel_size` floats after those of the previous channel.
 * `first_y` is the first row of the strip. */
kernel void
join_tiles (INPUT_PIXELS, OUTPUT_PIXELS, int width, int first_y, int rows,
    float grain, global const float *tiles, int columns, int channel_size)
{
  const int x = get_global_id (0);
  const int row = get_global_id (1);
  if (x >= width || row >= rows)
    return;

  const int y = first_y + row;
  float4 levels = READ_PIXEL (x, y);

  levels.x = ADD_GRAIN (join_sample (tiles, columns, x, row), levels.x);
#if CHANNELS > 1
  levels.y = ADD_GRAIN (join_sample (tiles + channel_size, columns, x, row),
      levels.y);
#endif
#if CHANNELS > 2
  levels.z = ADD_GRAIN (join_sample (tiles + 2 * (size_t) channel_size,
          columns, x, row), levels.z);
#endif
  WRITE_PIXEL (x, y, levels);
}
