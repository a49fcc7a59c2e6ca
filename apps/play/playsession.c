/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playsession.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>
#include <string.h>

#include "playsettings.h"

/* Number of values shown above and below the selected one. */
#define N_SHOWN_AROUND 8

/* Maximum length of the message list. */
#define MAX_MESSAGES 100

typedef struct
{
  GstMessageType type;
  gchar *text;
  gchar *time;                  /* time of day of the last one */
  guint n;                      /* number of repetitions */
  gboolean is_read;
} Message;

static PlayParam *
get_selected (PlaySession * self)
{
  return self->selected < self->params->len
      ? self->params->pdata[self->selected] : NULL;
}

/* Lists the parameters again, because elements may have other children now.
 * Steps are kept. */
static void
list_params (PlaySession * self)
{
  g_autoptr (GPtrArray) old = self->params;

  self->params = play_params_list (self->elements);
  for (guint i = 0; old && i < old->len; i++) {
    const PlayParam *before = old->pdata[i];

    for (guint k = 0; k < self->params->len; k++) {
      PlayParam *now = self->params->pdata[k];

      if (now->object == before->object && now->pspec == before->pspec)
        now->step = before->step;
    }
  }
  self->selected = MIN (self->selected, MAX (self->params->len, 1) - 1);
}

void
play_session_note (PlaySession * self, const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (self->note);
  self->note = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

static void
select_param (PlaySession * self, gint n)
{
  const gint n_params = self->params->len;

  if (n_params > 0)
    self->selected = (self->selected + n + n_params) % n_params;
  self->n_preset = 0;
}

static void
changed (PlaySession * self)
{
  list_params (self);
  play_pipeline_refresh (self->pipeline);
}

static void
move_param (PlaySession * self, gint n)
{
  PlayParam *param = get_selected (self);

  if (param) {
    play_param_move (param, n);
    changed (self);
  }
}

static void
scale_step (PlaySession * self, gint power)
{
  PlayParam *param = get_selected (self);

  if (param)
    play_param_scale_step (param, power);
}

static void
add_to_step (PlaySession * self, gint n)
{
  PlayParam *param = get_selected (self);

  if (param)
    play_param_add_to_step (param, n);
}

static void
reset_params (PlaySession * self, gint all)
{
  for (guint i = 0; i < self->params->len; i++) {
    if (all || i == self->selected)
      play_param_reset (self->params->pdata[i]);
  }
  changed (self);
}

/* Returns the property whose values are looks, or NULL. */
static GEnumClass *
find_looks (GstElement * element)
{
  GParamSpec *pspec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (element), "preset");

  return pspec && G_IS_PARAM_SPEC_ENUM (pspec)
      ? G_PARAM_SPEC_ENUM (pspec)->enum_class : NULL;
}

/* The first value means that the other properties are set by hand. */
gchar **
play_session_list_presets (GstElement * element)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  const GEnumClass *looks = find_looks (element);
  g_auto (GStrv) presets = GST_IS_PRESET (element)
      ? gst_preset_get_preset_names (GST_PRESET (element)) : NULL;

  for (guint i = 1; looks && i < looks->n_values; i++)
    g_strv_builder_add (names, looks->values[i].value_nick);
  if (presets)
    g_strv_builder_addv (names, (const gchar **) presets);
  return g_strv_builder_end (names);
}

void
play_session_take_preset (PlaySession * self, GstElement * element,
    const gchar * name)
{
  GEnumClass *looks = find_looks (element);
  const GEnumValue *look = looks ? g_enum_get_value_by_nick (looks, name)
      : NULL;

  if (look)
    g_object_set (element, "preset", look->value, NULL);
  else
    gst_preset_load_preset (GST_PRESET (element), name);
  play_session_note (self, "Preset %s", name);
  changed (self);
}

/* Selects the next preset of the selected element. */
static void
take_preset (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const PlayParam *param = get_selected (self);
  g_auto (GStrv) names = param ? play_session_list_presets (param->element)
      : NULL;
  const guint n = names ? g_strv_length (names) : 0;

  if (n == 0)
    play_session_note (self, "No presets");
  else
    play_session_take_preset (self, param->element,
        names[self->n_preset++ % n]);
}

static void
save_preset (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const PlayParam *param = get_selected (self);
  g_autoptr (GError) error = NULL;

  if (!self->preset)
    play_session_note (self, "Start with --preset FILE to save presets");
  else if (param && play_preset_save (self->preset, param->element, &error))
    play_session_note (self, "Saved %s", self->preset);
  else
    play_session_note (self, "%s", error ? error->message : "No parameters");
}

static void
turn_element (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const PlayParam *param = get_selected (self);

  if (!param)
    return;
  const gboolean enabled = !play_pipeline_is_enabled (self->pipeline,
      param->element);
  if (play_pipeline_set_enabled (self->pipeline, param->element, enabled))
    play_session_note (self, "%s is %s", GST_OBJECT_NAME (param->element),
        enabled ? "on" : "off");
  else
    play_session_note (self, "Cannot remove %s from the pipeline",
        GST_OBJECT_NAME (param->element));
}

/* Enables the histogram of the elements that can draw one, but not in a
 * difference, where it would affect the PSNR. Returns whether there is such an
 * element. */
static gboolean
draw_histogram (PlaySession * self)
{
  const gboolean draws = self->shows_histogram && play_view_get_mode
      (play_pipeline_get_view (self->pipeline)) != PLAY_VIEW_DIFFERENCE;
  gboolean found = FALSE;

  for (const GList * l = self->elements; l; l = l->next) {
    GParamSpec *pspec = g_object_class_find_property
        (G_OBJECT_GET_CLASS (l->data), "histogram-overlay");

    if (pspec && pspec->value_type == G_TYPE_BOOLEAN) {
      g_object_set (l->data, "histogram-overlay", draws, NULL);
      found = TRUE;
    }
  }
  return found;
}

static void
turn_histogram (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->shows_histogram = !self->shows_histogram;
  if (!draw_histogram (self))
    play_session_note (self, "No element in the filter can draw a histogram");
  play_pipeline_refresh (self->pipeline);
}

/* Shows @mode, or the filtered frame if @mode is already shown. */
static void
show (PlaySession * self, gint mode)
{
  PlayView *view = play_pipeline_get_view (self->pipeline);

  play_view_set_mode (view, play_view_get_mode (view) == (PlayViewMode) mode
      ? PLAY_VIEW_AFTER : (PlayViewMode) mode);
  draw_histogram (self);
  play_pipeline_refresh (self->pipeline);
}

static void
scale_gain (PlaySession * self, gint power)
{
  PlayView *view = play_pipeline_get_view (self->pipeline);

  play_view_set_gain (view, play_view_get_gain (view)
      * (power > 0 ? 2.0 : 0.5));
  play_session_note (self, "Differences amplified by %g",
      play_view_get_gain (view));
  play_pipeline_refresh (self->pipeline);
}

static void
turn_pause (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  if (self->failed)
    self->starts_again = TRUE;
  else
    play_pipeline_set_playing (self->pipeline,
        !play_pipeline_is_playing (self->pipeline));
}

static void
turn_sound (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->is_mute = !self->is_mute;
  play_pipeline_set_mute (self->pipeline, self->is_mute);
  play_session_note (self, !play_pipeline_has_sound (self->pipeline)
      ? "The input has no audio" : self->is_mute ? "Audio is muted"
      : "Audio is on");
}

static void
step (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_pipeline_step (self->pipeline);
}

void
play_session_seek (PlaySession * self, GstClockTime time)
{
  if (!play_pipeline_seek (self->pipeline, time))
    play_session_note (self, "Seeking is not possible in a live input");
}

static void
seek (PlaySession * self, gint seconds)
{
  const GstClockTime position = play_pipeline_get_position (self->pipeline);
  const GstClockTimeDiff time = GST_CLOCK_TIME_IS_VALID (position)
      ? (GstClockTimeDiff) position + seconds * (GstClockTimeDiff) GST_SECOND
      : 0;

  play_session_seek (self, MAX (time, 0));
}

static void
go_to_start (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_pipeline_seek (self->pipeline, 0);
}

static void
turn_loop (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const gboolean loop = !play_pipeline_get_loop (self->pipeline);

  play_pipeline_set_loop (self->pipeline, loop);
  play_session_note (self, loop ? "Repeats at the end" : "Stops at the end");
}

/* The file name has the next free number. */
static void
save_picture (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *name = NULL;

  do {
    g_free (name);
    name = g_strdup_printf ("glopencl-play-%u.png", ++self->n_pictures);
  } while (g_file_test (name, G_FILE_TEST_EXISTS));
  if (play_pipeline_save (self->pipeline, name, &error))
    play_session_note (self, "Saved %s", name);
  else
    play_session_note (self, "%s was not saved: %s", name, error->message);
}

/* Copies the glopencl-denoise command, if there is one. */
static void
print_commands (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_session_print_commands (self);
  g_free (self->copied);
  self->copied = play_command_print_denoise (self->pipeline);
  if (!self->copied)
    self->copied = play_command_print_launch (self->pipeline);
  play_session_note (self, "The command was printed and copied");
}

static void
filter_film (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  g_autofree gchar *command = play_command_print_denoise (self->pipeline);

  self->wants_film = command != NULL;
  if (!command)
    play_session_note (self, "Only video files can be filtered. Use w to "
        "save the frame");
}

static void
open_input (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->wants_input = TRUE;
}

static void
zoom (PlaySession * self, gint scale)
{
  self->zoom = scale;
}

static void
turn_messages (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->shows_messages = !self->shows_messages;
  for (guint i = 0; i < self->messages->len; i++)
    ((Message *) self->messages->pdata[i])->is_read = TRUE;
}

static void
turn_controls (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->shows_controls = !self->shows_controls;
}

static void
turn_full_screen (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->is_full_screen = !self->is_full_screen;
}

static void
turn_values (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->shows_values = !self->shows_values;
}

static void
turn_help (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->shows_help = !self->shows_help;
}

static void
quit (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  self->quits = TRUE;
}

/**
 * Key:
 * @key: a keysym
 * @other: an alternative keysym, or 0
 * @name: the label, NULL if the previous key's text includes it
 * @help: the description
 * @run: called with @argument
 * @needs_film: whether it requires an open file
 */
typedef struct
{
  guint key;
  guint other;
  const gchar *name;
  const gchar *help;
  void (*run) (PlaySession * self, gint argument);
  gint argument;
  gboolean needs_film;
} Key;

#define FILM(...) { __VA_ARGS__, TRUE }
#define ALWAYS(...) { __VA_ARGS__, FALSE }

static const Key keys[] = {
  FILM (GDK_KEY_Up, GDK_KEY_KP_Up, "select a parameter", "choose a parameter",
      select_param, -1),
  FILM (GDK_KEY_Down, GDK_KEY_KP_Down, NULL, NULL, select_param, 1),
  FILM (GDK_KEY_Right, GDK_KEY_KP_Right, "Right Left",
      "increase and decrease it by a step, or select the next choice",
      move_param, 1),
  FILM (GDK_KEY_Left, GDK_KEY_KP_Left, NULL, NULL, move_param, -1),
  FILM (GDK_KEY_plus, GDK_KEY_KP_Add, "+ -",
      "larger and smaller step: 0.2, 0.3", add_to_step, 1),
  FILM (GDK_KEY_minus, GDK_KEY_KP_Subtract, NULL, NULL, add_to_step, -1),
  FILM (GDK_KEY_asterisk, GDK_KEY_KP_Multiply, "* /",
      "step times ten, and divided by ten", scale_step, 1),
  FILM (GDK_KEY_slash, GDK_KEY_KP_Divide, NULL, NULL, scale_step, -1),
  FILM (GDK_KEY_r, GDK_KEY_BackSpace, "reset the parameter, all parameters",
      "reset the parameter, and all",
      reset_params, FALSE),
  FILM (GDK_KEY_R, 0, NULL, NULL, reset_params, TRUE),
  FILM (GDK_KEY_p, 0, "p", "next preset or look of the element",
      take_preset, 0),
  FILM (GDK_KEY_P, 0, "P", "save a preset in the file of --preset",
      save_preset, 0),
  FILM (GDK_KEY_o, 0, "o", "disable and enable the element of the parameter",
      turn_element, 0),
  FILM (GDK_KEY_s, 0, "s", "split view: before on the left, after on the "
      "right. Drag the line with the mouse", show, PLAY_VIEW_SPLIT),
  FILM (GDK_KEY_b, 0, "b", "before", show, PLAY_VIEW_BEFORE),
  FILM (GDK_KEY_d, 0, "d", "difference, with its PSNR", show,
      PLAY_VIEW_DIFFERENCE),
  FILM (GDK_KEY_bracketright, 0, "] [",
      "amplify and attenuate the difference by two", scale_gain, 1),
  FILM (GDK_KEY_bracketleft, 0, NULL, NULL, scale_gain, -1),
  FILM (GDK_KEY_h, 0, "h", "histogram", turn_histogram, 0),
  FILM (GDK_KEY_1, GDK_KEY_KP_1, "1 2 0",
      "100 %, 200 % and the whole frame. The wheel zooms", zoom, 1),
  FILM (GDK_KEY_2, GDK_KEY_KP_2, NULL, NULL, zoom, 2),
  FILM (GDK_KEY_0, GDK_KEY_KP_0, NULL, NULL, zoom, 0),
  FILM (GDK_KEY_space, 0, "Space", "pause", turn_pause, 0),
  FILM (GDK_KEY_period, 0, ".", "next frame", step, 0),
  FILM (GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, "PageDown PageUp",
      "seek five seconds forward and back", seek, 5),
  FILM (GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, NULL, NULL, seek, -5),
  FILM (GDK_KEY_Home, GDK_KEY_KP_Home, "Home", "go to the start", go_to_start,
      0),
  FILM (GDK_KEY_l, 0, "l", "repeat or stop at the end", turn_loop,
      0),
  FILM (GDK_KEY_m, 0, "m", "mute and unmute", turn_sound, 0),
  FILM (GDK_KEY_w, 0, "w", "save the frame as a PNG", save_picture, 0),
  FILM (GDK_KEY_x, 0, "x", "filter the video into a file, with the current "
      "settings",
      filter_film, 0),
  FILM (GDK_KEY_c, 0, "c", "print and copy the command for this",
      print_commands, 0),
  ALWAYS (GDK_KEY_O, 0, "O, Ctrl+o", "open a file", open_input, 0),
  ALWAYS (GDK_KEY_e, 0, "e", "list of warnings and errors", turn_messages, 0),
  ALWAYS (GDK_KEY_Tab, 0, "Tab", "hide and show sliders and buttons",
      turn_controls, 0),
  ALWAYS (GDK_KEY_f, GDK_KEY_F11, "f", "full screen", turn_full_screen, 0),
  ALWAYS (GDK_KEY_i, 0, "i", "hide and show the values", turn_values, 0),
  ALWAYS (GDK_KEY_question, GDK_KEY_F1, "?", "hide and show this help",
      turn_help, 0),
  ALWAYS (GDK_KEY_q, GDK_KEY_Escape, "q", "quit", quit, 0),
};

static void
message_free (gpointer data)
{
  Message *message = data;

  g_free (message->text);
  g_free (message->time);
  g_free (message);
}

PlaySession *
play_session_new (const gchar * preset)
{
  PlaySession *self = g_new0 (PlaySession, 1);

  self->shows_values = TRUE;
  self->shows_controls = TRUE;
  self->params = g_ptr_array_new ();
  self->messages = g_ptr_array_new_with_free_func (message_free);
  self->preset = g_strdup (preset);
  self->time = g_get_monotonic_time ();
  return self;
}

void
play_session_free (PlaySession * self)
{
  g_ptr_array_unref (self->params);
  g_ptr_array_unref (self->messages);
  g_free (self->progress);
  g_free (self->preset);
  g_free (self->copied);
  g_free (self->note);
  g_free (self);
}

void
play_session_set_pipeline (PlaySession * self, PlayPipeline * pipeline)
{
  const GList *elements = pipeline ? play_pipeline_get_elements (pipeline)
      : NULL;
  const GList *now = elements;

  for (const GList * old = self->elements; old && now;
      old = old->next, now = now->next) {
    if (!play_pipeline_is_enabled (self->pipeline, old->data)
        && G_OBJECT_TYPE (old->data) == G_OBJECT_TYPE (now->data))
      play_pipeline_set_enabled (pipeline, now->data, FALSE);
  }
  for (now = elements; now && !self->elements; now = now->next) {
    GParamSpec *pspec = g_object_class_find_property
        (G_OBJECT_GET_CLASS (now->data), "histogram-overlay");

    if (pspec && pspec->value_type == G_TYPE_BOOLEAN && !self->shows_histogram)
      g_object_get (now->data, "histogram-overlay", &self->shows_histogram,
          NULL);
  }
  self->pipeline = pipeline;
  self->elements = elements;
  self->failed = self->starts_again = FALSE;
  self->n_frames = 0;
  play_session_set_progress (self, NULL);
  list_params (self);
  if (pipeline) {
    draw_histogram (self);
    play_pipeline_set_mute (pipeline, self->is_mute);
  }
  play_session_note (self, "? shows the keys");
}

/* A repeated text is a single message. */
void
play_session_add_message (PlaySession * self, GstMessageType type,
    const gchar * text)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  Message *message = self->messages->len > 0
      ? self->messages->pdata[self->messages->len - 1] : NULL;

  if (!message || !g_str_equal (message->text, text)) {
    g_printerr ("glopencl-play: %.*s\n", (gint) strcspn (text, "\n"), text);
    if (self->messages->len == MAX_MESSAGES)
      g_ptr_array_remove_index (self->messages, 0);
    message = g_new0 (Message, 1);
    message->text = g_strchomp (g_strdup (text));
    g_ptr_array_add (self->messages, message);
  }
  g_free (message->time);
  message->time = g_date_time_format (now, "%H:%M:%S");
  message->type = type;
  if (message->n++ == 0)
    message->is_read = self->shows_messages;
  self->failed = self->failed || type == GST_MESSAGE_ERROR;
}

void
play_session_set_progress (PlaySession * self, const gchar * text)
{
  g_free (self->progress);
  self->progress = g_strdup (text);
}

gchar *
play_session_print_message (PlaySession * self)
{
  guint n_unread = 0;

  for (guint i = 0; i < self->messages->len; i++)
    n_unread += !((Message *) self->messages->pdata[i])->is_read;
  if (n_unread == 0)
    return g_strdup (self->progress);
  const Message *last = self->messages->pdata[self->messages->len - 1];
  g_autofree gchar *line = g_strndup (last->text, strcspn (last->text, "\n"));

  return g_strdup_printf ("%s: %s", last->type == GST_MESSAGE_ERROR ? "Error"
      : "Warning", line);
}

gchar *
play_session_print_messages (PlaySession * self)
{
  GString *text = g_string_new (self->messages->len > 0 ? NULL
      : "No warnings or errors");

  for (guint i = self->messages->len; i > 0; i--) {
    const Message *message = self->messages->pdata[i - 1];

    g_string_append_printf (text, "%s%s %s", text->len > 0 ? "\n\n" : "",
        message->time, message->type == GST_MESSAGE_ERROR ? "error"
        : "warning");
    if (message->n > 1)
      g_string_append_printf (text, " (%u times)", message->n);
    g_string_append_printf (text, ": %s", message->text);
  }
  return g_string_free (text, FALSE);
}

gboolean
play_session_press (PlaySession * self, guint key)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    if (keys[i].key == key || (keys[i].other && keys[i].other == key)) {
      if (keys[i].needs_film && !self->pipeline)
        return TRUE;
      g_clear_pointer (&self->note, g_free);
      keys[i].run (self, keys[i].argument);
      return TRUE;
    }
  }
  return FALSE;
}

void
play_session_split (PlaySession * self, gdouble split)
{
  PlayView *view = play_pipeline_get_view (self->pipeline);

  play_view_set_split (view, split);
  play_view_set_mode (view, PLAY_VIEW_SPLIT);
  draw_histogram (self);
  play_pipeline_refresh (self->pipeline);
}

void
play_session_select (PlaySession * self, guint n)
{
  self->selected = n;
  self->n_preset = 0;
}

void
play_session_set (PlaySession * self, guint n, gdouble value)
{
  play_session_select (self, n);
  play_param_set (self->params->pdata[n], value);
  changed (self);
}

void
play_session_reset (PlaySession * self, guint n)
{
  play_session_select (self, n);
  reset_params (self, FALSE);
}

static void
measure_rate (PlaySession * self)
{
  const guint64 n_frames = play_view_get_n_frames
      (play_pipeline_get_view (self->pipeline));
  const gint64 time = g_get_monotonic_time ();

  /* A rate over a few frames is unstable. */
  if (time - self->time < G_USEC_PER_SEC / 2)
    return;
  self->rate = (n_frames - self->n_frames) * (gdouble) G_USEC_PER_SEC
      / (time - self->time);
  self->n_frames = n_frames;
  self->time = time;
}

/* Appends the noise of each channel, which is a field of a structure. */
static void
print_noise (GString * text, const GstStructure * stats)
{
  const GValue *value = gst_structure_get_value (stats, "noise");
  const GstStructure *noise = value && GST_VALUE_HOLDS_STRUCTURE (value)
      ? gst_value_get_structure (value) : NULL;

  if (!noise)
    return;
  g_string_append (text, ", noise");
  for (gint i = 0; i < gst_structure_n_fields (noise); i++) {
    const gchar *name = gst_structure_nth_field_name (noise, i);
    gdouble level;

    if (gst_structure_get_double (noise, name, &level))
      g_string_append_printf (text, " %s %.2f", name, level);
  }
}

/* Appends the properties stats and active-interop of an element, if it has
 * them. */
static void
print_element (PlaySession * self, GString * text, GstElement * element)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);
  GParamSpec *pspec = g_object_class_find_property (klass, "stats");
  g_autoptr (GstStructure) stats = NULL;
  guint64 frames, time;

  g_string_append_printf (text, "\n%s%s", GST_OBJECT_NAME (element),
      play_pipeline_is_enabled (self->pipeline, element) ? "" : " (off)");
  if (!pspec || pspec->value_type != GST_TYPE_STRUCTURE)
    return;
  g_object_get (element, "stats", &stats, NULL);
  if (stats && gst_structure_get_uint64 (stats, "frames", &frames)
      && gst_structure_get_uint64 (stats, "kernel-time", &time) && frames > 0) {
    g_string_append_printf (text, ": %.2f ms per frame", time / 1e6 / frames);
    print_noise (text, stats);
  }
  pspec = g_object_class_find_property (klass, "active-interop");
  if (pspec) {
    g_auto (GValue) interop = G_VALUE_INIT;
    g_autofree gchar *name = NULL;

    g_value_init (&interop, pspec->value_type);
    g_object_get_property (G_OBJECT (element), "active-interop", &interop);
    name = gst_value_serialize (&interop);
    g_string_append_printf (text, ", %s", name);
  }
}

static void
print_params (PlaySession * self, GString * text, gboolean all)
{
  const guint n = self->params->len;
  const guint first = self->selected > N_SHOWN_AROUND
      ? self->selected - N_SHOWN_AROUND : 0;

  for (guint i = first; i < n && i <= first + 2 * N_SHOWN_AROUND; i++) {
    const PlayParam *param = self->params->pdata[i];
    g_autofree gchar *value = play_param_print (param);

    if (i == first || param->element
        != ((PlayParam *) self->params->pdata[i - 1])->element)
      print_element (self, text, param->element);
    if (!all && i != self->selected)
      continue;
    g_string_append_printf (text, "\n%c %s = %s",
        i == self->selected ? '>' : ' ', param->name, value);
    if (i == self->selected && param->step != 0.0)
      g_string_append_printf (text, "   (step %g)", param->step);
  }
}

gchar *
play_session_print_values (PlaySession * self, gboolean all)
{
  GString *text = g_string_new (NULL);

  if (!self->pipeline)
    return g_string_free (text, FALSE);
  const GstClockTime position = play_pipeline_get_position (self->pipeline);
  const gdouble psnr = play_view_get_psnr
      (play_pipeline_get_view (self->pipeline));

  measure_rate (self);
  if (GST_CLOCK_TIME_IS_VALID (position))
    g_string_append_printf (text, "%u:%02u.%03u   ",
        (guint) (position / (60 * GST_SECOND)),
        (guint) (position / GST_SECOND % 60),
        (guint) (position / GST_MSECOND % 1000));
  if (self->failed)
    g_string_append (text, "stopped by an error. Press Space to restart");
  else if (play_pipeline_is_playing (self->pipeline))
    g_string_append_printf (text, "%.1f frames per second", self->rate);
  else
    g_string_append (text, play_pipeline_is_running_up (self->pipeline)
        ? "filtering the previous frames ..." : "paused");
  if (psnr >= 0.0)
    g_string_append_printf (text, isinf (psnr) ? "   identical frames"
        : "   PSNR %.2f dB", psnr);
  print_params (self, text, all);
  if (self->note)
    g_string_append_printf (text, "\n%s", self->note);
  return g_string_free (text, FALSE);
}

gchar *
play_session_print_help (void)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    if (keys[i].name)
      g_string_append_printf (text, "%s%-16s %s", text->len > 0 ? "\n" : "",
          keys[i].name, keys[i].help);
  }
  return g_string_free (text, FALSE);
}

void
play_session_print_commands (PlaySession * self)
{
  g_autofree gchar *launch = play_command_print_launch (self->pipeline);
  g_autofree gchar *denoise = play_command_print_denoise (self->pipeline);

  g_print ("%s\n", launch);
  if (denoise)
    g_print ("%s\n", denoise);
}
