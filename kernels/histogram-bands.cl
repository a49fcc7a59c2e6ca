/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of red, green, blue and luma for CPUs: a work-item counts a band
 * of rows alone.
 *
 * Its bins stay in the first-level cache. Neighbouring pixels go to different
 * COPIES of them, because a count has to wait for the one before it where both
 * are of the same bin; areas of one colour are counted 16 pixels at a time. */

#include "color.clh"
#include "format.clh"
#include "histogram.clh"

#define COPIES 8

/* The luma of components in memory order, and the channel of each. */
#ifdef BLUE_FIRST
#define LUMA_OF(first, second, third) LUMA_BIN (third, second, first)
#define CHANNEL_OF(position) ((position) < 3 ? 2 - (position) : (position))
#else
#define LUMA_OF(first, second, third) LUMA_BIN (first, second, third)
#define CHANNEL_OF(position) (position)
#endif

/* A channel's bins in one of the copies. */
#define BINS_OF(copy, channel) (bins + ((copy) * CHANNELS + (channel)) * BINS)

/* The bins of 16 pixels, a pixel an integer: red, green and blue, or the other
 * way round, in its lower bytes, as in `bytes`, and the luma in its highest. */
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

/* One work-item is `band_height` rows; `counts` has BINS counts of each
 * channel, to which this adds. */
kernel void
histogram_bands (global const uchar *input, int input_stride, int width,
    int height, int band_height, global uint *counts)
{
  uint bins[COPIES * CHANNELS * BINS];
  int first = get_global_id (0) * band_height;
  int end = min (first + band_height, height);

  for (int i = 0; i < COPIES * CHANNELS * BINS; i++)
    bins[i] = 0;

  for (int y = first; y < end; y++) {
    global const uchar *row = input + (size_t) y * input_stride;
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

      /* Two pixels a load. */
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

  for (int position = 0; position < CHANNELS; position++) {
    int channel = CHANNEL_OF (position);

    for (int bin = 0; bin < BINS; bin++) {
      uint sum = 0;

      for (int copy = 0; copy < COPIES; copy++)
        sum += BINS_OF (copy, position)[bin];
      if (sum)
        atomic_add (&counts[channel * BINS + bin], sum);
    }
  }
}
