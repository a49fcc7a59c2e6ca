/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisereport.h"

#include <string.h>

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
