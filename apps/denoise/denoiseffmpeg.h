/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Access to FFmpeg's libraries: differences between their versions, 5.1 to 7.1,
 * and files by descriptor. */
#pragma once

#include <glib.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavformat/avio.h>

G_BEGIN_DECLS

/* Returns whether a decoded frame has two fields, and whether the upper field
 * is the first one. */
gboolean denoise_frame_is_interlaced (const AVFrame * frame);
gboolean denoise_frame_is_top_first (const AVFrame * frame);
/* Sets both. For a progressive frame, @top_first is the field order of the
 * video, for encoders with a single order. */
void denoise_frame_set_fields (AVFrame * frame, gboolean interlaced,
    gboolean top_first);

/* Returns the duration of a decoded frame, in the time base of its packets, or
 * 0 if unknown. */
gint64 denoise_frame_get_duration (const AVFrame * frame);

/* Returns the side data of a stream, which owns it, or NULL. Sets @size, in
 * bytes. */
gconstpointer denoise_stream_get_data (const AVStream * stream,
    enum AVPacketSideDataType type, gsize * size);

/* Copies @data to a stream that will be written. Returns FALSE if there is no
 * memory. */
gboolean denoise_stream_add_data (AVStream * stream,
    enum AVPacketSideDataType type, gconstpointer data, gsize size);

/* Copies all side data of a stream whose packets are copied. */
gboolean denoise_stream_copy_data (AVStream * stream, const AVStream * from);

/* Returns the pixel formats supported by an encoder: an array that ends with
 * AV_PIX_FMT_NONE, or NULL for any. */
const enum AVPixelFormat *denoise_encoder_get_formats (const AVCodec * codec);

/* Returns the sample formats supported by an audio encoder: an array that ends
 * with AV_SAMPLE_FMT_NONE, or NULL for any. */
const enum AVSampleFormat *denoise_encoder_get_sample_formats
    (const AVCodec * codec);

/* Returns the delay of an audio codec before its first sample, in microseconds.
 * A .mkv with such a track may have packets this much before 0. */
gint64 denoise_matroska_get_delay (const AVCodecParameters * parameters);

/* Returns whether the Matroska muxer adds this delay to the times of packets.
 * The demuxer subtracts it. */
gboolean denoise_matroska_adds_delay (void);

/* Files by descriptor. */

/* Returns a context that reads the file of @fd from its start or, if @writes,
 * writes it. A pipe is accessed at its current position. Returns NULL if there
 * is no memory. The caller owns the descriptor, which must outlive the
 * context. */
AVIOContext *denoise_io_new (gint fd, gboolean writes, gboolean is_pipe);

/* Frees *@io, which may be NULL, and sets it to NULL. Unflushed data is
 * lost. */
void denoise_io_free (AVIOContext ** io);

G_END_DECLS
