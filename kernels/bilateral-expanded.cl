/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bilateral filter with one weight per tap, for GPUs, with as few instructions
 * per tap as possible.
 *
 * Let t be the guide of a tap and c the guide of the centre, both relative to
 * the middle of the range and scaled so that their squares are exponents of 2.
 * The guide is the level of a single channel, or the luma of red, green and
 * blue. The weight of a tap is
 *
 *   2^(-(t - c)² + S) = 2^(2 c t + (-t² + Sx)) · 2^Sy · 2^-c²
 *
 * with the spatial exponents Sx of its column and Sy of its row. The term -t² +
 * Sx depends only on the tap and its column: it is computed once for all pixels
 * of a work-item, which are ROWS pixels, one below the other. The factor 2^-c²
 * is the same for all taps of a pixel and cancels out. So the weight of a tap
 * takes one multiply-add and one exponential.
 *
 * The factor 2^Sy is not applied to weights either. The sums are stored as
 * multiples of the factor of the current row. Before a row is added, they are
 * multiplied by the factor of the previous row divided by the factor of this
 * row.
 *
 * Without the factor 2^-c², weights are up to 2^(c²). Therefore `offset`, half
 * of the largest c², is subtracted from the exponents. The host code limits the
 * sigmas to the range of floats.
 *
 * A work-group reads the pixels that it needs into a tile in local memory, a
 * few rows at a time if there is no room for all rows. It processes the window
 * row by row.
 *
 * Build with DISC, whether the window is a disc (otherwise a square); RADIUS,
 * the only radius, or 0 for any radius; GROUP_WIDTH and GROUP_HEIGHT, the
 * work-items of a group; and ROWS. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"
#include "window.clh"

#define GUIDE_PARAMETERS
#define LIGHT_OF(level) srgb_to_linear ((level) / LEVELS)
#include "guide.clh"

#define GROUP_ROWS (GROUP_HEIGHT * ROWS)
#define MAX_RADIUS 100

/* Without this pragma, NVIDIA's compiler serializes the taps. Other compilers
 * warn that they cannot unroll a loop unless they know its number of rounds.
 * Four taps of one channel are no faster than two, but take longer to build. */
#if RADIUS
#define SOME_TAPS_AT_A_TIME _Pragma ("unroll")
#elif !defined (cl_nv_pragma_unroll)
#define SOME_TAPS_AT_A_TIME
#elif CHANNELS == 1
#define SOME_TAPS_AT_A_TIME _Pragma ("unroll 2")
#else
#define SOME_TAPS_AT_A_TIME _Pragma ("unroll 4")
#endif

/* A tap is its scaled guide, or red, green, blue in grey levels and the scaled
 * guide. A sum is that of weighted guides, or of weighted red, green and blue,
 * and last that of the weights. */
#if CHANNELS == 1
typedef float Tap;
typedef float2 Sum;
#define GUIDE(tap) (tap)
#define GUIDE_RANGE LEVELS
#else
typedef float4 Tap;
typedef float4 Sum;
#define GUIDE(tap) (tap).w
#define GUIDE_RANGE (100.0f * LEVELS)
#endif

/* The shared data of a work-group besides its tile: the exponents of columns by
 * their distance, and for each row the factor of the previous row divided by
 * its own, and its extent to each side. */
typedef struct
{
  float exponents[MAX_RADIUS + 1];
  float ratios[2 * MAX_RADIUS + 1];
#if DISC
  int extents[2 * MAX_RADIUS + 1];
#endif
} Window;

/* A tile of taps. Work-items that run together read consecutive taps, so no
 * padding against bank conflicts is needed. */
typedef struct
{
  local Tap *taps;
  int width;                    /* taps per row */
  float scale;
} Tile;

/* The pixels of a work-item: their guides, and the sums of their taps. Loops
 * over them are unrolled, which keeps them in registers. */
typedef struct
{
  float twice_centres[ROWS];
  Sum sums[ROWS];
} Pixels;

INLINE float
get_scaled_guide (const Tile *tile, float4 levels)
{
  return (get_guide (levels, 0.0f, COLOR_INTENSITY).x - 0.5f * GUIDE_RANGE)
      * tile->scale;
}

INLINE void
put_pixel (const Tile *tile, int n, float4 levels, float luma)
{
#if CHANNELS == 1
  tile->taps[n] = get_scaled_guide (tile, levels);
#else
  tile->taps[n] = (float4) (levels.xyz, get_scaled_guide (tile, levels));
#endif
}

#include "tile.clh"

/* Fills the window. spatial_scale is -log2 e / (2 σs²), finite. Distances are
 * in pixels of the frame. A sample may be several pixels wide or high. */
void
fill_window (local Window *window, int radius, float spatial_scale,
    float offset)
{
  int radius_x = radius >> X_SHIFT;
  int radius_y = radius >> Y_SHIFT;

  for (int n = get_item (); n <= radius_x; n += GROUP_SIZE) {
    int pixels = n << X_SHIFT;

    window->exponents[n] = (float) (pixels * pixels) * spatial_scale - offset;
  }
  for (int n = get_item (); n <= 2 * radius_y; n += GROUP_SIZE) {
    int pixels = abs (n - radius_y) << Y_SHIFT;

    int before = abs (n - 1 - radius_y) << Y_SHIFT;

    window->ratios[n] = exp2 ((float) (before * before - pixels * pixels)
        * spatial_scale);
#if DISC
    window->extents[n] = get_extent (pixels, radius, DISC) >> X_SHIFT;
#endif
  }
}

/* Adds a tap to the sum of a pixel. `exponent` is -t² + Sx. */
INLINE void
add_tap (Sum *sum, Tap tap, float exponent, float twice_centre)
{
  float weight = exp2 (mad (twice_centre, GUIDE (tap), exponent));

#if CHANNELS == 1
  sum->x = mad (weight, tap, sum->x);
  sum->y += weight;
#else
  sum->xyz = mad ((float3) weight, tap.xyz, sum->xyz);
  sum->w += weight;
#endif
}

/* Returns -t² + Sx. With the pragma, compilers produce a multiply-add from this
 * expression. For mad (-t, t, Sx), which keeps denormals, NVIDIA's compiler
 * needs a separate instruction for the negation, which does not. */
INLINE float
get_exponent (Tap tap, float column_exponent)
{
#pragma OPENCL FP_CONTRACT ON
  return column_exponent - GUIDE (tap) * GUIDE (tap);
}

/* Adds a tap to the sums of pixels `first` to `last`. */
INLINE void
add_tap_to_pixels (Pixels *pixels, Tap tap, float column_exponent, int first,
    int last)
{
  float exponent = get_exponent (tap, column_exponent);

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (k >= first && k <= last)
      add_tap (&pixels->sums[k], tap, exponent, pixels->twice_centres[k]);
  }
}

/* Adds the two taps that are i columns left and right of the middle tap, which
 * is at n of the tile, to the sums of pixels `first` to `last`. */
INLINE void
add_taps_to_pixels (Pixels *pixels, const Tile *tile, int n,
    local const Window *window, int i, int first, int last)
{
  float exponent = window->exponents[i];

  add_tap_to_pixels (pixels, tile->taps[n - i], exponent, first, last);
  add_tap_to_pixels (pixels, tile->taps[n + i], exponent, first, last);
}

#if DISC
/* Adds the taps of a row beyond `extent` columns. Only some of the pixels have
 * these taps, and they are the same in all work-items. */
INLINE void
add_ends (Pixels *pixels, const Tile *tile, int n, local const Window *window,
    int row, int extent, int first, int last)
{
  int extents[ROWS];
  int largest = extent;

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    extents[k] = k >= first && k <= last ? window->extents[row - k] : -1;
    largest = max (largest, extents[k]);
  }
  for (int i = extent + 1; i <= largest; i++) {
    Tap left = tile->taps[n - i];
    Tap right = tile->taps[n + i];
    float left_exponent = get_exponent (left, window->exponents[i]);
    float right_exponent = get_exponent (right, window->exponents[i]);

#pragma unroll
    for (int k = 0; k < ROWS; k++) {
      if (i <= extents[k]) {
        add_tap (&pixels->sums[k], left, left_exponent,
            pixels->twice_centres[k]);
        add_tap (&pixels->sums[k], right, right_exponent,
            pixels->twice_centres[k]);
      }
    }
  }
}
#endif

/* Adds a row of taps to pixels `first` to `last`. The middle tap is at n of the
 * tile. The row is row `row` of the window of pixel 0, row `row` - 1 of the
 * window of pixel 1, and so on. */
INLINE void
add_row (Pixels *pixels, const Tile *tile, int n, local const Window *window,
    int radius_x, int row, int first, int last)
{
  int extent = radius_x;        /* common to all pixels */

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (k >= first && k <= last) {
      pixels->sums[k] *= window->ratios[row - k];
#if DISC
      extent = min (extent, window->extents[row - k]);
#endif
    }
  }

  add_tap_to_pixels (pixels, tile->taps[n], window->exponents[0], first, last);
  SOME_TAPS_AT_A_TIME
  for (int i = 1; i <= extent; i++)
    add_taps_to_pixels (pixels, tile, n, window, i, first, last);
#if DISC
  add_ends (pixels, tile, n, window, row, extent, first, last);
#endif
}

/* Adds rows `from` to `to` - 1 of the 2 radius_y + ROWS rows that the pixels
 * of a work-item need. The middle tap of row 0 would be at `origin` of the
 * tile. The first and the last rows are not in the windows of all pixels. The
 * window has at least ROWS - 1 rows. */
INLINE void
add_rows (Pixels *pixels, const Tile *tile, int origin,
    local const Window *window, int from, int to, int radius_x, int radius_y)
{
  const int rows = 2 * radius_y + 1;

#pragma unroll
  for (int row = 0; row < ROWS - 1; row++) {
    if (row >= from && row < to)
      add_row (pixels, tile, origin + row * tile->width, window, radius_x, row,
          0, row);
  }
  for (int row = max (from, ROWS - 1); row < min (to, rows); row++)
    add_row (pixels, tile, origin + row * tile->width, window, radius_x, row,
        0, ROWS - 1);
#pragma unroll
  for (int k = 1; k < ROWS; k++) {
    int row = rows + k - 1;

    if (row >= from && row < to)
      add_row (pixels, tile, origin + row * tile->width, window, radius_x, row,
          k, ROWS - 1);
  }
}

/* Sets the centres of the pixels of a work-item. If n is not negative, they
 * come from the tile, where the first pixel is at n. Otherwise they come from
 * the frame, where the first pixel is at x, y. */
INLINE void
set_centres (Pixels *pixels, const Tile *tile, int n, INPUT_PIXELS, int width,
    int height, int x, int y)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    float guide = n >= 0 ? GUIDE (tile->taps[n + k * tile->width])
        : get_scaled_guide (tile,
        READ_PIXEL (min (x, width - 1), min (y + k, height - 1)));

    pixels->twice_centres[k] = 2.0f * guide;
  }
}

/* Writes the means of the pixels of a work-item, the first of which is at x,
 * y. */
INLINE void
write_pixels (const Pixels *pixels, const Tile *tile, INPUT_PIXELS,
    OUTPUT_PIXELS, int width, int height, int x, int y)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    Sum sum = pixels->sums[k];

    if (x < width && y + k < height) {
#if CHANNELS == 1
      WRITE_PIXEL (x, y + k, (float4) (sum.x / (sum.y * tile->scale)
              + 0.5f * LEVELS, 0.0f, 0.0f, 0.0f));
#else
      WRITE_PIXEL (x, y + k, (float4) (sum.xyz / sum.w,
              READ_PIXEL (x, y + k).w));
#endif
    }
  }
}

/* Each work-item filters ROWS pixels. Pixels outside the frame are not written.
 * A tile has `tile_rows` rows. guide_scale scales the square of a difference of
 * guides to an exponent of 2. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
expanded (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height,
    float spatial_scale, float guide_scale, float offset, int radius,
    int border, float4 border_color, int tile_rows, local Tap *taps)
{
  if (RADIUS)
    radius = RADIUS;

  local Window window;
  const int radius_x = radius >> X_SHIFT;
  const int radius_y = radius >> Y_SHIFT;
  const int x = get_global_id (0);
  const int y = get_global_id (1) * ROWS;
  const int group_x = x - get_local_id (0) - radius_x;
  const int group_y = y - get_local_id (1) * ROWS - radius_y;
  const int first_row = get_local_id (1) * ROWS;
  const int n_rows = GROUP_ROWS + 2 * radius_y;
  const Tile tile = { taps, GROUP_WIDTH + 2 * radius_x, guide_scale };
  Pixels pixels;

#pragma unroll
  for (int k = 0; k < ROWS; k++)
    pixels.sums[k] = 0.0f;
  for (int row = 0; row < n_rows; row += tile_rows) {
    int rows = min (tile_rows, n_rows - row);
    int origin = (first_row - row) * tile.width + get_local_id (0) + radius_x;

    barrier (CLK_LOCAL_MEM_FENCE);      /* all have read the tile */
    fill_tile (&tile, INPUT_ARGUMENTS, width, height, group_x, group_y + row,
        tile.width, rows, border, border_color, 0.0f);
    /* PoCL 5 fails if a barrier follows code that may return early. */
    if (row == 0)
      fill_window (&window, radius, spatial_scale, offset);
    barrier (CLK_LOCAL_MEM_FENCE);
    if (row == 0)
      set_centres (&pixels, &tile,
          tile_rows < n_rows ? -1 : origin + radius_y * tile.width,
          INPUT_ARGUMENTS, width, height, x, y);
    add_rows (&pixels, &tile, origin, &window, row - first_row,
        row + rows - first_row, radius_x, radius_y);
  }

  write_pixels (&pixels, &tile, INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, width,
      height, x, y);
}

#include "fuse.clh"
