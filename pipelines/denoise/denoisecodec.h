/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The encoders of denoise. */
#pragma once

#include "denoiseoptions.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;            /* on the command line */
  const gchar *encoder;
  const gchar *parser;          /* NULL if the muxer needs none */
  /* Sets the encoder's properties. */
  void (*configure) (GstElement * encoder, const DenoiseOptions * options);
} DenoiseCodec;

/* Returns the codec that @options names. Without one, chooses the codec that
 * most players know among the codecs that keep the properties of the decoded
 * video, which @info describes: H.264 for 8 bits and for fields, H.265 for more
 * bits, VP9 if the other codecs do not support the size. */
const DenoiseCodec *denoise_codec_choose (const DenoiseOptions * options,
    const GstVideoInfo * info);

/* Returns the caps of the encoder's input, for video that @info describes: the
 * format that loses least, and the colorimetry and chroma site of @info if both
 * formats are of one kind (Y'CbCr or RGB). Returns NULL if the encoder does not
 * support the size. The caller unrefs the caps. */
GstCaps *denoise_codec_choose_caps (GstElement * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info);

G_END_DECLS
