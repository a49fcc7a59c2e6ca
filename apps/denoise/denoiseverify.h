/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Verifies that the written file contains everything that the muxer got, by
 * reading the file again. Muxers may omit or change data that their containers
 * do not support. */
#pragma once

#include "denoiseoutput.h"

G_BEGIN_DECLS

/* Compares the tracks in the file of the descriptor @part with the packets
 * given to @output, which is finished: packets, first and last times, flags.
 * Sets an error of @report with the name of the track for a difference. Flags
 * that a container does not support are a loss. Blocks. */
void denoise_verify (const DenoiseOutput * output, gint part,
    DenoiseReport * report);

G_END_DECLS
