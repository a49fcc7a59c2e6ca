/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Decodes, filters and encodes a video track. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @source to the muxer, with a decoder, the filter and an encoder between
 * them. Returns FALSE on failure. */
gboolean denoise_video_build (DenoiseTrack * track, GstPad * source);

G_END_DECLS
