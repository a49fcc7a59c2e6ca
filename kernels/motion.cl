/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search, a direct implementation of the definition, see search.clh. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"
#include "motion-pixels.clh"

/* Each work-item makes a sample of the blurred plane at word `offset`. */
kernel void
blur (INPUT_PIXELS, int width, int height, global ushort *pictures, int offset,
    int2 blocks)
{
  const int weights[7] = MOTION_WEIGHTS;
  const int pitch = MOTION_PITCH (blocks.x, 0);
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= pitch || y >= MOTION_PITCH (blocks.y, 0))
    return;

  uint sum = 0;
  for (int j = 0; j < 7; j++) {
    const int tap_y = clamp (y - MOTION_PAD + j - 3, 0, height - 1);
    uint row = 0;

    for (int i = 0; i < 7; i++)
      row += weights[i] * read_luma (INPUT_ARGUMENTS,
          clamp (x - MOTION_PAD + i - 3, 0, width - 1), tap_y);
    sum += weights[j] * row;
  }
  pictures[2 * (size_t) offset + y * pitch + x] = (sum + 32768) >> 16;
}

/* Each work-item finds the vector of a block in a neighbour. */
kernel void
search (SEARCH_IN)
{
  const int x = get_global_id (0);
  const int y = (int) get_global_id (1) % blocks.y;
  const int n = (int) get_global_id (1) / blocks.y;
  if (x >= blocks.x || !(present >> n & 1))
    return;

  const Pair pair = PAIR_OF_SEARCH;
  int2 best = 0;

  for (int scale = MOTION_SCALES - 1; scale >= 0; scale--)
    best = search_scale (&pair, x, y, scale, best);
  STORE_VECTOR (best, x, y);
}
