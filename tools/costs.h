/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The minimum cost of each kernel, for `glopencl roofline`. The costs are
 * counted from the source of the kernels, as it is written, for the inner part
 * of a frame. Whoever changes a kernel must count its costs again, and check
 * them: run `oclgrind --inst-counts glopencl bench` with two radii; the
 * instruction counts must differ by the cost of the additional taps.
 *
 * LIMIT_ARITHMETIC counts the operations on one float or integer of one pixel.
 * A multiply-add is one operation; the other operations are additions,
 * multiplications, conversions, comparisons, selections and shifts. LIMIT_FMA
 * counts only the operations that multiply. A division counts as one
 * multiplication. Addresses, loop counters and shuffles are not counted.
 *
 * A line is a row or a column of the window, whichever the kernel sums up
 * first. A tap is a pixel of the window, which has (2 reach + 1)² taps. All
 * parameters except those that set the reach have their defaults: the costs of
 * the bilateral filter are for colour mode intensity and the square window, the
 * costs of sharpening are for the mean. Convolution is not listed, because its
 * cost depends on the zeros in the matrix. */

#pragma once

#include "limit.h"

/* The costs of one variant. @operation and @variant are its names. */
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
   * Tap: 4 conversions to float; luma 5; difference 3, divided by its unit 3,
   * squared 3, summed up 2; i² + j² as a float, scaled 5; scaled difference
   * 3; weight 3; sums 6 and 3. One exp for the distance, three for the
   * difference. A tap reads 4 bytes.
   * Line: 6 additions. Pixel: luma 5, divisions 3, conversions 4 and 4. The
   * kernel reads the centre of each window, reads one frame and writes one. */
  {
    .operation = "bilateral",.variant = "plain",
    .per_tap = {[LIMIT_FMA] = 21,[LIMIT_ARITHMETIC] = 40,[LIMIT_EXP] = 4,
        [LIMIT_CACHE] = 4},
    .per_line = {[LIMIT_ARITHMETIC] = 6},
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 16,[LIMIT_FRAME] = 8},
  },
  /* bilateral-rows.cl
   * Tap: difference 1, exponent 1; 2^t: rounding 3, polynomial 4, insertion
   * into the exponent 2; sums 3 and 1. A tap reads 4 floats, and one spatial
   * exponent for 16 pixels.
   * Line: 4 additions. Pixel: the planes take 3 conversions, luma 5, scaling 1;
   * the rows take 3 divisions, clamping 6, rounding 6, packing 6. The kernels
   * read and write a frame and 4 planes, and read alpha once more. */
  {
    .operation = "bilateral",.variant = "rows",
    .per_tap = {[LIMIT_FMA] = 8,[LIMIT_ARITHMETIC] = 15,[LIMIT_CACHE] = 16.25},
    .per_line = {[LIMIT_ARITHMETIC] = 4},
    .per_pixel = {[LIMIT_FMA] = 7,[LIMIT_ARITHMETIC] = 30,[LIMIT_FRAME] = 44},
  },
  /* bilateral-tiled.cl
   * Tap: difference 1, scaling 1, exponent 1; sums 3 and 1. Each tap that is
   * loaded serves 4 pixels, or fewer at the ends of a column; its spatial
   * exponent takes 1 addition for all of these pixels. They share the reads of
   * a float4 and an exponent.
   * Line: 3 float4 for 4 pixels at the ends, a span.
   * Pixel: conversions 4, luma 5 and a float4 written, once for the tile and
   * once for the centre; sums 4, divisions 3, conversions 4. The kernel reads
   * one frame and writes one. */
  {
    .operation = "bilateral",.variant = "tiled",
    .per_tap = {[LIMIT_FMA] = 5,[LIMIT_ARITHMETIC] = 7.25,[LIMIT_EXP2] = 1,
        [LIMIT_LOCAL] = 5},
    .per_line = {[LIMIT_LOCAL] = 14},
    .per_pixel = {[LIMIT_FMA] = 9,[LIMIT_ARITHMETIC] = 29,[LIMIT_LOCAL] = 16,
        [LIMIT_FRAME] = 8},
  },
  /* stencil.cl
   * Tap: 4 conversions to float, and 3 sums. A tap reads 4 bytes and a weight.
   * Line: 3 additions. Pixel: conversions of the centre, once more, 4; sums 6,
   * clamping 6, conversions 4. The kernel reads one frame and writes one. */
  {
    .operation = "sharpen",.variant = "plain",
    .per_tap = {[LIMIT_FMA] = 3,[LIMIT_ARITHMETIC] = 7,[LIMIT_CACHE] = 8},
    .per_line = {[LIMIT_ARITHMETIC] = 3},
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 20,[LIMIT_FRAME] = 8},
  },
  /* stencil-rows.cl, box. The costs do not depend on the radius. Pixel:
   * unpacking the bytes 6 and conversions 3, three times: for the row that
   * enters the window, for the row that leaves the window, and for the centre;
   * sums down 6; sums along the row, at least an addition and a conversion, 6;
   * 2 sums 6, clamping 6, rounding 6, packing 6. The kernel writes the sums
   * once and reads them twice. */
  {
    .operation = "sharpen",.variant = "rows",
    .per_pixel = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 63,[LIMIT_CACHE] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* stencil-tiled.cl, in one kernel. Line: sums down 3, where each pixel is
   * read once for 8 sums; sums along 3, for which a float3 and a weight are
   * read.
   * Pixel: sums down 21 more at the ends of a column, a float3 written;
   * conversions 4, sums 6, clamping 6, conversions 4. The kernel reads one
   * frame and writes one. */
  {
    .operation = "sharpen",.variant = "tiled",
    .per_line = {[LIMIT_FMA] = 6,[LIMIT_ARITHMETIC] = 7,[LIMIT_LOCAL] = 12},
    .per_pixel = {[LIMIT_FMA] = 27,[LIMIT_ARITHMETIC] = 41,[LIMIT_LOCAL] = 12,
        [LIMIT_FRAME] = 8},
  },
  /* gradient-rows.cl. Pixel: unpacking the bytes 6, conversions 3, luma 5; sums
   * down 4, sums along 1 and 4; squares 2, a sum, a root and its factor 3;
   * clamping 2, rounding 2, packing 6. The kernel writes luma and two sums once
   * and reads each of them three times. */
  {
    .operation = "gradient",.variant = "rows",
    .per_pixel = {[LIMIT_FMA] = 10,[LIMIT_ARITHMETIC] = 38,[LIMIT_CACHE] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* gradient-tiled.cl. Pixel: conversions 4, luma 5; one luma is written and 8
   * are read; differences and sums 16; squares 2, a sum, a root and its factor
   * 3; clamping 6, conversions 4. */
  {
    .operation = "gradient",.variant = "tiled",
    .per_pixel = {[LIMIT_FMA] = 13,[LIMIT_ARITHMETIC] = 40,[LIMIT_LOCAL] = 36,
        [LIMIT_FRAME] = 8},
  },
  /* histogram.cl
   * Pixel: 4 conversions to float and 4 back, luma 8, a comparison and an
   * addition a channel 8; 4 atomic additions if no two neighbours in a column
   * are equal. */
  {
    .operation = "histogram",.variant = "groups",
    .per_pixel = {[LIMIT_FMA] = 4,[LIMIT_ARITHMETIC] = 24,[LIMIT_ATOMIC] = 4,
        [LIMIT_FRAME] = 4},
  },
  /* histogram-strips.cl
   * Pixel: unpacking the bytes 5, luma 8, packing 3; 4 counters. The second
   * unpacking of the bytes, for addresses, is not counted. */
  {
    .operation = "histogram",.variant = "strips",
    .per_pixel = {[LIMIT_FMA] = 4,[LIMIT_ARITHMETIC] = 16,[LIMIT_COUNTER] = 4,
        [LIMIT_FRAME] = 4},
  },
};
