/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts frames to pictures for denoise-strips.cl, and its means to frames.
 * Build with BLOCK_STEP. */

#pragma OPENCL FP_CONTRACT OFF

#include "vector.clh"
#include "denoise-planes.clh"

/* Repeats a statement for all parts, with the components of 16 consecutive
 * samples that are in the part. */
#if BLOCK_STEP == 2
#define EACH_PART(statement) statement (0, even) statement (1, odd)
#define LOAD_PART vload8
#define STORE_PART vstore8
#else
#define EACH_PART(statement) statement (0, s048c) statement (1, s159d) \
    statement (2, s26ae) statement (3, s37bf)
#define LOAD_PART vload4
#define STORE_PART vstore4
#endif

/* Stores 16 levels, from a column of the first part on. */
INLINE void
store_columns (COMPONENT16 components, global float *part, int part_size)
{
  const float16 levels = convert_float16 (components) * TO_8_BITS;

#define STORE_LEVELS(n, components) \
    STORE_PART (levels.components, 0, part + (n) * part_size);
  EACH_PART (STORE_LEVELS)
}

/* Computes row y of the frame for each channel. `picture` is its first part. */
NOINLINE void
take_apart_row (BUFFERS_IN, int width, int height, int y, global float *picture,
    int pitch, int plane_size, int border, float4 border_color)
{
  const int part_size = plane_size / BLOCK_STEP;

  for (int column = 0; column < pitch; column += 16) {
    Samples samples;

    read_samples (&samples, BUFFERS_IN_ARGUMENTS, width, height,
        column - PAD_X, y, border, border_color);
#define STORE_COLUMNS(n) store_columns (samples.channel_##n, \
        picture + (size_t) plane_size * n + column / BLOCK_STEP, part_size);
    EACH_CHANNEL (STORE_COLUMNS)
  }
}

/* Each work-item computes a row of the picture at float `offset`, for each
 * channel. */
kernel void
take_apart_rows (BUFFERS_IN, int width, int height, global float *pictures,
    int offset, int pitch, int plane_size, int border, float4 border_color)
{
  const int row = get_global_id (0);

  if (row < height + 2 * PAD_Y)
    take_apart_row (BUFFERS_IN_ARGUMENTS, width, height, row - PAD_Y, pictures
        + offset + (size_t) row * (pitch / BLOCK_STEP), pitch, plane_size,
        border, border_color);
}

/* Reads 16 means, and adds `grain` of the removed noise. Parts of means are
 * `mean_floats` apart, those of the picture `part_size`. */
INLINE float16
take_means (global const float *means, int mean_floats,
    global const float *picture, int part_size, float grain)
{
  float16 levels;

#define TAKE_PART(n, components) \
    levels.components = LOAD_PART (0, means + (n) * mean_floats); \
    if (grain > 0.0f) \
      levels.components = mix (levels.components, \
          LOAD_PART (0, picture + (n) * part_size), grain);
  EACH_PART (TAKE_PART)
  return levels * FROM_8_BITS;
}

/* Writes row y. The means of channels are BLOCK_STEP times `mean_floats`
 * apart. */
NOINLINE void
write_means (BUFFERS_IN, BUFFERS_OUT, int width, int y,
    global const float *means, int mean_floats, global const float *picture,
    int part_size, float grain)
{
  for (int x = 0; x < width; x += 16) {
    Levels levels;

#define TAKE_MEANS(n) levels.channel_##n = take_means (means \
        + BLOCK_STEP * mean_floats * n + x / BLOCK_STEP, mean_floats, picture \
        + BLOCK_STEP * (size_t) part_size * n + x / BLOCK_STEP, part_size, \
        grain);
    EACH_CHANNEL (TAKE_MEANS)
    write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, width - x,
        levels);
  }
}

/* Each work-item writes a row of the picture that starts at float `current`.
 * `scratch` holds what shrink_rows wrote: strips of `strip_height` rows,
 * `scratch_floats` apart. The means of the first channel start at float
 * `first_mean` of a strip. */
kernel void
join_rows (BUFFERS_IN, BUFFERS_OUT, int width, int height, int strip_height,
    global const float *scratch, int scratch_floats, int first_mean,
    global const float *pictures, int current, int part_pitch, int part_size,
    float grain)
{
  const int y = get_global_id (0);
  if (y >= height)
    return;

  write_means (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, width, y, scratch
      + (size_t) (y / strip_height) * scratch_floats + first_mean
      + y % strip_height * part_pitch + PAD_X / BLOCK_STEP,
      strip_height * part_pitch, pictures + current
      + (size_t) (y + PAD_Y) * part_pitch + PAD_X / BLOCK_STEP, part_size,
      grain);
}
