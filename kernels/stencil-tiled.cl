/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A sum of neighbours with fixed weights, see stencil.cl, for GPUs. Weights are
 * products of one for the row, of which `weights` has 2 radius_y + 1, and one for
 * the column, which come behind.
 *
 * `tiled` sums down the columns and then along the rows of a tile in local
 * memory. Where that is too small, `down` and `across` do one of both, with sums
 * between them in global memory. Groups are GROUP_WIDTH x GROUP_HEIGHT
 * work-items, of ROWS samples each, one below the other. */

#include "pixel.clh"
#include "border.clh"

#define GROUP_ROWS (GROUP_HEIGHT * ROWS)
#define GROUP_SIZE (GROUP_WIDTH * GROUP_HEIGHT)

/* The channels of a sample. */
#if CHANNELS == 1
#define SUM float
#define TO_SUM(pixel) ((pixel).x)
#define FROM_SUM(sum) ((float4) ((sum), 0.0f, 0.0f, 0.0f))
#elif CHANNELS == 2
#define SUM float2
#define TO_SUM(pixel) ((pixel).xy)
#define FROM_SUM(sum) ((float4) ((sum), 0.0f, 0.0f))
#else
#define SUM float4
#define TO_SUM(pixel) (pixel)
#define FROM_SUM(sum) (sum)
#endif

INLINE int
get_item (void)
{
  return get_local_id (1) * GROUP_WIDTH + get_local_id (0);
}

/* The sample at x, y, which may be anywhere. */
SUM
read_anywhere (INPUT_PIXELS, int width, int height, int x, int y, int border,
    float4 border_color)
{
  int tap_x = border_coordinate (border, x, width);
  int tap_y = border_coordinate (border, y, height);

  return TO_SUM (tap_x < 0 || tap_y < 0 ? border_color
      : READ_PIXEL (tap_x, tap_y));
}

/* Fills `tile`, of that many columns and rows, with the frame's from x, y on. */
INLINE void
fill_tile (local SUM *tile, INPUT_PIXELS, int width, int height, int x, int y,
    int columns, int rows, int border, float4 border_color)
{
  const int inside = x >= 0 && y >= 0 && x + columns <= width
      && y + rows <= height;

  for (int n = get_item (); n < columns * rows; n += GROUP_SIZE) {
    int tap_x = x + n % columns;
    int tap_y = y + n / columns;

    tile[n] = inside ? TO_SUM (READ_PIXEL (tap_x, tap_y))
        : read_anywhere (INPUT_ARGUMENTS, width, height, tap_x, tap_y, border,
        border_color);
  }
}

INLINE SUM
add_taps (local const SUM *taps, int step, int count,
    global const float *weights)
{
  SUM sum = 0.0f;

  for (int i = 0; i < count; i++)
    sum = mad (taps[i * step], (SUM) weights[i], sum);
  return sum;
}

INLINE void
write_sum (INPUT_PIXELS, OUTPUT_PIXELS, int x, int y, SUM sum, float centre,
    float scale, float offset)
{
  float4 here = READ_PIXEL (x, y);
  float4 levels = mad (FROM_SUM (sum), (float4) scale,
      mad (here, (float4) centre, (float4) offset));

  levels = clamp (levels, 0.0f, LEVELS);
  levels.w = here.w;
  WRITE_PIXEL (x, y, levels);
}

/* `tile` has (GROUP_WIDTH + 2 radius_x) x (GROUP_ROWS + 2 radius_y) samples, and
 * `sums` as many columns of GROUP_ROWS. */
kernel void
tiled (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, int radius_x,
    int radius_y, global const float *weights, float centre, float scale,
    float offset, int border, float4 border_color, local SUM *tile,
    local SUM *sums)
{
  const int columns = GROUP_WIDTH + 2 * radius_x;
  const int rows = 2 * radius_y + 1;
  const int x = get_global_id (0);
  const int group_y = get_group_id (1) * GROUP_ROWS;

  fill_tile (tile, INPUT_ARGUMENTS, width, height,
      (int) get_group_id (0) * GROUP_WIDTH - radius_x, group_y - radius_y,
      columns, GROUP_ROWS + 2 * radius_y, border, border_color);
  barrier (CLK_LOCAL_MEM_FENCE);
  for (int n = get_item (); n < columns * GROUP_ROWS; n += GROUP_SIZE)
    sums[n] = add_taps (tile + n, columns, rows, weights);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < ROWS; k++) {
    int row = get_local_id (1) + k * GROUP_HEIGHT;

    if (x < width && group_y + row < height)
      write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x, group_y + row,
          add_taps (sums + row * columns + get_local_id (0), 1,
              2 * radius_x + 1, weights + rows), centre, scale, offset);
  }
}

/* Sums down the columns; `tile` has GROUP_WIDTH x (GROUP_ROWS + 2 radius_y)
 * samples. Rows of `out` are `width` apart. */
kernel void
down (INPUT_PIXELS, global SUM *out, int width, int height, int radius_y,
    global const float *weights, int border, float4 border_color,
    local SUM *tile)
{
  const int rows = 2 * radius_y + 1;
  const int x = get_global_id (0);
  const int group_y = get_group_id (1) * GROUP_ROWS;

  fill_tile (tile, INPUT_ARGUMENTS, width, height,
      (int) get_group_id (0) * GROUP_WIDTH, group_y - radius_y, GROUP_WIDTH,
      GROUP_ROWS + 2 * radius_y, border, border_color);
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < ROWS; k++) {
    int row = get_local_id (1) + k * GROUP_HEIGHT;

    if (x < width && group_y + row < height)
      out[(size_t) (group_y + row) * width + x] =
          add_taps (tile + row * GROUP_WIDTH + get_local_id (0), GROUP_WIDTH,
          rows, weights);
  }
}

/* Sums along the rows of what `down` wrote, with the weights from
 * `first_weight` on; `tile` has
 * (GROUP_WIDTH + 2 radius_x) x GROUP_ROWS of them. Columns outside the frame have
 * the sum `outside` where the border is constant. */
kernel void
across (global const SUM *in, INPUT_PIXELS, OUTPUT_PIXELS, int width,
    int height, int radius_x, global const float *weights, int first_weight,
    float centre, float scale, float offset, int border, float4 outside, local SUM *tile)
{
  const int columns = GROUP_WIDTH + 2 * radius_x;
  const int x = get_global_id (0);
  const int first = (int) get_group_id (0) * GROUP_WIDTH - radius_x;
  const int group_y = get_group_id (1) * GROUP_ROWS;

  for (int n = get_item (); n < columns * GROUP_ROWS; n += GROUP_SIZE) {
    int tap_x = border_coordinate (border, first + n % columns, width);
    int y = min (group_y + n / columns, height - 1);

    tile[n] = tap_x < 0 ? TO_SUM (outside) : in[(size_t) y * width + tap_x];
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int k = 0; k < ROWS; k++) {
    int row = get_local_id (1) + k * GROUP_HEIGHT;

    if (x < width && group_y + row < height)
      write_sum (INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, x, group_y + row,
          add_taps (tile + row * columns + get_local_id (0), 1,
              2 * radius_x + 1, weights + first_weight), centre, scale, offset);
  }
}
