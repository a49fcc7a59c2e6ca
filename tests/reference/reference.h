/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* References in double precision, written from their specifications and from
 * nothing else: they share no code, table or shortcut with the plugin. Tests
 * compare the plugin's output with them. This header has borders, the bilateral
 * filter, whose function is in referenceplanes.h, and histograms.
 *
 *   BF(p) = sum w(i,j) I(p + (i,j)) / sum w(i,j)
 *   w(i,j) = exp (-(i² + j²) / (2 σs²)) exp (-Δ² / (2 σr²))
 *
 * with Δ measured between the tap p + (i,j) and the centre p (C. Tomasi and
 * R. Manduchi, "Bilateral Filtering for Gray and Color Images", ICCV 1998,
 * with Gaussians for both closeness and similarity).  Both sums run over the
 * window, including the taps that fall outside the frame: the border mode gives
 * the colour of these taps, and this colour gives their weight. */

#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/* Border modes: the values of taps outside the row `a b c d`. */
typedef enum
{
  REFERENCE_BORDER_CLAMP_TO_EDGE,       /* a a [a b c d] d d */
  REFERENCE_BORDER_REFLECT,     /* b a [a b c d] d c */
  REFERENCE_BORDER_REFLECT_101, /* c b [a b c d] c b */
  REFERENCE_BORDER_WRAP,        /* c d [a b c d] a b */
  REFERENCE_BORDER_CONSTANT     /* k k [a b c d] k k */
} ReferenceBorder;

/* Which taps (i,j) belong to the window of radius r. */
typedef enum
{
  REFERENCE_WINDOW_SQUARE,      /* |i| <= r and |j| <= r */
  REFERENCE_WINDOW_DISC         /* i² + j² <= r² */
} ReferenceWindow;

typedef struct
{
  /* σs, in pixels, above 0.  If it is infinite, every tap is equally close. */
  double spatial_sigma;
  /* σr, in units of Δ, above 0.  If it is infinite, every tap is equally
   * similar. */
  double intensity_sigma;
  int radius;                   /* r, in pixels, not negative */
  ReferenceWindow window;
  ReferenceBorder border;
} ReferenceBilateral;

/* Returns the position in 0 .. n - 1 that a tap at position i reads in a row of
 * n >= 1 pixels, or -1 for the constant colour.  i may be any distance outside.
 * The border applies to each axis on its own. a tap that is outside along
 * either axis reads the constant colour. */
int reference_border_index (ReferenceBorder border, int i, int n);

/* A channel of a frame. The levels are row-major, without padding. */
typedef struct
{
  int width;                    /* samples across, at least 1 */
  int height;                   /* samples down, at least 1 */
  int x_pixels;                 /* pixels across that a sample stands for */
  int y_pixels;                 /* pixels down that a sample stands for */
  const double *levels;
  double border_level;          /* outside, REFERENCE_BORDER_CONSTANT only */
  double max_level;             /* the level of I = 1 */
} ReferencePlane;

/* Returns the level of the sample at x, y. The position may also be anywhere
 * outside the plane. */
double reference_plane_get_tap (const ReferencePlane *plane,
    ReferenceBorder border, int x, int y);

/* Returns the levels of the plane and of @reach_x samples on its left and
 * right, and @reach_y above and below, for taps there: row-major, without
 * padding. The caller frees them. */
double *reference_plane_new_bordered (const ReferencePlane *plane,
    ReferenceBorder border, int reach_x, int reach_y);

/* The channels of a frame: (red, green, blue), (luma, blue difference, red
 * difference), or luma alone. */
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
  int shift;                    /* bits of a component below the level */
  int full_range;               /* level 0 is black, ignored with RGB */
  int width;                    /* in pixels */
  int height;                   /* in pixels */
  /* A sample of a colour difference stands for 2^x_shift pixels across and
   * 2^y_shift pixels down.  Other channels have a sample per pixel. */
  int x_shift;
  int y_shift;
  /* Components, row-major, without padding.  The level of a component is
   * min (component div 2^shift, 2^depth - 1). */
  uint16_t *channels[3];
} ReferenceFrame;

#define REFERENCE_BINS 1024

/* Counts how many samples of each channel have levels in each bin.  The
 * channels are (R, G, B and Y = (30 R + 59 G + 11 B + 50) div 100 of the
 * levels), (luma, blue difference and red difference), or luma.  Levels of n
 * bits have min (2^n, 1024) bins, and bin b counts the levels with b = level
 * div (2^n div bins).  Other counts are 0. */
void reference_histogram_frame (const ReferenceFrame *frame,
    uint32_t counts[4][REFERENCE_BINS]);

/* Draws the counts of reference_histogram_frame() into the frame.  With
 * s = max (1, height div 480), the panel is 256 s pixels wide and 100 s pixels
 * high, or as large as the frame if the frame is smaller.  It is 8 s pixels
 * away from the right and the upper edge, if it fits there.  The positions of
 * its left and upper edge are rounded down to multiples of 2^x_shift and
 * 2^y_shift.
 *
 * count (c, v), for v from 0 to 255, is the sum of the bins of channel c that
 * count levels whose first 8 bits are v.  Column x of w shows the value
 * x * 256 div w.  With
 *
 *   level (c) = min (h, count (c, value) * h div peak)
 *
 * where h is the panel's height and peak is the largest count of the values 1
 * to 254 of all existing channels, at least 1, a pixel with a other pixels
 * below it in the panel becomes, in channel c,
 *
 *   line                                           on the line of the luma
 *   (level + base) div 2 + (a < level (c) ? rise : 0)     elsewhere
 *
 * A pixel is on the line if low - s < a <= high, where low and high are the
 * smaller and the larger value of min (level (Y), h - 1) in this column and in
 * the column before it, if any.  For levels of 8 bits (levels of more bits are
 * shifted by the additional bits) line, base and rise are
 *
 *   255, 0, 128     red, green, blue, and luma of full range
 *   235, 16, 110    luma of limited range; with more bits rise is half of the
 *                   range, rounded up
 *   128, 128, 64    differences of full range
 *   128, 128, 56    differences of limited range
 *
 * A sample that stands for several pixels has x and a of the upper left pixel.
 * It is on the line if one of its pixels in the panel is on the line. */
void reference_histogram_overlay_frame (const ReferenceFrame *frame,
    const uint32_t counts[4][REFERENCE_BINS]);

#endif
