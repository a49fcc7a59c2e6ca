/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseprogress.h"

#include <unistd.h>

#define LINE_INTERVAL (5 * G_USEC_PER_SEC)
#define CLEAR_LINE "\r\033[K"

void
denoise_progress_start (DenoiseProgress * progress, FILE * file)
{
  progress->file = file;
  progress->terminal = isatty (fileno (file));
  progress->start = progress->last_line = g_get_monotonic_time ();
}

static gdouble
get_seconds (const DenoiseProgress * progress)
{
  return (gdouble) (g_get_monotonic_time () - progress->start)
      / G_USEC_PER_SEC;
}

void
denoise_progress_show (DenoiseProgress * progress, GstClockTime position,
    GstClockTime duration, guint64 frames, gdouble noise)
{
  gint64 now = g_get_monotonic_time ();
  gdouble seconds = get_seconds (progress);

  if (frames == 0 || (!progress->terminal
          && now - progress->last_line < LINE_INTERVAL))
    return;
  progress->last_line = now;
  if (progress->terminal)
    fputs (CLEAR_LINE, progress->file);
  if (GST_CLOCK_TIME_IS_VALID (position) && position > 0
      && GST_CLOCK_TIME_IS_VALID (duration) && duration > 0) {
    gdouble done = MIN ((gdouble) position / duration, 1.0);
    guint left = (guint) (seconds / done * (1.0 - done) + 0.5);
    fprintf (progress->file, "%5.1f %%, %.1f frames/s, %u:%02u left",
        done * 100.0, frames / seconds, left / 60, left % 60);
  } else {
    fprintf (progress->file, "%" G_GUINT64_FORMAT " frames, %.1f frames/s",
        frames, frames / seconds);
  }
  if (noise >= 0.0)
    fprintf (progress->file, ", noise %.1f", noise);
  if (!progress->terminal)
    fputc ('\n', progress->file);
  fflush (progress->file);
}

gdouble
denoise_progress_end (DenoiseProgress * progress)
{
  if (progress->terminal)
    fputs (CLEAR_LINE, progress->file);
  return get_seconds (progress);
}
