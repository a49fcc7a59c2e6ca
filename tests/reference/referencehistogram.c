/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <stddef.h>
#include <stdlib.h>
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
  size_t i;

  memset (counts, 0, 4 * sizeof counts[0]);
  for (int channel = 0; channel < n_channels; channel++) {
    for (i = 0; i < n_samples_of (frame, channel); i++)
      counts[channel][bin_of (level_of (frame, channel, i), frame->depth)]++;
  }
  if (frame->model != REFERENCE_RGB)
    return;
  for (i = 0; i < n_samples_of (frame, 0); i++)
    counts[3][bin_of (luma_of (level_of (frame, 0, i), level_of (frame, 1, i),
                level_of (frame, 2, i)), frame->depth)]++;
}

/* The overlay */

/* The position of the panel, and its content. */
typedef struct
{
  uint32_t counts[4][256];
  uint32_t peak;
  int luma;                     /* the channel */
  int scale;
  int x;
  int y;
  int width;
  int height;
} Panel;

/* The result of a channel. */
typedef struct
{
  int line;
  int base;
  int rise;
} Levels;

static int
min (int a, int b)
{
  return a < b ? a : b;
}

static int
max (int a, int b)
{
  return a > b ? a : b;
}

static void
take_counts (Panel * panel, const ReferenceFrame * frame,
    const uint32_t counts[4][REFERENCE_BINS])
{
  int n_channels = frame->model == REFERENCE_GREY ? 1
      : frame->model == REFERENCE_YCBCR ? 3 : 4;
  const uint64_t most = (uint64_t) frame->width * frame->height / 32;
  int bins = frame->depth < 10 ? 1 : 4; /* of a value */
  int value;

  panel->luma = frame->model == REFERENCE_RGB ? 3 : 0;
  panel->peak = 1;
  for (int channel = 0; channel < n_channels; channel++) {
    for (value = 0; value < 256; value++) {
      panel->counts[channel][value] = 0;
      for (int i = 0; i < bins; i++)
        panel->counts[channel][value] += counts[channel][value * bins + i];
      if (value >= 1 && value <= 254
          && panel->counts[channel][value] > panel->peak)
        panel->peak = panel->counts[channel][value];
    }
  }
  if (panel->peak > most)
    panel->peak = most > 0 ? (uint32_t) most : 1;
}

static void
panel_init (Panel * panel, const ReferenceFrame * frame,
    const uint32_t counts[4][REFERENCE_BINS])
{
  panel->scale = max (1, frame->height / 480);
  panel->width = min (256 * panel->scale, frame->width);
  panel->height = min (100 * panel->scale, frame->height);
  panel->x = frame->width - panel->width
      - min (8 * panel->scale, frame->width - panel->width);
  panel->x -= panel->x % (1 << frame->x_shift);
  panel->y = min (8 * panel->scale, frame->height - panel->height);
  panel->y -= panel->y % (1 << frame->y_shift);
  take_counts (panel, frame, counts);
}

static int
panel_level_of (const Panel * panel, int channel, int x)
{
  uint64_t count = panel->counts[channel][x * 256 / panel->width];
  uint64_t level = count * (uint64_t) panel->height / panel->peak;

  return level < (uint64_t) panel->height ? (int) level : panel->height;
}

/* Whether the pixel in column x that has `above` others below it is on the
 * luma's line, which starts in the first column. */
static int
is_on_line (const Panel * panel, int x, int above)
{
  int here = min (panel_level_of (panel, panel->luma, x), panel->height - 1);
  int before = min (panel_level_of (panel, panel->luma, max (0, x - 1)),
      panel->height - 1);

  return min (here, before) - panel->scale < above
      && above <= max (here, before);
}

static Levels
get_levels (const ReferenceFrame * frame, int channel)
{
  int unit = 1 << (frame->depth - 8);
  int max_level = 256 * unit - 1;
  Levels levels;

  if (frame->model == REFERENCE_YCBCR && channel > 0) {
    levels.line = levels.base = 128 * unit;
    levels.rise = frame->full_range ? 64 * unit : 56 * unit;
  } else if (frame->model == REFERENCE_RGB || frame->full_range) {
    levels.line = max_level;
    levels.base = 0;
    levels.rise = 128 * unit;
  } else {
    levels.line = 235 * unit;
    levels.base = 16 * unit;
    levels.rise = (219 * unit + 1) / 2;
  }
  return levels;
}

/* Whether one of the pixels is on the line that a sample stands for, of which
 * the upper left one is at x, y in the panel. */
static int
sample_is_on_line (const Panel * panel, int x, int y, int x_pixels,
    int y_pixels)
{
  for (int j = y; j < min (y + y_pixels, panel->height); j++) {
    for (int i = x; i < min (x + x_pixels, panel->width); i++) {
      if (is_on_line (panel, i, panel->height - 1 - j))
        return 1;
    }
  }
  return 0;
}

/* Draws on a channel of the frame. */
static void
draw_channel (const Panel * panel, const ReferenceFrame * frame, int channel)
{
  const Levels levels = get_levels (frame, channel);
  int is_difference = frame->model == REFERENCE_YCBCR && channel > 0;
  int x_pixels = is_difference ? 1 << frame->x_shift : 1;
  int y_pixels = is_difference ? 1 << frame->y_shift : 1;
  int width = (frame->width + x_pixels - 1) / x_pixels;

  for (int y = 0; y < panel->height; y += y_pixels) {
    for (int x = 0; x < panel->width; x += x_pixels) {
      uint16_t *component = frame->channels[channel]
          + (size_t) ((panel->y + y) / y_pixels) * width
          + (panel->x + x) / x_pixels;
      int lit = panel->height - 1 - y < panel_level_of (panel, channel, x);
      int level = min (*component >> frame->shift, (1 << frame->depth) - 1);

      level = (level + levels.base) / 2 + (lit ? levels.rise : 0);
      if (sample_is_on_line (panel, x, y, x_pixels, y_pixels))
        level = levels.line;
      *component = (uint16_t) (level << frame->shift);
    }
  }
}

void
reference_histogram_overlay_frame (const ReferenceFrame * frame,
    const uint32_t counts[4][REFERENCE_BINS])
{
  Panel panel;

  panel_init (&panel, frame, counts);
  for (int channel = 0; channel < (frame->model == REFERENCE_GREY ? 1 : 3);
      channel++)
    draw_channel (&panel, frame, channel);
}
