/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "reference.h"

#include <stddef.h>
#include <string.h>

void
reference_histogram (const uint8_t *rgba, int stride, int width, int height,
    uint32_t counts[4][256])
{
  int x, y;

  memset (counts, 0, 4 * sizeof counts[0]);
  for (y = 0; y < height; y++) {
    for (x = 0; x < width; x++) {
      const uint8_t *pixel = rgba + (ptrdiff_t) y * stride + 4 * x;

      counts[0][pixel[0]]++;
      counts[1][pixel[1]]++;
      counts[2][pixel[2]]++;
      counts[3][(30 * pixel[0] + 59 * pixel[1] + 11 * pixel[2] + 50) / 100]++;
    }
  }
}
