/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The bilateral filter in double precision, written from its specification
 * and from nothing else: it shares no code, table or shortcut with the plugin,
 * and is what the plugin's output is compared with.
 *
 * Frames are RGBA, 8 bits a channel, in rows `stride` bytes apart; width and
 * height are at least 1.  I(p), the colour of the pixel p, is byte / 255.
 *
 *   BF(p) = sum w(i,j) I(p + (i,j)) / sum w(i,j)
 *   w(i,j) = exp (-(i² + j²) / (2 σs²)) exp (-Δ² / (2 σr²))
 *
 * with Δ measured between the tap p + (i,j) and the centre p (C. Tomasi and
 * R. Manduchi, "Bilateral Filtering for Gray and Color Images", ICCV 1998,
 * with Gaussians for both closeness and similarity).  Both sums run over the
 * window, including the taps that fall outside the frame: those read what the
 * border says and weigh what their colour says. */

#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/* What a tap outside the row `a b c d` reads. */
typedef enum
{
  REFERENCE_BORDER_CLAMP_TO_EDGE,       /* a a [a b c d] d d */
  REFERENCE_BORDER_REFLECT,     /* b a [a b c d] d c */
  REFERENCE_BORDER_REFLECT_101, /* c b [a b c d] c b */
  REFERENCE_BORDER_WRAP,        /* c d [a b c d] a b */
  REFERENCE_BORDER_CONSTANT     /* k k [a b c d] k k */
} ReferenceBorder;

/* What Δ is. */
typedef enum
{
  /* the difference of Y = 0.3 R + 0.59 G + 0.11 B, in units of [0, 1]; one
   * weight a tap serves the three channels */
  REFERENCE_COLOR_INTENSITY,
  /* each channel's own difference, in units of [0, 1]; three weights a tap */
  REFERENCE_COLOR_PER_CHANNEL,
  /* the Euclidean distance in CIE L*a*b*, divided by 100 (the range of L*);
   * one weight a tap serves the three channels */
  REFERENCE_COLOR_LAB
} ReferenceColorMode;

/* Which taps (i,j) belong to the window of radius r. */
typedef enum
{
  REFERENCE_WINDOW_SQUARE,      /* |i| <= r and |j| <= r */
  REFERENCE_WINDOW_DISC         /* i² + j² <= r² */
} ReferenceWindow;

typedef struct
{
  /* σs, in pixels, not negative; 0 means no filtering.  May be infinite if
   * the radius is given, and every tap is then equally close. */
  double spatial_sigma;
  /* σr, in units of Δ, not negative; 0 means no filtering.  May be infinite,
   * and every tap is then equally similar. */
  double intensity_sigma;
  /* r, in pixels; negative means floor (2 σs) */
  int radius;
  ReferenceColorMode color_mode;
  ReferenceWindow window;
  ReferenceBorder border;
  /* RGBA, read by REFERENCE_BORDER_CONSTANT only; its alpha has no effect,
   * since alpha is not filtered */
  uint8_t border_color[4];
} ReferenceBilateral;

/* The position in 0 .. n - 1 that a tap at position i, any distance outside,
 * reads in a row of n >= 1 pixels; -1 stands for the constant colour.  A
 * frame is bordered along each axis on its own, and a tap that is outside
 * along either axis reads the constant colour. */
int reference_border_index (ReferenceBorder border, int i, int n);

/* L* in 0 .. 100, a* and b* of an 8-bit sRGB colour.
 *
 * Decoding of the bytes: IEC 61966-2-1 (sRGB).  Linear RGB to XYZ: the matrix
 * of the sRGB primaries and the D65 white (0.95047, 1, 1.08883), as tabulated
 * by B. Lindbloom.  XYZ to L*a*b*: CIE 15, with its exact fractions
 * (6/29)³ = 216/24389 and (29/3)³ = 24389/27, and the same white. */
void reference_lab (const uint8_t rgb[3], double lab[3]);

/* Filters the frame into `output`: row-major, without padding, three doubles
 * a pixel (R, G, B), in grey levels 0 .. 255 and not rounded; that is,
 * 255 BF(p).  Alpha is neither filtered nor a part of any weight. */
void reference_bilateral (const ReferenceBilateral *params,
    const uint8_t *rgba, int stride, int width, int height, double *output);

/* Makes a frame of what reference_bilateral() wrote: each value, in 0 .. 255,
 * rounded to the nearest integer with halves away from zero (that is, up), and
 * the alpha of the same pixel of `source`.  `rgba` may be `source`. */
void reference_round (const double *rgb, const uint8_t *source,
    int source_stride, int width, int height, uint8_t *rgba, int stride);

/* A frame as its channels: red, green and blue; luma, blue difference and red
 * difference; or luma alone. */
typedef enum
{
  REFERENCE_RGB,
  REFERENCE_YCBCR,
  REFERENCE_GREY
} ReferenceModel;

typedef struct
{
  ReferenceModel model;
  int depth;                    /* bits of a level, 8 to 16 */
  int shift;                    /* bits of a component below them */
  int full_range;               /* level 0 is black; of no effect with RGB */
  int width;                    /* in pixels, and of all channels but */
  int height;                   /* differences, of which each sample stands */
  int x_shift;                  /* for 2^x_shift pixels across and */
  int y_shift;                  /* 2^y_shift down */
  /* Components, row-major, without padding.  Their level is component
   * div 2^shift, or 2^depth - 1 where that is less. */
  uint16_t *channels[3];
} ReferenceFrame;

#define REFERENCE_BINS 1024

/* Counts how many samples of each channel have levels in each bin: R, G, B and
 * Y = (30 R + 59 G + 11 B + 50) div 100 of the levels; luma, blue and red
 * difference; or luma.  Levels of n bits have min (2^n, 1024) bins, and
 * bin b has those with b = level div (2^n div bins).  Other counts are 0. */
void reference_histogram_frame (const ReferenceFrame *frame,
    uint32_t counts[4][REFERENCE_BINS]);

/* Draws these counts into the frame.  The panel is 256 s pixels wide and 100 s
 * high, or as large as the frame where that is smaller, with
 * s = max (1, height div 480), and 8 s pixels from the right and the upper
 * edge, where it fits.  Its left and upper edge are multiples of 2^x_shift and
 * 2^y_shift, rounded down.
 *
 * count (c, v), for v from 0 to 255, is the sum of those bins of channel c that
 * have the levels whose first 8 bits are v.  Column x of w shows the value
 * x * 256 div w.  With
 *
 *   level (c) = min (h, count (c, value) * h div peak)
 *
 * where h is the panel's height and peak the largest count of values 1 to 254
 * of all channels that there are, at least 1, the pixel that has a others below
 * it in the panel becomes, in channel c,
 *
 *   line                                           on the line of the luma
 *   (level + base) div 2 + (a < level (c) ? rise : 0)     elsewhere
 *
 * On the line are the a with low - s < a <= high, low and high being the
 * smaller and the larger of min (level (Y), h - 1) in this column and in the
 * one before it, if any.  For levels of 8 bits (others have as many bits more)
 * line, base and rise are
 *
 *   255, 0, 128     red, green, blue, and luma of full range
 *   235, 16, 110    luma of limited range; with more bits rise is half of the
 *                   range, rounded up
 *   128, 128, 64    differences of full range
 *   128, 128, 56    differences of limited range
 *
 * A sample that stands for several pixels has x and a of the upper left one,
 * and is on the line where one of the pixels is that the panel has. */
void reference_histogram_overlay_frame (const ReferenceFrame *frame,
    const uint32_t counts[4][REFERENCE_BINS]);

/* The same for RGBA, of which 256 bins count.  Alpha is left alone. */
void reference_histogram (const uint8_t *rgba, int stride, int width,
    int height, uint32_t counts[4][REFERENCE_BINS]);
void reference_histogram_overlay (uint8_t *rgba, int stride, int width,
    int height, const uint32_t counts[4][REFERENCE_BINS]);

#endif
