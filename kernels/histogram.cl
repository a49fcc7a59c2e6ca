/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Histograms of the channels of a pass, and of the luma of red, green and blue,
 * counted by work-groups in local memory.
 *
 * A group has COPIES sets of bins. Neighbouring work-items use different sets,
 * so that neighbours of the same colour hinder each other less. The copies of a
 * bin lie in different banks. A work-item counts a run of equal bins down its
 * column before it adds the run to a bin, so that a frame of one colour costs
 * no more than noise.
 *
 * W. W. Hwu, D. B. Kirk and I. El Hajj, "Programming Massively Parallel
 * Processors", 4th edition, chapter 9 (privatization, coarsening and
 * aggregation). */

#include "pixel.clh"
#include "color.clh"
#include "histogram.clh"

#ifndef COPIES
#define COPIES 1
#endif

/* Counts one sample in `bin`. `run` is the bin of the previous sample. If both
 * bins are equal, the sample is counted in `length`. Otherwise `length` is
 * first added to `bins`, and a new run starts. */
void
count (local uint *bins, int bin, int *run, uint *length)
{
  if (bin != *run) {
    if (*length)
      atomic_add (&bins[*run * COPIES], *length);
    *run = bin;
    *length = 0;
  }
  ++*length;
}

/* Returns the bin of each channel. A component of a frame may have bits above
 * its level. */
int4
get_bins (float4 levels)
{
  uint4 values = min (convert_uint4 (levels), (uint4) MAX_LEVEL);

#if CHANNELS == 3
  values.w = LUMA_LEVEL (values.x, values.y, values.z);
#endif
  return as_int4 (values / LEVELS_OF_BIN);
}

/* Each work-item counts a column of `rows` rows. A group is one row of
 * work-items. `counts` has MAX_BINS counts for each channel. The kernel adds to
 * them, from `first_channel` on. */
kernel void
histogram (INPUT_PIXELS, int width, int height, int rows, int first_channel,
    global uint *counts)
{
  local uint bins[COUNTED * BINS * COPIES];
  int item = get_local_id (0);
  int n_items = get_local_size (0);

  for (int i = item; i < COUNTED * BINS * COPIES; i += n_items)
    bins[i] = 0;
  barrier (CLK_LOCAL_MEM_FENCE);

  int x = get_global_id (0);
  int first = get_group_id (1) * rows;
  int end = x < width ? min (first + rows, height) : first;
  local uint *own = bins + item % COPIES;
  int runs[COUNTED] = { 0 };
  uint lengths[COUNTED] = { 0 };

  for (int y = first; y < end; y++) {
    int4 pixel = get_bins (READ_PIXEL (x, y));

    count (own, pixel.x, &runs[0], &lengths[0]);
#if COUNTED > 1
    count (own, BINS + pixel.y, &runs[1], &lengths[1]);
#endif
#if COUNTED > 2
    count (own, 2 * BINS + pixel.z, &runs[2], &lengths[2]);
    count (own, 3 * BINS + pixel.w, &runs[3], &lengths[3]);
#endif
  }
  for (int channel = 0; channel < COUNTED; channel++) {
    if (lengths[channel])
      atomic_add (&own[runs[channel] * COPIES], lengths[channel]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int bin = item; bin < COUNTED * BINS; bin += n_items) {
    uint sum = 0;

    for (int copy = 0; copy < COPIES; copy++)
      sum += bins[bin * COPIES + copy];
    if (sum)
      atomic_add (&counts[(first_channel + bin / BINS) * MAX_BINS
              + bin % BINS], sum);
  }
}
