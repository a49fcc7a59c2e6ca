/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Audio that the container does not support. It is encoded as FLAC in a .mkv,
 * and as AAC in a .mp4. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

extern const DenoiseTrackClass denoise_sound_class;

G_END_DECLS
