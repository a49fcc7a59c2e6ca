/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether what was written is what the muxer got: muxers leave out without a
 * word what has no times, and what their containers hide. The file is read
 * again. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Compares @tracks, of DenoiseTrack, of which all has flowed, with those of the
 * file of the descriptor @part, by their packets and times. What is less goes
 * to
 * @report. Blocks. */
void denoise_verify (GPtrArray * tracks, gint part, DenoiseReport * report);

G_END_DECLS
