/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for GPUs. Each weight
 * is the product of a weight of the row and a weight of the column. `weights`
 * holds 2 radius_y + 1 weights of rows, and the weights of columns follow.
 *
 * `tiled` sums down the columns and then along the rows, with the intermediate
 * sums in local memory. If local memory is too small, `down` sums down the
 * columns and `across` sums along the rows, with the intermediate sums in
 * global memory. A group has GROUP_WIDTH x GROUP_HEIGHT work-items. Each
 * work-item computes ROWS samples of a column.
 *
 * If RADIUS is not 0, windows are squares of this radius, and `tiled` has no
 * loops over their taps. It is faster by a quarter to a third, and slower to
 * compile.
 *
 * Down a column, a work-item computes ROWS sums at a time, and uses each loaded
 * sample for all of them. For this purpose ROWS - 1 zeros follow the weights of
 * the rows. */

#include "stencil-tiles.clh"

/* Without this pragma, code from NVIDIA's compiler waits for each tap. Other
 * compilers warn that they cannot unroll the loop. */
#ifdef cl_nv_pragma_unroll
#define SOME_TAPS_AT_A_TIME _Pragma ("unroll 4")
#else
#define SOME_TAPS_AT_A_TIME
#endif

/* Makes the sums down column x for the windows of ROWS samples from row y on.
 * TAP reads row tap_y. */
#define ADD_TAPS(TAP) \
  SOME_TAPS_AT_A_TIME \
  for (int j = 0; j < 2 * radius_y + ROWS; j++) { \
    const int tap_y = y - radius_y + j; \
    SUM tap = TAP; \
 \
    for (int k = ROWS - 1; k > 0; k--) \
      window[k] = window[k - 1]; \
    window[0] = weights[j]; \
    for (int k = 0; k < ROWS; k++) \
      sums[k] = mad (tap, (SUM) window[k], sums[k]); \
  }

INLINE void
add_column (SUM *sums, INPUT_PIXELS, int width, int height, int x, int y,
    int radius_y, constant float *weights, int border, float4 border_color)
{
  const int inside = x >= 0 && x < width && y - radius_y >= 0
      && y + ROWS + radius_y <= height;
  float window[ROWS];

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    sums[k] = 0.0f;
    window[k] = 0.0f;
  }
#if RADIUS > 0
  if (inside) {
#pragma unroll
    for (int j = 0; j < 2 * RADIUS + ROWS; j++) {
      const SUM tap = TO_SUM (READ_PIXEL (x, y - RADIUS + j));

#pragma unroll
      for (int k = 0; k < ROWS; k++) {
        if (j >= k && j <= k + 2 * RADIUS)
          sums[k] = mad (tap, (SUM) weights[j - k], sums[k]);
      }
    }
  }
#else
  if (inside)
    ADD_TAPS (TO_SUM (READ_PIXEL (x, tap_y)))
#endif
  else
    ADD_TAPS (read_anywhere (INPUT_ARGUMENTS, width, height, x, tap_y, border,
            border_color))
}

/* Adds the taps of a row to a sum. */
#define ADD_ROW(sum, taps, count, weights) \
  for (int i = 0; i < (count); i++) { \
    const SUM weight = (weights)[i]; \
 \
    sum = mad ((taps)[i], weight, sum); \
  }

/* `sums` has GROUP_ROWS rows of GROUP_WIDTH + 2 radius_x sums. The weights of
 * the columns start at `first_weight`. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
tiled (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int radius_x,
    int radius_y, constant float *weights, int first_weight, float centre,
    float scale, float offset, int border, float4 border_color,
    local SUM *sums)
{
  const int columns = GROUP_WIDTH + 2 * radius_x;
  const int x = get_global_id (0);
  const int first_x = (int) get_group_id (0) * GROUP_WIDTH - radius_x;
  const int row = get_local_id (1) * ROWS;
  const int group_y = get_group_id (1) * GROUP_ROWS;
  const int y = group_y + row;

  for (int n = get_local_id (1) * GROUP_WIDTH + get_local_id (0);
      n < columns * GROUP_HEIGHT; n += GROUP_WIDTH * GROUP_HEIGHT) {
    int column = n;
    int sums_row = 0;
    SUM column_sums[ROWS];

    /* This is cheaper than a division. */
#pragma unroll
    for (int k = 1; k < GROUP_HEIGHT; k++) {
      sums_row += column >= columns ? ROWS : 0;
      column -= column >= columns ? columns : 0;
    }

    add_column (column_sums, INPUT_ARGUMENTS, width, height, first_x + column,
        group_y + sums_row, radius_y, weights, border, border_color);
#pragma unroll
    for (int k = 0; k < ROWS; k++)
      sums[(sums_row + k) * columns + column] = column_sums[k];
  }

  /* Other work-items still make sums while these samples are read. */
  float4 here[ROWS];
#if RADIUS > 0
  float row_weights[2 * RADIUS + 1];

#pragma unroll
  for (int i = 0; i < 2 * RADIUS + 1; i++)
    row_weights[i] = weights[first_weight + i];
#endif

#pragma unroll
  for (int k = 0; k < ROWS; k++)
    here[k] = READ_PIXEL (min (x, width - 1), min (y + k, height - 1));
  barrier (CLK_LOCAL_MEM_FENCE);

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    local const SUM *taps = sums + (row + k) * columns + get_local_id (0);
    SUM sum = 0.0f;

#if RADIUS > 0
#pragma unroll
    ADD_ROW (sum, taps, 2 * RADIUS + 1, row_weights)
#else
    SOME_TAPS_AT_A_TIME
    ADD_ROW (sum, taps, 2 * radius_x + 1, weights + first_weight)
#endif
    if (x < width && y + k < height)
      write_sum_over (OUTPUT_ARGUMENTS, here[k], x, y + k, sum, centre, scale,
          offset);
  }
}

/* Sums down the columns. The work-items of a group are ROWS rows apart. Rows of
 * `out` are `width` sums apart. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
down (INPUT_PIXELS, global SUM *out, int width, int height, int radius_y,
    constant float *weights, int border, float4 border_color)
{
  const int x = get_global_id (0);
  const int y = get_global_id (1) * ROWS;
  SUM sums[ROWS];

  if (x >= width || y >= height)
    return;
  add_column (sums, INPUT_ARGUMENTS, width, height, x, y, radius_y, weights,
      border, border_color);
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (y + k < height)
      out[(size_t) (y + k) * width + x] = sums[k];
  }
}

/* Sums along the rows of the sums that `down` wrote, with the weights from
 * `first_weight` on. `rows` has GROUP_WIDTH + 2 radius_x sums for each of
 * GROUP_HEIGHT rows. Columns outside the frame with a constant border are
 * summed up here, as `tiled` does. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
across (global const SUM *in, INPUT_PIXELS, OUTPUT_PIXELS, int width,
    int height, int radius_x, int radius_y, constant float *weights,
    int first_weight, float centre, float scale, float offset, int border,
    float4 border_color, local SUM *rows)
{
  const int columns = GROUP_WIDTH + 2 * radius_x;
  const int x = get_global_id (0);
  const int y = get_global_id (1);
  const int first_x = (int) get_group_id (0) * GROUP_WIDTH - radius_x;
  local SUM *row = rows + get_local_id (1) * columns;
  SUM outside = 0.0f;

  if (border == BORDER_CONSTANT && (first_x < 0 || first_x + columns > width)) {
    for (int j = 0; j < 2 * radius_y + 1; j++)
      outside = mad (TO_SUM (border_color), (SUM) weights[j], outside);
  }
  for (int column = get_local_id (0); column < columns; column += GROUP_WIDTH) {
    int tap_x = border_coordinate (border, first_x + column, width);

    row[column] = tap_x < 0 ? outside
        : in[(size_t) min (y, height - 1) * width + tap_x];
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (x < width && y < height) {
    SUM sum = 0.0f;

    SOME_TAPS_AT_A_TIME
    ADD_ROW (sum, row + get_local_id (0), 2 * radius_x + 1,
        weights + first_weight)
    write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x, y, sum, centre, scale,
        offset);
  }
}

#include "fuse.clh"
