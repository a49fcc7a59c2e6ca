/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The codecs of the output's video. */
#pragma once

#include "denoiseoptions.h"

#include <gst/video/video.h>
#include <libavcodec/avcodec.h>

G_BEGIN_DECLS

typedef struct _DenoiseCodec DenoiseCodec;

/* Returns the codec that @options names. Without one, chooses the codec that
 * most players know among the codecs that keep the properties of the decoded
 * video, which @info describes: H.264 for 8 bits and for fields, H.265 for
 * more bits, VP9 if the other codecs do not support the size. */
const DenoiseCodec *denoise_codec_choose (const DenoiseOptions * options,
    const GstVideoInfo * info);

/* Returns the encoder, or NULL and sets @error if FFmpeg was built without
 * it. */
const AVCodec *denoise_codec_find_encoder (const DenoiseCodec * codec,
    GError ** error);

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
