/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes what it reads, for programs that read other components than they
 * write, see format.clh: a sample for each work-item, on any device. */

#include "pixel.clh"

kernel void
convert (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height)
{
  int x = get_global_id (0);
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  WRITE_PIXEL (x, y, READ_PIXEL (x, y));
}
