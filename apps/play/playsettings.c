/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playsettings.h"

#include <gst/base/gstbasetransform.h>
#include <string.h>

static gboolean
is_settable (GParamSpec * pspec)
{
  return (pspec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE
      && !(pspec->flags & (G_PARAM_CONSTRUCT_ONLY | G_PARAM_DEPRECATED))
      && pspec->owner_type != GST_TYPE_OBJECT
      && pspec->owner_type != GST_TYPE_BASE_TRANSFORM;
}

static void
walk (GObject * object, const gchar * prefix, PlayPropertyFunc func,
    gpointer data)
{
  guint n;
  g_autofree GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  for (guint i = 0; i < n; i++) {
    if (is_settable (pspecs[i])) {
      g_autofree gchar *name = g_strconcat (prefix, pspecs[i]->name, NULL);

      func (object, pspecs[i], name, data);
    }
  }
  if (!GST_IS_CHILD_PROXY (object))
    return;
  GstChildProxy *proxy = GST_CHILD_PROXY (object);
  n = gst_child_proxy_get_children_count (proxy);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GObject) child = gst_child_proxy_get_child_by_index (proxy, i);

    /* Another thread may have removed it. Pads have no parameters. */
    if (!child || !GST_IS_OBJECT (child) || GST_IS_PAD (child))
      continue;
    g_autofree gchar *name = gst_object_get_name (GST_OBJECT (child));
    g_autofree gchar *path = g_strconcat (prefix, name, "::", NULL);
    walk (child, path, func, data);
  }
}

void
play_properties_foreach (GstElement * element, PlayPropertyFunc func,
    gpointer data)
{
  walk (G_OBJECT (element), "", func, data);
}

/* Returns whether @value is a multi-line text that the element has read from a
 * file. Setting the file's name sets the text, too. */
static gboolean
is_from_file (GObject * object, const GValue * value)
{
  GParamSpec *pspec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (object), "location");
  g_autofree gchar *location = NULL;

  if (!G_VALUE_HOLDS_STRING (value) || !pspec
      || pspec->value_type != G_TYPE_STRING
      || !strchr (g_value_get_string (value), '\n'))
    return FALSE;
  g_object_get (object, "location", &location, NULL);
  return location != NULL;
}

gchar *
play_properties_serialize (const GValue * value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!G_VALUE_HOLDS_FLAGS (value))
    return gst_value_serialize (value);
  const GFlagsClass *flags = g_type_class_peek (G_VALUE_TYPE (value));
  const guint set = g_value_get_flags (value);

  for (guint i = 0; i < flags->n_values; i++) {
    const GFlagsValue *flag = &flags->values[i];

    if (flag->value != 0 ? (set & flag->value) == flag->value : set == 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "+" : "",
          flag->value_nick);
  }
  return text->len > 0 ? g_strdup (text->str) : gst_value_serialize (value);
}

/* Prints the value in gst-launch syntax, without quotes. Returns NULL for the
 * default, for types without a text form, such as objects, and for the overlay
 * of histograms, which belongs to the window and not to the file. Free it with
 * g_free(). */
static gchar *
print_property (GObject * object, GParamSpec * pspec)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (g_type_is_a (pspec->value_type, G_TYPE_OBJECT)
      || g_str_equal (pspec->name, "histogram-overlay")
      || g_str_equal (pspec->name, "quick-start"))
    return NULL;
  g_value_init (&value, pspec->value_type);
  g_object_get_property (object, pspec->name, &value);
  const GstStructure *fields = GST_VALUE_HOLDS_STRUCTURE (&value)
      ? gst_value_get_structure (&value) : NULL;
  if (g_param_value_defaults (pspec, &value)
      || (fields && gst_structure_n_fields (fields) == 0)
      || is_from_file (object, &value))
    return NULL;
  if (G_VALUE_HOLDS_DOUBLE (&value)) {
    const gdouble number = g_value_get_double (&value);
    gchar text[G_ASCII_DTOSTR_BUF_SIZE];

    /* The minimum number of digits that reproduce the number. */
    g_ascii_formatd (text, sizeof (text), "%.15g", number);
    if (g_ascii_strtod (text, NULL) != number)
      g_ascii_dtostr (text, sizeof (text), number);
    return g_strdup (text);
  }
  return G_VALUE_HOLDS_STRING (&value) ? g_value_dup_string (&value)
      : play_properties_serialize (&value);
}

/* Sets the property @name of @element or of a child, in gst-launch syntax. Sets
 * @error if it does not exist or @text is invalid. */
static gboolean
set_property (GstElement * element, const gchar * name,
    const gchar * text, GError ** error)
{
  g_autoptr (GObject) object = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *pspec = NULL;

  if (GST_IS_CHILD_PROXY (element)) {
    gst_child_proxy_lookup (GST_CHILD_PROXY (element), name, &object, &pspec);
  } else {
    object = G_OBJECT (gst_object_ref (element));
    pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), name);
  }
  if (pspec && is_settable (pspec)) {
    g_value_init (&value, pspec->value_type);
    if (gst_value_deserialize_with_pspec (&value, text, pspec)) {
      g_object_set_property (object, pspec->name, &value);
      return TRUE;
    }
  }
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
      "%s: invalid value: property %s with a value %s",
      GST_OBJECT_NAME (element), name, text);
  return FALSE;
}

/* Quotes a setting for a shell, or for the parser of pipelines. */
typedef gchar *(*Quote) (const gchar * name, const gchar * value);

static gboolean
is_plain (const gchar * text)
{
  return *text && strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS
      "-+_=.,:/%@") == strlen (text);
}

static gchar *
quote_for_shell (const gchar * name, const gchar * value)
{
  g_autofree gchar *setting = g_strconcat (name, "=", value, NULL);

  return is_plain (value) ? g_steal_pointer (&setting)
      : g_shell_quote (setting);
}

static gchar *
quote_for_parser (const gchar * name, const gchar * value)
{
  GString *setting = g_string_new (name);

  g_string_append_c (setting, '=');
  if (is_plain (value)) {
    g_string_append (setting, value);
  } else {
    g_string_append_c (setting, '"');
    for (const gchar * c = value; *c; c++) {
      if (*c == '"' || *c == '\\')
        g_string_append_c (setting, '\\');
      g_string_append_c (setting, *c);
    }
    g_string_append_c (setting, '"');
  }
  return g_string_free (setting, FALSE);
}

typedef struct
{
  GString *text;
  Quote quote;
} Line;

static void
append_setting (GObject * object, GParamSpec * pspec, const gchar * name,
    gpointer data)
{
  const Line *line = data;
  g_autofree gchar *value = print_property (object, pspec);

  if (value) {
    g_autofree gchar *setting = line->quote (name, value);

    g_string_append_printf (line->text, " %s", setting);
  }
}

/* Joins the elements with exclamation marks. */
static gchar *
print_elements (PlayPipeline * pipeline, Quote quote, gboolean all)
{
  GString *text = g_string_new (NULL);
  Line line = { text, quote };

  for (const GList * l = play_pipeline_get_elements (pipeline); l; l = l->next) {
    if (!all && !play_pipeline_is_enabled (pipeline, l->data))
      continue;
    if (text->len > 0)
      g_string_append (text, " ! ");
    g_string_append (text, GST_OBJECT_NAME (gst_element_get_factory (l->data)));
    play_properties_foreach (l->data, append_setting, &line);
  }
  if (text->len == 0)
    g_string_append (text, "identity");
  return g_string_free (text, FALSE);
}

gchar *
play_command_print_elements (PlayPipeline * pipeline, gboolean all)
{
  return print_elements (pipeline, quote_for_parser, all);
}

gchar *
play_command_print_launch (PlayPipeline * pipeline)
{
  const gchar *uri = play_pipeline_get_uri (pipeline);
  g_autofree gchar *file = g_filename_from_uri (uri, NULL, NULL);
  g_autofree gchar *from = quote_for_shell (file ? "location" : "uri",
      file ? file : uri);
  g_autofree gchar *elements = print_elements (pipeline, quote_for_shell,
      FALSE);

  return g_strdup_printf ("gst-launch-1.0 %s %s%s%s ! videoconvert n-threads=0 "
      "dither=none ! glupload ! %s%s ! glimagesink",
      file ? "filesrc" : "uridecodebin", from, file ? " ! decodebin" : "",
      play_pipeline_is_still (pipeline) ? " ! imagefreeze" : "", elements,
      play_view_get_orientation (play_pipeline_get_view (pipeline))
      == GST_VIDEO_ORIENTATION_IDENTITY ? ""
      : " ! glvideoflip video-direction=auto");
}

gchar *
play_command_print_denoise (PlayPipeline * pipeline)
{
  g_autofree gchar *file =
      g_filename_from_uri (play_pipeline_get_uri (pipeline), NULL, NULL);

  if (!file || play_pipeline_is_still (pipeline))
    return NULL;
  g_autofree gchar *elements = print_elements (pipeline, quote_for_parser,
      FALSE);
  g_autofree gchar *filter = g_shell_quote (elements);
  g_autofree gchar *input = is_plain (file) ? g_strdup (file)
      : g_shell_quote (file);

  return g_strdup_printf ("glopencl-denoise --filter %s %s", filter, input);
}

/* GStreamer's keys in preset files. */
#define HEADER "_presets_"
#define ELEMENT_NAME "element-name"
#define PRESET_NAME "glopencl-play"

/* The first preset of the file. */
static gchar *
find_preset (GKeyFile * file, const gchar * location, GError ** error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i]; i++) {
    if (!g_str_equal (groups[i], HEADER))
      return g_strdup (groups[i]);
  }
  g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
      "%s contains no preset", location);
  return NULL;
}

gboolean
play_preset_load (const gchar * location, const GList * elements,
    GError ** error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree gchar *type_name = NULL, *preset = NULL;

  if (!g_key_file_load_from_file (file, location, G_KEY_FILE_NONE, error)
      || !(type_name = g_key_file_get_string (file, HEADER, ELEMENT_NAME,
              error))
      || !(preset = find_preset (file, location, error))) {
    g_prefix_error (error, "%s: ", location);
    return FALSE;
  }
  while (elements && !g_str_equal (G_OBJECT_TYPE_NAME (elements->data),
          type_name))
    elements = elements->next;
  if (!elements) {
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "%s is for a %s, which the filter does not contain", location,
        type_name);
    return FALSE;
  }
  g_auto (GStrv) keys = g_key_file_get_keys (file, preset, NULL, NULL);
  for (guint i = 0; keys[i]; i++) {
    /* GStreamer stores metadata beside properties. */
    if (g_str_has_prefix (keys[i], "_meta/"))
      continue;
    g_autofree gchar *text = g_key_file_get_string (file, preset, keys[i],
        error);
    if (!text || !set_property (elements->data, keys[i], text, error)) {
      g_prefix_error (error, "%s: ", location);
      return FALSE;
    }
  }
  return TRUE;
}

static void
add_value (GObject * object, GParamSpec * pspec, const gchar * name,
    gpointer data)
{
  g_autofree gchar *value = print_property (object, pspec);

  if (value)
    g_key_file_set_string (data, PRESET_NAME, name, value);
}

gboolean
play_preset_save (const gchar * location, GstElement * element, GError ** error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree gchar *version = g_strdup_printf ("%d.%d.%d", GST_VERSION_MAJOR,
      GST_VERSION_MINOR, GST_VERSION_MICRO);

  g_key_file_set_string (file, HEADER, "version", version);
  g_key_file_set_string (file, HEADER, ELEMENT_NAME,
      G_OBJECT_TYPE_NAME (element));
  g_key_file_set_string (file, PRESET_NAME, "_meta/comment",
      "saved by glopencl-play");
  play_properties_foreach (element, add_value, file);
  return g_key_file_save_to_file (file, location, error);
}
