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
  const gchar *parser;          /* NULL where the muxer needs none */
  /* Sets the encoder's properties. */
  void (*configure) (GstElement * encoder, const DenoiseOptions * options);
} DenoiseCodec;

/* What @options name, or the codec that most players know among those that keep
 * what @info, of the decoded video, says: H.264 for 8 bits and for fields,
 * H.265 for more bits, VP9 where the others have no such size. */
const DenoiseCodec *denoise_codec_choose (const DenoiseOptions * options,
    const GstVideoInfo * info);

/* Caps of the encoder's input, for video as @info says: the format that loses
 * least, and @info's colorimetry and chroma site where that is the same kind of
 * colour. NULL where the encoder takes no such size. Caller unrefs. */
GstCaps *denoise_codec_choose_caps (GstElement * encoder,
    const DenoiseOptions * options, const GstVideoInfo * info);

G_END_DECLS
