/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The motion search for CPUs: 16 samples at a time, see search.clh. */

#include "color.clh"
#include "vector.clh"
#include "components.clh"
#include "search.clh"
#include "differences.clh"

/* The luma of 16 pixels, in sixteenths of a level of 8 bits. */
INLINE ushort16
get_luma (Samples samples)
{
#if CHANNELS == 3
  const uint16 level = LUMA_LEVEL (convert_uint16 (TO_RANGE (
          samples.channel_0)), convert_uint16 (TO_RANGE (samples.channel_1)),
      convert_uint16 (TO_RANGE (samples.channel_2)));
#else
  const uint16 level = convert_uint16 (TO_RANGE (samples.channel_0));
#endif

  /* Components may have bits above the depth. */
  return convert_ushort16 ((min (level, (uint16) MAX_LEVEL)
          * (uint16) (255 * MOTION_UNIT)
          + (uint16) (MAX_LEVEL / 2)) / (uint16) MAX_LEVEL);
}

/* The columns of luma before the first one of a blurred plane. */
#define LUMA_PAD 3

/* Computes the luma of row y. */
NOINLINE void
take_luma_of_row (BUFFERS_IN, int width, int height, int y,
    global ushort *luma, int luma_pitch)
{
  for (int column = 0; column < luma_pitch; column += 16) {
    Samples samples;

    read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height,
        column - MOTION_PAD - LUMA_PAD, y, BORDER_CLAMP_TO_EDGE, 0.0f);
    vstore16 (get_luma (samples), 0, luma + column);
  }
}

/* Each work-item computes the luma of one row of the frame. Rows of luma are
 * `luma_pitch` samples apart, and repeat the edges of the frame. */
kernel void
take_luma (BUFFERS_IN, int width, int height, global ushort *luma,
    int luma_pitch)
{
  const int y = get_global_id (0);

  if (y < height)
    take_luma_of_row (BUFFERS_IN_ARGUMENTS, width, height, y,
        luma + (size_t) y * luma_pitch, luma_pitch);
}

/* The sum of 7 vectors with the weights of the Gaussian. */
#define WEIGH(v) ((v)[0] + (v)[6] + ((v)[1] + (v)[5]) * (uint16) 14 \
    + ((v)[2] + (v)[4]) * (uint16) 62 + (v)[3] * (uint16) 102)

INLINE uint16
blur_across (global const ushort *luma)
{
  uint16 taps[7];

  for (int i = 0; i < 7; i++)
    taps[i] = convert_uint16 (vload16 (0, luma + i));
  return WEIGH (taps);
}

/* Rows are fetched before they are loaded. */
#define ROWS_AHEAD 4

/* Blurs rows `begin` to `end` of 16 columns. */
NOINLINE void
blur_columns (global const ushort *luma, int luma_pitch, int height,
    global ushort *picture, int pitch, int begin, int end)
{
  uint16 taps[7];

  for (int i = 0; i < 6; i++)
    taps[i + 1] = blur_across (luma + (size_t) luma_pitch
        * clamp (begin - MOTION_PAD + i - 3, 0, height - 1));
  for (int y = begin; y < end; y++) {
    global const ushort *ahead = luma + (size_t) luma_pitch
        * clamp (y - MOTION_PAD + 3 + ROWS_AHEAD, 0, height - 1);

    PREFETCH (ahead, 0)
    PREFETCH (ahead + 21, 0)
    for (int i = 0; i < 6; i++)
      taps[i] = taps[i + 1];
    taps[6] = blur_across (luma + (size_t) luma_pitch
        * clamp (y - MOTION_PAD + 3, 0, height - 1));
    vstore16 (convert_ushort16 ((WEIGH (taps) + (uint16) 32768) >> (uint16) 16),
        0, picture + (size_t) y * pitch);
  }
}

/* Each work-item blurs `rows` rows of 16 columns. The plane starts at word
 * `offset`. */
kernel void
blur_rows (global const ushort *luma, int luma_pitch, int height,
    global ushort *pictures, int offset, int2 blocks, int rows)
{
  const int pitch = MOTION_PITCH (blocks.x, 0);
  const int column = get_global_id (0) * 16;
  const int begin = get_global_id (1) * rows;

  if (column < pitch)
    blur_columns (luma + column, luma_pitch, height, pictures
        + 2 * (size_t) offset + column, pitch, begin,
        min (begin + rows, MOTION_PITCH (blocks.y, 0)));
}

/* Makes a row of `pitch` rounded means from two rows. */
NOINLINE void
halve_row (global const ushort *from, global ushort *to, int pitch)
{
  /* The pitch is a multiple of 4 at the least scale. */
  for (int x = 0; x < pitch; x += 4) {
    const ushort8 upper = vload8 (0, from + 2 * x);
    const ushort8 lower = vload8 (0, from + 2 * (pitch + x));

    vstore4 ((upper.even + upper.odd + lower.even + lower.odd + (ushort4) 2)
        >> (ushort4) 2, 0, to + x);
  }
}

/* Each work-item makes a row at a quarter of the size, and the two rows at half
 * of it that it is the mean of. */
kernel void
halve_rows (global ushort *pictures, int offset, int2 blocks)
{
  const int half_pitch = MOTION_PITCH (blocks.x, 1);
  const int pitch = MOTION_PITCH (blocks.x, 2);
  const int y = get_global_id (0);
  if (y >= MOTION_PITCH (blocks.y, 2))
    return;

  global ushort *picture = pictures + 2 * (size_t) offset;
  global const ushort *from = picture + 8 * (size_t) y * half_pitch;
  global ushort *rows = picture + motion_start (blocks, 1)
      + 2 * (size_t) y * half_pitch;

  halve_row (from, rows, half_pitch);
  halve_row (from + 4 * half_pitch, rows + half_pitch, half_pitch);
  halve_row (rows, picture + motion_start (blocks, 2) + (size_t) y * pitch,
      pitch);
}

/* The sum of the differences in every second row of a window of 16 rows, which
 * has 16 columns, or 32. A sum of 16 bits can hold 16 differences. */
NOINLINE int
get_difference_16 (global const ushort *current, global const ushort *neighbour,
    int pitch, int width)
{
  ushort16 sum = 0;

#pragma unroll
  for (int y = 0; y < 16; y += 2) {
    sum += get_differences (vload16 (0, current + y * pitch),
        vload16 (0, neighbour + y * pitch));
    if (width == 32)
      sum += get_differences (vload16 (1, current + y * pitch),
          vload16 (1, neighbour + y * pitch));
  }
  return sum_components (convert_uint16 (sum));
}

/* Windows of 16 and 32 rows, of which every second one counts: those of 8 rows
 * have search_quarter (). */
INLINE int
get_difference (Window window, int2 vector, int side, int step, int limit)
{
  const int pitch = window.pitch;
  global const ushort *current = window.current;
  global const ushort *neighbour =
      window.neighbour + vector.y * pitch + vector.x;

  if (side == 16)
    return get_difference_16 (current, neighbour, pitch, 16);

  const int sum = get_difference_16 (current, neighbour, pitch, 32);

  return sum >= limit ? sum : sum + get_difference_16 (current + 16 * pitch,
      neighbour + 16 * pitch, pitch, 32);
}

/* Windows of 8 x 8, of blocks or cells that are 4 samples apart, have half of
 * their samples in common. So the difference of 4 columns is added up once. A
 * row of 16 samples has the windows of this many blocks. */
#define BLOCKS_OF_ROW 3

/* Finds the vectors of adjacent blocks at a quarter of the size, where all have
 * the same candidates. `window` is that of the first one. */
INLINE void
search_quarter (Window window, int rate, int2 best[BLOCKS_OF_ROW])
{
  const int pitch = window.pitch;
  const int2 first = 0;
  ushort16 current[8];
  uint4 least = UINT_MAX;
  int4 best_x = 0;
  int4 best_y = 0;

#pragma unroll
  for (int y = 0; y < 8; y++)
    current[y] = vload16 (0, window.current + y * pitch);
  for (int y = -MOTION_RANGE; y <= MOTION_RANGE; y++) {
    for (int x = -MOTION_RANGE; x <= MOTION_RANGE; x++) {
      global const ushort *neighbour = window.neighbour + y * pitch + x;
      const int2 vector = (int2) (x, y);
      ushort16 sums = 0;

#pragma unroll
      for (int row = 0; row < 8; row++)
        sums += get_differences (current[row],
            vload16 (0, neighbour + row * pitch));

      const uint4 columns = add_columns (sums);
      const uint4 costs = columns + columns.s1233
          + (uint) MOTION_COST (rate, vector, first, 8 * 8);
      const int4 is_less = costs < least;

      least = min (least, costs);
      best_x = select (best_x, (int4) x, is_less);
      best_y = select (best_y, (int4) y, is_less);
    }
  }
  best[0] = (int2) (best_x.s0, best_y.s0);
  best[1] = (int2) (best_x.s1, best_y.s1);
  best[2] = (int2) (best_x.s2, best_y.s2);
}

/* Finds the vectors of adjacent blocks at all scales. `begin` is the first
 * one. */
NOINLINE void
search_scales (const Pair *pair, int begin, int y, int2 best[BLOCKS_OF_ROW])
{
  search_quarter (get_window (pair, MOTION_SCALES - 1, begin, y), pair->rate,
      best);
  for (int i = 0; i < min (BLOCKS_OF_ROW, pair->blocks.x - begin); i++) {
    for (int scale = MOTION_SCALES - 2; scale >= 0; scale--)
      best[i] = search_scale (pair, begin + i, y, scale, best[i]);
  }
}

/* Each work-item finds the vectors of blocks that are side by side. */
kernel void
search_rows (SEARCH_IN)
{
  const int begin = get_global_id (0) * BLOCKS_OF_ROW;
  const int y = (int) get_global_id (1) % blocks.y;
  const int n = (int) get_global_id (1) / blocks.y;
  if (begin >= blocks.x || !(present >> n & 1))
    return;

  const Pair pair = PAIR_OF_SEARCH;
  int2 best[BLOCKS_OF_ROW];

  search_scales (&pair, begin, y, best);
  for (int i = 0; i < min (BLOCKS_OF_ROW, blocks.x - begin); i++)
    STORE_VECTOR (best[i], begin + i, y);
}
