/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <stddef.h>

enum
{
  LUMA = 3
};

/* Where the panel is, and what its height stands for. */
typedef struct
{
  const uint32_t (*counts)[256];
  uint32_t peak;
  int scale;
  int x;
  int y;
  int width;
  int height;
} Panel;

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
panel_init (Panel *panel, int width, int height,
    const uint32_t counts[4][256])
{
  int channel, bin;

  panel->counts = counts;
  panel->scale = max (1, height / 480);
  panel->width = min (256 * panel->scale, width);
  panel->height = min (100 * panel->scale, height);
  panel->x = width - panel->width
      - min (8 * panel->scale, width - panel->width);
  panel->y = min (8 * panel->scale, height - panel->height);
  panel->peak = 1;
  for (channel = 0; channel < 4; channel++) {
    for (bin = 1; bin <= 254; bin++) {
      if (counts[channel][bin] > panel->peak)
        panel->peak = counts[channel][bin];
    }
  }
}

static int
level_of (const Panel *panel, int channel, int x)
{
  uint64_t count = panel->counts[channel][x * 256 / panel->width];
  uint64_t level = count * (uint64_t) panel->height / panel->peak;

  return level < (uint64_t) panel->height ? (int) level : panel->height;
}

/* Whether the pixel in column x that has `above` others below it is on the
 * luma's line, which starts in the first column. */
static int
is_on_line (const Panel *panel, int x, int above)
{
  int here = min (level_of (panel, LUMA, x), panel->height - 1);
  int before = min (level_of (panel, LUMA, max (0, x - 1)),
      panel->height - 1);

  return min (here, before) - panel->scale < above
      && above <= max (here, before);
}

void
reference_histogram_overlay (uint8_t *rgba, int stride, int width, int height,
    const uint32_t counts[4][256])
{
  Panel panel;
  int above, x, channel;

  panel_init (&panel, width, height, counts);
  for (above = 0; above < panel.height; above++) {
    for (x = 0; x < panel.width; x++) {
      uint8_t *pixel = rgba + (ptrdiff_t) (panel.y + panel.height - 1 - above)
          * stride + 4 * (ptrdiff_t) (panel.x + x);
      int on_line = is_on_line (&panel, x, above);

      for (channel = 0; channel < 3; channel++) {
        int level = level_of (&panel, channel, x);

        pixel[channel] = on_line ? 255
            : pixel[channel] / 2 + (above < level ? 128 : 0);
      }
    }
  }
}
