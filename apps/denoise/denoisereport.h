/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages: the report about a file, the log of FFmpeg's libraries, and the
 * progress. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

/* Collects the messages about a file until the end. Functions may be called
 * from any thread. */
typedef struct
{
  GMutex mutex;
  GPtrArray *notes;             /* one line each */
  GPtrArray *losses;            /* items of one line */
  gchar *error;                 /* why the file cannot be written */
  gboolean is_partless;         /* the video cannot be written in parts. Used by
                                 * its thread only */
  gchar *warning;               /* last warning of GStreamer, often the cause */
} DenoiseReport;

void denoise_report_init (DenoiseReport * report);
void denoise_report_clear (DenoiseReport * report);

/* Adds a line to the summary. */
void denoise_report_note (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Adds a part of the input that is missing in the output. A text is printed
 * once, even if it is added twice. */
void denoise_report_loss (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Sets the reason why the file cannot be written. Only the first reason is
 * kept. */
void denoise_report_error (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Collects GStreamer's warnings in @report, until this function is called with
 * NULL. If GStreamer cannot start a thread, which stops a pipeline silently,
 * @report gets an error. */
void denoise_report_watch_log (DenoiseReport * report);

/* Returns the text of denoise_report_error(), with the last warning, or NULL if
 * there was no error. The caller frees the text. */
gchar *denoise_report_dup_error (DenoiseReport * report);

/* Prints all notes, then the list of losses. */
void denoise_report_print (DenoiseReport * report, FILE * file);

/* Log messages of FFmpeg's libraries. The libraries return damaged data and
 * report the damage only in their log. The functions are thread-safe. There is
 * one log per process. */
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

/* Shows the progress: on a terminal in a line that is overwritten, otherwise in
 * a new line every few seconds. */
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
