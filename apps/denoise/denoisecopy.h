/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tracks whose packets are copied unchanged. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

extern const DenoiseTrackClass denoise_copy_class;

/* A cover picture. Matroska stores it as an attached file. */
extern const DenoiseTrackClass denoise_cover_class;

G_END_DECLS
