/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows the progress: on a terminal in a line that is overwritten, elsewhere
 * in a new line every few seconds. */
#pragma once

#include <stdio.h>

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  FILE *file;
  gboolean terminal;
  gint64 start;                 /* monotonic microseconds */
  gint64 last_line;
} DenoiseProgress;

void denoise_progress_start (DenoiseProgress * progress, FILE * file);

/* Shows @position, @duration, the number of frames so far, and the noise in
 * levels of 8 bits. @position and @duration are NONE if unknown, @noise is
 * negative. May be called often. */
void denoise_progress_show (DenoiseProgress * progress, GstClockTime position,
    GstClockTime duration, guint64 frames, gdouble noise);

/* Clears the line on a terminal. Returns the seconds since the start. */
gdouble denoise_progress_end (DenoiseProgress * progress);

G_END_DECLS
