/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <stddef.h>
#include <string.h>

static uint32_t
luma_of (uint32_t red, uint32_t green, uint32_t blue)
{
  return (30 * red + 59 * green + 11 * blue + 50) / 100;
}

static uint32_t
level_of (const ReferenceFrame * frame, int channel, size_t i)
{
  uint32_t level = frame->channels[channel][i] >> frame->shift;
  uint32_t max_level = (1u << frame->depth) - 1;

  return level < max_level ? level : max_level;
}

static int
bin_of (uint32_t level, int depth)
{
  uint32_t n_bins = depth < 10 ? 1u << depth : REFERENCE_BINS;

  return (int) (level / ((1u << depth) / n_bins));
}

static size_t
n_samples_of (const ReferenceFrame * frame, int channel)
{
  size_t x_pixels = (size_t) 1 << frame->x_shift;
  size_t y_pixels = (size_t) 1 << frame->y_shift;

  if (frame->model != REFERENCE_YCBCR || channel == 0)
    return (size_t) frame->width * frame->height;
  return (frame->width + x_pixels - 1) / x_pixels
      * ((frame->height + y_pixels - 1) / y_pixels);
}

void
reference_histogram_frame (const ReferenceFrame * frame,
    uint32_t counts[4][REFERENCE_BINS])
{
  int n_channels = frame->model == REFERENCE_GREY ? 1 : 3;
  int channel;
  size_t i;

  memset (counts, 0, 4 * sizeof counts[0]);
  for (channel = 0; channel < n_channels; channel++) {
    for (i = 0; i < n_samples_of (frame, channel); i++)
      counts[channel][bin_of (level_of (frame, channel, i), frame->depth)]++;
  }
  if (frame->model != REFERENCE_RGB)
    return;
  for (i = 0; i < n_samples_of (frame, 0); i++)
    counts[3][bin_of (luma_of (level_of (frame, 0, i), level_of (frame, 1, i),
                level_of (frame, 2, i)), frame->depth)]++;
}
