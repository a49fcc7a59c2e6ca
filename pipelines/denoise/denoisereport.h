/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What there is to say about a film when it is done. Called from any thread. */
#pragma once

#include <stdio.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex mutex;
  GPtrArray *notes;             /* one line each */
  GPtrArray *losses;            /* parts of one line */
  gchar *error;                 /* why the film cannot be written */
  gchar *warning;               /* GStreamer's last, often what is behind it */
} DenoiseReport;

void denoise_report_init (DenoiseReport * report);
void denoise_report_clear (DenoiseReport * report);

/* A line of the summary. */
void denoise_report_note (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* What is in the input and not in the output; the same twice is said once. */
void denoise_report_loss (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Why the film cannot be written. The first of them counts. */
void denoise_report_error (DenoiseReport * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Warnings of GStreamer go to @report, until it is called with NULL. That there
 * are no threads left, which stops a pipeline without a word, is an error. */
void denoise_report_watch_log (DenoiseReport * report);

/* NULL, or what denoise_report_error() said, with the warning. Caller frees. */
gchar *denoise_report_dup_error (DenoiseReport * report);

/* All notes, then what was not kept. */
void denoise_report_print (DenoiseReport * report, FILE * file);

G_END_DECLS
