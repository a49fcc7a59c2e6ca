/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters a video file into another file. */
#pragma once

#include "denoiseoptions.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes the video file of @options to the file descriptor @part, whose file
 * must be empty and also readable. Prints progress and the summary to
 * @terminal. On failure returns FALSE and prints one line with the reason to
 * @terminal. Blocks. FFmpeg's libraries read, decode, encode and write on this
 * thread and on their own threads. Frames are filtered on GStreamer's threads.
 * gst_init() must have been called. After a failure threads may still be
 * running, so the process must exit. */
gboolean denoise_film_write (const DenoiseOptions * options,
    gint part, FILE * terminal);

G_END_DECLS
