/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws histograms over a panel of a frame; what it draws is defined in
 * oclhistogramoverlay.h. */

#include "histogram.clh"

/* How high a count stands in a panel `height` pixels high. */
int
get_level (uint count, uint peak, int height)
{
  return min ((ulong) height, (ulong) count * height / peak);
}

/* One work-item is a pixel of the panel, which starts at byte `offset`; its
 * components are `position` bytes behind its first. `counts` has BINS counts of
 * each channel: red, green, blue, luma. */
kernel void
histogram_overlay (global uchar *pixels, int stride, int offset,
    int pixel_bytes, int4 position, int width, int height, int line,
    global const uint *counts)
{
  const int positions[3] = { position.x, position.y, position.z };
  local uint peak;
  int item = get_local_id (1) * get_local_size (0) + get_local_id (0);
  int n_items = get_local_size (0) * get_local_size (1);

  if (item == 0)
    peak = 1;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < CHANNELS * BINS; i += n_items) {
    if (i % BINS > 0 && i % BINS < BINS - 1)
      atomic_max (&peak, counts[i]);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  int bin = x * BINS / width;
  int bin_before = max (x - 1, 0) * BINS / width;
  int above = height - 1 - y;
  int luma = min (get_level (counts[3 * BINS + bin], peak, height), height - 1);
  int luma_before = min (get_level (counts[3 * BINS + bin_before], peak,
          height), height - 1);
  int on_line = above > min (luma, luma_before) - line
      && above <= max (luma, luma_before);

  global uchar *pixel = pixels + offset + (size_t) y * stride + pixel_bytes * x;
  for (int channel = 0; channel < 3; channel++) {
    int lit = above < get_level (counts[channel * BINS + bin], peak, height);
    int byte = positions[channel];

    pixel[byte] = on_line ? 255 : pixel[byte] / 2 + (lit ? 128 : 0);
  }
}
