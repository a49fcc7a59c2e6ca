/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclpresets.h"

static gboolean (*load_preset) (GstPreset * preset, const gchar * name);

/* The object for which this thread loads a preset. */
static GPrivate loading;

static gboolean
gst_gl_opencl_presets_load (GstPreset * preset, const gchar * name)
{
  g_private_set (&loading, preset);
  const gboolean ok = load_preset (preset, name);
  g_private_set (&loading, NULL);
  return ok;
}

void
gst_gl_opencl_presets_init (GstPresetInterface * interface)
{
  load_preset = interface->load_preset;
  interface->load_preset = gst_gl_opencl_presets_load;
}

/* Returns whether @text has blanks, each with a backslash before it: GStreamer
 * puts a backslash before each. */
static gboolean
is_escaped (const gchar * text)
{
  gboolean has_blank = FALSE;

  for (gsize i = 0; text[i]; i++) {
    if (text[i] == ' ' && (i == 0 || text[i - 1] != '\\'))
      return FALSE;
    has_blank |= text[i] == ' ';
  }
  return has_blank;
}

gchar *
gst_gl_opencl_presets_get_text (gpointer object, const gchar * text)
{
  return text && g_private_get (&loading) == object && is_escaped (text)
      ? g_strcompress (text) : g_strdup (text);
}
