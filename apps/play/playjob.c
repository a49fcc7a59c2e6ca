/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playjob.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "glopencl-denoise"

struct _PlayJob
{
  GSubprocess *process;
  GDataInputStream *lines;      /* of its standard error */
  GCancellable *cancellable;
  PlayJobMessage message;
  gpointer data;
  gdouble done;
  gchar *progress;
  gchar *last;                  /* last line that is not progress: maybe the
                                 * error */
};

static void
end_process (GObject * object, GAsyncResult * result, gpointer data)
{
  GSubprocess *process = G_SUBPROCESS (object);
  g_autoptr (GError) error = NULL;
  PlayJob *self = data;

  g_subprocess_wait_finish (process, result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (g_subprocess_get_if_exited (process)
      && g_subprocess_get_exit_status (process) == 0)
    self->message (TRUE, NULL, self->data);
  else
    self->message (TRUE, self->last ? self->last : PROGRAM " has failed",
        self->data);
}

/* A line with a percentage or a number of frames is progress. Any other line is
 * a warning, or the error if it is the last line of a failed run. */
static void
read_line (GObject * object, GAsyncResult * result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = g_data_input_stream_read_line_finish
      (G_DATA_INPUT_STREAM (object), result, NULL, &error);
  PlayJob *self = data;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (!line) {
    g_subprocess_wait_async (self->process, self->cancellable, end_process,
        self);
    return;
  }
  if (strstr (line, " frames/s")) {
    if (strchr (line, '%'))
      self->done = g_ascii_strtod (line, NULL) / 100.0;
    g_free (self->progress);
    self->progress = g_strdup (g_strstrip (line));
  } else if (*line) {
    if (self->last)
      self->message (FALSE, self->last, self->data);
    g_free (self->last);
    self->last = g_steal_pointer (&line);
  }
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT,
      self->cancellable, read_line, self);
}

PlayJob *
play_job_new (const gchar * input, const gchar * output, const gchar * filter,
    gboolean lossless, PlayJobMessage message, gpointer data, GError ** error)
{
  g_autofree gchar *program = g_find_program_in_path (PROGRAM);
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  if (!program) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
        PROGRAM " is not installed. Install the package glopencl-tools");
    return NULL;
  }
  g_strv_builder_add_many (arguments, program, "--force", "--filter", filter,
      NULL);
  if (lossless)
    g_strv_builder_add (arguments, "--lossless");
  g_strv_builder_add_many (arguments, "--", input, output, NULL);
  g_auto (GStrv) line = g_strv_builder_end (arguments);
  GSubprocess *process = g_subprocess_newv ((const gchar * const *) line,
      G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (!process)
    return NULL;
  PlayJob *self = g_new0 (PlayJob, 1);

  self->process = process;
  self->lines = g_data_input_stream_new (g_subprocess_get_stderr_pipe
      (process));
  self->cancellable = g_cancellable_new ();
  self->message = message;
  self->data = data;
  self->done = -1.0;
  g_data_input_stream_read_line_async (self->lines, G_PRIORITY_DEFAULT,
      self->cancellable, read_line, self);
  return self;
}

void
play_job_free (PlayJob * self)
{
  g_cancellable_cancel (self->cancellable);
  if (g_subprocess_get_identifier (self->process))
    g_subprocess_send_signal (self->process, SIGINT);
  g_object_unref (self->lines);
  g_object_unref (self->process);
  g_object_unref (self->cancellable);
  g_free (self->progress);
  g_free (self->last);
  g_free (self);
}

gdouble
play_job_get_progress (PlayJob * self, const gchar ** text)
{
  *text = self->progress;
  return self->done;
}
