/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws the histograms of a frame into a corner of the frame.
 *
 * The panel is 256 s pixels wide and 100 s pixels high, but not larger than the
 * frame, with s = max (1, frame height div 480). It lies 8 s pixels from the
 * right and the upper edge of the frame, if there is room. If chroma is
 * subsampled, the left and the upper edge of the panel are rounded down to the
 * edge of a chroma sample. The right and the lower edge are always edges of a
 * sample or of the frame.
 *
 * At any depth, the panel shows 256 values of a channel. Let channel c have n
 * bins: count (c, v) is the sum of the counts of n div 256 of them, from bin
 * v * n div 256 on. Column x of a panel of width w shows the value
 * x * 256 div w. The height of channel c in a column is
 *
 *   level (c) = min (h, count (c, value) * h div peak)
 *
 * where h is the height of the panel and peak is the largest count of the
 * values 1 to 254 of all channels that the format has, at least 1 and at most a
 * 32nd of the pixels of the frame (so that clipped pixels and areas of one
 * colour do not flatten the rest). Let a be the number of pixels below a pixel
 * in the panel. Channel c of the pixel becomes
 *
 *   line (c)                                                on the line of luma
 *   (value + base (c)) div 2 + (a < level (c) ? rise (c) : 0)       elsewhere
 *
 * A pixel is on the line of luma if low - s < a <= high, where low and high are
 * the smaller and the larger of min (level (luma), h - 1) in the column of the
 * pixel and in the column before, if there is one. The levels line, base and
 * rise are
 *
 *                                     line       base       rise
 *   red, green, blue                  largest    0          2^depth / 2
 *   luma, full range                  largest    0          2^depth / 2
 *   luma, limited range               235 u      16 u       (219 u + 1) div 2
 *   differences, full range           128 u      128 u      64 u
 *   differences, limited range        128 u      128 u      56 u
 *
 * with u = 2^(depth - 8), where differences are cb and cr. A pixel in the panel
 * is therefore blended halfway to black or to grey, and a histogram brightens
 * it by half of the range. Areas of cb are therefore blue, and areas of cr are
 * red.
 *
 * A sample that stands for several pixels has the x and a of its upper left
 * pixel. It is on the line if any of its pixels in the panel is on the line.
 *
 * Alpha and all pixels outside the panel are unchanged. Inside the panel, the
 * bits below and above the level of a component become 0. A value above the
 * largest level is treated as the largest level. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The operation, without parameters. It draws its result, an
 * OclHistogramCounts. Its only variant changes the panel of the frame in place.
 * If the frame is an image, the panel is copied to a buffer and back. */
extern const OclOperationClass ocl_histogram_overlay_class;

G_END_DECLS
