/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shows the progress: on a terminal in a line that is overwritten, otherwise in
 * a new line every few seconds. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  FILE *file;
  gboolean terminal;
  gint64 start;                 /* monotonic microseconds */
  gint64 last_line;
  gboolean has_waited;          /* the message about compilation was shown */
  /* Rates are measured from the first frame, after the kernels are compiled. */
  gint64 first_time;            /* 0 before the first frame */
  gint64 first_position;
  gint64 position;
  guint64 first_frames;
  guint64 frames_before;        /* of the completed parts */
} DenoiseProgress;

void denoise_progress_start (DenoiseProgress * progress, FILE * file);

/* Shows @position and @duration, in microseconds, the number of frames of this
 * part so far, and the noise in levels of 8 bits. @position and @duration are
 * AV_NOPTS_VALUE if unknown. @noise is negative if unknown. If there is no
 * frame for some seconds, prints that kernels are being compiled. May be called
 * often. */
void denoise_progress_show (DenoiseProgress * progress, gint64 position,
    gint64 duration, guint64 frames, gdouble noise);

/* Counts the frames of a completed part. */
void denoise_progress_end_part (DenoiseProgress * progress, guint64 frames);

/* Clears the line on a terminal. Returns the seconds since the start. */
gdouble denoise_progress_end (DenoiseProgress * progress);

G_END_DECLS
