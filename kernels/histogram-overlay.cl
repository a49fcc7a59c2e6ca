/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws histograms over a panel of a frame, as defined in
 * oclhistogramoverlay.h. */

#include "format.clh"
#include "histogram.clh"

/* The number of values of a channel that a panel shows, at any depth. */
#define VALUES 256
#define BINS_OF_VALUE (BINS / VALUES)

/* The index of the luma channel. */
#if CHANNELS == 3
#define LUMA 3
#else
#define LUMA 0
#endif

/* Returns the count of a value. */
uint
get_count (global const uint *counts, int channel, int value)
{
  global const uint *bins =
      counts + channel * MAX_BINS + value * BINS_OF_VALUE;
  uint sum = 0;

  for (int i = 0; i < BINS_OF_VALUE; i++)
    sum += bins[i];
  return sum;
}

/* Returns the largest count that this work-item finds. Clipped values are left
 * out. The work-items of a group share the values among themselves. */
uint
find_peak (global const uint *counts, int n_channels)
{
  int n_items = get_local_size (0) * get_local_size (1);
  uint peak = 1;

  for (int i = get_local_id (1) * get_local_size (0) + get_local_id (0);
      i < n_channels * VALUES; i += n_items) {
    if (i % VALUES > 0 && i % VALUES < VALUES - 1)
      peak = max (peak, get_count (counts, i / VALUES, i % VALUES));
  }
  return peak;
}

/* Returns the height of a channel in column x of a panel. */
int
get_height (global const uint *counts, uint peak, int channel, int x,
    int width, int height)
{
  ulong count = get_count (counts, channel, x * VALUES / width);

  return min ((ulong) height, count * height / peak);
}

/* Returns whether the pixel in column x with `above` pixels below it is on the
 * line of the luma. */
int
is_on_line (global const uint *counts, uint peak, int x, int above, int width,
    int height, int line)
{
  int here = get_height (counts, peak, LUMA, x, width, height);
  int before = get_height (counts, peak, LUMA, max (x - 1, 0), width, height);
  int low = min (min (here, before), height - 1);
  int high = min (max (here, before), height - 1);

  return above > low - line && above <= high;
}

/* Returns whether the line of the luma crosses a pixel in the panel that the
 * sample at x, y covers. */
int
has_line (global const uint *counts, uint peak, int x, int y, int width,
    int height, int line)
{
  int on_line = 0;

  for (int j = y << Y_SHIFT; j < min ((y + 1) << Y_SHIFT, height); j++) {
    for (int i = x << X_SHIFT; i < min ((x + 1) << X_SHIFT, width); i++)
      on_line |= is_on_line (counts, peak, i, height - 1 - j, width, height,
          line);
  }
  return on_line;
}

/* Each work-item draws one sample of a panel of width x height pixels.
 * `panel_rows` describes the rows of the panel. This draws the channels of one
 * plane, from channel `first` on: as many channels as `offsets` has values that
 * are not negative. An offset is the component of a channel in a group of
 * `step` components. `counts` has MAX_BINS counts for each of `n_channels`
 * channels. The height of the panel corresponds to a count of at most
 * `most`. */
kernel void
histogram_overlay (BUFFER_OUT (panel), int step, int4 offsets, int first,
    int width, int height, int line, int line_level, int base_level, int rise,
    int n_channels, global const uint *counts, uint most)
{
  const int offset_of[4] = { offsets.x, offsets.y, offsets.z, -1 };
  local uint peak;

  if (get_local_id (0) == 0 && get_local_id (1) == 0)
    peak = 1;
  barrier (CLK_LOCAL_MEM_FENCE);
  atomic_max (&peak, min (find_peak (counts, n_channels), most));
  barrier (CLK_LOCAL_MEM_FENCE);

  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x << X_SHIFT >= width || y << Y_SHIFT >= height)
    return;

  int on_line = has_line (counts, peak, x, y, width, height, line);
  int above = height - 1 - (y << Y_SHIFT);
  global COMPONENT *group = ROW_OF (panel, panel_rows, y) + step * x;

  for (int i = 0; offset_of[i] >= 0; i++) {
    int lit = above < get_height (counts, peak, first + i, x << X_SHIFT, width,
        height);
    int level = min (group[offset_of[i]] >> SHIFT, MAX_LEVEL);

    level = on_line ? line_level
        : (level + base_level) / 2 + (lit ? rise : 0);
    group[offset_of[i]] = level << SHIFT;
  }
}
