/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Video codecs of the output. */
#pragma once

#include "denoiseoutput.h"

#include <gst/video/video.h>
#include <libavcodec/avcodec.h>

G_BEGIN_DECLS

typedef struct _DenoiseCodec DenoiseCodec;

/* Returns the codec named in @options. Without one, chooses the most widely
 * supported codec that keeps the properties of the decoded video @info: H.264
 * for 8 bits and for fields, H.265 for more bits, VP9 if the other codecs do
 * not support the size, and in a .webm. For y4m, returns FFmpeg's pass-through
 * codec. */
const DenoiseCodec *denoise_codec_choose (const DenoiseOptions * options,
    const GstVideoInfo * info);

/* Returns the encoder for video with the properties @info. @turns: its frames
 * are rotated by a quarter. Opens it for a test before the work begins if
 * @keeps_size says that the filter does not change the size. Returns NULL and
 * sets @error if FFmpeg was built without an encoder, if no encoder supports
 * such frames, or if the encoder does not support --speed. */
const AVCodec *denoise_codec_find_encoder (const DenoiseCodec * codec,
    const DenoiseOptions * options, const GstVideoInfo * info, gboolean turns,
    gboolean keeps_size, GError ** error);

/* Returns whether the container supports the codec. If not, sets @error. */
gboolean denoise_codec_is_held (const DenoiseCodec * codec,
    const DenoiseOutput * output, GError ** error);

/* Returns the formats supported by the encoder, an array that ends with
 * AV_PIX_FMT_NONE. */
const enum AVPixelFormat *denoise_codec_get_formats (const AVCodec * encoder);

/* Returns the colours and the HDR metadata of @frame as options of x265, or
 * NULL if there are none. The caller frees the text. */
gchar *denoise_codec_describe_colours (const AVFrame * frame);

/* Returns the caps of the encoder's input for video with the properties @info:
 * the format with the least loss, and the colorimetry and chroma site of @info
 * if both formats are of one kind (Y'CbCr or RGB). The caller unrefs the
 * caps. */
GstCaps *denoise_codec_choose_caps (const AVCodec * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info);

/* Returns whether the codec marks frames as interlaced. */
gboolean denoise_codec_has_fields (const DenoiseCodec * codec);

/* Opens an encoder for frames with the size, format, colours and pixel aspect
 * of @frame, with times in @time_base. @order is the order of the fields,
 * ignored by codecs without fields. @rate may be 0/1. @is_global: the container
 * stores the headers. Returns NULL and sets @error on failure. The caller frees
 * the encoder. */
AVCodecContext *denoise_codec_open (const DenoiseCodec * codec,
    const AVCodec * encoder, const DenoiseOptions * options,
    const AVFrame * frame, enum AVFieldOrder order, AVRational time_base,
    AVRational rate, gboolean is_global, GError ** error);

G_END_DECLS
