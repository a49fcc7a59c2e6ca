/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spectrum of the noise, and the pictures that match: for GPUs. See
 * spectrum.clh. */

#include "pixel.clh"
#include "components.clh"
#include "match.clh"

#define REAL float
#include "spectrum-blocks.clh"

/* A group measures GROUP_BLOCKS blocks, with BLOCK_ITEMS work-items for each:
 * one for each column of samples, and then for each frequency down. */
#define BLOCK_ITEMS 8
#define GROUP_BLOCKS 8
#define GROUP_SIZE (BLOCK_ITEMS * GROUP_BLOCKS)

/* The number of sums at a time. */
#define N_SUMS 5

/* The pitch of a spectrum and the padding after a block, in floats, avoid bank
 * conflicts. */
#define SPECTRUM_PITCH 9
#define BLOCK_PADDING 8

/* Shared data of the work-items of a block. */
typedef struct
{
  float patches[2][PATCH_SIDE * PATCH_SIDE];
  float spectrum[8 * SPECTRUM_PITCH];   /* rows are frequencies across */
  float sums[N_SUMS * BLOCK_ITEMS + BLOCK_PADDING];
} Block;

INLINE int
get_item (void)
{
  return get_local_id (0) % BLOCK_ITEMS;
}

/* Loads the samples around a block that starts at x, y, in levels of 8 bits. */
INLINE void
load_patch (local float *patch, Channel channel, int2 size, int x, int y)
{
  for (int i = get_item (); i < PATCH_SIDE * PATCH_SIDE; i += BLOCK_ITEMS)
    patch[i] = read_level (channel,
        clamp (x + i % PATCH_SIDE - 2, 0, size.x - 1),
        clamp (y + i / PATCH_SIDE - 2, 0, size.y - 1)) * (255.0f / MAX_LEVEL);
}

/* Replaces each of N_SUMS values by its sum over the work-items of the block.
 * All work-items of the group call this function. */
INLINE void
sum_up (local Block *block, float *values)
{
  barrier (CLK_LOCAL_MEM_FENCE);        /* all have read the sums before */
#pragma unroll
  for (int k = 0; k < N_SUMS; k++)
    block->sums[k * BLOCK_ITEMS + get_item ()] = values[k];
  barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int k = 0; k < N_SUMS; k++) {
    const float8 all = vload8 (k, block->sums);
    const float4 halves = all.lo + all.hi;

    values[k] = halves.x + halves.y + halves.z + halves.w;
  }
}

/* Transforms a block, of which each work-item has a column, into the spectrum.
 * Then each work-item has the frequencies of one row. All work-items of the
 * group call this function. */
INLINE void
transform (local Block *block, float *values)
{
  const int item = get_item ();

  /* One copy of the body: compilers take long for two. */
#pragma unroll 1
  for (int k = 0; k < 2; k++) {
    dct_8 (values, 1);
    barrier (CLK_LOCAL_MEM_FENCE);      /* all have read the spectrum */
#pragma unroll
    for (int i = 0; i < 8; i++)
      block->spectrum[SPECTRUM_PITCH * i + item] = values[i];
    barrier (CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < 8; i++)
      values[i] = block->spectrum[SPECTRUM_PITCH * item + i];
  }
}

/* Returns the mean of the squares of the n coefficients with LOW_BEGIN <= i + j
 * <= end, whose sum is odd or even or both: `parity` is 1, 0 or -1. */
INLINE float
get_band_energy (local const Block *block, int end, int parity, float n)
{
  float sum = 0.0f;

  for (int i = 0; i < 64; i++) {
    const int frequency = i / 8 + i % 8;
    const float own = block->spectrum[SPECTRUM_PITCH * (i / 8) + i % 8];

    if (frequency >= LOW_BEGIN && frequency <= end
        && (parity < 0 || (frequency & 1) == parity))
      sum += own * own;
  }
  return sum / n;
}

/* The sample at x, y of a patch, and of the mean of both. */
#define SAMPLE(patch, x, y) (patch)[(y) * PATCH_SIDE + (x)]
#define MIDDLE(x, y) (0.5f * (SAMPLE (a, x, y) + SAMPLE (b, x, y)))

/* Sets `values` to the column of a work-item in the residual of the patches of
 * a block, without the part that a subsample shift explains, and `means` to
 * that of their mean. Sets `sum` to the sum of the samples, and `n_clipped` to
 * the number of clipped samples. Returns the square of the shift. All
 * work-items of the group call this function. */
INLINE float
get_residual (local Block *block, float *values, float *means, float *sum,
    int *n_clipped)
{
  local const float *a = block->patches[0], *b = block->patches[1];
  const int x = get_item ();
  float gx[8], gy[8];
  float sums[N_SUMS] = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };
  float products[N_SUMS] = { 0.0f, 0.0f, 0.0f, 0.0f, 0.0f };

#pragma unroll
  for (int y = 0; y < 8; y++) {
    const float own = SAMPLE (a, x + 2, y + 2);

    means[y] = MIDDLE (x + 2, y + 2);
    values[y] = own - SAMPLE (b, x + 2, y + 2);
    gx[y] = (MIDDLE (x, y + 2) - MIDDLE (x + 4, y + 2)
        + 8.0f * (MIDDLE (x + 3, y + 2) - MIDDLE (x + 1, y + 2))) / 12.0f;
    gy[y] = (MIDDLE (x + 2, y) - MIDDLE (x + 2, y + 4)
        + 8.0f * (MIDDLE (x + 2, y + 3) - MIDDLE (x + 2, y + 1))) / 12.0f;
    sums[0] += values[y];
    sums[1] += gx[y];
    sums[2] += gy[y];
    sums[3] += own;
    sums[4] += own <= 0.0f || own >= LEVELS * (255.0f / MAX_LEVEL) ? 1.0f
        : 0.0f;
  }
  sum_up (block, sums);
  *sum = sums[3];
  *n_clipped = (int) sums[4];

#pragma unroll
  for (int y = 0; y < 8; y++) {
    const float d = values[y] - sums[0] / 64.0f;
    const float dx = gx[y] - sums[1] / 64.0f, dy = gy[y] - sums[2] / 64.0f;

    products[0] += dx * dx;
    products[1] += dx * dy;
    products[2] += dy * dy;
    products[3] += dx * d;
    products[4] += dy * d;
  }
  sum_up (block, products);

  const float xx = products[0] + 1.0f, yy = products[2] + 1.0f;
  const float xy = products[1], xd = products[3], yd = products[4];
  const float determinant = xx * yy - xy * xy;
  const float u = clamp ((xd * yy - yd * xy) / determinant, -1.0f, 1.0f);
  const float v = clamp ((yd * xx - xd * xy) / determinant, -1.0f, 1.0f);

#pragma unroll
  for (int y = 0; y < 8; y++)
    values[y] = (values[y] - u * gx[y] - v * gy[y]) * 0.70710678118654752f;
  return u * u + v * v;
}

/* Each group measures blocks of a row. PoCL fails if code before a barrier may
 * return early. */
kernel __attribute__ ((reqd_work_group_size (GROUP_SIZE, 1, 1))) void
measure_blocks (MEASURE_IN)
{
  local Block shared[GROUP_BLOCKS];
  local Block *block = shared + get_local_id (0) / BLOCK_ITEMS;
  const int item = get_item ();
  const int n = get_global_id (0) / BLOCK_ITEMS;
  const int m = get_global_id (1);
  const int channel = CHANNEL_OF_ROW (m, rows);
  const int row = m - FIRST_ROW_OF (channel, rows);
  const int is_block = channel < CHANNELS && n < OF_CHANNEL (columns, channel);
  const int other = choose_other (candidates, noise);
  const int2 size = channel == 0 ? sizes.xy : sizes.zw;
  const int2 own = (int2) (n, row) * OF_CHANNEL (steps, channel);
  const int2 shift =
      get_shift (own, channel, max (other, 0), motion, blocks);
  global float *measured = get_block (result, scratch, channel,
      row * OF_CHANNEL (columns, channel) + n);
  float values[8], means[8];
  float sum;
  int n_clipped;

#pragma unroll 1
  for (int k = 0; k < 2; k++)
    load_patch (block->patches[k],
        choose_channel (INPUT_PLANES_ARGUMENTS, PICTURE_ARGUMENTS (before),
            PICTURE_ARGUMENTS (last), PICTURE_ARGUMENTS (next), candidates,
            k == 0 ? -1 : other, channel), size, own.x + k * shift.x,
        own.y + k * shift.y);
  barrier (CLK_LOCAL_MEM_FENCE);

  const float squared_shift =
      get_residual (block, values, means, &sum, &n_clipped);

  transform (block, values);
  if (is_block) {
#pragma unroll
    for (int i = 0; i < 8; i++)
      measured[BLOCK_R + 8 * i + item] = values[i];
    if (item < 3)
      measured[item == 0 ? BLOCK_E : item == 1 ? BLOCK_EVEN : BLOCK_ODD] =
          get_band_energy (block, LOW_END, item - 1,
          item == 0 ? N_LOW : item == 1 ? N_LOW_EVEN : N_LOW_ODD);
  }
  transform (block, means);
  if (is_block && item == 0) {
    const float texture = get_band_energy (block, TEXTURE_END, -1, N_TEXTURE);
    const int class = other < 0 ? -1 : get_class (texture, sum, n_clipped,
        OF_CHANNEL (classes, channel) > 1);

    measured[BLOCK_SHIFT] = squared_shift;
    measured[BLOCK_TEXTURE] = texture;
    measured[BLOCK_CLASS] = class;
    if (class >= 0)
      count_block (result, scratch, channel, class, texture, squared_shift);
  }
}

/* Each work-item finds the neighbours that match in a cell. Pictures of another
 * shot do not match. */
kernel void
compare (COMPARE_IN)
{
  const int x = get_global_id (0);
  const int y = get_global_id (1);
  if (x >= cells.x || y >= cells.y)
    return;

  int starts[8];
  const int limit = result[SPECTRUM_LIMIT];
  const int block = y * MOTION_CELL / MOTION_BLOCK * blocks.x
      + x * MOTION_CELL / MOTION_BLOCK;
  int mask = 0;

  present &= MASK_OF_SHOT (noise, n_earlier);
  vstore8 (neighbours, 0, starts);
  for (int k = 0; k < n; k++) {
    if (!(present >> k & 1))
      continue;

    const Window window = get_match_window (pictures, current, starts[k],
        blocks, x * MOTION_CELL, y * MOTION_CELL);
    const int2 vector = vload2 (k * blocks.x * blocks.y + block, motion);
    int sum = 0;

    for (int j = 0; j < MATCH_SIDE && sum <= limit; j++) {
      for (int i = 0; i < MATCH_SIDE; i++)
        sum += abs ((int) window.current[j * window.pitch + i]
            - window.neighbour[(j + vector.y) * window.pitch + i + vector.x]);
    }
    mask |= (sum <= limit) << k;
  }
  result[SPECTRUM_MASKS + y * cells.x + x] = mask;
}
