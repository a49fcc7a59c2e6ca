/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes what it reads, see convert.cl, for CPUs: each work-item takes 16
 * samples of a row. */

#include "vector.clh"

kernel void
convert (BUFFERS_IN, BUFFERS_OUT, int width, int height)
{
  int x = get_global_id (0) * 16;
  int y = get_global_id (1);
  if (x >= width || y >= height)
    return;

  Samples samples;
  Levels levels;

  read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, y,
      BORDER_CLAMP_TO_EDGE, 0.0f);
#define TAKE_CHANNEL(n) \
  levels.channel_##n = convert_float16 (samples.channel_##n);
  EACH_CHANNEL (TAKE_CHANNEL)
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, width - x,
      levels);
}
