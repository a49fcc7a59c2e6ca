/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A run of glopencl-denoise, which filters a video into a file.
 *
 * All functions are for the main thread. */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PlayJob PlayJob;

/**
 * PlayJobMessage:
 * @is_end: whether the run has ended
 * @text: a warning, the reason of a failure, or NULL if the file is written
 * @data: as given to play_job_new()
 */
typedef void (*PlayJobMessage) (gboolean is_end, const gchar * text,
    gpointer data);

/* Starts to filter the file @input into @output, which is replaced if it
 * exists. @filter is the text for --filter. Sets @error if glopencl-denoise is
 * not installed. Calls @message with @data. Free it with play_job_free(). */
PlayJob *play_job_new (const gchar * input, const gchar * output,
    const gchar * filter, gboolean lossless, PlayJobMessage message,
    gpointer data, GError ** error);

/* Stops a run that has not ended. Its file is not written, and @message is not
 * called any more. */
void play_job_free (PlayJob * self);

/* Returns the completed fraction, negative if it is unknown, and the progress
 * text of the run, or NULL. The text is valid until the next message. */
gdouble play_job_get_progress (PlayJob * self, const gchar ** text);

G_END_DECLS
