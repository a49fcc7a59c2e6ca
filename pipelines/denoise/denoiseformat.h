/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The format that keeps most of another one. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Of the formats in @accepted, raw video caps, the one that loses least of what
 * @from can hold, and of these the one nearest to it; of at least @bits bits
 * where @bits is not 0, and then no more than needed. Alpha counts most, then
 * grey or Y'CbCr against RGB, then depth, then subsampling.
 * GST_VIDEO_FORMAT_UNKNOWN where @accepted has none. */
GstVideoFormat denoise_format_choose (GstVideoFormat from,
    const GstCaps * accepted, guint bits);

/* Caps of @format that leave the colours as @info says where both are Y'CbCr or
 * both RGB. Caller unrefs. */
GstCaps *denoise_format_create_caps (const GstVideoInfo * info,
    GstVideoFormat format);

/* @caps, of Y'CbCr or grey with a range but no matrix, with the matrix that is
 * usual for this size: without one GStreamer forgets the range, too. Other caps
 * are returned as they are. Caller unrefs. */
GstCaps *denoise_format_complete_caps (GstCaps * caps);

/* Bits of a sample. */
guint denoise_format_get_bits (GstVideoFormat format);

/* "4:2:0", "4:4:4", "grey", "RGB". */
const gchar *denoise_format_get_layout (GstVideoFormat format);

/* What @to cannot hold of @from, as "alpha, 16 bits (12 are kept)"; NULL where
 * nothing is lost. Caller frees. */
gchar *denoise_format_describe_loss (GstVideoFormat from, GstVideoFormat to);

G_END_DECLS
