/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playwindow.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "playpanel.h"
#include "playsettings.h"

#define PROGRAM "glopencl-denoise"

/**
 * PlayJobMessage:
 * @is_end: whether the run has ended
 * @text: a warning, the reason of a failure, or NULL if the file is written
 * @data: as given to play_job_new()
 */
typedef void (*PlayJobMessage) (gboolean is_end, const gchar * text,
    gpointer data);

/* A run of glopencl-denoise, which filters a video into a file. */
typedef struct
{
  GSubprocess *process;
  GDataInputStream *lines;      /* of its standard error */
  GCancellable *cancellable;
  PlayJobMessage message;
  gpointer data;
  gdouble done;                 /* completed fraction, negative if unknown */
  gchar *progress;              /* last line of progress, or NULL */
  gchar *last;                  /* last line that is not progress: maybe the
                                 * error */
} PlayJob;

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

/* Starts to filter the file @input into @output, which is replaced if it
 * exists. @filter is the text for --filter. Sets @error if glopencl-denoise is
 * not installed. Calls @message with @data. Free it with play_job_free(). */
static PlayJob *
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

/* Stops a run that has not ended. Its file is not written, and @message is not
 * called any more. */
static void
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

#define UPDATE_INTERVAL 200     /* milliseconds */
#define LINE_WIDTH 2
/* Distance from the split line within which a drag moves it. */
#define LINE_REACH 12
#define MAX_ZOOM 16.0
/* GtkGLArea draws the whole frame into a texture. */
#define MAX_SIZE 16384

struct _PlayWindow
{
  GtkWidget *window;
  GtkWidget *pages;             /* a GtkStack: the start page, or a video */
  GtkWidget *scroller;          /* of the video */
  GtkWidget *viewport;
  GtkWidget *video;             /* NULL until a file is open */
  GtkWidget *line;              /* position of the split */
  GtkWidget *values;
  GtkWidget *help;
  GtkWidget *list;              /* of messages */
  GtkWidget *list_text;
  GtkWidget *bar;               /* buttons */
  GtkWidget *play;
  GtkWidget *sound;
  GtkWidget *time;              /* the seek bar */
  GtkWidget *info;              /* a GtkInfoBar: the newest message */
  GtkWidget *info_text;
  GtkWidget *job_row;
  GtkWidget *job_progress;
  GtkWidget *job_stop;
  PlayPanel *panel;
  PlaySession *session;
  PlayJob *job;                 /* NULL if no file is being filtered */
  gchar *output;                /* the job's, or NULL */
  const PlayWindowActions *actions;
  gpointer data;
  guint timer;
  gboolean has_size;
  gboolean is_full_screen;
  enum
  { DRAG_NOTHING, DRAG_LINE, DRAG_FRAME } drag;
  gdouble drag_x, drag_y;       /* on the screen */
  gdouble zoom;                 /* as the video has it */
  /* Position of a point of the frame in the scroller after a zoom. */
  gboolean is_anchored;
  gdouble frame_x, frame_y;     /* from 0 to 1 */
  gdouble view_x, view_y;
};

static const gchar style[] =
    "separator.split { background-color: white; }"
    "label.overlay { font-family: monospace; color: white; padding: 6px;"
    "  background-color: rgba(0, 0, 0, 0.6); }"
    "label.list { background-color: rgba(0, 0, 0, 0.85); }"
    ".video { background-color: black; }"
    ".heading { font-weight: bold; }"
    ".selected { background-color: @theme_selected_bg_color;"
    "  color: @theme_selected_fg_color; }" ".start { font-size: 150%; }";

/* Gets the position of the frame within the video's widget, which may have bars
 * beside or above it. Returns FALSE before there is a frame. */
static gboolean
get_frame (PlayWindow * self, gdouble * x, gdouble * y, gdouble * width,
    gdouble * height)
{
  gint frame_width, frame_height;

  if (!self->session->pipeline
      || !play_pipeline_get_size (self->session->pipeline, &frame_width,
          &frame_height))
    return FALSE;
  const gdouble room_x = gtk_widget_get_allocated_width (self->video);
  const gdouble room_y = gtk_widget_get_allocated_height (self->video);
  const gdouble scale = MIN (room_x / frame_width, room_y / frame_height);

  *width = scale * frame_width;
  *height = scale * frame_height;
  *x = (room_x - *width) / 2;
  *y = (room_y - *height) / 2;
  return TRUE;
}

/* Fits the frames and the controls, up to the size of the screen. */
static void
fit (PlayWindow * self)
{
  GdkRectangle area;
  gint width, height, window_width, window_height;

  if (self->has_size || !self->session->pipeline
      || !play_pipeline_get_size (self->session->pipeline, &width, &height))
    return;
  self->has_size = TRUE;
  GdkDisplay *display = gtk_widget_get_display (self->window);
  GdkMonitor *monitor = gdk_display_get_monitor_at_window (display,
      gtk_widget_get_window (self->window));
  gdk_monitor_get_workarea (monitor, &area);
  gtk_window_get_size (GTK_WINDOW (self->window), &window_width,
      &window_height);
  const gint beside = window_width
      - gtk_widget_get_allocated_width (self->scroller);
  const gint below = window_height
      - gtk_widget_get_allocated_height (self->scroller);
  const gdouble scale = MIN (1.0, MIN ((0.9 * area.width - beside) / width,
          (0.9 * area.height - below) / height));
  gtk_window_resize (GTK_WINDOW (self->window),
      MAX (width * scale, 320) + beside, MAX (height * scale, 240) + below);
}

static void
place_line (PlayWindow * self)
{
  gdouble x, y, width, height;
  gint line_x = 0;
  const gboolean shows = self->session->pipeline
      && get_frame (self, &x, &y, &width, &height)
      && play_view_get_mode (play_pipeline_get_view
      (self->session->pipeline)) == PLAY_VIEW_SPLIT
      && gtk_widget_translate_coordinates (self->video, self->scroller,
      x + width * play_view_get_split (play_pipeline_get_view
          (self->session->pipeline)) - LINE_WIDTH / 2, 0, &line_x, NULL)
      && line_x >= 0
      && line_x <= gtk_widget_get_allocated_width (self->scroller)
      - LINE_WIDTH;

  if (shows && gtk_widget_get_margin_start (self->line) != line_x)
    gtk_widget_set_margin_start (self->line, line_x);
  gtk_widget_set_visible (self->line, shows);
}

/* Shows the frame at @zoom screen pixels per frame pixel, or whole at 0. The
 * point at @x, @y of the video's widget stays in place. */
static void
set_zoom (PlayWindow * self, gdouble zoom, gdouble x, gdouble y)
{
  gdouble frame_x, frame_y, width, height;
  gint frame_width, frame_height, view_x, view_y;

  if (zoom == self->zoom || !get_frame (self, &frame_x, &frame_y, &width,
          &height))
    return;
  gtk_widget_translate_coordinates (self->video, self->scroller, x, y, &view_x,
      &view_y);
  self->frame_x = CLAMP ((x - frame_x) / width, 0.0, 1.0);
  self->frame_y = CLAMP ((y - frame_y) / height, 0.0, 1.0);
  self->view_x = view_x;
  self->view_y = view_y;
  self->is_anchored = TRUE;
  self->zoom = self->session->zoom = zoom;
  play_pipeline_get_size (self->session->pipeline, &frame_width, &frame_height);
  const gdouble scale = zoom / gtk_widget_get_scale_factor (self->video);
  const GtkAlign align = zoom > 0.0 ? GTK_ALIGN_CENTER : GTK_ALIGN_FILL;

  gtk_widget_set_halign (self->video, align);
  gtk_widget_set_valign (self->video, align);
  gtk_widget_set_size_request (self->video,
      zoom > 0.0 ? (gint) round (frame_width * scale) : -1,
      zoom > 0.0 ? (gint) round (frame_height * scale) : -1);
}

/* Scrolls after a zoom, when the video has its new size. */
static void
keep_anchor (GtkWidget * video, GdkRectangle * allocation G_GNUC_UNUSED,
    gpointer data)
{
  PlayWindow *self = data;
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);
  gdouble x, y, width, height;

  if (self->is_anchored && video == self->video
      && get_frame (self, &x, &y, &width, &height)) {
    gtk_adjustment_set_value (gtk_scrolled_window_get_hadjustment (scroller),
        x + self->frame_x * width - self->view_x);
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (scroller),
        y + self->frame_y * height - self->view_y);
    self->is_anchored = FALSE;
  }
}

/* Zooms by the wheel. Includes the step 100 %, and ends at the whole frame. */
static gboolean
scroll (GtkWidget * widget, GdkEventScroll * event, gpointer data)
{
  PlayWindow *self = data;
  gdouble x, y, width, height;
  gint frame_width, frame_height;
  gdouble steps = event->direction == GDK_SCROLL_UP
      ? 1.0 : event->direction == GDK_SCROLL_DOWN ? -1.0 : 0.0;

  if (event->direction == GDK_SCROLL_SMOOTH)
    steps = -event->delta_y;
  if (steps == 0.0 || !get_frame (self, &x, &y, &width, &height))
    return GDK_EVENT_PROPAGATE;
  play_pipeline_get_size (self->session->pipeline, &frame_width, &frame_height);
  const gint factor = gtk_widget_get_scale_factor (widget);
  const gdouble whole = MIN (1.0, MIN ((gdouble) factor
          * gtk_widget_get_allocated_width (self->scroller) / frame_width,
          (gdouble) factor * gtk_widget_get_allocated_height (self->scroller)
          / frame_height));
  const gdouble largest = MIN (MAX_ZOOM, (gdouble) MAX_SIZE
      / MAX (frame_width, frame_height));
  const gdouble now = factor * width / frame_width;
  gdouble zoom = now * pow (2.0, steps / 2.0);

  if ((now < 0.99 && zoom > 0.99) || (now > 1.01 && zoom < 1.01))
    zoom = 1.0;
  zoom = MIN (zoom, largest);
  set_zoom (self, zoom <= whole && whole < 1.0 ? 0.0 : MAX (zoom, whole),
      event->x, event->y);
  return GDK_EVENT_STOP;
}

static void
show_job (PlayWindow * self)
{
  GtkProgressBar *progress = GTK_PROGRESS_BAR (self->job_progress);

  if (!self->job)
    return;
  g_autofree gchar *line = g_strdup_printf ("%s: %s", self->output,
      self->job->progress ? self->job->progress : "starting");
  gtk_progress_bar_set_text (progress, line);
  if (self->job->done >= 0.0)
    gtk_progress_bar_set_fraction (progress, self->job->done);
  else
    gtk_progress_bar_pulse (progress);
}

static void
show_position (PlayWindow * self)
{
  PlayPipeline *pipeline = self->session->pipeline;
  const GstClockTime duration = play_pipeline_get_duration (pipeline);
  const GstClockTime position = play_pipeline_get_position (pipeline);
  const gboolean has_times = GST_CLOCK_TIME_IS_VALID (duration)
      && duration > 0;

  gtk_widget_set_sensitive (self->time, has_times);
  if (has_times) {
    gtk_range_set_range (GTK_RANGE (self->time), 0,
        (gdouble) duration / GST_SECOND);
    if (GST_CLOCK_TIME_IS_VALID (position))
      gtk_range_set_value (GTK_RANGE (self->time),
          (gdouble) position / GST_SECOND);
  }
  gtk_image_set_from_icon_name (GTK_IMAGE (gtk_button_get_image (GTK_BUTTON
              (self->play))), play_pipeline_is_playing (pipeline)
      ? "media-playback-pause-symbolic" : "media-playback-start-symbolic",
      GTK_ICON_SIZE_BUTTON);
  gtk_widget_set_sensitive (self->sound, play_pipeline_has_sound (pipeline));
  gtk_image_set_from_icon_name (GTK_IMAGE (gtk_button_get_image (GTK_BUTTON
              (self->sound))), play_pipeline_is_mute (pipeline)
      ? "audio-volume-muted-symbolic" : "audio-volume-high-symbolic",
      GTK_ICON_SIZE_BUTTON);
}

static gboolean
update (gpointer data)
{
  PlayWindow *self = data;
  PlaySession *session = self->session;
  const gboolean has_panel = session->shows_controls && session->pipeline;
  g_autofree gchar *values = play_session_print_values (session, !has_panel);
  g_autofree gchar *message = play_session_print_message (session);
  g_autofree gchar *messages = play_session_print_messages (session);

  fit (self);
  gtk_label_set_text (GTK_LABEL (self->values), values);
  gtk_widget_set_visible (self->values, session->shows_values && *values
      && !session->shows_messages);
  gtk_widget_set_visible (self->help, session->shows_help);
  gtk_label_set_text (GTK_LABEL (self->list_text), messages);
  gtk_widget_set_visible (self->list, session->shows_messages);
  gtk_label_set_text (GTK_LABEL (self->info_text), message ? message : "");
  gtk_info_bar_set_message_type (GTK_INFO_BAR (self->info), session->failed
      ? GTK_MESSAGE_ERROR : g_strcmp0 (message, session->progress) == 0
      ? GTK_MESSAGE_INFO : GTK_MESSAGE_WARNING);
  gtk_widget_set_visible (self->info, message != NULL);
  gtk_widget_set_visible (play_panel_get_widget (self->panel), has_panel);
  gtk_widget_set_visible (self->bar, has_panel);
  if (session->pipeline) {
    set_zoom (self, session->zoom,
        gtk_widget_get_allocated_width (self->video) / 2.0,
        gtk_widget_get_allocated_height (self->video) / 2.0);
    play_panel_update (self->panel);
    show_position (self);
  }
  place_line (self);
  show_job (self);
  if (session->is_full_screen != self->is_full_screen) {
    self->is_full_screen = session->is_full_screen;
    if (self->is_full_screen)
      gtk_window_fullscreen (GTK_WINDOW (self->window));
    else
      gtk_window_unfullscreen (GTK_WINDOW (self->window));
  }
  return G_SOURCE_CONTINUE;
}

static void
choose_input (PlayWindow * self)
{
  GtkWidget *dialog = gtk_file_chooser_dialog_new ("Open a video or an "
      "image",
      GTK_WINDOW (self->window), GTK_FILE_CHOOSER_ACTION_OPEN, "_Cancel",
      GTK_RESPONSE_CANCEL, "_Open", GTK_RESPONSE_ACCEPT, NULL);
  g_autofree gchar *uri = NULL;

  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    uri = gtk_file_chooser_get_uri (GTK_FILE_CHOOSER (dialog));
  gtk_widget_destroy (dialog);
  if (uri)
    self->actions->open (uri, self->data);
}

/* Shows the result of glopencl-denoise until its row is closed. */
static void
handle_job (gboolean is_end, const gchar * text, gpointer data)
{
  PlayWindow *self = data;

  if (text)
    play_session_add_message (self->session, GST_MESSAGE_WARNING, text);
  if (!is_end)
    return;
  g_autofree gchar *end = g_strdup_printf (text ? "%s was not written: %s"
      : "%s is written", self->output, text);
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (self->job_progress), end);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->job_progress),
      text ? 0.0 : 1.0);
  gtk_button_set_label (GTK_BUTTON (self->job_stop), "Close");
  g_clear_pointer (&self->job, play_job_free);
}

static void
stop_job (GtkButton * button G_GNUC_UNUSED, gpointer data)
{
  PlayWindow *self = data;

  g_clear_pointer (&self->job, play_job_free);
  g_clear_pointer (&self->output, g_free);
  gtk_widget_hide (self->job_row);
}

static void
start_job (PlayWindow * self, const gchar * input, const gchar * output,
    gboolean lossless)
{
  g_autofree gchar *filter = play_command_print_elements
      (self->session->pipeline, FALSE);
  g_autoptr (GError) error = NULL;

  stop_job (NULL, self);
  self->job = play_job_new (input, output, filter, lossless, handle_job, self,
      &error);
  if (!self->job) {
    play_session_add_message (self->session, GST_MESSAGE_WARNING,
        error->message);
    return;
  }
  self->output = g_filename_display_name (output);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->job_progress), 0.0);
  gtk_button_set_label (GTK_BUTTON (self->job_stop), "Stop");
  gtk_widget_show (self->job_row);
}

/* Asks for a file in the folder of the input. GTK confirms overwriting. */
static void
choose_output (PlayWindow * self)
{
  g_autofree gchar *input = g_filename_from_uri (play_pipeline_get_uri
      (self->session->pipeline), NULL, NULL);
  g_autofree gchar *folder = g_path_get_dirname (input);
  g_autofree gchar *base = g_path_get_basename (input);
  gchar *dot = strrchr (base, '.');

  if (self->job) {
    play_session_note (self->session, "A video is being filtered already");
    return;
  }
  if (dot && dot != base)
    *dot = '\0';
  g_autofree gchar *name = g_filename_display_name (base);
  g_autofree gchar *proposed = g_strconcat (name, "-denoised.mkv", NULL);
  GtkWidget *dialog = gtk_file_chooser_dialog_new
      ("Filter the video into a file", GTK_WINDOW (self->window),
      GTK_FILE_CHOOSER_ACTION_SAVE, "_Cancel", GTK_RESPONSE_CANCEL, "_Filter",
      GTK_RESPONSE_ACCEPT, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  GtkWidget *lossless = gtk_check_button_new_with_mnemonic ("_Lossless");
  g_autofree gchar *output = NULL;
  gtk_file_chooser_set_do_overwrite_confirmation (chooser, TRUE);
  gtk_file_chooser_set_current_folder (chooser, folder);
  gtk_file_chooser_set_current_name (chooser, proposed);
  gtk_file_chooser_set_extra_widget (chooser, lossless);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_ACCEPT);
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    output = gtk_file_chooser_get_filename (chooser);
  const gboolean is_lossless = gtk_toggle_button_get_active
      (GTK_TOGGLE_BUTTON (lossless));
  gtk_widget_destroy (dialog);
  if (output)
    start_job (self, input, output, is_lossless);
}

/* Runs the command of a key or a button, including those of the window. */
static gboolean
press (PlayWindow * self, guint key)
{
  PlaySession *session = self->session;

  if (!play_session_press (session, key))
    return FALSE;
  if (session->copied) {
    gtk_clipboard_set_text (gtk_clipboard_get (GDK_SELECTION_CLIPBOARD),
        session->copied, -1);
    g_clear_pointer (&session->copied, g_free);
  }
  update (self);
  if (session->wants_input) {
    session->wants_input = FALSE;
    choose_input (self);
  } else if (session->wants_film) {
    session->wants_film = FALSE;
    choose_output (self);
  } else if (session->starts_again) {
    g_autofree gchar *uri = g_strdup (play_pipeline_get_uri
        (session->pipeline));

    self->actions->open (uri, self->data);
  } else if (session->quits) {
    self->actions->close (self->data);
  }
  return TRUE;
}

/* The session gets the keys regardless of the focus. */
static gboolean
press_key (GtkWidget * widget G_GNUC_UNUSED, GdkEventKey * event, gpointer data)
{
  PlayWindow *self = data;
  guint key = event->keyval;

  if (event->state & GDK_CONTROL_MASK) {
    if (key != GDK_KEY_o)
      return GDK_EVENT_PROPAGATE;
    key = GDK_KEY_O;
  }
  if (!press (self, key))
    return GDK_EVENT_PROPAGATE;
  /* X servers and Wayland compositors use GLib's clock, in milliseconds. */
  GST_DEBUG ("key %s done %u ms after it was pressed",
      gdk_keyval_name (event->keyval),
      (guint32) (g_get_monotonic_time () / 1000) - event->time);
  return GDK_EVENT_STOP;
}

static void
split_at (PlayWindow * self, gdouble x)
{
  gdouble frame_x, frame_y, width, height;

  if (get_frame (self, &frame_x, &frame_y, &width, &height)) {
    play_session_split (self->session, (x - frame_x) / width);
    place_line (self);
  }
}

/* A drag moves the split line, or a frame that is larger than the window: then
 * the line moves only if it is near. */
static gboolean
press_button (GtkWidget * widget, GdkEventButton * event, gpointer data)
{
  PlayWindow *self = data;
  gdouble x, y, width, height;

  if (event->button != GDK_BUTTON_PRIMARY)
    return GDK_EVENT_PROPAGATE;
  self->drag = DRAG_NOTHING;
  self->drag_x = event->x_root;
  self->drag_y = event->y_root;
  if (event->type != GDK_BUTTON_PRESS
      || !get_frame (self, &x, &y, &width, &height))
    return GDK_EVENT_PROPAGATE;
  PlayView *view = play_pipeline_get_view (self->session->pipeline);
  const gboolean is_near = play_view_get_mode (view) == PLAY_VIEW_SPLIT
      && fabs (event->x - x - play_view_get_split (view) * width) < LINE_REACH;
  const gboolean is_whole = gtk_widget_get_allocated_width (widget)
      <= gtk_widget_get_allocated_width (self->scroller)
      && gtk_widget_get_allocated_height (widget)
      <= gtk_widget_get_allocated_height (self->scroller);

  self->drag = is_near || is_whole ? DRAG_LINE : DRAG_FRAME;
  if (self->drag == DRAG_LINE)
    split_at (self, event->x);
  return GDK_EVENT_PROPAGATE;
}

static void
scroll_by (GtkAdjustment * adjustment, gdouble distance)
{
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment)
      + distance);
}

static gboolean
move_mouse (GtkWidget * widget G_GNUC_UNUSED, GdkEventMotion * event,
    gpointer data)
{
  PlayWindow *self = data;
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (self->scroller);

  if (self->drag == DRAG_LINE) {
    split_at (self, event->x);
  } else if (self->drag == DRAG_FRAME) {
    scroll_by (gtk_scrolled_window_get_hadjustment (scroller),
        self->drag_x - event->x_root);
    scroll_by (gtk_scrolled_window_get_vadjustment (scroller),
        self->drag_y - event->y_root);
    self->drag_x = event->x_root;
    self->drag_y = event->y_root;
    place_line (self);
  }
  return GDK_EVENT_PROPAGATE;
}

static gboolean
move_time (GtkRange * range G_GNUC_UNUSED, GtkScrollType type G_GNUC_UNUSED,
    gdouble value, gpointer data)
{
  PlayWindow *self = data;

  play_session_seek (self->session, MAX (value, 0.0) * GST_SECOND);
  return FALSE;
}

static gchar *
format_time (GtkScale * scale, gdouble value, gpointer data G_GNUC_UNUSED)
{
  const guint now = MAX (value, 0.0);
  const guint all = gtk_adjustment_get_upper (gtk_range_get_adjustment
      (GTK_RANGE (scale)));

  return g_strdup_printf ("%u:%02u / %u:%02u", now / 60, now % 60, all / 60,
      all % 60);
}

static void
drop_files (GtkWidget * widget G_GNUC_UNUSED,
    GdkDragContext * context G_GNUC_UNUSED, gint x G_GNUC_UNUSED,
    gint y G_GNUC_UNUSED, GtkSelectionData * selection,
    guint info G_GNUC_UNUSED, guint time G_GNUC_UNUSED, gpointer data)
{
  PlayWindow *self = data;
  g_auto (GStrv) uris = gtk_selection_data_get_uris (selection);

  if (uris && uris[0])
    self->actions->open (uris[0], self->data);
}

static gboolean
close_window (GtkWidget * widget G_GNUC_UNUSED, GdkEvent * event G_GNUC_UNUSED,
    gpointer data)
{
  PlayWindow *self = data;

  self->actions->close (self->data);
  return GDK_EVENT_STOP;
}

static void
click (GtkButton * button, gpointer data)
{
  press (data, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "key")));
}

/* Adds a button for the command of a key. */
static GtkWidget *
add_button (PlayWindow * self, GtkWidget * box, guint key, const gchar * icon,
    const gchar * text, const gchar * tip)
{
  GtkWidget *button = icon ? gtk_button_new_from_icon_name (icon,
      GTK_ICON_SIZE_BUTTON) : gtk_button_new_with_label (text);

  g_object_set_data (G_OBJECT (button), "key", GUINT_TO_POINTER (key));
  gtk_widget_set_tooltip_text (button, tip);
  gtk_widget_set_focus_on_click (button, FALSE);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (click), self);
  play_panel_log_place (button, tip);
  gtk_container_add (GTK_CONTAINER (box), button);
  return button;
}

static void
add_bar (PlayWindow * self, GtkWidget * box)
{
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_container_set_border_width (GTK_CONTAINER (self->bar), 4);
  add_button (self, self->bar, GDK_KEY_O, "document-open-symbolic", NULL,
      "Open a file (Ctrl+o)");
  self->play = add_button (self, self->bar, GDK_KEY_space,
      "media-playback-start-symbolic", NULL, "Play or pause (Space)");
  self->sound = add_button (self, self->bar, GDK_KEY_m,
      "audio-volume-high-symbolic", NULL, "Sound (m)");
  self->time = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, NULL);
  gtk_scale_set_value_pos (GTK_SCALE (self->time), GTK_POS_RIGHT);
  gtk_range_set_round_digits (GTK_RANGE (self->time), -1);
  gtk_widget_set_hexpand (self->time, TRUE);
  gtk_widget_set_size_request (self->time, 160, -1);
  play_panel_log_place (self->time, "seek bar");
  g_signal_connect (self->time, "format-value", G_CALLBACK (format_time), self);
  g_signal_connect (self->time, "change-value", G_CALLBACK (move_time), self);
  gtk_container_add (GTK_CONTAINER (self->bar), self->time);
  add_button (self, self->bar, GDK_KEY_0, NULL, "Fit",
      "Show the whole frame (0)");
  add_button (self, self->bar, GDK_KEY_1, NULL, "100 %",
      "One screen pixel for each pixel of the frame (1)");
  add_button (self, self->bar, GDK_KEY_s, NULL, "Split",
      "Before on the left, after on the right (s)");
  add_button (self, self->bar, GDK_KEY_c, NULL, "Copy command",
      "Copy the command for filtering the video (c)");
  add_button (self, self->bar, GDK_KEY_x, NULL, "Filter video…",
      "Filter the video into a file, with the current settings (x)");
  add_button (self, self->bar, GDK_KEY_question, NULL, "?", "Keys (?)");
  gtk_box_pack_end (GTK_BOX (box), self->bar, FALSE, FALSE, 0);
}

static void
add_job_row (PlayWindow * self, GtkWidget * box)
{
  self->job_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->job_progress = gtk_progress_bar_new ();
  self->job_stop = gtk_button_new_with_label ("Stop");
  gtk_container_set_border_width (GTK_CONTAINER (self->job_row), 4);
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (self->job_progress), TRUE);
  gtk_progress_bar_set_ellipsize (GTK_PROGRESS_BAR (self->job_progress),
      PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->job_progress, TRUE);
  gtk_widget_set_valign (self->job_progress, GTK_ALIGN_CENTER);
  g_signal_connect (self->job_stop, "clicked", G_CALLBACK (stop_job), self);
  gtk_container_add (GTK_CONTAINER (self->job_row), self->job_progress);
  gtk_container_add (GTK_CONTAINER (self->job_row), self->job_stop);
  gtk_widget_show_all (self->job_row);
  gtk_box_pack_end (GTK_BOX (box), self->job_row, FALSE, FALSE, 0);
}

static void
add_info (PlayWindow * self, GtkWidget * box)
{
  self->info = gtk_info_bar_new ();
  self->info_text = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->info_text), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->info_text), 0.0);
  gtk_widget_set_hexpand (self->info_text, TRUE);
  gtk_container_add (GTK_CONTAINER (gtk_info_bar_get_content_area
          (GTK_INFO_BAR (self->info))), self->info_text);
  add_button (self, gtk_info_bar_get_action_area (GTK_INFO_BAR (self->info)),
      GDK_KEY_e, NULL, "Details (e)", "All warnings and errors");
  gtk_widget_show_all (self->info);
  gtk_box_pack_end (GTK_BOX (box), self->info, FALSE, FALSE, 0);
}

static GtkWidget *
add_label (GtkWidget * overlay, GtkAlign horizontal, const gchar * text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_set_halign (label, horizontal);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "overlay");
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), label);
  gtk_overlay_set_overlay_pass_through (GTK_OVERLAY (overlay), label, TRUE);
  return label;
}

/* The video with its overlays. */
static GtkWidget *
make_picture (PlayWindow * self)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkWidget *pages = self->pages = gtk_stack_new ();
  GtkWidget *start = gtk_box_new (GTK_ORIENTATION_VERTICAL, 24);
  GtkWidget *label = gtk_label_new ("Drop a video or an image here");
  g_autofree gchar *help = play_session_print_help ();

  gtk_style_context_add_class (gtk_widget_get_style_context (label), "start");
  gtk_widget_set_halign (start, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (start, GTK_ALIGN_CENTER);
  gtk_container_add (GTK_CONTAINER (start), label);
  gtk_widget_set_halign (add_button (self, start, GDK_KEY_O, NULL,
          "Open a file…", "Ctrl+o"), GTK_ALIGN_CENTER);
  gtk_stack_add_named (GTK_STACK (pages), start, "start");
  self->scroller = gtk_scrolled_window_new (NULL, NULL);
  self->viewport = gtk_viewport_new (NULL, NULL);
  gtk_container_add (GTK_CONTAINER (self->scroller), self->viewport);
  gtk_style_context_add_class (gtk_widget_get_style_context (self->scroller),
      "video");
  gtk_stack_add_named (GTK_STACK (pages), self->scroller, "film");
  gtk_container_add (GTK_CONTAINER (overlay), pages);
  self->line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_style_context_add_class (gtk_widget_get_style_context (self->line),
      "split");
  gtk_widget_set_size_request (self->line, LINE_WIDTH, -1);
  gtk_widget_set_halign (self->line, GTK_ALIGN_START);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->line);
  gtk_overlay_set_overlay_pass_through (GTK_OVERLAY (overlay), self->line,
      TRUE);
  self->values = add_label (overlay, GTK_ALIGN_START, NULL);
  self->help = add_label (overlay, GTK_ALIGN_END, help);
  self->list = gtk_scrolled_window_new (NULL, NULL);
  self->list_text = gtk_label_new (NULL);
  gtk_style_context_add_class (gtk_widget_get_style_context (self->list_text),
      "overlay");
  gtk_style_context_add_class (gtk_widget_get_style_context (self->list_text),
      "list");
  gtk_label_set_xalign (GTK_LABEL (self->list_text), 0.0);
  gtk_label_set_yalign (GTK_LABEL (self->list_text), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (self->list_text), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (self->list_text),
      PANGO_WRAP_WORD_CHAR);
  gtk_container_add (GTK_CONTAINER (self->list), self->list_text);
  gtk_container_set_border_width (GTK_CONTAINER (self->list), 12);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->list);
  gtk_widget_set_hexpand (overlay, TRUE);
  return overlay;
}

PlayWindow *
play_window_new (PlaySession * session, const PlayWindowActions * actions,
    gpointer data)
{
  PlayWindow *self = g_new0 (PlayWindow, 1);
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *middle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->session = session;
  self->actions = actions;
  self->data = data;
  self->window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  gtk_window_set_title (GTK_WINDOW (self->window), "glopencl-play");
  gtk_window_set_default_size (GTK_WINDOW (self->window), 960, 540);
  gtk_window_set_icon_name (GTK_WINDOW (self->window),
      "io.github.gst_glopencl.play");
  gtk_css_provider_load_from_data (provider, style, -1, NULL);
  gtk_style_context_add_provider_for_screen (gtk_widget_get_screen
      (self->window), GTK_STYLE_PROVIDER (provider),
      GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  self->panel = play_panel_new (session);
  gtk_container_add (GTK_CONTAINER (middle), make_picture (self));
  gtk_container_add (GTK_CONTAINER (middle),
      play_panel_get_widget (self->panel));
  gtk_box_pack_start (GTK_BOX (box), middle, TRUE, TRUE, 0);
  add_bar (self, box);
  add_job_row (self, box);
  add_info (self, box);
  gtk_container_add (GTK_CONTAINER (self->window), box);
  gtk_drag_dest_set (self->window, GTK_DEST_DEFAULT_ALL, NULL, 0,
      GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (self->window);
  g_signal_connect (self->window, "drag-data-received",
      G_CALLBACK (drop_files), self);
  g_signal_connect (self->window, "key-press-event", G_CALLBACK (press_key),
      self);
  g_signal_connect (self->window, "delete-event", G_CALLBACK (close_window),
      self);
  gtk_widget_show_all (box);
  gtk_widget_hide (self->job_row);
  update (self);
  gtk_widget_show (self->window);
  self->timer = g_timeout_add (UPDATE_INTERVAL, update, self);
  return self;
}

void
play_window_free (PlayWindow * self)
{
  g_source_remove (self->timer);
  g_clear_pointer (&self->job, play_job_free);
  gtk_widget_destroy (self->window);
  play_panel_free (self->panel);
  g_free (self->output);
  g_free (self);
}

void
play_window_set_film (PlayWindow * self, GtkWidget * video, const gchar * title)
{
  if (self->video)
    gtk_container_remove (GTK_CONTAINER (self->viewport), self->video);
  self->video = video;
  self->zoom = self->session->zoom = 0.0;
  gtk_window_set_title (GTK_WINDOW (self->window), title);
  gtk_widget_add_events (video, GDK_BUTTON_PRESS_MASK
      | GDK_BUTTON_RELEASE_MASK | GDK_POINTER_MOTION_MASK | GDK_SCROLL_MASK
      | GDK_SMOOTH_SCROLL_MASK);
  g_signal_connect (video, "button-press-event", G_CALLBACK (press_button),
      self);
  g_signal_connect (video, "button-release-event", G_CALLBACK (press_button),
      self);
  g_signal_connect (video, "motion-notify-event", G_CALLBACK (move_mouse),
      self);
  g_signal_connect (video, "scroll-event", G_CALLBACK (scroll), self);
  g_signal_connect_after (video, "size-allocate", G_CALLBACK (keep_anchor),
      self);
  play_panel_log_place (video, "video");
  gtk_container_add (GTK_CONTAINER (self->viewport), video);
  gtk_widget_show (video);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "film");
  update (self);
}
