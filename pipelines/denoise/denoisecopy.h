/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies a track of sound or subtitles unchanged, if the container can hold
 * it. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @source, which gives data with @caps, to the muxer, or leaves @source
 * unlinked if the container cannot hold such data. Returns FALSE if @source
 * cannot be linked. */
gboolean denoise_copy_build (DenoiseTrack * track, GstPad * source,
    const GstCaps * caps);

G_END_DECLS
