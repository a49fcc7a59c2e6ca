/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A track of sound or subtitles is handed on as it is, where the container
 * holds it. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @source, which gives what @caps say, to the muxer, or leaves it where
 * the container holds no such thing; FALSE where it cannot be linked. */
gboolean denoise_copy_build (DenoiseTrack * track, GstPad * source,
    const GstCaps * caps);

G_END_DECLS
