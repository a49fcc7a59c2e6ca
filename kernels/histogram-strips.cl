/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the channels of a pass, and of the luma of red, green and blue,
 * for CPUs: each work-item counts one strip of rows.
 *
 * The bins of a work-item stay in the first-level cache. Neighbouring samples
 * go to different COPIES of the bins, because an addition to a bin depends on
 * the previous addition to the same bin. Areas of one colour are counted 16
 * samples at a time. */

#include "color.clh"
#include "vector.clh"
#include "histogram.clh"

/* The number of copies that 32 KiB hold, at most 8. */
#if COUNTED * BINS <= 1024
#define COPIES 8
#else
#define COPIES (8192 / (COUNTED * BINS))
#endif

/* The bins of a channel in one of the copies. */
#define BINS_OF(copy, channel) (bins + ((copy) * COUNTED + (channel)) * BINS)

#if CHANNELS == 3 && !defined (WIDE) && ALPHA == 3

/* A pixel has four bytes. Alpha is the last. The red, green, blue and luma of a
 * pixel are packed into an integer, in memory order. */

/* The luma of components in memory order, and the channel at each position. */
#if OFFSET_0 == 2
#define LUMA_OF(first, second, third) LUMA_BIN (third, second, first)
#define CHANNEL_OF(position) ((position) < 3 ? 2 - (position) : (position))
#else
#define LUMA_OF(first, second, third) LUMA_BIN (first, second, third)
#define CHANNEL_OF(position) (position)
#endif

/* Returns the bins of 16 pixels, one integer per pixel. The lower bytes are
 * red, green and blue, or blue, green and red, in the order of `bytes`. The
 * highest byte is the luma. */
uint16
get_bins (global const uchar *bytes)
{
  uint16 pixels = (uint16) (as_uint4 (vload16 (0, bytes)),
      as_uint4 (vload16 (1, bytes)), as_uint4 (vload16 (2, bytes)),
      as_uint4 (vload16 (3, bytes)));
  uint16 first = pixels & 255;
  uint16 green = pixels >> 8 & 255;
  uint16 third = pixels >> 16 & 255;
  uint16 luma = LUMA_OF (first, green, third);

  return (pixels & 0xffffff) | luma << 24;
}

/* Adds row y to `bins`. */
void
count_row (BUFFERS_IN, int width, int y, uint *bins)
{
  global const uchar *row = CONST_ROW_OF (input_0, input_0_rows, y);
  int x = 0;

  for (; x + 16 <= width; x += 16) {
    uint16 pixels = get_bins (row + 4 * x);
    if (all (pixels == pixels.s0)) {
      BINS_OF (0, 0)[pixels.s0 & 255] += 16;
      BINS_OF (0, 1)[pixels.s0 >> 8 & 255] += 16;
      BINS_OF (0, 2)[pixels.s0 >> 16 & 255] += 16;
      BINS_OF (0, 3)[pixels.s0 >> 24] += 16;
      continue;
    }

    /* Loads two pixels at a time. */
    ulong pairs[8];

    vstore8 (as_ulong8 (pixels), 0, pairs);
#pragma unroll
    for (int i = 0; i < 8; i++) {
      ulong pair = pairs[i];
      const int even = 2 * i % COPIES;
      const int odd = even + 1;

      BINS_OF (even, 0)[pair & 255]++;
      BINS_OF (even, 1)[pair >> 8 & 255]++;
      BINS_OF (even, 2)[pair >> 16 & 255]++;
      BINS_OF (even, 3)[pair >> 24 & 255]++;
      BINS_OF (odd, 0)[pair >> 32 & 255]++;
      BINS_OF (odd, 1)[pair >> 40 & 255]++;
      BINS_OF (odd, 2)[pair >> 48 & 255]++;
      BINS_OF (odd, 3)[pair >> 56]++;
    }
  }
  for (; x < width; x++) {
    int4 pixel = convert_int4 (vload4 (x, row));

    BINS_OF (0, 0)[pixel.x]++;
    BINS_OF (0, 1)[pixel.y]++;
    BINS_OF (0, 2)[pixel.z]++;
    BINS_OF (0, 3)[LUMA_OF (pixel.x, pixel.y, pixel.z)]++;
  }
}

#else

#define CHANNEL_OF(position) (position)

/* Adds 16 levels of a channel to `bins`. A component of a frame may have bits
 * above its level. */
void
count_levels (COMPONENT16 levels, int channel, uint *bins)
{
  COMPONENT16 values = min (levels, (COMPONENT16) MAX_LEVEL)
      / (COMPONENT16) LEVELS_OF_BIN;
  COMPONENT each[16];

  if (all (values == values.s0)) {
    BINS_OF (0, channel)[values.s0] += 16;
    return;
  }
  vstore16 (values, 0, each);
#pragma unroll
  for (int i = 0; i < 16; i++)
    BINS_OF (i % COPIES, channel)[each[i]]++;
}

/* Adds one level of a channel to `bins`. */
#define COUNT_LEVEL(level, channel) \
    (BINS_OF (0, channel)[min (level, (uint) MAX_LEVEL) / LEVELS_OF_BIN]++)

/* Adds the 16 samples from column x of row y on to `bins`. */
void
count_samples (BUFFERS_IN, int x, int y, uint *bins)
{
  COMPONENT16 first = LOAD_CHANNEL (PLANE_0, STEP_0, OFFSET_0, x, y);

  count_levels (first, 0, bins);
#if CHANNELS > 1
  COMPONENT16 second = LOAD_CHANNEL (PLANE_1, STEP_1, OFFSET_1, x, y);

  count_levels (second, 1, bins);
#endif
#if CHANNELS > 2
  COMPONENT16 third = LOAD_CHANNEL (PLANE_2, STEP_2, OFFSET_2, x, y);
  uint16 luma = LUMA_LEVEL (convert_uint16 (first), convert_uint16 (second),
      convert_uint16 (third));

  count_levels (third, 2, bins);
  count_levels (CONVERT_COMPONENT16_SAT_RTE (luma), 3, bins);
#endif
}

/* Adds row y to `bins`. */
void
count_row (BUFFERS_IN, int width, int y, uint *bins)
{
  int x = 0;

  for (; x + 16 <= width; x += 16)
    count_samples (BUFFERS_IN_ARGUMENTS, x, y, bins);
  for (; x < width; x++) {
    uint first = LOAD_SAMPLE (PLANE_0, STEP_0, OFFSET_0, x, y);

    COUNT_LEVEL (first, 0);
#if CHANNELS > 1
    uint second = LOAD_SAMPLE (PLANE_1, STEP_1, OFFSET_1, x, y);

    COUNT_LEVEL (second, 1);
#endif
#if CHANNELS > 2
    uint third = LOAD_SAMPLE (PLANE_2, STEP_2, OFFSET_2, x, y);

    COUNT_LEVEL (third, 2);
    COUNT_LEVEL (LUMA_LEVEL (first, second, third), 3);
#endif
  }
}

#endif

/* Each work-item counts `strip_height` rows. `counts` has MAX_BINS counts for
 * each channel. The kernel adds to them, from `first_channel` on. */
kernel void
histogram_strips (BUFFERS_IN, int width, int height, int strip_height,
    int first_channel, global uint *counts)
{
  uint bins[COPIES * COUNTED * BINS];
  int first = get_global_id (0) * strip_height;
  int end = min (first + strip_height, height);

  for (int i = 0; i < COPIES * COUNTED * BINS; i++)
    bins[i] = 0;

  for (int y = first; y < end; y++)
    count_row (BUFFERS_IN_ARGUMENTS, width, y, bins);

  for (int position = 0; position < COUNTED; position++) {
    int channel = first_channel + CHANNEL_OF (position);

    for (int bin = 0; bin < BINS; bin++) {
      uint sum = 0;

      for (int copy = 0; copy < COPIES; copy++)
        sum += BINS_OF (copy, position)[bin];
      if (sum)
        atomic_add (&counts[channel * MAX_BINS + bin], sum);
    }
  }
}
