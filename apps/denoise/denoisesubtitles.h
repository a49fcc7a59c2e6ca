/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text subtitles of a kind that the container does not support. They are
 * converted to SubRip in a .mkv, and to 3GPP timed text in a .mp4. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Returns whether subtitles are text and can be converted. */
gboolean denoise_subtitles_are_text (enum AVCodecID codec);

extern const DenoiseTrackClass denoise_subtitles_class;

G_END_DECLS
