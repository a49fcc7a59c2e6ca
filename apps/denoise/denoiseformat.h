/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Video formats: chooses the one with the least loss, and converts between
 * frames of FFmpeg's libraries and of GStreamer. */
#pragma once

#include <gst/video/video.h>
#include <libavutil/frame.h>

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

/* Converts between frames of FFmpeg's libraries and of GStreamer. Samples are
 * not copied. */

/* Returns the GStreamer format with the memory layout of @format, or
 * GST_VIDEO_FORMAT_UNKNOWN. */
GstVideoFormat denoise_pixels_get_video_format (enum AVPixelFormat format);

/* Returns @format or, if GStreamer does not support it, the supported format
 * with the least loss. */
enum AVPixelFormat denoise_pixels_choose (enum AVPixelFormat format);

/* Returns the format in @formats, an array that ends with AV_PIX_FMT_NONE, with
 * the memory layout of @format, or AV_PIX_FMT_NONE. */
enum AVPixelFormat denoise_pixels_find (const enum AVPixelFormat *formats,
    GstVideoFormat format);

/* Returns raw video caps with all of @formats that GStreamer supports. The
 * caller unrefs the caps. */
GstCaps *denoise_pixels_create_caps (const enum AVPixelFormat *formats);

/* Sets @info to the properties of @frame: size, format, colours, chroma site
 * and pixel aspect, but not fields and rate. If @frame has no colours, sets
 * GStreamer's defaults for the size. Returns FALSE if GStreamer does not
 * support such frames. */
gboolean denoise_pixels_fill_info (GstVideoInfo * info, const AVFrame * frame);

/* Sets the colours of @frame to those of @info. */
void denoise_pixels_set_colors (AVFrame * frame, const GstVideoInfo * info);

/* Returns a buffer with the samples of @frame, whose properties are @info. The
 * buffer references the memory of the frame, with its strides. No time is set.
 * Returns NULL if there is no memory. */
GstBuffer *denoise_pixels_wrap_frame (const AVFrame * frame,
    const GstVideoInfo * info);

/* Returns a frame of @format with the samples of @buffer, whose properties are
 * @info. @buffer is mapped until the frame is freed. Everything else in the
 * frame is unset. Returns NULL if the buffer cannot be mapped. */
AVFrame *denoise_pixels_wrap_buffer (GstBuffer * buffer,
    const GstVideoInfo * info, enum AVPixelFormat format);

G_END_DECLS
