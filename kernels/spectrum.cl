/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spectrum of the noise, and the pictures that match: for any device. See
 * spectrum.clh. */

#include "pixel.clh"
#include "components.clh"
#include "match.clh"
#include "spectrum-blocks.clh"

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
