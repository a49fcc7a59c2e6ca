/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for CPUs, tap by tap:
 * a work-item processes a strip of whole rows, 16 samples at a time.
 *
 * A ring holds the rows of a window, see strips.clh. The sums of a row follow
 * the ring. The position of each tap, relative to the first sample of a row,
 * follows the sums. A strip has `scratch_floats` floats of scratch.
 * oclstencil.h describes `taps`. */

#include "stencil.clh"
#include "sum.clh"

/* The number of columns that a tap is added to at a time. */
#define STEP 64

/* Finds the places of the taps for the row whose window starts at row `oldest`
 * of the ring. */
INLINE void
find_taps (global int *places, global const int2 *taps, int n_taps, int oldest,
    int rows, int row_floats, int first_column)
{
  for (int i = 0; i < n_taps; i++) {
    int slot = oldest + taps[i].x;

    slot -= slot >= rows ? rows : 0;
    places[i] = slot * row_floats + first_column + taps[i].y;
  }
}

/* The sums of STEP columns. */
typedef struct
{
  float16 sum_0;
  float16 sum_1;
  float16 sum_2;
  float16 sum_3;
} Sums;

/* Adds up the groups from `first` to before `last`. Their taps start at tap
 * `i`. */
INLINE Sums
add_groups (Sums sums, global const float *ring, global const int *places,
    int i, global const int2 *groups, int first, int last)
{
  for (int n = first; n < last; n++) {
    const float16 weight = as_float (groups[n].x);
    const int end = groups[n].y;
    global const float *tap = ring + places[i++];
    float16 group_0 = vload16 (0, tap), group_1 = vload16 (1, tap);
    float16 group_2 = vload16 (2, tap), group_3 = vload16 (3, tap);

    for (; i < end; i++) {
      tap = ring + places[i];
      group_0 += vload16 (0, tap);
      group_1 += vload16 (1, tap);
      group_2 += vload16 (2, tap);
      group_3 += vload16 (3, tap);
    }
    sums.sum_0 = FMA (weight, group_0, sums.sum_0);
    sums.sum_1 = FMA (weight, group_1, sums.sum_1);
    sums.sum_2 = FMA (weight, group_2, sums.sum_2);
    sums.sum_3 = FMA (weight, group_3, sums.sum_3);
  }
  return sums;
}

/* Computes the levels of STEP columns, from the columns at `ring` on. With
 * PART, this many groups are added up at a time, and these partial sums are
 * then added without loss. */
INLINE void
add_taps (global float *levels, global const float *ring,
    global const int *places, global const int2 *groups, int n_groups,
    float offset)
{
#ifdef PART
  Sums sums = { offset, offset, offset, offset };
  Sums lost = { 0.0f, 0.0f, 0.0f, 0.0f };

  for (int first = 0; first < n_groups; first += PART) {
    const Sums none = { 0.0f, 0.0f, 0.0f, 0.0f };
    const Sums part = add_groups (none, ring, places,
        first == 0 ? 0 : groups[first - 1].y, groups, first,
        min (first + PART, n_groups));

    ADD_PART (float16, sums.sum_0, lost.sum_0, part.sum_0)
    ADD_PART (float16, sums.sum_1, lost.sum_1, part.sum_1)
    ADD_PART (float16, sums.sum_2, lost.sum_2, part.sum_2)
    ADD_PART (float16, sums.sum_3, lost.sum_3, part.sum_3)
  }
  sums.sum_0 += lost.sum_0;
  sums.sum_1 += lost.sum_1;
  sums.sum_2 += lost.sum_2;
  sums.sum_3 += lost.sum_3;
#else
  const Sums none = { 0.0f, 0.0f, 0.0f, 0.0f };
  Sums sums = add_groups (none, ring, places, 0, groups, 0, n_groups);

  sums.sum_0 += offset;
  sums.sum_1 += offset;
  sums.sum_2 += offset;
  sums.sum_3 += offset;
#endif
  STORE_FLOATS (sums.sum_0, levels);
  STORE_FLOATS (sums.sum_1, levels + 16);
  STORE_FLOATS (sums.sum_2, levels + 32);
  STORE_FLOATS (sums.sum_3, levels + 48);
}

kernel void
dense (BUFFERS_IN, BUFFERS_OUT, int width, int height, int strip_height,
    global float *scratch, int scratch_floats, int pitch, int pad,
    int radius_x, int radius_y, global const int2 *taps, int n_groups,
    int n_taps, float offset, int border, float4 border_color)
{
  const int first = get_global_id (0) * strip_height;
  const int rows = 2 * radius_y + 1;
  const int row_floats = CHANNELS * pitch;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  global float *line = ring + rows * row_floats;
  global int *places = (global int *) (line + row_floats);
  int oldest = 0;

  for (int j = 0; j < rows - 1; j++)
    load_row (ring + j * row_floats, BUFFERS_IN_ARGUMENTS, width, height,
        first - radius_y + j, pitch, pad, radius_x, border, border_color);

  for (int y = first; y < min (first + strip_height, height); y++) {
    int newest = oldest == 0 ? rows - 1 : oldest - 1;

    load_row (ring + newest * row_floats, BUFFERS_IN_ARGUMENTS, width, height,
        y + radius_y, pitch, pad, radius_x, border, border_color);
    find_taps (places, taps + n_groups, n_taps, oldest, rows, row_floats,
        pad - radius_x);
    for (int n = 0; n < CHANNELS; n++) {
      for (int x = 0; x < width; x += STEP)
        add_taps (line + n * pitch + x, ring + n * pitch + x, places, taps,
            n_groups, offset);
    }
    for (int x = 0; x < width; x += 16) {
      Levels levels;

#define FINISH_DENSE(n) levels.channel_##n = \
      vload16 (0, line + n * pitch + x);
      EACH_CHANNEL (FINISH_DENSE)
      write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y,
          width - x, levels);
    }
    oldest = oldest == rows - 1 ? 0 : oldest + 1;
  }
}

#include "fuse.clh"
