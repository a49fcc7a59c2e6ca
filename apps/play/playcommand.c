/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playcommand.h"

#include <string.h>

#include "playproperties.h"

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
  g_autofree gchar *value = play_properties_print (object, pspec);

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
