/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playpreset.h"

#include "playproperties.h"

/* GStreamer's keys in preset files. */
#define HEADER "_presets_"
#define ELEMENT_NAME "element-name"
#define PRESET_NAME "glopencl-play"

static GstElement *
find_element (const GList * elements, const gchar * type_name)
{
  for (const GList * l = elements; l; l = l->next) {
    if (g_str_equal (G_OBJECT_TYPE_NAME (l->data), type_name))
      return l->data;
  }
  return NULL;
}

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
  GstElement *element = find_element (elements, type_name);
  if (!element) {
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
    if (!text || !play_properties_set (element, keys[i], text, error)) {
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
  g_autofree gchar *value = play_properties_print (object, pspec);

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
