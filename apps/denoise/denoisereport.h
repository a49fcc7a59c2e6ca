/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the messages about a file until the end. Functions may be called
 * from any thread. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
