/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter for GPUs.
 *
 * Each work-item filters ROWS pixels, one below the other. A work-group reads
 * the pixels that it needs into a tile in local memory once, as floats and with
 * the border in place. It processes the window column by column. Down a column,
 * each loaded tap is used for every pixel whose window contains it, so that
 * arithmetic is the limit and not local memory.
 *
 * If the tile of a window does not fit in local memory, the window is processed
 * in consecutive chunks.
 *
 * Build with COLOR_MODE; GROUP_WIDTH and GROUP_HEIGHT, the work-items of a
 * group; ROWS; TILE_WIDTH and TILE_HEIGHT, the size of the tile in pixels; and
 * TILE_HEIGHT_LAB, the height of the tile for L*a*b*. */

#include "pixel.clh"
#include "border.clh"
#include "color.clh"
#include "window.clh"

#define GROUP_ROWS (GROUP_HEIGHT * ROWS)
#define TILE_SIZE (TILE_WIDTH * TILE_HEIGHT)
#define TILE_SIZE_LAB (TILE_WIDTH * TILE_HEIGHT_LAB)
#define MAX_CHUNK_COLUMNS (TILE_WIDTH - GROUP_WIDTH + 1)
#define MAX_DIAMETER 201

/* The shared data of a work-group besides its tile: the spatial exponents of 2
 * of the columns and of the rows of the window, and for each column of the
 * current chunk, the first of its rows in the window and the number of these
 * rows. */
typedef struct
{
  float exponents_x[MAX_DIAMETER];
  float exponents_y[MAX_DIAMETER];
  int2 spans[MAX_CHUNK_COLUMNS];
} Window;

/* A pixel of the tile is red, green, blue in grey levels and, for a weight
 * common to all channels, the guide: a hundred times the luma, or L*, with a*
 * and b* in a second tile. Concurrent work-items read consecutive pixels, so no
 * padding against bank conflicts is needed. */
typedef struct
{
  local float4 *pixels;
  local float2 *ab;             /* for COLOR_LAB */
  local float *linear;          /* for COLOR_LAB: light by level */
  float lab_scale;              /* makes a squared distance an exponent of 2 */
  int width;                    /* pixels per row */
} Tile;

/* The pixels of a work-item: their guides, the sums over the present chunk of
 * taps, the sums over all chunks before, and the spatial exponents of the
 * present taps. Loops over them are unrolled, which keeps them in registers. */
typedef struct
{
  float3 centre[ROWS];
  float3 chunk[ROWS];
  float3 chunk_weights[ROWS];
  float3 sum[ROWS];
  float3 weights[ROWS];
  float exponents[ROWS];
} Pixels;

#define GUIDE_PARAMETERS const Tile *tile,
#ifndef BYTES_IN
#define LIGHT_OF(level) srgb_to_linear ((level) / LEVELS)
#else
#define LIGHT_OF(level) tile->linear[(int) (level)]
#endif
#include "guide.clh"

INLINE void
put_pixel (const Tile *tile, int n, float4 levels, float luma)
{
  float3 differ = get_guide (tile, levels, luma, COLOR_MODE);

  if (COLOR_MODE == COLOR_LAB)
    differ *= tile->lab_scale;
  tile->pixels[n] = (float4) (levels.xyz, differ.x);
  if (COLOR_MODE == COLOR_LAB)
    tile->ab[n] = differ.yz;
}

#include "tile.clh"

/* Fills the spatial exponents of 2. Distances are in pixels of the frame. A
 * sample may be several pixels wide or high. spatial_scale is -log2 e / (2
 * σs²), finite. */
void
fill_exponents (local float *exponents, int radius, int shift,
    float spatial_scale)
{
  for (int n = get_item (); n <= 2 * radius; n += GROUP_SIZE) {
    int pixels = abs (n - radius) << shift;

    exponents[n] = (float) (pixels * pixels) * spatial_scale;
  }
}

/* Fills the spans of the chunk that starts at column i and row j of the
 * window. */
void
fill_spans (local Window *window, int i, int j, int columns, int rows,
    int radius, int disc)
{
  int radius_x = radius >> X_SHIFT;
  int radius_y = radius >> Y_SHIFT;

  for (int n = get_item (); n < columns; n += GROUP_SIZE) {
    int offset = abs (i + n - radius_x) << X_SHIFT;
    int extent = get_extent (offset, radius, disc) >> Y_SHIFT;
    int first = max (radius_y - extent - j, 0);

    window->spans[n] =
        (int2) (first, min (radius_y + extent - j, rows - 1) - first + 1);
  }
}

#if defined (HAS_LAB) && defined (BYTES_IN)
void
fill_linear (local float *linear)
{
  for (int n = get_item (); n <= MAX_LEVEL; n += GROUP_SIZE)
    linear[n] = srgb_to_linear ((float) n / LEVELS);
}
#endif

/* Adds a tap to the sums of pixel k. range_scale makes the square of a
 * difference a negative exponent of 2. It is applied after the difference,
 * which is exact for luma and for channels. */
INLINE void
add_tap (Pixels *pixels, int k, float4 tap, float2 tap_ab, float range_scale)
{
  if (COLOR_MODE == COLOR_PER_CHANNEL) {
    float3 difference = tap.xyz - pixels->centre[k];
    float3 weight = exp2 (mad (difference * range_scale, difference,
            (float3) pixels->exponents[k]));

    pixels->chunk[k] = mad (weight, tap.xyz, pixels->chunk[k]);
    pixels->chunk_weights[k] += weight;
    return;
  }

  float difference = tap.w - pixels->centre[k].x;
  float exponent = pixels->exponents[k];
  if (COLOR_MODE == COLOR_INTENSITY) {
    exponent = mad (difference * range_scale, difference, exponent);
  } else {
    /* See get_exponent () of bilateral-expanded.cl. */
#pragma OPENCL FP_CONTRACT ON
    float2 difference_ab = tap_ab - pixels->centre[k].yz;

    exponent -= difference * difference;
    exponent -= difference_ab.x * difference_ab.x;
    exponent -= difference_ab.y * difference_ab.y;
  }
  float weight = exp2 (exponent);
  pixels->chunk[k] = mad ((float3) weight, tap.xyz, pixels->chunk[k]);
  pixels->chunk_weights[k].x += weight;
}

/* Adds the tap at n of the tile to the sums of pixels `first` to `last`.
 * `exponent` is the spatial exponent of the tap for pixel 0. For pixel k, the
 * exponent is that of pixel 0 k taps earlier. */
INLINE void
add_tap_to_pixels (Pixels *pixels, const Tile *tile, int n, float exponent,
    int first, int last, float range_scale)
{
  float4 tap = tile->pixels[n];
  float2 tap_ab = COLOR_MODE == COLOR_LAB ? tile->ab[n] : (float2) 0.0f;

#pragma unroll
  for (int k = ROWS - 1; k > 0; k--)
    pixels->exponents[k] = pixels->exponents[k - 1];
  pixels->exponents[0] = exponent;

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    if (k >= first && k <= last)
      add_tap (pixels, k, tap, tap_ab, range_scale);
  }
}

/* Adds `count` taps, at most 4, one below the other, to the sums of all
 * pixels. */
INLINE void
add_taps (Pixels *pixels, const Tile *tile, int n, int count,
    local const float *exponents, float column_exponent, float range_scale)
{
#pragma unroll
  for (int k = 0; k < 4; k++) {
    if (k < count)
      add_tap_to_pixels (pixels, tile, n + k * TILE_WIDTH,
          exponents[k] + column_exponent, 0, ROWS - 1, range_scale);
  }
}

/* Adds `count` taps of a column of the window to the sums of each pixel. The
 * taps of pixel k start at n + k * TILE_WIDTH and go down. The first and the
 * last taps of the column do not belong to all pixels. */
INLINE void
add_column (Pixels *pixels, const Tile *tile, int n, int count,
    local const float *exponents, float column_exponent, float range_scale)
{
  int row = ROWS - 1;

#pragma unroll
  for (int k = 0; k < ROWS - 1; k++, n += TILE_WIDTH)
    add_tap_to_pixels (pixels, tile, n, exponents[k] + column_exponent, 0, k,
        range_scale);
  for (; row <= count - 4; row += 4, n += 4 * TILE_WIDTH)
    add_taps (pixels, tile, n, 4, exponents + row, column_exponent,
        range_scale);
  if (row <= count - 2) {
    add_taps (pixels, tile, n, 2, exponents + row, column_exponent,
        range_scale);
    row += 2;
    n += 2 * TILE_WIDTH;
  }
  if (row < count) {
    add_taps (pixels, tile, n, 1, exponents + row, column_exponent,
        range_scale);
    n += TILE_WIDTH;
  }
#pragma unroll
  for (int k = 1; k < ROWS; k++, n += TILE_WIDTH)
    add_tap_to_pixels (pixels, tile, n, 0.0f, k, ROWS - 1, range_scale);
}

/* Adds a column that has fewer taps than a work-item has pixels. */
INLINE void
add_short_column (Pixels *pixels, const Tile *tile, int n, int count,
    local const float *exponents, float column_exponent, float range_scale)
{
  for (int row = 0; row < count; row++, n += TILE_WIDTH) {
#pragma unroll
    for (int k = 0; k < ROWS; k++) {
      int tap = n + k * TILE_WIDTH;

      pixels->exponents[k] = exponents[row] + column_exponent;
      add_tap (pixels, k, tile->pixels[tap],
          COLOR_MODE == COLOR_LAB ? tile->ab[tap] : (float2) 0.0f, range_scale);
    }
  }
}

/* Adds the taps of a chunk of the window, from column i and row j of the window
 * on. The first tap of the chunk for pixel 0 is at `origin` of the tile. */
INLINE void
add_chunk (Pixels *pixels, const Tile *tile, int origin,
    local const Window *window, int i, int j, int columns, float range_scale)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    pixels->chunk[k] = 0.0f;
    pixels->chunk_weights[k] = 0.0f;
  }

  for (int column = 0; column < columns; column++) {
    int first = window->spans[column].x;
    int count = window->spans[column].y;
    int n = origin + first * TILE_WIDTH + column;
    local const float *exponents = window->exponents_y + j + first;
    float column_exponent = window->exponents_x[i + column];

    if (count >= ROWS - 1)
      add_column (pixels, tile, n, count, exponents, column_exponent,
          range_scale);
    else
      add_short_column (pixels, tile, n, count, exponents, column_exponent,
          range_scale);
  }

  /* A separate sum per chunk keeps large windows within the precision of
   * float. */
#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    pixels->sum[k] += pixels->chunk[k];
    pixels->weights[k] += pixels->chunk_weights[k];
  }
}

/* Initialises the pixels of a work-item. The first pixel is at n of the
 * tile. */
INLINE void
begin (Pixels *pixels, const Tile *tile, int n)
{
#pragma unroll
  for (int k = 0; k < ROWS; k++, n += TILE_WIDTH) {
    float4 centre = tile->pixels[n];

    if (COLOR_MODE == COLOR_PER_CHANNEL)
      pixels->centre[k] = centre.xyz;
    else
      pixels->centre[k] = (float3) (centre.w,
          COLOR_MODE == COLOR_LAB ? tile->ab[n] : (float2) 0.0f);
    pixels->sum[k] = 0.0f;
    pixels->weights[k] = 0.0f;
  }
}

INLINE void
filter (const Tile *tile, local Window *window, INPUT_PIXELS, OUTPUT_PIXELS,
    int width, int height, float spatial_scale, float range_scale, int radius,
    int disc, int chunk_columns, int chunk_rows, int border,
    float4 border_color, float border_luma)
{
  int radius_x = radius >> X_SHIFT;
  int radius_y = radius >> Y_SHIFT;
  int x = get_global_id (0);
  int y = get_global_id (1) * ROWS;
  int group_x = x - get_local_id (0);
  int group_y = y - get_local_id (1) * ROWS;
  int origin = get_local_id (1) * ROWS * TILE_WIDTH + get_local_id (0);
  int whole = chunk_columns > 2 * radius_x && chunk_rows > 2 * radius_y;
  Pixels pixels;

  fill_exponents (window->exponents_x, radius_x, X_SHIFT, spatial_scale);
  fill_exponents (window->exponents_y, radius_y, Y_SHIFT, spatial_scale);
#if defined (HAS_LAB) && defined (BYTES_IN)
  if (COLOR_MODE == COLOR_LAB)
    fill_linear (tile->linear);
#endif
  barrier (CLK_LOCAL_MEM_FENCE);

  /* The centres are read first: they are not in the middle of a chunk. */
  if (!whole) {
    fill_tile (tile, INPUT_ARGUMENTS, width, height, group_x, group_y,
        GROUP_WIDTH, GROUP_ROWS, border, border_color, border_luma);
    barrier (CLK_LOCAL_MEM_FENCE);
    begin (&pixels, tile, origin);
  }

  for (int j = 0; j <= 2 * radius_y; j += chunk_rows) {
    int rows = min (chunk_rows, 2 * radius_y + 1 - j);

    for (int i = 0; i <= 2 * radius_x; i += chunk_columns) {
      int columns = min (chunk_columns, 2 * radius_x + 1 - i);

      barrier (CLK_LOCAL_MEM_FENCE);    /* all have read the tile */
      fill_tile (tile, INPUT_ARGUMENTS, width, height, group_x + i - radius_x,
          group_y + j - radius_y, GROUP_WIDTH + columns - 1,
          GROUP_ROWS + rows - 1, border, border_color, border_luma);
      fill_spans (window, i, j, columns, rows, radius, disc);
      barrier (CLK_LOCAL_MEM_FENCE);
      if (whole)
        begin (&pixels, tile, origin + radius_y * TILE_WIDTH + radius_x);
      add_chunk (&pixels, tile, origin, window, i, j, columns, range_scale);
    }
  }

#pragma unroll
  for (int k = 0; k < ROWS; k++) {
    float3 scale = COLOR_MODE == COLOR_PER_CHANNEL ? 1.0f / pixels.weights[k]
        : (float3) (1.0f / pixels.weights[k].x);

    if (x < width && y + k < height)
      WRITE_PIXEL (x, y + k, (float4) (pixels.sum[k] * scale,
              READ_PIXEL (x, y + k).w));
  }
}

/* Each work-item filters ROWS pixels. Pixels outside the frame are not written.
 * spatial_scale is -log2 e / (2 σs²), range_scale scales the square of a
 * difference to an exponent of 2. Both are finite. chunk_columns and chunk_rows
 * are the largest numbers of columns and rows of taps that fit in the tile. */
kernel __attribute__ ((reqd_work_group_size (GROUP_WIDTH, GROUP_HEIGHT, 1)))
void
tiled (INPUT_PIXELS, OUTPUT_PIXELS, int width, int height, float spatial_scale,
    float range_scale, int radius, int disc, int chunk_columns, int chunk_rows,
    int border, float4 border_color, float border_luma)
{
#if COLOR_MODE == COLOR_LAB
  local float4 pixels[TILE_SIZE_LAB];
  local float2 ab[TILE_SIZE_LAB];
#ifndef BYTES_IN
  local float *linear = 0;
#else
  local float linear[MAX_LEVEL + 1];
#endif
#else
  local float4 pixels[TILE_SIZE];
  local float2 *ab = 0;
  local float *linear = 0;
#endif
  local Window window;
  const Tile tile = { pixels, ab, linear, sqrt (-range_scale), TILE_WIDTH };

  filter (&tile, &window, INPUT_ARGUMENTS, OUTPUT_ARGUMENTS, width, height,
      spatial_scale, range_scale, radius, disc, chunk_columns, chunk_rows,
      border, border_color, border_luma);
}

#include "fuse.clh"
