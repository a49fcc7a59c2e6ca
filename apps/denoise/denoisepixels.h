/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of FFmpeg's libraries as frames of GStreamer, and back. Samples are
 * not copied. */
#pragma once

#include <gst/video/video.h>
#include <libavutil/frame.h>

G_BEGIN_DECLS

/* Returns the format of GStreamer that lies in memory as @format does, or
 * GST_VIDEO_FORMAT_UNKNOWN. */
GstVideoFormat denoise_pixels_get_video_format (enum AVPixelFormat format);

/* Returns @format or, if GStreamer has no such format, the one of those that
 * it has that loses least. */
enum AVPixelFormat denoise_pixels_choose (enum AVPixelFormat format);

/* Returns which of @formats, an array that ends with AV_PIX_FMT_NONE, lies in
 * memory as @format does, or AV_PIX_FMT_NONE. */
enum AVPixelFormat denoise_pixels_find (const enum AVPixelFormat *formats,
    GstVideoFormat format);

/* Returns raw video caps with all of @formats that GStreamer has. The caller
 * unrefs the caps. */
GstCaps *denoise_pixels_create_caps (const enum AVPixelFormat *formats);

/* Sets @info to what @frame is: size, format, colours, chroma site and pixel
 * aspect; not fields and rate. Where @frame names no colours, those that
 * GStreamer assumes for the size are set. Returns FALSE if GStreamer has no
 * such frames. */
gboolean denoise_pixels_fill_info (GstVideoInfo * info, const AVFrame * frame);

/* Sets the colours of @frame to those of @info. */
void denoise_pixels_set_colors (AVFrame * frame, const GstVideoInfo * info);

/* Returns a buffer with the samples of @frame, which is as @info says. The
 * buffer has references to the memory of the frame, with their strides; no
 * time is set. Returns NULL if there is no memory. */
GstBuffer *denoise_pixels_wrap_frame (const AVFrame * frame,
    const GstVideoInfo * info);

/* Returns a frame of @format with the samples of @buffer, which is as @info
 * says, and which is mapped until the frame is freed. All else of the frame is
 * unset. Returns NULL if the buffer cannot be mapped. */
AVFrame *denoise_pixels_wrap_buffer (GstBuffer * buffer,
    const GstVideoInfo * info, enum AVPixelFormat format);

G_END_DECLS
