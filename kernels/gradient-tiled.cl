/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scharr's derivatives, see oclgradient.h, for GPUs, from a tile in local
 * memory. A group has GROUP_WIDTH x GROUP_HEIGHT work-items. Each work-item
 * makes ROWS samples, one below the other.
 *
 * With one pass, a work-item reads eight taps of each sample. With two passes,
 * the group first makes two sums down each column: the smooth levels
 * 3 I (-h) + 10 I (0) + 3 I (h), and the steps I (h) - I (-h). A derivative is
 * a sum of two or three of these sums along the row. */

#include "stencil-tiles.clh"
#include "color.clh"
#include "gradient.clh"

#define MAX_STEP 4
/* The tile has the width for the largest step, so that compilers know it. */
#define TILE_WIDTH (GROUP_WIDTH + 2 * MAX_STEP)
#define TILE_SIZE (TILE_WIDTH * (GROUP_ROWS + 2 * MAX_STEP))

/* Alpha of an image is read again, because it is in the cache of the image.
 * Alpha of a buffer is kept. */
#if CHANNELS < 3
#define ALPHAS
#define KEEP_ALPHA(n, levels)
#define ALPHA_OF(n) 0.0f
#elif defined (PIXELS_IN_IMAGES)
#define ALPHAS
#define KEEP_ALPHA(n, levels)
#define ALPHA_OF(n) READ_PIXEL (x, y).w
#else
#define ALPHAS local float alphas[TILE_SIZE];
#define KEEP_ALPHA(n, levels) alphas[n] = (levels).w;
#define ALPHA_OF(n) alphas[n]
#endif

#if PASSES == 1

/* SUMS declares the sums of the columns, and SUM_DOWN makes them. DERIVE
 * declares the derivatives of the sample in row `row` of the group. */
#define SUMS(TYPE)
#define SUM_DOWN
#define DERIVE(TYPE) \
    local const TYPE *above = tile + row * TILE_WIDTH + get_local_id (0); \
    local const TYPE *middle = above + step_y * TILE_WIDTH; \
    local const TYPE *below = middle + step_y * TILE_WIDTH; \
    TYPE along = 3.0f * (above[2 * step_x] - above[0]) \
        + 10.0f * (middle[2 * step_x] - middle[0]) \
        + 3.0f * (below[2 * step_x] - below[0]); \
    TYPE down = 3.0f * (below[0] - above[0]) \
        + 10.0f * (below[step_x] - above[step_x]) \
        + 3.0f * (below[2 * step_x] - above[2 * step_x]);

#else

#define N_SUMS (TILE_WIDTH * GROUP_ROWS)
#define SUMS(TYPE) local TYPE smooth[N_SUMS], steps[N_SUMS];
#define SUM_DOWN \
  for (int n = get_local_id (1) * GROUP_WIDTH + get_local_id (0); \
      n < N_SUMS; n += GROUP_WIDTH * GROUP_HEIGHT) { \
    const int below = n + 2 * step_y * TILE_WIDTH; \
 \
    smooth[n] = 3.0f * (tile[n] + tile[below]) \
        + 10.0f * tile[n + step_y * TILE_WIDTH]; \
    steps[n] = tile[below] - tile[n]; \
  } \
  barrier (CLK_LOCAL_MEM_FENCE);
#define DERIVE(TYPE) \
    const int left = row * TILE_WIDTH + get_local_id (0); \
    TYPE along = smooth[left + 2 * step_x] - smooth[left]; \
    TYPE down = 3.0f * (steps[left] + steps[left + 2 * step_x]) \
        + 10.0f * steps[left + step_x];

#endif

#define PARAMETERS INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, \
    int step_x, int step_y, int output, float unit, int border, \
    float4 border_color

/* Defines a kernel. The two kernels differ in the value of a pixel that is
 * derived, VALUE, and in the levels that they make from the derivatives,
 * LEVELS_OF. */
#define DEFINE_KERNEL(name, TYPE, VALUE, LEVELS_OF) \
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1))) \
void \
name (PARAMETERS) \
{ \
  local TYPE tile[TILE_SIZE]; \
  SUMS (TYPE) \
  ALPHAS \
  const int rows = GROUP_ROWS + 2 * step_y; \
  const int first_x = (int) get_group_id (0) * GROUP_WIDTH - step_x; \
  const int first_y = (int) get_group_id (1) * GROUP_ROWS - step_y; \
  const int inside = first_x >= 0 && first_y >= 0 \
      && first_x + TILE_WIDTH <= width && first_y + rows <= height; \
  const int x = get_global_id (0); \
 \
  for (int n = get_local_id (1) * GROUP_WIDTH + get_local_id (0); \
      n < TILE_WIDTH * rows; n += GROUP_WIDTH * GROUP_HEIGHT) { \
    int tap_x = first_x + n % TILE_WIDTH; \
    int tap_y = first_y + n / TILE_WIDTH; \
    float4 levels = inside ? READ_PIXEL (tap_x, tap_y) \
        : read_pixel_anywhere (INPUT_ARGUMENTS, width, height, tap_x, tap_y, \
        border, border_color); \
 \
    tile[n] = VALUE (levels); \
    KEEP_ALPHA (n, levels) \
  } \
  barrier (CLK_LOCAL_MEM_FENCE); \
  SUM_DOWN \
 \
  for (int k = 0; k < ROWS; k++) { \
    int row = get_local_id (1) * ROWS + k; \
    int y = first_y + step_y + row; \
 \
    if (x >= width || y >= height) \
      return; \
    DERIVE (TYPE) \
    float4 levels = LEVELS_OF (along, down); \
    levels.w = ALPHA_OF ((row + step_y) * TILE_WIDTH + step_x \
        + get_local_id (0)); \
    WRITE_PIXEL (x, y, levels); \
  } \
}

#define LEVELS_OF_CHANNELS(along, down) \
    FROM_SUM (GRADIENT_LEVEL (along, down, output, unit))
DEFINE_KERNEL (each, SUM, TO_SUM, LEVELS_OF_CHANNELS)

#if CHANNELS == 3

float3
get_colour (float along, float down, float unit)
{
  float hue = GRADIENT_HUE (along, down);

  return GRADIENT_VALUE (along, down, unit)
      * (float3) (HUE_RED (hue), HUE_GREEN (hue), HUE_BLUE (hue));
}

#define LUMA_OF(levels) LUMA_100 ((levels).x, (levels).y, (levels).z)
#define LEVELS_OF_LUMA(along, down) (float4) (output == OUTPUT_DIRECTION \
    ? get_colour (along, down, unit) \
    : (float3) GRADIENT_LEVEL (along, down, output, unit), 0.0f)
DEFINE_KERNEL (luma, float, LUMA_OF, LEVELS_OF_LUMA)

#endif

#include "fuse.clh"
