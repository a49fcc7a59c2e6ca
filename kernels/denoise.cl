/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoising by shrinking the DCT of blocks over time, a direct implementation
 * of the definition for any device.
 *
 * `take_apart` converts a frame to a picture, see denoise-planes.clh. `shrink`
 * filters blocks, one for each work-item, and `put_together` takes the weighted
 * mean of the blocks that cover a sample. The last two process a strip of rows,
 * which bounds the memory for the blocks.
 *
 * Build with EARLIER and LATER, the numbers of neighbours, BLOCK_STEP, and
 * CURVE, whether the noise of the channels depends on the brightness. */

#include "pixel.clh"
#include "border.clh"

#define REAL float
#include "denoise.clh"
#include "shrink.clh"
#include "apart.clh"

/* The number of floats that `shrink` writes for a block: its samples times its
 * weight, and the weight. */
#define BLOCK_FLOATS 65

/* Loads and transforms the block of one frame. */
INLINE void
load_block (float *block, global const float *from, int pitch)
{
  for (int row = 0; row < 8; row++) {
    for (int column = 0; column < 8; column++)
      block[8 * row + column] = from[row * pitch + column];
  }
  dct_block (block);
}

/* Each work-item filters a block of channel `channel`. Blocks of a strip start
 * at row `first_y`. A row of blocks has `columns` blocks. The current frame
 * starts at float `current` of `pictures`, its neighbours at `neighbours`.
 * `bases` holds E for each mask, see shrink.clh. The noise is `given`, or
 * `noise` of the channel if `given` is negative, and that of `spectrum` if it
 * is stronger. The threshold is `factor` times the noise. */
kernel void
shrink (global const float *pictures, int current, int8 neighbours, int pitch,
    int plane_size, int channel, int first_y, int columns, int rows,
#if FRAMES > 1
    MOTION_IN, global const float *bases,
#endif
    NOISE_IN, global float *blocks_out, int blocks_offset)
{
  int n = get_global_id (0);
  int m = get_global_id (1);
  if (n >= columns || m >= rows)
    return;

  int x = FIRST_BLOCK + BLOCK_STEP * n;
  int y = first_y + BLOCK_STEP * m;
  float block[FRAMES * 64];
  float basis[FRAMES * FRAMES];

  pictures += (size_t) channel * plane_size + (y + PAD_Y) * pitch + x + PAD_X;
  load_block (block, pictures + current, pitch);
#if FRAMES > 1
  const int luma_x = (x + 4) << X_SHIFT;
  const int luma_y = (y + 4) << Y_SHIFT;
  const int mask = MASK_AT (luma_x, luma_y);
  int starts[8];

  vstore8 (neighbours, 0, starts);
  for (int k = 1; k < FRAMES; k++) {
    const int2 vector = TO_SAMPLES (VECTOR_AT (k - 1, luma_x, luma_y),
        (int2) (X_SHIFT, Y_SHIFT));

    load_block (block + 64 * k, pictures + starts[k - 1] + vector.y * pitch
        + vector.x, pitch);
  }
  for (int i = 0; i < FRAMES * FRAMES; i++)
    basis[i] = bases[mask * FRAMES * FRAMES + i];
#else
  (void) neighbours;
  basis[0] = 1.0f;
#endif

  const float weight = shrink_block (block, basis,
      get_noise (NOISE_ARGUMENTS, channel, CURVE));

  blocks_out += blocks_offset + (size_t) (m * columns + n) * BLOCK_FLOATS;
  for (int i = 0; i < 64; i++)
    blocks_out[i] = weight * block[i];
  blocks_out[64] = weight;
}

/* Returns the mean of the blocks that cover the sample at x, y. y counts from
 * the first row of the blocks. */
float
get_mean (global const float *blocks_in, int columns, int x, int y)
{
  /* The first of the blocks that cover x. */
  const int first_n = (x - FIRST_BLOCK) / BLOCK_STEP - COVERING + 1;
  const int first_m = y / BLOCK_STEP - COVERING + 1;
  float sum = 0.0f;
  float weights = 0.0f;

  for (int m = first_m; m < first_m + COVERING; m++) {
    for (int n = first_n; n < first_n + COVERING; n++) {
      global const float *block =
          blocks_in + (size_t) (m * columns + n) * BLOCK_FLOATS;

      sum += block[(y - BLOCK_STEP * m) * 8 + x - FIRST_BLOCK
          - BLOCK_STEP * n];
      weights += block[64];
    }
  }
  return sum / weights;
}

/* Each work-item writes one sample. `strip_y` is the first row of the strip,
 * which is -FIRST_BLOCK rows after the first row of its blocks. `grain` of the
 * noise stays. Blocks of a channel are `channel_size` floats after the blocks
 * of the previous channel. */
kernel void
put_together (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height,
    int strip_y, int strip_rows, float grain, global const float *blocks_in,
    int columns, int channel_size)
{
  int x = get_global_id (0);
  int row = get_global_id (1);
  if (x >= width || row >= strip_rows)
    return;

  int y = strip_y + row;
  float4 levels = READ_PIXEL (x, y);
  const int block_y = row - FIRST_BLOCK;

  levels.x = ADD_GRAIN (get_mean (blocks_in, columns, x, block_y), levels.x);
#if CHANNELS > 1
  levels.y = ADD_GRAIN (get_mean (blocks_in + channel_size, columns, x,
          block_y), levels.y);
#endif
#if CHANNELS > 2
  levels.z = ADD_GRAIN (get_mean (blocks_in + 2 * (size_t) channel_size,
          columns, x, block_y), levels.z);
#endif
  (void) height;
  WRITE_PIXEL (x, y, levels);
}
