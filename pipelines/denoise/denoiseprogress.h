/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far it is: a line that is written over in a terminal, one every few
 * seconds elsewhere. */
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

/* @position of @duration, either NONE where it is not known, after @frames. May
 * be called often. */
void denoise_progress_show (DenoiseProgress * progress, GstClockTime position,
    GstClockTime duration, guint64 frames);

/* Clears the terminal's line. Returns the seconds since the start. */
gdouble denoise_progress_end (DenoiseProgress * progress);

G_END_DECLS
