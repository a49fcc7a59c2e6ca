/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes a whole film, from file to file. */
#pragma once

#include "denoiseoptions.h"

#include <stdio.h>

G_BEGIN_DECLS

/* Writes the film that @options asks for to the file descriptor @part, whose
 * file must be empty and also readable. Progress and the summary go to
 * @terminal. On failure returns FALSE, and one line with the reason goes to
 * @terminal. Blocks. FFmpeg's libraries read, decode, encode and write on this
 * thread and on threads of their own; frames are filtered on GStreamer's
 * threads. gst_init() must have been called. After a failure threads may still
 * be running, so that the process has to end. */
gboolean denoise_film_write (const DenoiseOptions * options,
    gint part, FILE * terminal);

G_END_DECLS
