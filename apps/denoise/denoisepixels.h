/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts between frames of FFmpeg's libraries and of GStreamer. Samples are
 * not copied. */
#pragma once

#include <gst/video/video.h>
#include <libavutil/frame.h>

G_BEGIN_DECLS

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
