/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A video track: FFmpeg decodes it and detects damage. denoiseframes.h filters
 * and encodes the frames. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

extern const DenoiseTrackClass denoise_video_class;

/* Returns the number of encoded or joined frames, and sets @position to the
 * time of the last one, in microseconds of the input, or AV_NOPTS_VALUE. */
guint64 denoise_video_get_position (const DenoiseTrack * track,
    gint64 * position);

/* Returns whether all frames of the written part have been filtered. */
gboolean denoise_video_is_complete (const DenoiseTrack * track);

/* Reports the format of the frames, losses and doubts. Must be called after the
 * last packet. Sets the error of the report if frames are missing. */
void denoise_video_check (DenoiseTrack * track);

G_END_DECLS
