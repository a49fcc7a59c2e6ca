/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Noise estimation and cut detection, see noise.clh. One block per
 * work-item. */

#include "pixel.clh"
#include "color.clh"
#include "components.clh"
#include "channels.clh"

#define REAL float
#include "dct.clh"
#include "noise.clh"

/* The luma of a pixel in levels of the format. */
INLINE float
read_luma (INPUT_PLANES, int x, int y)
{
#if CHANNELS == 3 && !defined (IS_YCBCR)
  const float4 levels = READ_PIXEL (x, y);

  return LUMA_100 (levels.x, levels.y, levels.z) / 100.0f;
#else
  return read_level (get_channel (INPUT_PLANES_ARGUMENTS, 0), x, y);
#endif
}

/* Each work-item computes the mean of one of `size` blocks, which are spread
 * over all blocks of 8 x 8. Means are at word `offset`. */
kernel void
take_means (INPUT_PLANES, int width, int height, int2 size,
    global int *means, int offset)
{
  int n = get_global_id (0);
  int m = get_global_id (1);
  if (n >= size.x || m >= size.y)
    return;

  const int first_x = n * (width / 8) / size.x * 8;
  const int first_y = m * (height / 8) / size.y * 8;
  float sum = 0.0f;

  for (int y = first_y; y < first_y + 8; y++) {
    for (int x = first_x; x < first_x + 8; x++)
      sum += read_luma (INPUT_PLANES_ARGUMENTS, x, y);
  }
  /* Components may have bits above the depth, and levels between operations
   * may be out of range. */
  means[offset + m * size.x + n] =
      clamp ((int) rint (sum * (255.0f / MAX_LEVEL / 16.0f)), 0, MAX_MEAN);
}

/* Loads and transforms the block of a channel. Returns the number of its
 * clipped samples. Sets `is_flat` to whether all samples of a row or of a
 * column are equal. The loops over rows and columns are not unrolled, because
 * compilers take long for copies of dct_8 (). */
INLINE int
load_block (float *block, int *is_flat, Channel channel, int x, int y)
{
  float first[8] = { 0.0f };
  int n_clipped = 0, flat_columns = 255;

  *is_flat = 0;
#pragma unroll 1
  for (int row = 0; row < 8; row++) {
    float values[8];
    int is_flat_row = 1;

#pragma unroll
    for (int column = 0; column < 8; column++) {
      const float level = read_level (channel, x + column, y + row);

      n_clipped += level <= 0.0f || level >= LEVELS;
      values[column] = level * (255.0f / MAX_LEVEL);
      is_flat_row &= values[column] == values[0];
      if (row == 0)
        first[column] = values[column];
      if (values[column] != first[column])
        flat_columns &= ~(1 << column);
    }
    *is_flat |= is_flat_row;
    dct_8 (values, 1);
#pragma unroll
    for (int column = 0; column < 8; column++)
      block[8 * row + column] = values[column];
  }
  *is_flat |= flat_columns != 0;
#pragma unroll 1
  for (int column = 0; column < 8; column++)
    dct_8 (block + column, 8);
  return n_clipped;
}

/* Returns two mean squares of coefficients C(i, j) of a block: x is that of the
 * 40 with 2 <= i + j <= 8, y that of the 35 with 1 <= i + j <= 7. */
INLINE float2
get_mean_squares (const float *block)
{
  float2 sums = 0.0f;

#pragma unroll 1
  for (int i = 0; i < 8; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++) {
      if (i + j >= 2 && i + j <= 8)
        sums.x += block[8 * i + j] * block[8 * i + j];
      if (i + j >= 1 && i + j <= 7)
        sums.y += block[8 * i + j] * block[8 * i + j];
    }
  }
  return sums / (float2) (40.0f, 35.0f);
}

/* Each work-item counts a block in the classes that there are, and writes it.
 * Rows of blocks of all channels follow each other. `steps`, `columns` and
 * `rows` are those of channel 0, and of other channels. */
kernel void
take_energies (INPUT_PLANES, int2 steps, int2 columns, int2 rows,
    int n_classes, global int *result)
{
  const int n = get_global_id (0);
  const int m = get_global_id (1);
  const int channel = CHANNEL_OF_ROW (m, rows);
  const int row = m - FIRST_ROW_OF (channel, rows);
  const int step = OF_CHANNEL (steps, channel);
  if (n >= OF_CHANNEL (columns, channel) || channel >= CHANNELS)
    return;

  global int *counts = NOISE_COUNTS (result, channel * n_classes);
  global ushort *written =
      NOISE_BLOCK (result, channel, row * OF_CHANNEL (columns, channel) + n);
  float block[64];
  int is_flat;
  const int n_clipped = load_block (block, &is_flat,
      get_channel (INPUT_PLANES_ARGUMENTS, channel), n * step, row * step);
  const float2 energies = get_mean_squares (block);

  is_flat |= energies.x < MIN_NOISE;
  if (n_clipped > MAX_CLIPPED || is_flat) {
    written[NOISE_BLOCK_ENERGY] = NO_ENERGY;
    if (n_clipped <= MAX_CLIPPED)
      atomic_inc ((volatile global int *) counts + COUNT_FLAT);
    return;
  }

  const int energy = BIN_OF (energies.y);
  const int class = n_classes > 1 ? CLASS_OF (block) : 0;
  int place = 0;

  atomic_inc ((volatile global int *) counts + COUNT_ENERGIES + energy);
  if (class > 0)
    atomic_inc ((volatile global int *) counts + class * COUNT_WORDS
        + COUNT_ENERGIES + energy);
  written[NOISE_BLOCK_ENERGY] = energy;
  written[NOISE_BLOCK_CLASS] = class;
  /* No frequency below 2 is in a sum of 9. */
#pragma unroll 1
  for (int i = 2; i < 8; i++) {
#pragma unroll
    for (int j = 2; j < 8; j++) {
      if (i + j >= 9)
        written[place++] = BIN_OF (fabs (block[8 * i + j]));
    }
  }
}
