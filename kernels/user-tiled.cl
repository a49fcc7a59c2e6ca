/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's function for GPUs. A work-group reads the pixels that its windows
 * cover into a tile in local memory, of each frame. Build with GROUP_WIDTH and
 * GROUP_HEIGHT, the work-items of a group, and ROWS, the samples of a
 * work-item, one below the other. */

#include "pixel.clh"
#include "border.clh"

typedef float real;
typedef int integer;
#define SCALAR

/* The data of a sample in the tile: the channels in [0, 1], then alpha if it is
 * used, or luma. */
#if CHANNELS == 1
#define TAP float
#elif CHANNELS == 2 && !USES_LUMA
#define TAP float2
#else
#define TAP float4
#endif

#define FRAME local const TAP *glo_here, int glo_channel, Info info
#define frame glo_here, glo_channel, info

/* A multiply-add takes one instruction. */
#pragma OPENCL FP_CONTRACT ON

#include "user.clh"

#define GROUP_ROWS (GROUP_HEIGHT * ROWS)
#define TILE_WIDTH (GROUP_WIDTH + 2 * RADIUS_X)
#define TILE_ROWS (GROUP_ROWS + 2 * RADIUS_Y)
#define TILE_SIZE (TILE_WIDTH * TILE_ROWS)

#define GLO_TAP(i, j) glo_here[GLO_CUT_Y (j) * TILE_WIDTH + GLO_CUT_X (i)]

INLINE Pixel
pixel (FRAME, int i, int j)
{
  TAP tap = GLO_TAP (i, j);
  Pixel p;

#if CHANNELS == 1
  p = grey (tap);
#elif CHANNELS == 2
  p = grey (glo_channel == 0 ? tap.x : tap.y);
#else
  p.r = tap.x;
  p.g = tap.y;
  p.b = tap.z;
  p.a = HAS_ALPHA ? tap.w : 1.0f;
#endif
  return p;
}

#if USES_LUMA

INLINE real
luma (FRAME, int i, int j)
{
  TAP tap = GLO_TAP (i, j);

#if CHANNELS == 1
  return tap;
#elif CHANNELS == 2
  return tap.z;
#elif HAS_ALPHA
  return GLO_LUMA (tap.x, tap.y, tap.z);
#else
  return tap.w;
#endif
}

#endif

#if HISTORY > 0

INLINE Pixel
earlier (FRAME, int n, int i, int j)
{
  glo_here += clamp (n, 0, HISTORY) * TILE_SIZE;
  return pixel (frame, i, j);
}

#endif

INSERTED_TEXT

#if CHANNELS == 1
#define TO_TAP(levels, luma) ((levels).x * (1.0f / LEVELS))
#elif CHANNELS == 2 && !USES_LUMA
#define TO_TAP(levels, luma) ((levels).xy * (1.0f / LEVELS))
#elif CHANNELS == 2
#define TO_TAP(levels, luma) \
    ((float4) ((levels).xy, luma, 0.0f) * (1.0f / LEVELS))
#elif USES_LUMA && !HAS_ALPHA
#define TO_TAP(levels, luma) \
    ((float4) ((levels).xyz, GLO_LUMA ((levels).x, (levels).y, (levels).z)) \
    * (1.0f / LEVELS))
#else
#define TO_TAP(levels, luma) ((levels) * (1.0f / LEVELS))
#endif

/* READ reads the sample at tap_x, tap_y as levels. */
#define FILL_TILE(tile, READ) \
  for (int n = get_local_id (1) * GROUP_WIDTH + get_local_id (0); \
      n < TILE_SIZE; n += GROUP_WIDTH * GROUP_HEIGHT) { \
    const int tap_x = border_coordinate (border, first_x + n % TILE_WIDTH, \
        glo_width); \
    const int tap_y = border_coordinate (border, first_y + n / TILE_WIDTH, \
        glo_height); \
    const int inside = tap_x >= 0 && tap_y >= 0; \
    const float4 levels = inside ? READ : outside; \
    const float tap_luma = inside ? READ_LUMA_OF (tap_x, tap_y) \
        : outside_luma; \
    (void) tap_luma; \
    (tile)[n] = TO_TAP (levels, tap_luma); \
  }

kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
user (INPUT_PIXELS EARLIER_IN, OUTPUT_PIXELS, int glo_width, int glo_height,
    int border, float4 outside, float outside_luma, float seconds, int number,
    float16 arguments)
{
  local TAP tiles[(1 + HISTORY) * TILE_SIZE];
  const int first_x = (int) get_group_id (0) * GROUP_WIDTH - RADIUS_X;
  const int first_y = (int) get_group_id (1) * GROUP_ROWS - RADIUS_Y;
  const int x = get_global_id (0);
  Info info;

  FILL_TILE (tiles, READ_PIXEL (tap_x, tap_y))
#if HISTORY > 0
  FILL_TILE (tiles + TILE_SIZE, read_pixel (GLO_FRAME_ARGUMENTS (1), tap_x,
          tap_y))
#endif
#if HISTORY > 1
  FILL_TILE (tiles + 2 * TILE_SIZE, read_pixel (GLO_FRAME_ARGUMENTS (2),
          tap_x, tap_y))
#endif
#if HISTORY > 2
  FILL_TILE (tiles + 3 * TILE_SIZE, read_pixel (GLO_FRAME_ARGUMENTS (3),
          tap_x, tap_y))
#endif
  barrier (CLK_LOCAL_MEM_FENCE);

  SET_INFO (info, glo_width, glo_height, seconds, number, arguments)
  info.x = x;
  for (int k = 0; k < ROWS; k++) {
    const int row = get_local_id (1) * ROWS + k;
    const int y = (int) get_group_id (1) * GROUP_ROWS + row;
    local const TAP *glo_here = tiles + (row + RADIUS_Y) * TILE_WIDTH
        + RADIUS_X + get_local_id (0);
    int glo_channel = 0;
    if (x >= glo_width || y >= glo_height)
      return;

    info.y = y;
    float4 levels = READ_PIXEL (x, y);
    PUT_RESULT (levels)
    WRITE_PIXEL (x, y, levels);
  }
}
