/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the video format with the least loss. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Returns the format in @accepted (raw video caps) that loses least of @from
 * and, among several such formats, the one nearest to @from. If @bits is not 0,
 * the format has at least @bits bits, and no more than needed. Alpha has the
 * highest priority, then grey or Y'CbCr against RGB, then depth, then
 * subsampling. Returns GST_VIDEO_FORMAT_UNKNOWN if @accepted has no format. */
GstVideoFormat denoise_format_choose (GstVideoFormat from,
    const GstCaps * accepted, guint bits);

/* Creates caps of @format. If the conversion from @info to @format needs no
 * colour matrix, the caps have the colours of @info, because videoconvert drops
 * the range when it converts grey to Y'CbCr. The caller unrefs the caps. */
GstCaps *denoise_format_create_caps (const GstVideoInfo * info,
    GstVideoFormat format);

/* Returns the depth of a format. */
guint denoise_format_get_bits (GstVideoFormat format);

/* Returns the layout of a format, such as "4:2:0", "4:4:4", "grey", "RGB". */
const gchar *denoise_format_get_layout (GstVideoFormat format);

/* Describes the properties of @from that @to cannot hold, such as "alpha, 16
 * bits (12 are kept)". Returns NULL if nothing is lost. The caller frees the
 * text. */
gchar *denoise_format_describe_loss (GstVideoFormat from, GstVideoFormat to);

G_END_DECLS
