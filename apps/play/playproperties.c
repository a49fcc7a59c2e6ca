/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playproperties.h"

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

/* Prints the minimum number of digits that reproduce the number. */
static gchar *
print_double (gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof (text), "%.15g", number);
  if (g_ascii_strtod (text, NULL) != number)
    g_ascii_dtostr (text, sizeof (text), number);
  return g_strdup (text);
}

static gboolean
is_empty (const GValue * value)
{
  const GstStructure *fields = GST_VALUE_HOLDS_STRUCTURE (value)
      ? gst_value_get_structure (value) : NULL;

  return fields && gst_structure_n_fields (fields) == 0;
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

gchar *
play_properties_print (GObject * object, GParamSpec * pspec)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (g_type_is_a (pspec->value_type, G_TYPE_OBJECT)
      || g_str_equal (pspec->name, "histogram-overlay"))
    return NULL;
  g_value_init (&value, pspec->value_type);
  g_object_get_property (object, pspec->name, &value);
  if (g_param_value_defaults (pspec, &value) || is_empty (&value)
      || is_from_file (object, &value))
    return NULL;
  if (G_VALUE_HOLDS_DOUBLE (&value))
    return print_double (g_value_get_double (&value));
  return G_VALUE_HOLDS_STRING (&value) ? g_value_dup_string (&value)
      : play_properties_serialize (&value);
}

gboolean
play_properties_set (GstElement * element, const gchar * name,
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
