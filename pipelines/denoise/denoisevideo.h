/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A track of video is decoded, filtered and encoded. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @source to the muxer that way; FALSE where that cannot be. */
gboolean denoise_video_build (DenoiseTrack * track, GstPad * source);

G_END_DECLS
