/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The motion search for CPUs: 16 samples at a time, see search.clh. */

#include "color.clh"
#include "vector.clh"
#include "components.clh"
#include "search.clh"

/* The luma of 16 pixels, in sixteenths of a level of 8 bits. */
INLINE ushort16
get_luma (Samples samples)
{
#if CHANNELS == 3
  const uint16 level = LUMA_LEVEL (convert_uint16 (samples.channel_0),
      convert_uint16 (samples.channel_1), convert_uint16 (samples.channel_2));
#else
  const uint16 level = convert_uint16 (samples.channel_0);
#endif

  /* Components may have bits above the depth. */
  return convert_ushort16 ((min (level, (uint16) MAX_LEVEL)
          * (uint16) (255 * MOTION_UNIT)
          + (uint16) (MAX_LEVEL / 2)) / (uint16) MAX_LEVEL);
}

/* The columns of luma before the first one of a blurred plane. */
#define LUMA_PAD 3

/* Each work-item takes the luma of one row of the frame. Rows of luma are
 * `luma_pitch` samples apart, and repeat the edges of the frame. */
kernel void
take_luma (BUFFERS_IN, int width, int height, global ushort *luma,
    int luma_pitch)
{
  int y = get_global_id (0);
  if (y >= height)
    return;

  luma += (size_t) y * luma_pitch;
  for (int column = 0; column < luma_pitch; column += 16) {
    Samples samples;

    read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height,
        column - MOTION_PAD - LUMA_PAD, y, BORDER_CLAMP_TO_EDGE, 0.0f);
    vstore16 (get_luma (samples), 0, luma + column);
  }
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

/* Each work-item blurs `rows` rows of 16 columns; the plane starts at word
 * `offset`. */
kernel void
blur_rows (global const ushort *luma, int luma_pitch, int height,
    global ushort *pictures, int offset, int2 blocks, int rows)
{
  const int pitch = MOTION_PITCH (blocks.x, 0);
  const int column = get_global_id (0) * 16;
  const int begin = get_global_id (1) * rows;
  const int end = min (begin + rows, MOTION_PITCH (blocks.y, 0));
  if (column >= pitch)
    return;

  uint16 taps[7];
  global ushort *picture = pictures + 2 * (size_t) offset + column;

  luma += column;
  for (int i = 0; i < 6; i++)
    taps[i + 1] = blur_across (luma + (size_t) luma_pitch
        * clamp (begin - MOTION_PAD + i - 3, 0, height - 1));
  for (int y = begin; y < end; y++) {
    for (int i = 0; i < 6; i++)
      taps[i] = taps[i + 1];
    taps[6] = blur_across (luma + (size_t) luma_pitch
        * clamp (y - MOTION_PAD + 3, 0, height - 1));
    vstore16 (convert_ushort16 ((WEIGH (taps) + (uint16) 32768) >> (uint16) 16),
        0, picture + (size_t) y * pitch);
  }
}

/* Each work-item makes a row of the plane of `scale` from the plane before
 * it. */
kernel void
halve_rows (global ushort *pictures, int offset, int2 blocks, int scale)
{
  const int pitch = MOTION_PITCH (blocks.x, scale);
  const int y = get_global_id (0);
  if (y >= MOTION_PITCH (blocks.y, scale))
    return;

  global ushort *picture = pictures + 2 * (size_t) offset;
  global const ushort *from =
      picture + motion_start (blocks, scale - 1) + 4 * (size_t) y * pitch;
  global ushort *to = picture + motion_start (blocks, scale) + y * pitch;

  /* The pitch is a multiple of 4 at the least scale. */
  for (int x = 0; x < pitch; x += 4) {
    const ushort8 upper = vload8 (0, from + 2 * x);
    const ushort8 lower = vload8 (0, from + 2 * (pitch + x));

    vstore4 ((upper.even + upper.odd + lower.even + lower.odd + (ushort4) 2)
        >> (ushort4) 2, 0, to + x);
  }
}

/* CPU drivers make three instructions of this, and more of abs_diff (). */
INLINE ushort16
get_differences (ushort16 a, ushort16 b)
{
  return max (a, b) - min (a, b);
}

/* Two rows of 8 samples. */
INLINE ushort16
load_two (global const ushort *from, int pitch)
{
  return (ushort16) (vload8 (0, from), vload8 (0, from + pitch));
}

/* The sum of the differences in a window of 8 x 8. A sum of 16 bits takes 16
 * differences. */
INLINE int
get_difference_8 (global const ushort *current, global const ushort *neighbour,
    int pitch)
{
  ushort16 sum = 0;

#pragma unroll
  for (int y = 0; y < 8; y += 2)
    sum += get_differences (load_two (current + y * pitch, pitch),
        load_two (neighbour + y * pitch, pitch));
  return sum_components (convert_uint16 (sum));
}

/* The sum of the differences in a window of 16 x 16. */
INLINE int
get_difference_16 (global const ushort *current, global const ushort *neighbour,
    int pitch)
{
  ushort16 sum = 0;

#pragma unroll
  for (int y = 0; y < 16; y++)
    sum += get_differences (vload16 (0, current + y * pitch),
        vload16 (0, neighbour + y * pitch));
  return sum_components (convert_uint16 (sum));
}

INLINE int
get_difference (Window window, int2 vector, int side, int limit)
{
  const int pitch = window.pitch;
  global const ushort *current = window.current;
  global const ushort *neighbour =
      window.neighbour + vector.y * pitch + vector.x;
  int sum = 0;

  if (side == 8)
    return get_difference_8 (current, neighbour, pitch);
  for (int y = 0; y < side; y += 16) {
    for (int x = 0; x < side && sum < limit; x += 16)
      sum += get_difference_16 (current + y * pitch + x,
          neighbour + y * pitch + x, pitch);
  }
  return sum;
}
