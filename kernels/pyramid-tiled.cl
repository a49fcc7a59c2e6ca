/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a Laplacian pyramid for GPUs: a work-group reads the samples
 * that it needs into a tile in local memory, with the border in place.
 *
 * Build with GROUP_WIDTH and GROUP_HEIGHT, the work-items of a group, and ROWS,
 * the number of pairs of rows of the fine level that a work-item expands. */

#include "pyramid.clh"

#define GROUP_SIZE (GROUP_WIDTH * GROUP_HEIGHT)

/* The type of a sample in local memory. */
#if BAND_CHANNELS == 1
#define SAMPLE float
#define PACK(sample) ((sample).x)
#define UNPACK(packed) ((float4) (packed, 0.0f, 0.0f, 0.0f))
#elif BAND_CHANNELS == 2
#define SAMPLE float2
#define PACK(sample) ((sample).xy)
#define UNPACK(packed) ((float4) (packed, 0.0f, 0.0f))
#else
#define SAMPLE float4
#define PACK(sample) (sample)
#define UNPACK(packed) (packed)
#endif

int
get_item (void)
{
  return get_local_id (1) * GROUP_WIDTH + get_local_id (0);
}

/* The size of the window of fine samples that a group needs for its coarse
 * samples. */
#define WINDOW_WIDTH (2 * GROUP_WIDTH + 3)
#define WINDOW_HEIGHT (2 * GROUP_HEIGHT + 3)

/* Each work-item computes one coarse sample. Work-items outside the level write
 * nothing. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
reduce (FINE_IN, BAND_OUT (coarse), int width, int height, int coarse_width,
    int coarse_height, int border, float4 outside)
{
  local SAMPLE window[WINDOW_HEIGHT][WINDOW_WIDTH];
  local SAMPLE across[WINDOW_HEIGHT][GROUP_WIDTH];
  const int x = get_global_id (0);
  const int y = get_global_id (1);
  const int first_x = 2 * (x - (int) get_local_id (0)) - 2;
  const int first_y = 2 * (y - (int) get_local_id (1)) - 2;

  for (int n = get_item (); n < WINDOW_WIDTH * WINDOW_HEIGHT;
      n += GROUP_SIZE) {
    int tap_x = border_coordinate (border, first_x + n % WINDOW_WIDTH, width);
    int tap_y = border_coordinate (border, first_y + n / WINDOW_WIDTH, height);
    float4 tap = outside;

    if (tap_x >= 0 && tap_y >= 0)
      tap = READ_FINE (tap_x, tap_y);
    window[n / WINDOW_WIDTH][n % WINDOW_WIDTH] = PACK (tap);
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  for (int row = get_local_id (1); row < WINDOW_HEIGHT; row += GROUP_HEIGHT) {
    local const SAMPLE *taps = window[row] + 2 * get_local_id (0);

    across[row][get_local_id (0)] = taps[0] + taps[4]
        + 4.0f * (taps[1] + taps[3]) + 6.0f * taps[2];
  }
  barrier (CLK_LOCAL_MEM_FENCE);

  if (x >= coarse_width || y >= coarse_height)
    return;

  const int column = get_local_id (0);
  const int row = 2 * get_local_id (1);
  SAMPLE sum = across[row][column] + across[row + 4][column]
      + 4.0f * (across[row + 1][column] + across[row + 3][column])
      + 6.0f * across[row + 2][column];

  WRITE_BAND (coarse, x, y, UNPACK (sum * (1.0f / 256.0f)));
}

/* The size of the tile of coarse samples that a group needs for its fine
 * samples. A work-item computes a column of the fine level. */
#define COARSE_WIDTH (GROUP_WIDTH / 2 + 2)
#define COARSE_HEIGHT (GROUP_HEIGHT * ROWS + 2)

typedef struct
{
  SAMPLE taps[COARSE_HEIGHT][COARSE_WIDTH];
} Coarse;

INLINE void
fill_coarse (local Coarse *tile, BAND_IN (coarse), int coarse_width,
    int coarse_height, int border, float4 outside)
{
  const int first_x = get_group_id (0) * (GROUP_WIDTH / 2) - 1;
  const int first_y = get_group_id (1) * GROUP_HEIGHT * ROWS - 1;

  for (int n = get_item (); n < COARSE_WIDTH * COARSE_HEIGHT;
      n += GROUP_SIZE) {
    int tap_x = border_coordinate (border, first_x + n % COARSE_WIDTH,
        coarse_width);
    int tap_y = border_coordinate (border, first_y + n / COARSE_WIDTH,
        coarse_height);
    float4 tap = outside;

    if (tap_x >= 0 && tap_y >= 0)
      tap = READ_BAND (coarse, tap_x, tap_y);
    tile->taps[n / COARSE_WIDTH][n % COARSE_WIDTH] = PACK (tap);
  }
  barrier (CLK_LOCAL_MEM_FENCE);
}

/* Expands a row of the tile at the column of the work-item. An odd column lies
 * between two coarse samples. */
INLINE SAMPLE
expand_across (local const Coarse *tile, int row)
{
  const int odd = get_local_id (0) & 1;
  local const SAMPLE *taps = tile->taps[row] + get_local_id (0) / 2;

  return (odd ? 0.0f : 0.125f) * taps[0] + (odd ? 0.5f : 0.75f) * taps[1]
      + (odd ? 0.5f : 0.125f) * taps[2];
}

/* Two expanded samples of a column. Odd rows lie between two samples. */
typedef struct
{
  SAMPLE above;
  SAMPLE here;
} Column;

/* Starts a column at row `row` of the tile. */
INLINE Column
begin_column (local const Coarse *tile, int row)
{
  return (Column) { expand_across (tile, row), expand_across (tile, row + 1) };
}

/* Expands the next two rows of the fine level. `row` is the row of the tile
 * below them. */
INLINE void
expand_down (Column *column, local const Coarse *tile, int row, SAMPLE *even,
    SAMPLE *odd)
{
  const SAMPLE below = expand_across (tile, row);

  *even = (column->above + below) * 0.125f + column->here * 0.75f;
  *odd = (column->here + below) * 0.5f;
  column->above = column->here;
  column->here = below;
}

/* The loop of subtract and add: it calls STORE (x, row, expanded) for all
 * samples of the fine level that belong to a work-item. */
#define EACH_EXPANDED(STORE) \
  local Coarse tile; \
  const int x = get_global_id (0); \
  const int y = get_global_id (1) * 2 * ROWS; \
  const int row = get_local_id (1) * ROWS; \
 \
  fill_coarse (&tile, BAND_ARGUMENTS (coarse), coarse_width, coarse_height, \
      border, outside); \
  if (x >= width) \
    return; \
 \
  Column column = begin_column (&tile, row); \
  _Pragma ("unroll") \
  for (int k = 0; k < ROWS; k++) { \
    SAMPLE even, odd; \
 \
    expand_down (&column, &tile, row + k + 2, &even, &odd); \
    if (y + 2 * k < height) \
      STORE (x, y + 2 * k, UNPACK (even)); \
    if (y + 2 * k + 1 < height) \
      STORE (x, y + 2 * k + 1, UNPACK (odd)); \
  }

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
subtract (FINE_IN, BAND_IN (coarse), BAND_OUT (band), int width, int height,
    int coarse_width, int coarse_height, int border, float4 outside)
{
#define STORE_DIFFERENCE(x, row, expanded) \
    WRITE_BAND (band, x, row, READ_FINE (x, row) - expanded)
  EACH_EXPANDED (STORE_DIFFERENCE)
}

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
add (FINE_IN, FINE_OUT, BAND_IN (band), BAND_IN (coarse), int width,
    int height, int coarse_width, int coarse_height, int border,
    float4 outside, float gain, float coarse_gain, float offset)
{
#define STORE_SUM(x, row, expanded) \
    WRITE_FINE (x, row, gain * READ_FROM_FIRST (band, x, row) \
        + coarse_gain * expanded + offset)
  EACH_EXPANDED (STORE_SUM)
}
