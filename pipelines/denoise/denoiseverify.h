/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that the written file has everything that the muxer got, by reading
 * the file again: muxers silently leave out buffers that have no times or that
 * their containers hide. */
#pragma once

#include "denoisetrack.h"

G_BEGIN_DECLS

/* Compares the packets and times of @tracks (of DenoiseTrack) with the tracks
 * in the file of the descriptor @part. All data of @tracks must have flowed.
 * Adds everything that is missing to @report. Blocks. */
void denoise_verify (GPtrArray * tracks, gint part, DenoiseReport * report);

G_END_DECLS
