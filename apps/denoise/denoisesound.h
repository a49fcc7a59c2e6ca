/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sound that the container cannot hold: it becomes FLAC in a .mkv, and AAC in
 * a .mp4. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

extern const DenoiseTrackClass denoise_sound_class;

G_END_DECLS
