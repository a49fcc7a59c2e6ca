/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseprogress.h"

#include <unistd.h>

#include <libavutil/avutil.h>

#define LINE_INTERVAL (5 * G_USEC_PER_SEC)
/* Kernels in the driver's cache take less. */
#define COMPILATION (3 * G_USEC_PER_SEC)
/* The time left is not known earlier. */
#define LEAST_TIME (G_USEC_PER_SEC / 2)
#define CLEAR_LINE "\r\033[K"

void
denoise_progress_start (DenoiseProgress * progress, FILE * file)
{
  progress->file = file;
  progress->terminal = isatty (fileno (file));
  progress->start = progress->last_line = g_get_monotonic_time ();
  progress->position = AV_NOPTS_VALUE;
}

static gdouble
get_seconds (const DenoiseProgress * progress)
{
  return (gdouble) (g_get_monotonic_time () - progress->start)
      / G_USEC_PER_SEC;
}

void
denoise_progress_show (DenoiseProgress * progress, gint64 position,
    gint64 duration, guint64 frames, gdouble noise)
{
  const gint64 now = g_get_monotonic_time ();

  frames += progress->frames_before;
  if (frames == 0 && !progress->has_waited
      && now - progress->start > COMPILATION) {
    progress->has_waited = TRUE;
    fprintf (progress->file, "%sCompiling the filter for this device. The "
        "first run on this kind of video takes up to some minutes%s",
        progress->terminal ? CLEAR_LINE : "", progress->terminal ? "" : "\n");
    fflush (progress->file);
  }
  if (frames == 0)
    return;
  /* A new part has no position. */
  if (position == AV_NOPTS_VALUE)
    position = progress->position;
  progress->position = position;
  if (progress->first_time == 0) {
    progress->first_time = now;
    progress->first_position = position;
    progress->first_frames = frames;
  }
  if (!progress->terminal && now - progress->last_line < LINE_INTERVAL)
    return;
  progress->last_line = now;
  if (progress->terminal)
    fputs (CLEAR_LINE, progress->file);

  const gint64 time = now - progress->first_time;
  const gint64 done = position - progress->first_position;
  const gdouble rate = time < LEAST_TIME ? 0.0
      : (frames - progress->first_frames) * 1e6 / time;
  if (position == AV_NOPTS_VALUE || duration == AV_NOPTS_VALUE || duration <= 0)
    fprintf (progress->file, "%" G_GUINT64_FORMAT " frames", frames);
  else
    fprintf (progress->file, "%5.1f %%",
        CLAMP (100.0 * position / duration, 0.0, 100.0));
  fprintf (progress->file, ", %.1f frames/s", rate);
  if (position != AV_NOPTS_VALUE && duration != AV_NOPTS_VALUE && done > 0
      && time >= LEAST_TIME) {
    const guint left = (guint) ((gdouble) MAX (duration - position, 0)
        / done * time / 1e6 + 0.5);

    if (left >= 3600)
      fprintf (progress->file, ", %u:%02u:%02u left", left / 3600,
          left / 60 % 60, left % 60);
    else
      fprintf (progress->file, ", %u:%02u left", left / 60, left % 60);
  }
  if (noise >= 0.0)
    fprintf (progress->file, ", noise %.1f", noise);
  if (!progress->terminal)
    fputc ('\n', progress->file);
  fflush (progress->file);
}

void
denoise_progress_end_part (DenoiseProgress * progress, guint64 frames)
{
  progress->frames_before += frames;
}

gdouble
denoise_progress_end (DenoiseProgress * progress)
{
  if (progress->terminal)
    fputs (CLEAR_LINE, progress->file);
  return get_seconds (progress);
}
