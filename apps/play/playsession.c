/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playsession.h"

#include <gdk/gdkkeysyms.h>
#include <math.h>

#include "playcommand.h"
#include "playparams.h"
#include "playpreset.h"

/* So many values are shown above and below the selected one. */
#define N_SHOWN_AROUND 8

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

static void
G_GNUC_PRINTF (2, 3)
note (PlaySession * self, const gchar * format, ...)
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
reset (PlaySession * self, gint all)
{
  for (guint i = 0; i < self->params->len; i++) {
    if (all || i == self->selected)
      play_param_reset (self->params->pdata[i]);
  }
  changed (self);
}

/* Takes the next one of the presets that GStreamer finds for the selected
 * element. */
static void
take_preset (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const PlayParam *param = get_selected (self);

  if (!param || !GST_IS_PRESET (param->element)) {
    note (self, "No presets");
    return;
  }
  g_auto (GStrv) names = gst_preset_get_preset_names (GST_PRESET
      (param->element));
  const guint n = names ? g_strv_length (names) : 0;

  if (n == 0) {
    note (self, "No presets");
    return;
  }
  const gchar *name = names[self->n_preset++ % n];
  gst_preset_load_preset (GST_PRESET (param->element), name);
  note (self, "Preset %s", name);
  changed (self);
}

static void
save_preset (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  const PlayParam *param = get_selected (self);
  g_autoptr (GError) error = NULL;

  if (!self->preset)
    note (self, "Start with --preset FILE to save a preset");
  else if (param && play_preset_save (self->preset, param->element, &error))
    note (self, "Saved %s", self->preset);
  else
    note (self, "%s", error ? error->message : "No parameters");
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
    note (self, "%s is %s", GST_OBJECT_NAME (param->element),
        enabled ? "on" : "off");
  else
    note (self, "%s cannot be taken out of the pipeline",
        GST_OBJECT_NAME (param->element));
}

/* Shows @mode, or the filtered frame where @mode is shown already. */
static void
show (PlaySession * self, gint mode)
{
  PlayView *view = play_pipeline_get_view (self->pipeline);

  play_view_set_mode (view, play_view_get_mode (view) == (PlayViewMode) mode
      ? PLAY_VIEW_AFTER : (PlayViewMode) mode);
  play_pipeline_refresh (self->pipeline);
}

static void
scale_gain (PlaySession * self, gint power)
{
  PlayView *view = play_pipeline_get_view (self->pipeline);

  play_view_set_gain (view, play_view_get_gain (view)
      * (power > 0 ? 2.0 : 0.5));
  note (self, "Differences times %g", play_view_get_gain (view));
  play_pipeline_refresh (self->pipeline);
}

/* Turns the histograms of all elements that can draw one. */
static void
turn_histogram (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  gboolean shown = FALSE, found = FALSE;

  for (const GList * l = self->elements; l; l = l->next) {
    GParamSpec *pspec = g_object_class_find_property
        (G_OBJECT_GET_CLASS (l->data), "histogram-overlay");

    if (!pspec || pspec->value_type != G_TYPE_BOOLEAN)
      continue;
    if (!found)
      g_object_get (l->data, "histogram-overlay", &shown, NULL);
    found = TRUE;
    g_object_set (l->data, "histogram-overlay", !shown, NULL);
  }
  if (!found)
    note (self, "No element here draws a histogram");
  play_pipeline_refresh (self->pipeline);
}

static void
turn_pause (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_pipeline_set_playing (self->pipeline,
      !play_pipeline_is_playing (self->pipeline));
}

static void
step (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_pipeline_step (self->pipeline);
}

static void
seek (PlaySession * self, gint seconds)
{
  const GstClockTime position = play_pipeline_get_position (self->pipeline);
  const GstClockTimeDiff time = GST_CLOCK_TIME_IS_VALID (position)
      ? (GstClockTimeDiff) position + seconds * (GstClockTimeDiff) GST_SECOND
      : 0;

  if (!play_pipeline_seek (self->pipeline, MAX (time, 0)))
    note (self, "This input has one time only: now");
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
  note (self, loop ? "Starts again at the end" : "Stays at the end");
}

/* The name of the file has the next number that is free. */
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
    note (self, "Saved %s", name);
  else
    note (self, "%s was not saved: %s", name, error->message);
}

static void
print_commands (PlaySession * self, gint unused G_GNUC_UNUSED)
{
  play_session_print_commands (self);
  note (self, "Printed the command line");
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
 * @other: another one that does the same, or 0
 * @name: what is written on it, NULL for one that is explained with the key
 *    before
 * @help: what it does
 * @run: called with @argument
 */
typedef struct
{
  guint key;
  guint other;
  const gchar *name;
  const gchar *help;
  void (*run) (PlaySession * self, gint argument);
  gint argument;
} Key;

static const Key keys[] = {
  {GDK_KEY_Up, GDK_KEY_KP_Up, "Up Down", "choose a parameter", select_param,
      -1},
  {GDK_KEY_Down, GDK_KEY_KP_Down, NULL, NULL, select_param, 1},
  {GDK_KEY_Right, GDK_KEY_KP_Right, "Right Left",
      "raise and lower it by a step, or take the next choice", move_param, 1},
  {GDK_KEY_Left, GDK_KEY_KP_Left, NULL, NULL, move_param, -1},
  {GDK_KEY_plus, GDK_KEY_KP_Add, "+ -",
      "a larger and a smaller step: 0.2, 0.3", add_to_step, 1},
  {GDK_KEY_minus, GDK_KEY_KP_Subtract, NULL, NULL, add_to_step, -1},
  {GDK_KEY_asterisk, GDK_KEY_KP_Multiply, "* /",
      "ten times the step, and a tenth of it", scale_step, 1},
  {GDK_KEY_slash, GDK_KEY_KP_Divide, NULL, NULL, scale_step, -1},
  {GDK_KEY_r, GDK_KEY_BackSpace, "r R", "reset the parameter, and all", reset,
      FALSE},
  {GDK_KEY_R, 0, NULL, NULL, reset, TRUE},
  {GDK_KEY_p, 0, "p", "the next preset of the element", take_preset, 0},
  {GDK_KEY_P, 0, "P", "save a preset in the file of --preset", save_preset, 0},
  {GDK_KEY_o, 0, "o", "turn the element of the parameter off and on",
      turn_element, 0},
  {GDK_KEY_s, 0, "s", "split: before on the left, after on the right; drag the "
        "line with the mouse", show, PLAY_VIEW_SPLIT},
  {GDK_KEY_b, 0, "b", "before", show, PLAY_VIEW_BEFORE},
  {GDK_KEY_d, 0, "d", "difference, with its PSNR", show,
      PLAY_VIEW_DIFFERENCE},
  {GDK_KEY_bracketright, 0, "] [", "differences twice and half as strong",
      scale_gain, 1},
  {GDK_KEY_bracketleft, 0, NULL, NULL, scale_gain, -1},
  {GDK_KEY_h, 0, "h", "histogram", turn_histogram, 0},
  {GDK_KEY_space, 0, "Space", "pause", turn_pause, 0},
  {GDK_KEY_period, 0, ".", "the next frame", step, 0},
  {GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, "PageDown PageUp",
      "five seconds on and back", seek, 5},
  {GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, NULL, NULL, seek, -5},
  {GDK_KEY_Home, GDK_KEY_KP_Home, "Home", "the start", go_to_start, 0},
  {GDK_KEY_l, 0, "l", "start again at the end, or stay there", turn_loop, 0},
  {GDK_KEY_w, 0, "w", "write the frame into a PNG", save_picture, 0},
  {GDK_KEY_c, 0, "c", "print the command line that does this", print_commands,
      0},
  {GDK_KEY_f, GDK_KEY_F11, "f", "full screen", turn_full_screen, 0},
  {GDK_KEY_i, 0, "i", "hide and show the values", turn_values, 0},
  {GDK_KEY_question, GDK_KEY_F1, "?", "hide and show this help", turn_help, 0},
  {GDK_KEY_q, GDK_KEY_Escape, "q", "quit", quit, 0},
};

PlaySession *
play_session_new (PlayPipeline * pipeline, const gchar * preset)
{
  PlaySession *self = g_new0 (PlaySession, 1);

  self->pipeline = pipeline;
  self->elements = play_pipeline_get_elements (pipeline);
  self->shows_values = TRUE;
  self->preset = g_strdup (preset);
  self->time = g_get_monotonic_time ();
  list_params (self);
  note (self, "? shows the keys");
  return self;
}

void
play_session_free (PlaySession * self)
{
  g_ptr_array_unref (self->params);
  g_free (self->preset);
  g_free (self->note);
  g_free (self);
}

gboolean
play_session_press (PlaySession * self, guint key)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    if (keys[i].key == key || (keys[i].other && keys[i].other == key)) {
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
  play_pipeline_refresh (self->pipeline);
}

static void
measure_rate (PlaySession * self)
{
  const guint64 n_frames = play_view_get_n_frames
      (play_pipeline_get_view (self->pipeline));
  const gint64 time = g_get_monotonic_time ();

  /* A rate of a few frames jumps. */
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

/* Appends what an element says of itself in the properties stats and
 * active-interop, if it has them. */
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
    g_string_append_printf (text, ": %.2f ms a frame", time / 1e6 / frames);
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
print_params (PlaySession * self, GString * text)
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
    g_string_append_printf (text, "\n%c %s = %s",
        i == self->selected ? '>' : ' ', param->name, value);
    if (i == self->selected && param->step != 0.0)
      g_string_append_printf (text, "   (step %g)", param->step);
  }
}

gchar *
play_session_print_values (PlaySession * self)
{
  GString *text = g_string_new (NULL);
  const GstClockTime position = play_pipeline_get_position (self->pipeline);
  const gdouble psnr = play_view_get_psnr
      (play_pipeline_get_view (self->pipeline));

  measure_rate (self);
  if (GST_CLOCK_TIME_IS_VALID (position))
    g_string_append_printf (text, "%u:%02u.%03u   ",
        (guint) (position / (60 * GST_SECOND)),
        (guint) (position / GST_SECOND % 60),
        (guint) (position / GST_MSECOND % 1000));
  if (play_pipeline_is_playing (self->pipeline))
    g_string_append_printf (text, "%.1f frames a second", self->rate);
  else
    g_string_append (text, play_pipeline_is_running_up (self->pipeline)
        ? "filtering the frames before this one ..." : "paused");
  if (psnr >= 0.0)
    g_string_append_printf (text, isinf (psnr) ? "   equal frames"
        : "   PSNR %.2f dB", psnr);
  print_params (self, text);
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
