/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisereport.h"

#include <string.h>
#include <unistd.h>

#include <libavutil/avutil.h>
#include <libavutil/error.h>
#include <libavutil/log.h>

void
denoise_report_init (DenoiseReport * report)
{
  g_mutex_init (&report->mutex);
  report->notes = g_ptr_array_new_with_free_func (g_free);
  report->losses = g_ptr_array_new_with_free_func (g_free);
  report->error = NULL;
  report->is_partless = FALSE;
  report->warning = NULL;
}

void
denoise_report_clear (DenoiseReport * report)
{
  g_mutex_clear (&report->mutex);
  g_ptr_array_unref (report->notes);
  g_ptr_array_unref (report->losses);
  g_free (report->error);
  g_free (report->warning);
}

/* Takes ownership of @line. */
static void
add_line (DenoiseReport * report, GPtrArray * lines, gchar * line)
{
  g_mutex_lock (&report->mutex);
  if (g_ptr_array_find_with_equal_func (lines, line, g_str_equal, NULL))
    g_free (line);
  else
    g_ptr_array_add (lines, line);
  g_mutex_unlock (&report->mutex);
}

void
denoise_report_note (DenoiseReport * report, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  add_line (report, report->notes, g_strdup_vprintf (format, args));
  va_end (args);
}

void
denoise_report_loss (DenoiseReport * report, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  add_line (report, report->losses, g_strdup_vprintf (format, args));
  va_end (args);
}

void
denoise_report_error (DenoiseReport * report, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  g_mutex_lock (&report->mutex);
  if (!report->error)
    report->error = g_strdup_vprintf (format, args);
  g_mutex_unlock (&report->mutex);
  va_end (args);
}

static void
handle_log (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer user_data)
{
  DenoiseReport *report = user_data;

  g_log_default_handler (domain, level, message, NULL);
  g_mutex_lock (&report->mutex);
  g_free (report->warning);
  report->warning = g_strdup (message);
  g_mutex_unlock (&report->mutex);
  if (strstr (message, "failed to create thread"))
    denoise_report_error (report, "cannot start a thread");
}

void
denoise_report_watch_log (DenoiseReport * report)
{
  static guint handler;

  if (report)
    handler = g_log_set_handler ("GStreamer",
        G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL, handle_log, report);
  else
    g_log_remove_handler ("GStreamer", handler);
}

gchar *
denoise_report_dup_error (DenoiseReport * report)
{
  g_mutex_lock (&report->mutex);
  gchar *error = report->error && report->warning
      ? g_strdup_printf ("%s (%s)", report->error, report->warning)
      : g_strdup (report->error);
  g_mutex_unlock (&report->mutex);
  return error;
}

void
denoise_report_print (DenoiseReport * report, FILE * file)
{
  g_mutex_lock (&report->mutex);
  for (guint i = 0; i < report->notes->len; i++)
    fprintf (file, "%s\n", (gchar *) report->notes->pdata[i]);
  for (guint i = 0; i < report->losses->len; i++)
    fprintf (file, "%s%s", i == 0 ? "Not kept: " : "; ",
        (gchar *) report->losses->pdata[i]);
  if (report->losses->len > 0)
    fputc ('\n', file);
  g_mutex_unlock (&report->mutex);
}

#define LINE_BYTES 200

static struct
{
  GMutex mutex;                 /* guards the rest */
  guint n_errors[DENOISE_N_LOGS];
  guint n_corrupt;
  gchar last[DENOISE_N_LOGS][LINE_BYTES];
} state;

static DenoiseLog
get_log (gpointer object)
{
  const AVClass *class = object ? *(AVClass **) object : NULL;
  const AVClassCategory category = !class ? AV_CLASS_CATEGORY_NA
      : class->get_category ? class->get_category (object) : class->category;

  switch (category) {
    case AV_CLASS_CATEGORY_DEMUXER:
      return DENOISE_LOG_DEMUXER;
    case AV_CLASS_CATEGORY_DECODER:
      return DENOISE_LOG_DECODER;
    default:
      return DENOISE_LOG_OTHER;
  }
}

static void
take_line (void *object, int level, const char *format, va_list arguments)
{
  int print_prefix = 0;

  if (level == AV_LOG_WARNING && g_str_has_prefix (format, "Packet corrupt")) {
    g_mutex_lock (&state.mutex);
    state.n_corrupt++;
    g_mutex_unlock (&state.mutex);
  }
  if (level > AV_LOG_ERROR)
    return;

  const DenoiseLog log = get_log (object);
  g_mutex_lock (&state.mutex);
  state.n_errors[log]++;
  av_log_format_line (object, level, format, arguments, state.last[log],
      LINE_BYTES, &print_prefix);
  g_strdelimit (state.last[log], "\n\r", ' ');
  g_strchomp (state.last[log]);
  g_mutex_unlock (&state.mutex);
}

void
denoise_log_start (void)
{
  av_log_set_callback (take_line);
}

guint
denoise_log_count (DenoiseLog log)
{
  g_mutex_lock (&state.mutex);
  const guint n = state.n_errors[log];
  g_mutex_unlock (&state.mutex);
  return n;
}

guint
denoise_log_count_corrupt (void)
{
  g_mutex_lock (&state.mutex);
  const guint n = state.n_corrupt;
  g_mutex_unlock (&state.mutex);
  return n;
}

gchar *
denoise_log_dup_last (DenoiseLog log)
{
  g_mutex_lock (&state.mutex);
  gchar *line = *state.last[log] ? g_strdup (state.last[log]) : NULL;
  g_mutex_unlock (&state.mutex);
  return line;
}

gchar *
denoise_log_explain (DenoiseLog log, gint code)
{
  gchar reason[AV_ERROR_MAX_STRING_SIZE] = "";
  g_autofree gchar *last = denoise_log_dup_last (log);

  av_strerror (code, reason, sizeof (reason));
  return last ? g_strdup_printf ("%s (%s)", reason, last) : g_strdup (reason);
}

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
  return (gdouble) (g_get_monotonic_time () - progress->start)
      / G_USEC_PER_SEC;
}
