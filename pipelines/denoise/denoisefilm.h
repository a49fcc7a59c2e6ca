/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A whole film, from file to file. */
#pragma once

#include "denoiseoptions.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes to the descriptor @part, of an empty file that can be read, too, what
 * @options say. Progress, the summary, or one line with the reason where it
 * returns FALSE, go to @terminal. Blocks; the bus is read on this thread,
 * frames travel on those of GStreamer. gst_init() has been called. After a
 * failure threads may be left; the process has to end. */
gboolean denoise_film_write (const DenoiseOptions * options,
    gint part, FILE * terminal);

G_END_DECLS
