/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects log messages of FFmpeg's libraries. The libraries return damaged
 * data and report the damage only in their log. The functions are thread-safe.
 * There is one log per process. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  DENOISE_LOG_DEMUXER,          /* demuxers */
  DENOISE_LOG_DECODER,
  DENOISE_LOG_OTHER,            /* muxers, encoders and all others */
  DENOISE_N_LOGS
} DenoiseLog;

/* Starts collecting errors, and disables printing. */
void denoise_log_start (void);

/* Returns the number of errors. */
guint denoise_log_count (DenoiseLog log);

/* Returns the number of incomplete packets that a demuxer has reported. */
guint denoise_log_count_corrupt (void);

/* Returns the text of the last error, which the caller frees, or NULL. */
gchar *denoise_log_dup_last (DenoiseLog log);

/* Returns the description of an error code of FFmpeg's libraries, with the last
 * error of @log if there was one. The caller frees the text. */
gchar *denoise_log_explain (DenoiseLog log, gint code);

G_END_DECLS
