/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for GPUs, tap by tap.
 * oclstencil.h describes `taps`. A group has GROUP_WIDTH x GROUP_HEIGHT
 * work-items. Each work-item makes ROWS samples, one below the other. Launches
 * may have an offset down.
 *
 * `dense` reads a tile into local memory. If local memory is too small,
 * `direct` reads each tap from the frame. */

#include "stencil-tiles.clh"
#include "sum.clh"

#define PARAMETERS INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, \
    int radius_x, int radius_y, constant int2 *taps, int n_groups, \
    float offset, int border, float4 border_color

/* Adds up the groups from `first` to before `last`. TAP reads tap i of sample
 * k. */
#define ADD_GROUPS(TAP, sums, first, last) \
  for (int n = first; n < last; n++) { \
    const float weight = as_float (taps[n].x); \
    const int end = taps[n].y; \
    SUM group[ROWS]; \
 \
    for (int k = 0; k < ROWS; k++) \
      group[k] = 0.0f; \
    for (; i < end; i++) { \
      const int2 tap = taps[n_groups + i]; \
 \
      for (int k = 0; k < ROWS; k++) \
        group[k] += TAP (tap, k); \
    } \
    for (int k = 0; k < ROWS; k++) \
      sums[k] = mad (group[k], (SUM) weight, sums[k]); \
  }

/* Adds up all groups. With PART, this many groups are added up at a time, and
 * these partial sums are then added without loss. */
#ifdef PART
#define ADD_ALL_GROUPS(TAP, sums) \
  SUM lost[ROWS]; \
 \
  for (int k = 0; k < ROWS; k++) \
    lost[k] = 0.0f; \
  for (int first = 0; first < n_groups; first += PART) { \
    SUM part[ROWS]; \
 \
    for (int k = 0; k < ROWS; k++) \
      part[k] = 0.0f; \
    ADD_GROUPS (TAP, part, first, min (first + PART, n_groups)) \
    for (int k = 0; k < ROWS; k++) \
      ADD_PART (SUM, sums[k], lost[k], part[k]) \
  } \
  for (int k = 0; k < ROWS; k++) \
    sums[k] += lost[k];
#else
#define ADD_ALL_GROUPS(TAP, sums) ADD_GROUPS (TAP, sums, 0, n_groups)
#endif

/* A sum without loss starts with the offset. Other sums get the offset at the
 * end. */
#ifdef PART
#define START offset
#else
#define START 0.0f
#endif

/* The code of both kernels, which differ in TAP. */
#define SUM_UP(TAP) \
  SUM sums[ROWS]; \
  int i = 0; \
 \
  for (int k = 0; k < ROWS; k++) \
    sums[k] = START; \
  ADD_ALL_GROUPS (TAP, sums) \
  for (int k = 0; k < ROWS; k++) { \
    if (x < width && y + k < height) \
      write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x, y + k, sums[k], 0.0f, \
          1.0f, offset - START); \
  }

/* `tile` has GROUP_ROWS + 2 radius_y rows of GROUP_WIDTH + 2 radius_x
 * samples. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
dense (PARAMETERS, local SUM *tile)
{
  const int columns = GROUP_WIDTH + 2 * radius_x;
  const int rows = GROUP_ROWS + 2 * radius_y;
  const int x = get_global_id (0);
  const int row = get_local_id (1) * ROWS;
  const int y = get_global_id (1) * ROWS;
  const int first_x = x - (int) get_local_id (0) - radius_x;
  const int first_y = y - row - radius_y;
  const int inside = first_x >= 0 && first_y >= 0
      && first_x + columns <= width && first_y + rows <= height;

  for (int n = get_local_id (1) * GROUP_WIDTH + get_local_id (0);
      n < columns * rows; n += GROUP_WIDTH * GROUP_HEIGHT) {
    int tap_x = first_x + n % columns;
    int tap_y = first_y + n / columns;

    tile[n] = inside ? TO_SUM (READ_PIXEL (tap_x, tap_y))
        : read_anywhere (INPUT_ARGUMENTS, width, height, tap_x, tap_y, border,
        border_color);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  local const SUM *here = tile + row * columns + get_local_id (0);
#define TAP_OF_TILE(tap, k) here[((tap).x + k) * columns + (tap).y]
  SUM_UP (TAP_OF_TILE)
}

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
direct (PARAMETERS)
{
  const int x = get_global_id (0);
  const int y = get_global_id (1) * ROWS;

#define TAP_OF_FRAME(tap, k) read_anywhere (INPUT_ARGUMENTS, width, height, \
    x - radius_x + (tap).y, y + k - radius_y + (tap).x, border, border_color)
  SUM_UP (TAP_OF_FRAME)
}

#include "fuse.clh"
