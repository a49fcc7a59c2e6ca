/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws the histograms of a frame into a corner of it.
 *
 * The panel is 256 s pixels wide and 100 s high, or as large as the frame where
 * that is smaller, with s = max (1, frame height div 480). It is 8 s pixels
 * from the right and the upper edge, where it fits; where differences are
 * subsampled, its left and its upper edge are rounded down to a sample's. The
 * others are a sample's anyway, or the frame's.
 *
 * Whatever the depth, it shows 256 values of a channel: count (c, v) is the sum
 * of the counts of the n div 256 bins of channel c, of which there are n, from
 * v * n div 256 on. Column x of w shows the value x * 256 div w. With
 *
 *   level (c) = min (h, count (c, value) * h div peak)
 *
 * where h is the panel's height and peak the largest count of values 1 to 254
 * of all channels that the format has, at least 1 and at most a 32nd of the
 * frame's pixels (neither pixels that are clipped nor an area of one colour
 * flatten the rest), the pixel that has a others below it in the panel becomes,
 * in channel c,
 *
 *   line (c)                                                on the line of luma
 *   (value + base (c)) div 2 + (a < level (c) ? rise (c) : 0)       elsewhere
 *
 * On the line are the a with low - s < a <= high, low and high being the
 * smaller and the larger of min (level (luma), h - 1) in this column and in the
 * one before it, if any. What becomes of a channel is, in levels,
 *
 *                                     line       base       rise
 *   red, green, blue                  largest    0          2^depth / 2
 *   luma, full range                  largest    0          2^depth / 2
 *   luma, limited range               235 u      16 u       (219 u + 1) div 2
 *   differences, full range           128 u      128 u      64 u
 *   differences, limited range        128 u      128 u      56 u
 *
 * with u = 2^(depth - 8): half way to black or to grey, and lit by half of the
 * range. Areas of cb so are blue, those of cr red.
 *
 * A sample that stands for several pixels has the x and a of the upper left one
 * of them, and is on the line if any of those that the panel has is.
 *
 * Alpha is left alone, and so is all that lies outside of the panel. In it the
 * bits below and above a component's level become 0; a value above the largest
 * level is taken for that. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The operation; it has no parameters, and draws its result, an
 * OclHistogramCounts. Its only variant changes a panel of the frame, which
 * takes the way over a buffer where the frame is an image. */
extern const OclOperationClass ocl_histogram_overlay_class;

G_END_DECLS
