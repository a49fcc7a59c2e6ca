/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the tracks of a film get to the muxer. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Links @track, whose source will give what @caps say, to the muxer, or to
 * nowhere with a line in the report. Called for all tracks before any of them
 * flows. */
void denoise_link_track (DenoiseTrack * track, const GstCaps * caps);

G_END_DECLS
