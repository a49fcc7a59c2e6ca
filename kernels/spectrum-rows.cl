/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The spectrum of the noise, and the pictures that match: for CPUs. See
 * spectrum.clh. */

#include "pixel.clh"
#include "components.clh"
#include "match.clh"
#include "differences.clh"
#include "spectrum-blocks.clh"

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

    sums += get_differences (vload16 (0, current + y * pitch),
        vload16 (0, neighbour + y * pitch));
    last += max (a, b) - min (a, b);
  }

  const uint4 columns = add_columns (sums);

  return columns + (uint4) (columns.s123,
      (uint) last.s0 + last.s1 + last.s2 + last.s3);
}

/* Sets bit k of `masks`, which has a vector for each row of cells, if the
 * pictures match in a block. */
INLINE void
compare_block (int4 masks[BLOCK_CELLS], Window window, int2 vector, uint limit,
    int k)
{
  const int pitch = window.pitch;
  global const ushort *neighbour =
      window.neighbour + vector.y * pitch + vector.x;
  uint4 above = compare_rows_of_cells (window.current, neighbour, pitch);

#pragma unroll
  for (int y = 0; y < BLOCK_CELLS; y++) {
    const int row = (y + 1) * MOTION_CELL * pitch;
    const uint4 below = compare_rows_of_cells (window.current + row,
        neighbour + row, pitch);

    masks[y] |= (above + below <= (uint4) limit) & (int4) (1 << k);
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
