/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what FFmpeg's libraries say: they hand on damaged data, and name
 * the damage in their log only. The functions are thread-safe; there is one
 * log in a process. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  DENOISE_LOG_DEMUXER,          /* what reads a container */
  DENOISE_LOG_DECODER,
  DENOISE_LOG_OTHER,            /* muxers, encoders and all others */
  DENOISE_N_LOGS
} DenoiseLog;

/* Begins to collect errors; from now on nothing is printed. */
void denoise_log_start (void);

/* Returns how many errors there were. */
guint denoise_log_count (DenoiseLog log);

/* Returns how many packets a demuxer has warned of: they are not whole. */
guint denoise_log_count_corrupt (void);

/* Returns the text of the last error, which the caller frees, or NULL. */
gchar *denoise_log_dup_last (DenoiseLog log);

/* Returns what an error code of FFmpeg's libraries means, with the last error
 * of @log if there was one. The caller frees the text. */
gchar *denoise_log_explain (DenoiseLog log, gint code);

G_END_DECLS
