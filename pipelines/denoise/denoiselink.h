/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Links the tracks of a film to the muxer. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @track, whose source will give data with @caps, to the muxer. If the
 * container cannot hold the track, its data is dropped, and the report gets a
 * line. Must be called for all tracks before any data flows. */
void denoise_link_track (DenoiseTrack * track, const GstCaps * caps);

G_END_DECLS
