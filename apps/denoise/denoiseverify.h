/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks that the written file has everything that the muxer got, by reading
 * the file again: muxers may leave out or change what their containers cannot
 * hold. */
#pragma once

#include "denoiseoutput.h"

G_BEGIN_DECLS

/* Compares the tracks in the file of the descriptor @part with what was given
 * to @output, which is finished: packets, first and last times, flags. A
 * difference is an error of @report that names the track; flags that a
 * container does not have are a loss. Blocks. */
void denoise_verify (const DenoiseOutput * output, gint part,
    DenoiseReport * report);

G_END_DECLS
