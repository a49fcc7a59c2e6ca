/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws the histograms of a frame into a corner of it.
 *
 * The panel is 256 s pixels wide and 100 s high, or as large as the frame where
 * that is smaller, with s = max (1, frame height div 480). It is 8 s pixels
 * from the right and the upper edge, where it fits.
 *
 * Column x of w shows bin x * 256 div w. With
 *
 *   level (c) = min (h, count of the bin in channel c * h div peak)
 *
 * where h is the panel's height and peak the largest count of bins 1 to 254 of
 * all channels, at least 1 (pixels that are clipped do not flatten the rest),
 * the pixel that has a others below it in the panel becomes, in channel c,
 *
 *   255                                  on the line of the luma
 *   value div 2 + (a < level (c) ? 128 : 0)   elsewhere
 *
 * On the line are the a with low - s < a <= high, low and high being the
 * smaller and the larger of min (level (luma), h - 1) in this column and in the
 * one before it, if any. Alpha is left alone. */

#pragma once

#include "ocloperation.h"

G_BEGIN_DECLS

/* The operation; it has no parameters, and draws its result, an
 * OclHistogramCounts. Its only variant changes a panel of the frame, which
 * takes the way over a buffer where the frame is an image. */
extern const OclOperationClass ocl_histogram_overlay_class;

G_END_DECLS
