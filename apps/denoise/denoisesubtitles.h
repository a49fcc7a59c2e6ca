/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Subtitles of a kind that the container cannot hold, as another kind: SubRip
 * in a .mkv, 3GPP timed text in a .mp4. Both are text. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Whether subtitles are text, which can become another kind of text. */
gboolean denoise_subtitles_are_text (enum AVCodecID codec);

extern const DenoiseTrackClass denoise_subtitles_class;

G_END_DECLS
