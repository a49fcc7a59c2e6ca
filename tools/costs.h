/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernels cost at least, for `glopencl roofline`: counted from their
 * source, as it is written, for a frame's inner part. Who changes a kernel
 * counts it again, and checks: the difference of what `oclgrind --inst-counts
 * glopencl bench` gives for two radii is that of their taps.
 *
 * LIMIT_ARITHMETIC counts operations on one float or integer of one pixel:
 * multiply-adds, or else additions, multiplications, conversions, comparisons,
 * selections, shifts. LIMIT_FMA counts those of them that multiply. A division
 * counts as one multiplication. Addresses, loop counters and shuffles are not
 * counted.
 *
 * A line is a row or column of the window, whichever the kernel sums up first;
 * a tap is a pixel of it, of (2 reach + 1)². All parameters but those that set
 * the reach are at their defaults: the filter's counts are for colour mode
 * intensity and the square window, those of sharpening for the mean. What a
 * convolution takes depends on the zeros of its matrix. */

#pragma once

#include "limit.h"

/* By the names of the operation and of its variant. */
typedef struct
{
  const gchar *operation;
  const gchar *variant;
  gdouble per_tap[N_LIMITS];
  gdouble per_line[N_LIMITS];
  gdouble per_pixel[N_LIMITS];
} Cost;

static const Cost costs[] = {
  /* bilateral.cl
   * Tap: 4 conversions to float; luma 5; difference 3, over its unit 3,
   * squared 3, summed up 2; i² + j² as a float, scaled 5; scaled difference
   * 3; weight 3; sums 6 and 3. One exp for distance, three for the difference.
   * Reads 4 bytes.
   * Line: 6 additions. Pixel: luma 5, divisions 3, conversions 4 and 4; reads
   * its centre, and a frame is read and one written. */
  {
    .operation = "bilateral",.variant = "plain",
    .per_tap = {[LIMIT_FMA] = 21,[LIMIT_ARITHMETIC] = 40,[LIMIT_EXP] = 4,
        [LIMIT_CACHE] = 4},
    .per_line = {[LIMIT_ARITHMETIC] = 6},
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 16,[LIMIT_FRAME] = 8},
  },
  /* bilateral-rows.cl
   * Tap: difference 1, exponent 1; 2^t: rounding 3, polynomial 4, into the
   * exponent 2; sums 3 and 1. Reads 4 floats, and a spatial exponent for 16
   * pixels.
   * Line: 4 additions. Pixel: planes: 3 conversions, luma 5, scaled 1; rows: 3
   * divisions, limits 6, rounding 6, put together 6; a frame and 4 planes are
   * read and written, alpha is read once more. */
  {
    .operation = "bilateral",.variant = "rows",
    .per_tap = {[LIMIT_FMA] = 8,[LIMIT_ARITHMETIC] = 15,[LIMIT_CACHE] = 16.25},
    .per_line = {[LIMIT_ARITHMETIC] = 4},
    .per_pixel = {[LIMIT_FMA] = 7,[LIMIT_ARITHMETIC] = 30,[LIMIT_FRAME] = 44},
  },
  /* bilateral-tiled.cl
   * Tap: difference 1, scaled 1, exponent 1; sums 3 and 1; every tap that is
   * loaded is one of 4 pixels, or less at the ends of a column, and its spatial
   * exponent 1 addition for all. Reads a float4 and an exponent for those.
   * Line: 3 float4 for 4 pixels at the ends, a span.
   * Pixel: conversions 4, luma 5 and a float4 written for the tile, again for
   * the centre; sums 4, divisions 3, conversions 4; a frame is read and one
   * written. */
  {
    .operation = "bilateral",.variant = "tiled",
    .per_tap = {[LIMIT_FMA] = 5,[LIMIT_ARITHMETIC] = 7.25,[LIMIT_EXP2] = 1,
        [LIMIT_LOCAL] = 5},
    .per_line = {[LIMIT_LOCAL] = 14},
    .per_pixel = {[LIMIT_FMA] = 9,[LIMIT_ARITHMETIC] = 29,[LIMIT_LOCAL] = 16,
        [LIMIT_FRAME] = 8},
  },
  /* stencil.cl
   * Tap: 4 conversions to float, and 3 sums. Reads 4 bytes and a weight.
   * Line: 3 additions. Pixel: again the centre's conversions 4, sums 6, limits
   * 6, conversions 4; a frame is read and one written. */
  {
    .operation = "sharpen",.variant = "plain",
    .per_tap = {[LIMIT_FMA] = 3,[LIMIT_ARITHMETIC] = 7,[LIMIT_CACHE] = 8},
    .per_line = {[LIMIT_ARITHMETIC] = 3},
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 20,[LIMIT_FRAME] = 8},
  },
  /* stencil-rows.cl, box: what does not depend on the radius. Pixel: bytes
   * apart 6 and conversions 3, three times: of the row that comes in, of that
   * which leaves, of the centre; sums down 6; along, at least an addition and a
   * conversion 6; 2 sums 6, limits 6, rounding 6, put together 6. Sums are
   * written, and read twice. */
  {
    .operation = "sharpen",.variant = "rows",
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 63,[LIMIT_CACHE] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* stencil-tiled.cl, in one kernel. Line: sums down 3, of a pixel that is read
   * for 8; sums along 3, of which a float3 and a weight are read.
   * Pixel: sums down 21 more at the ends of a column, a float3 written;
   * conversions 4, sums 6, limits 6, conversions 4; a frame is read and one
   * written. */
  {
    .operation = "sharpen",.variant = "tiled",
    .per_line = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 7,[LIMIT_LOCAL] = 12},
    .per_pixel = {[LIMIT_FMA] = 27,[LIMIT_ARITHMETIC] = 41,[LIMIT_LOCAL] = 12,
        [LIMIT_FRAME] = 8},
  },
  /* gradient-rows.cl. Pixel: bytes apart 6, conversions 3, luma 5; sums down 4,
   * along 1 and 4; squares 2, a sum, a root and its factor 3; limits 2,
   * rounding 2, put together 6. Luma and two sums are written, and read three
   * times each. */
  {
    .operation = "gradient",.variant = "rows",
    .per_pixel = {[LIMIT_FMA] = 10,[LIMIT_ARITHMETIC] = 38,[LIMIT_CACHE] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* gradient-tiled.cl. Pixel: conversions 4, luma 5, written; 8 of them are
   * read; differences and sums 16; squares 2, a sum, a root and its factor 3;
   * limits 6, conversions 4. */
  {
    .operation = "gradient",.variant = "tiled",
    .per_pixel = {[LIMIT_FMA] = 13,[LIMIT_ARITHMETIC] = 40,[LIMIT_LOCAL] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* histogram.cl
   * Pixel: 4 conversions to float and 4 back, luma 8, a comparison and an
   * addition a channel 8. Where no two pixels of a column that are neighbours
   * are alike, 4 atomic additions. */
  {
    .operation = "histogram",.variant = "groups",
    .per_pixel = {[LIMIT_FMA] = 4,[LIMIT_ARITHMETIC] = 24,[LIMIT_ATOMIC] = 4,
        [LIMIT_FRAME] = 4},
  },
  /* histogram-strips.cl
   * Pixel: bytes apart 5, luma 8, together 3; 4 counters. Taking the
   * bytes apart once more, for addresses, is not counted. */
  {
    .operation = "histogram",.variant = "strips",
    .per_pixel = {[LIMIT_FMA] = 4,[LIMIT_ARITHMETIC] = 16,[LIMIT_COUNTER] = 4,
        [LIMIT_FRAME] = 4},
  },
};
