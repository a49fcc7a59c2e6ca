/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiselog.h"

#include <string.h>

#include <libavutil/error.h>
#include <libavutil/log.h>

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
