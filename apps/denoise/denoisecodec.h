/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The codecs of the output's video. */
#pragma once

#include "denoiseoutput.h"

#include <gst/video/video.h>
#include <libavcodec/avcodec.h>

G_BEGIN_DECLS

typedef struct _DenoiseCodec DenoiseCodec;

/* Returns the codec that @options names. Without one, chooses the codec that
 * most players know among the codecs that keep the properties of the decoded
 * video, which @info describes: H.264 for 8 bits and for fields, H.265 for
 * more bits, VP9 if the other codecs do not support the size, and in a .webm.
 * For y4m, this is the codec of FFmpeg that does nothing. */
const DenoiseCodec *denoise_codec_choose (const DenoiseOptions * options,
    const GstVideoInfo * info);

/* Returns the encoder for video that @info describes; @turns: its frames are
 * turned by a quarter. Tries to open it, before work begins, if @keeps_size
 * says that the filter does not change the size. Returns NULL and sets
 * @error if FFmpeg was built without one, if none takes such frames, or if
 * --speed is none of the encoder's. */
const AVCodec *denoise_codec_find_encoder (const DenoiseCodec * codec,
    const DenoiseOptions * options, const GstVideoInfo * info, gboolean turns,
    gboolean keeps_size, GError ** error);

/* Returns whether the container can hold the codec; if not, sets @error. */
gboolean denoise_codec_is_held (const DenoiseCodec * codec,
    const DenoiseOutput * output, GError ** error);

/* Returns the formats that the encoder takes, an array that ends with
 * AV_PIX_FMT_NONE. */
const enum AVPixelFormat *denoise_codec_get_formats (const AVCodec * encoder);

/* Returns the colours and the HDR metadata of @frame as options of x265, or
 * NULL if there are none. The caller frees the text. */
gchar *denoise_codec_describe_colours (const AVFrame * frame);

/* Returns the caps of the encoder's input, for video that @info describes: the
 * format that loses least, and the colorimetry and chroma site of @info if
 * both formats are of one kind (Y'CbCr or RGB). The caller unrefs the caps. */
GstCaps *denoise_codec_choose_caps (const AVCodec * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info);

/* Whether the codec marks frames as interlaced. */
gboolean denoise_codec_has_fields (const DenoiseCodec * codec);

/* Opens an encoder for frames such as @frame, which has their size, format,
 * colours and pixel aspect, with times in @time_base. @order is the order of
 * the fields, which a codec without fields ignores. @rate may be 0/1.
 * @is_global: the container has the headers. Returns NULL and sets @error on
 * failure. The caller frees the encoder. */
AVCodecContext *denoise_codec_open (const DenoiseCodec * codec,
    const AVCodec * encoder, const DenoiseOptions * options,
    const AVFrame * frame, enum AVFieldOrder order, AVRational time_base,
    AVRational rate, gboolean is_global, GError ** error);

G_END_DECLS
