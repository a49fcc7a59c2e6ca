/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spectrum of the noise, and the pictures that match: for CPUs. See
 * spectrum.clh. Loops over the rows of blocks are not unrolled, because
 * compilers take long for their code. */

#include "pixel.clh"
#include "components.clh"
#include "match.clh"
#include "prefetch.clh"
#include "differences.clh"

/* A row of a block, or a column: eight values. */
#define REAL float8
#include "spectrum-blocks.clh"

/* Rows of a patch, a block and the samples around it, are this many floats
 * apart. */
#define PATCH_PITCH 16

/* Loads the samples around the block at x, y, in levels of 8 bits. */
INLINE void
load_patch (float *patch, Channel channel, int width, int height, int x, int y)
{
#pragma unroll 1
  for (int j = 0; j < PATCH_SIDE; j++) {
#pragma unroll 1
    for (int i = 0; i < PATCH_SIDE; i++)
      patch[j * PATCH_PITCH + i] = read_level (channel,
          clamp (x + i - 2, 0, width - 1), clamp (y + j - 2, 0, height - 1))
          * (255.0f / MAX_LEVEL);
  }
}

INLINE float
sum_of_8 (float8 v)
{
  const float4 a = v.lo + v.hi;

  return a.x + a.y + a.z + a.w;
}

/* Transforms 8 rows. The result has rows and columns exchanged. */
INLINE void
transform_exchanged (float8 *rows, float *spectrum)
{
  dct_8 (rows, 1);
  for (int i = 0; i < 8; i++)
    vstore8 (rows[i], i, spectrum);
  for (int i = 0; i < 8; i++)
    rows[i] = (float8) (spectrum[i], spectrum[8 + i], spectrum[16 + i],
        spectrum[24 + i], spectrum[32 + i], spectrum[40 + i],
        spectrum[48 + i], spectrum[56 + i]);
  dct_8 (rows, 1);
  for (int i = 0; i < 8; i++)
    vstore8 (rows[i], i, spectrum);
}

/* Writes the spectrum R of the residual of two patches to `spectrum`, without
 * the part that a subsample shift explains. Exchanges rows and columns. Returns
 * the square of the shift. */
INLINE float
get_residual (const float *a, const float *b, float *spectrum)
{
  float middle[PATCH_SIDE * PATCH_PITCH];
  float8 d[8], gx[8], gy[8];
  float8 d_sum = 0.0f, x_sum = 0.0f, y_sum = 0.0f;
  float8 xx = 0.0f, xy = 0.0f, yy = 0.0f, xd = 0.0f, yd = 0.0f;

#pragma unroll 1
  for (int j = 0; j < PATCH_SIDE; j++) {
    for (int i = 0; i < PATCH_SIDE; i++)
      middle[j * PATCH_PITCH + i] =
          0.5f * (a[j * PATCH_PITCH + i] + b[j * PATCH_PITCH + i]);
  }
#pragma unroll 1
  for (int j = 0; j < 8; j++) {
    const float *row = middle + (j + 2) * PATCH_PITCH;
    const float *column = middle + j * PATCH_PITCH + 2;

    d[j] = vload8 (0, a + (j + 2) * PATCH_PITCH + 2)
        - vload8 (0, b + (j + 2) * PATCH_PITCH + 2);
    gx[j] = (vload8 (0, row) - vload8 (0, row + 4)
        + 8.0f * (vload8 (0, row + 3) - vload8 (0, row + 1))) / 12.0f;
    gy[j] = (vload8 (0, column) - vload8 (0, column + 4 * PATCH_PITCH)
        + 8.0f * (vload8 (0, column + 3 * PATCH_PITCH)
            - vload8 (0, column + PATCH_PITCH))) / 12.0f;
    d_sum += d[j];
    x_sum += gx[j];
    y_sum += gy[j];
  }

  const float d_mean = sum_of_8 (d_sum) / 64.0f;
  const float x_mean = sum_of_8 (x_sum) / 64.0f;
  const float y_mean = sum_of_8 (y_sum) / 64.0f;

#pragma unroll 1
  for (int j = 0; j < 8; j++) {
    const float8 x = gx[j] - x_mean, y = gy[j] - y_mean;

    xx += x * x;
    xy += x * y;
    yy += y * y;
    xd += x * (d[j] - d_mean);
    yd += y * (d[j] - d_mean);
  }

  const float s_xx = sum_of_8 (xx) + 1.0f, s_yy = sum_of_8 (yy) + 1.0f;
  const float s_xy = sum_of_8 (xy);
  const float s_xd = sum_of_8 (xd), s_yd = sum_of_8 (yd);
  const float determinant = s_xx * s_yy - s_xy * s_xy;
  const float u = clamp ((s_xd * s_yy - s_yd * s_xy) / determinant, -1.0f,
      1.0f);
  const float v = clamp ((s_yd * s_xx - s_xd * s_xy) / determinant, -1.0f,
      1.0f);

#pragma unroll 1
  for (int j = 0; j < 8; j++)
    d[j] = (d[j] - u * gx[j] - v * gy[j]) * 0.70710678118654752f;
  transform_exchanged (d, spectrum);
  return u * u + v * v;
}

/* Sets `sums` to the sums of the squares of the coefficients with LOW_BEGIN <=
 * i + j <= end: where i + j is even, where it is odd, and of both, which is
 * added up in another order and so differs from the sum of the two. */
INLINE void
get_band_energies (const float *spectrum, int end, float *sums)
{
  sums[0] = sums[1] = sums[2] = 0.0f;
#pragma unroll 1
  for (int i = 0; i < 8; i++) {
#pragma unroll 1
    for (int j = max (0, LOW_BEGIN - i); j <= min (7, end - i); j++) {
      const float own = spectrum[8 * i + j];

      sums[(i + j) & 1] += own * own;
      sums[2] += own * own;
    }
  }
}

/* Writes the measurements of a block to `out`. `other` is the patch of the
 * other picture. */
NOINLINE void
measure_block (global float *out, const float *patch, const float *other,
    int curve)
{
  float spectrum[64];
  float energies[3];
  float8 rows[8];
  float8 sum = 0.0f;
  int8 clipped = 0;

  out[BLOCK_SHIFT] = get_residual (patch, other, spectrum);
#pragma unroll 1
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++)
      out[BLOCK_R + 8 * j + i] = spectrum[8 * i + j];
  }
  get_band_energies (spectrum, LOW_END, energies);
  out[BLOCK_EVEN] = energies[0] / N_LOW_EVEN;
  out[BLOCK_ODD] = energies[1] / N_LOW_ODD;
  out[BLOCK_E] = energies[2] / N_LOW;

#pragma unroll 1
  for (int j = 0; j < 8; j++) {
    const float8 own = vload8 (0, patch + (j + 2) * PATCH_PITCH + 2);

    sum += own;
    clipped += own <= 0.0f || own >= LEVELS * (255.0f / MAX_LEVEL);
    rows[j] = 0.5f * (own + vload8 (0, other + (j + 2) * PATCH_PITCH + 2));
  }
  transform_exchanged (rows, spectrum);
  get_band_energies (spectrum, TEXTURE_END, energies);

  const float texture = energies[2] / N_TEXTURE;
  const int4 parts = clipped.lo + clipped.hi;
  /* True is -1. */
  const int n_clipped = -(parts.x + parts.y + parts.z + parts.w);

  out[BLOCK_TEXTURE] = texture;
  out[BLOCK_CLASS] = get_class (texture, sum_of_8 (sum), n_clipped, curve);
}

/* Each work-item measures a block. */
kernel void
measure_blocks (MEASURE_IN)
{
  const int n = get_global_id (0);
  const int m = get_global_id (1);
  const int channel = CHANNEL_OF_ROW (m, rows);
  const int row = m - FIRST_ROW_OF (channel, rows);
  if (n >= OF_CHANNEL (columns, channel) || channel >= CHANNELS)
    return;

  const int other = choose_other (candidates, noise);
  global float *measured = get_block (result, scratch, channel,
      row * OF_CHANNEL (columns, channel) + n);

  measured[BLOCK_CLASS] = -1.0f;
  if (other < 0)
    return;

  const int2 size = channel == 0 ? sizes.xy : sizes.zw;
  const int2 own = (int2) (n, row) * OF_CHANNEL (steps, channel);
  const int2 shift = get_shift (own, channel, other, motion, blocks);
  float patches[2 * PATCH_SIDE * PATCH_PITCH];

  /* The loop keeps the code short, because compilers take long for it. */
#pragma unroll 1
  for (int k = 0; k < 2; k++)
    load_patch (patches + k * PATCH_SIDE * PATCH_PITCH,
        choose_channel (INPUT_PLANES_ARGUMENTS, PICTURE_ARGUMENTS (before),
            PICTURE_ARGUMENTS (last), PICTURE_ARGUMENTS (next), candidates,
            k == 0 ? -1 : other, channel), size.x, size.y, own.x + k * shift.x,
        own.y + k * shift.y);
  measure_block (measured, patches, patches + PATCH_SIDE * PATCH_PITCH,
      OF_CHANNEL (classes, channel) > 1);
  if (measured[BLOCK_CLASS] >= 0.0f)
    count_block (result, scratch, channel, (int) measured[BLOCK_CLASS],
        measured[BLOCK_TEXTURE], measured[BLOCK_SHIFT]);
}

/* The cells of a block, across and down. */
#define BLOCK_CELLS (MOTION_BLOCK / MOTION_CELL)

/* The sums of the differences of 4 rows in the windows of 4 cells that are side
 * by side: of 4 columns each, of which there are 5. */
INLINE uint4
compare_rows_of_cells (global const ushort *current,
    global const ushort *neighbour, int pitch)
{
  ushort16 sums = 0;
  ushort4 last = 0;

#pragma unroll
  for (int y = 0; y < MOTION_CELL; y++) {
    const ushort4 a = vload4 (0, current + y * pitch + 16);
    const ushort4 b = vload4 (0, neighbour + y * pitch + 16);

    /* Rows of the next block, which starts after 16 samples. */
    PREFETCH (current + y * pitch + 16 + 19, 0)
    PREFETCH (neighbour + y * pitch + 16 + 19, 0)
    sums += get_differences (vload16 (0, current + y * pitch),
        vload16 (0, neighbour + y * pitch));
    last += max (a, b) - min (a, b);
  }

  const uint4 columns = add_columns (sums);

  return columns + (uint4) (columns.s123,
      (uint) last.s0 + last.s1 + last.s2 + last.s3);
}

/* Sets bit k of `masks`, which has a vector for each row of cells, if the
 * pictures match in a block. A loop that is not unrolled keeps the code short,
 * because compilers take long for it. */
INLINE void
compare_block (int4 masks[BLOCK_CELLS], Window window, int2 vector, uint limit,
    int k)
{
  const int pitch = window.pitch;
  global const ushort *neighbour =
      window.neighbour + vector.y * pitch + vector.x;
  uint4 above = 0;

#pragma unroll 1
  for (int y = 0; y <= BLOCK_CELLS; y++) {
    const int row = y * MOTION_CELL * pitch;
    const uint4 below = compare_rows_of_cells (window.current + row,
        neighbour + row, pitch);

    if (y > 0)
      masks[y - 1] |= (above + below <= (uint4) limit) & (int4) (1 << k);
    above = below;
  }
}

/* Each work-item finds the neighbours that match in the cells of a block.
 * Pictures of another shot do not match. */
kernel void
compare_blocks (COMPARE_IN)
{
  const int x = get_global_id (0);
  const int y = get_global_id (1);
  if (x >= blocks.x || y >= blocks.y)
    return;

  int starts[8];
  const uint limit = result[SPECTRUM_LIMIT];
  int4 masks[BLOCK_CELLS] = { 0, 0, 0, 0 };

  present &= MASK_OF_SHOT (noise, n_earlier);
  vstore8 (neighbours, 0, starts);
  for (int k = 0; k < n; k++) {
    if (present >> k & 1)
      compare_block (masks, get_match_window (pictures, current, starts[k],
              blocks, x * MOTION_BLOCK, y * MOTION_BLOCK),
          vload2 ((k * blocks.y + y) * blocks.x + x, motion), limit, k);
  }
  result += SPECTRUM_MASKS;
  for (int j = 0; j < min (BLOCK_CELLS, cells.y - y * BLOCK_CELLS); j++) {
    int of_row[BLOCK_CELLS];

    vstore4 (masks[j], 0, of_row);
    for (int i = 0; i < min (BLOCK_CELLS, cells.x - x * BLOCK_CELLS); i++)
      result[(y * BLOCK_CELLS + j) * cells.x + x * BLOCK_CELLS + i] =
          of_row[i];
  }
}
