/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's function on any device, in images or buffers: a pixel at a time.
 *
 * With NATIVE, the user's text is a kernel for FFmpeg's program_opencl, which
 * is called `user`. It is unchanged, and runs for each plane:
 *
 *   kernel void user (write_only image2d_t target, unsigned int index,
 *       read_only image2d_t source) */

#ifndef NATIVE

#include "pixel.clh"
#include "border.clh"

typedef float real;
typedef int integer;
#define SCALAR

#define FRAME INPUT_PIXELS EARLIER_IN, int glo_width, int glo_height, \
    int glo_x, int glo_y, int glo_border, float4 glo_outside, \
    float glo_outside_luma, int glo_channel, Info info
#define frame INPUT_ARGUMENTS EARLIER_ARGUMENTS, glo_width, glo_height, \
    glo_x, glo_y, glo_border, glo_outside, glo_outside_luma, glo_channel, info

#include "user.clh"

/* The coordinates of a tap, or -1. */
#define TAP_X(i) border_coordinate (glo_border, glo_x + GLO_CUT_X (i), \
    glo_width)
#define TAP_Y(j) border_coordinate (glo_border, glo_y + GLO_CUT_Y (j), \
    glo_height)

INLINE Pixel
glo_to_pixel (float4 levels, int channel)
{
  Pixel p;

#if CHANNELS == 3
  p.r = levels.x * (1.0f / LEVELS);
  p.g = levels.y * (1.0f / LEVELS);
  p.b = levels.z * (1.0f / LEVELS);
  p.a = HAS_ALPHA ? levels.w * (1.0f / LEVELS) : 1.0f;
#else
  p = grey ((channel == 0 ? levels.x : levels.y) * (1.0f / LEVELS));
#endif
  return p;
}

INLINE Pixel
pixel (FRAME, int i, int j)
{
  int tap_x = TAP_X (i);
  int tap_y = TAP_Y (j);

  return glo_to_pixel (tap_x < 0 || tap_y < 0 ? glo_outside
      : READ_PIXEL (tap_x, tap_y), glo_channel);
}

#if USES_LUMA

INLINE real
luma (FRAME, int i, int j)
{
#ifdef GUIDED
  int tap_x = TAP_X (i);
  int tap_y = TAP_Y (j);

  return (tap_x < 0 || tap_y < 0 ? glo_outside_luma
      : READ_GUIDE (tap_x, tap_y)) * (1.0f / LEVELS);
#elif CHANNELS == 3
  Pixel p = pixel (frame, i, j);

  return GLO_LUMA (p.r, p.g, p.b);
#else
  return pixel (frame, i, j).r;
#endif
}

#endif

#if HISTORY > 0

INLINE Pixel
earlier (FRAME, int n, int i, int j)
{
  int tap_x = TAP_X (i);
  int tap_y = TAP_Y (j);
  float4 levels = glo_outside;

  if (tap_x < 0 || tap_y < 0)
    return glo_to_pixel (levels, glo_channel);
  if (n <= 0)
    levels = READ_PIXEL (tap_x, tap_y);
  else if (HISTORY == 1 || n == 1)
    levels = read_pixel (GLO_FRAME_ARGUMENTS (1), tap_x, tap_y);
#if HISTORY > 1
  else if (HISTORY == 2 || n == 2)
    levels = read_pixel (GLO_FRAME_ARGUMENTS (2), tap_x, tap_y);
#endif
#if HISTORY > 2
  else
    levels = read_pixel (GLO_FRAME_ARGUMENTS (3), tap_x, tap_y);
#endif
  return glo_to_pixel (levels, glo_channel);
}

#endif

#endif

INSERTED_TEXT

#ifndef NATIVE

/* Each work-item computes one sample. Work-items outside the frame do
 * nothing. */
kernel void
user (INPUT_PIXELS EARLIER_IN, OUTPUT_PIXELS, int glo_width, int glo_height,
    int glo_border, float4 glo_outside, float glo_outside_luma, float seconds,
    int number, float16 arguments)
{
  const int glo_x = get_global_id (0);
  const int glo_y = get_global_id (1);
  int glo_channel = 0;
  Info info;
  if (glo_x >= glo_width || glo_y >= glo_height)
    return;

  SET_INFO (info, glo_width, glo_height, seconds, number, arguments)
  info.x = glo_x;
  info.y = glo_y;
  float4 levels = READ_PIXEL (glo_x, glo_y);
  PUT_RESULT (levels)
  WRITE_PIXEL (glo_x, glo_y, levels);
}

#endif
