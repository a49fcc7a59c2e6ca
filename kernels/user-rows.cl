/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's function for CPUs: `real` is 16 pixels of a row. A work-item
 * processes a strip of whole rows, see strips.clh.
 *
 * The rows of a window are planes of floats in [0, 1] in a ring. Each row is
 * stored twice, WINDOW_ROWS rows apart, so that the rows of any window follow
 * one another. The planes of a row are the channels, then luma, then alpha. The
 * rings of earlier frames follow, `glo_ring` floats apart. */

#include "strips.clh"
#include "power.clh"

typedef float16 real;
typedef int16 integer;

#define FRAME global const float *glo_here, int glo_pitch, int glo_ring, \
    int glo_channel, Info info
#define frame glo_here, glo_pitch, glo_ring, glo_channel, info

/* A multiply-add takes one instruction, also across function calls. */
#ifdef __clang__
#pragma clang fp contract(fast)
#endif

#include "user.clh"

#define WINDOW_ROWS (2 * RADIUS_Y + 1)
#if CHANNELS == 1
#define LUMA_PLANE 0
#define FIRST_FREE 1
#else
#define LUMA_PLANE CHANNELS
#define FIRST_FREE (CHANNELS + USES_LUMA)
#endif
#if defined (ALPHA) && HAS_ALPHA
#define ALPHA_PLANE FIRST_FREE
#define ROW_PLANES (FIRST_FREE + 1)
#else
#define ROW_PLANES FIRST_FREE
#endif

/* Some drivers split an unaligned vload16 (). */
typedef float16 __attribute__ ((aligned (4))) glo_unaligned;
#define GLO_LOAD(from) (*(global const glo_unaligned *) (from))

#define GLO_TAP(i, j) (glo_here + GLO_CUT_Y (j) * (ROW_PLANES * glo_pitch) \
    + GLO_CUT_X (i))

INLINE Pixel
pixel (FRAME, int i, int j)
{
  global const float *tap = GLO_TAP (i, j);
  Pixel p;

#if CHANNELS == 3
  p.r = GLO_LOAD (tap);
  p.g = GLO_LOAD (tap + glo_pitch);
  p.b = GLO_LOAD (tap + 2 * glo_pitch);
  p.a = 1.0f;
#ifdef ALPHA_PLANE
  p.a = GLO_LOAD (tap + ALPHA_PLANE * glo_pitch);
#endif
#else
  p = grey (GLO_LOAD (tap + glo_channel * glo_pitch));
#endif
  return p;
}

#if USES_LUMA

INLINE real
luma (FRAME, int i, int j)
{
  return GLO_LOAD (GLO_TAP (i, j) + LUMA_PLANE * glo_pitch);
}

#endif

#if HISTORY > 0

INLINE Pixel
earlier (FRAME, int n, int i, int j)
{
  glo_here += clamp (n, 0, HISTORY) * glo_ring;
  return pixel (frame, i, j);
}

#endif

INSERTED_TEXT

/* The guide of a pass over chroma is read beside the planes. */
#ifdef GUIDED
#define GUIDE_ROWS , GUIDE_IN
#define GUIDE_ROWS_ARGUMENTS , GUIDE_ARGUMENTS
#else
#define GUIDE_ROWS
#define GUIDE_ROWS_ARGUMENTS
#endif

/* Loads the luma of a row whose channels are loaded, but for its border. */
#if USES_LUMA && CHANNELS > 1
INLINE void
load_luma (global float *row GUIDE_ROWS, int width, int height, int y,
    int pitch, int border, float outside_luma)
{
  for (int x = 0; x < width; x += 16) {
#ifdef GUIDED
    STORE_FLOATS (read_guides (GUIDE_ARGUMENTS, width, height, x, y, border,
            outside_luma) * (1.0f / LEVELS), row + LUMA_PLANE * pitch + x);
#else
    STORE_FLOATS (GLO_LUMA (*(global const float16 *) (row + x),
            *(global const float16 *) (row + pitch + x),
            *(global const float16 *) (row + 2 * pitch + x)),
        row + LUMA_PLANE * pitch + x);
#endif
  }
}
#endif

#ifdef ALPHA_PLANE
INLINE void
load_alpha (global float *row, BUFFERS_IN, int width, int tap_y, float outside)
{
  for (int x = 0; x < width; x++)
    row[x] = tap_y < 0 ? outside : TAKE_LEVEL_OF (CONST_ROW_OF (input_0,
            input_0_rows, tap_y)[PLACE (x, 4, ALPHA)]) * (1.0f / LEVELS);
}

/* Alpha of the output of write_samples (). */
INLINE void
write_alpha (BUFFERS_OUT, int x, int y, int count, float16 levels)
{
  STORE_CHANNEL (0, 4, ALPHA, x, y, round_levels (levels));
}
#endif

/* Loads row y of a frame, which may be outside the frame, with its border, and
 * once more WINDOW_ROWS rows below. */
INLINE void
load_row_twice (global float *row, BUFFERS_IN GUIDE_ROWS, int width,
    int height, int y, int pitch, int pad, int border, float4 outside,
    float outside_luma)
{
  const int tap_y = border_coordinate (border, y, height);
  const float4 colour = outside * (1.0f / LEVELS);

  for (int x = 0; x < width; x += 16) {
    Samples samples;

    read_row (&samples, BUFFERS_IN_ARGUMENTS, width, height, x, tap_y, border,
        outside);
#define STORE_UNITS(n) STORE_FLOATS (convert_float16 (samples.channel_##n) \
    * (1.0f / LEVELS), row + n * pitch + pad + x);
    EACH_CHANNEL (STORE_UNITS)
  }
  PAD_ROWS (row, width, pitch, pad, RADIUS_X, border, colour)
#if USES_LUMA && CHANNELS > 1
  load_luma (row + pad GUIDE_ROWS_ARGUMENTS, width, height, y, pitch, border,
      outside_luma);
  pad_row (row + LUMA_PLANE * pitch, width, pad, RADIUS_X, border,
#ifdef GUIDED
      outside_luma * (1.0f / LEVELS));
#else
      GLO_LUMA (colour.x, colour.y, colour.z));
#endif
#endif
#ifdef ALPHA_PLANE
  load_alpha (row + ALPHA_PLANE * pitch + pad, BUFFERS_IN_ARGUMENTS, width,
      tap_y, colour.w);
  pad_row (row + ALPHA_PLANE * pitch, width, pad, RADIUS_X, border, colour.w);
#endif
  (void) outside_luma;
  if (RADIUS_Y == 0)
    return;
  for (int x = 0; x < ROW_PLANES * pitch; x += 16)
    STORE_FLOATS (*(global const float16 *) (row + x),
        row + WINDOW_ROWS * ROW_PLANES * pitch + x);
}

/* Writes 16 samples. */
INLINE void
write_result (BUFFERS_IN, BUFFERS_OUT, int x, int y, int count, FRAME)
{
  Levels levels;
  Pixel result = filter (frame);

  levels.channel_0 = glo_level (result.r);
#if CHANNELS == 2
  glo_channel = 1;
  levels.channel_1 = glo_level (filter (frame).r);
#elif CHANNELS == 3
  levels.channel_1 = glo_level (result.g);
  levels.channel_2 = glo_level (result.b);
#endif
  write_samples (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x, y, count,
      levels);
#ifdef ALPHA_PLANE
  write_alpha (BUFFERS_OUT_ARGUMENTS, x, y, count, glo_level (result.a));
#endif
}

kernel void
user (BUFFERS_IN GUIDE_ROWS EARLIER_IN, BUFFERS_OUT, int width, int height,
    int border, float4 outside, float outside_luma, float seconds, int number,
    float16 arguments, int strip_height, global float *scratch,
    int scratch_floats, int glo_pitch, int pad)
{
  const int first = get_global_id (0) * strip_height;
  const int end = min (first + strip_height, height);
  const int row_floats = ROW_PLANES * glo_pitch;
  const int glo_ring = (RADIUS_Y == 0 ? 1 : 2 * WINDOW_ROWS) * row_floats;
  global float *ring = scratch + (size_t) get_global_id (0) * scratch_floats;
  const int glo_channel = 0;
  Info info;

  SET_INFO (info, width, height, seconds, number, arguments)
  for (int y = first - RADIUS_Y; y < end + RADIUS_Y; y++) {
    const int n = y - first + RADIUS_Y;
    global float *row = ring + n % WINDOW_ROWS * row_floats;

    load_row_twice (row, BUFFERS_IN_ARGUMENTS GUIDE_ROWS_ARGUMENTS, width,
        height, y, glo_pitch, pad, border, outside, outside_luma);
#define LOAD_EARLIER(n) load_row_twice (row + n * glo_ring, \
        GLO_FRAME_ARGUMENTS (n) GUIDE_ROWS_ARGUMENTS, width, height, y, \
        glo_pitch, pad, border, outside, outside_luma);
#if HISTORY > 0
    LOAD_EARLIER (1)
#endif
#if HISTORY > 1
    LOAD_EARLIER (2)
#endif
#if HISTORY > 2
    LOAD_EARLIER (3)
#endif
    if (n < 2 * RADIUS_Y)
      continue;

    global const float *centre = ring + ((n + 1) % WINDOW_ROWS + RADIUS_Y)
        * row_floats + pad;

    info.y = (float) (y - RADIUS_Y);
    for (int x = 0; x < width; x += 16) {
      global const float *glo_here = centre + x;

      info.x = (float) x + (float16) (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
          12, 13, 14, 15);
      write_result (BUFFERS_IN_ARGUMENTS, BUFFERS_OUT_ARGUMENTS, x,
          y - RADIUS_Y, width - x, frame);
    }
  }
}
