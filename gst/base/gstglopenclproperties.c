/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclproperties.h"

#include "opencl/core/ocltext.h"

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

/* Returns the name of the type: "filter-color-mode" becomes
 * GstGLOpenCLFilterColorMode. */
static gchar *
get_type_name (const OclValues * values)
{
  GString *name = g_string_new ("GstGLOpenCL");
  gboolean begins = TRUE;

  for (const gchar * c = values->name; *c; c++) {
    if (*c != '-')
      g_string_append_c (name, begins ? g_ascii_toupper (*c) : *c);
    begins = *c == '-';
  }
  return g_string_free (name, FALSE);
}

/* GType uses the values until the process ends. Several elements may share a
 * type. class_init runs in one thread at a time. */
GType
gst_gl_opencl_properties_get_type (const OclValues * values, gboolean are_flags)
{
  g_autofree gchar *name = get_type_name (values);
  GType type = g_type_from_name (name);
  GArray *copies;

  if (type)
    return type;
  /* Values of flags and of enumerations have the same layout. */
  G_STATIC_ASSERT (sizeof (GEnumValue) == sizeof (GFlagsValue));
  copies = g_array_new (TRUE, FALSE, sizeof (GEnumValue));
  for (const OclValue * value = values->values; value->nick; value++) {
    const GEnumValue copy = { value->value, value->blurb, value->nick };

    g_array_append_val (copies, copy);
  }
  gpointer list = g_array_free (copies, FALSE);
  type = are_flags ? g_flags_register_static (name, list)
      : g_enum_register_static (name, list);
  gst_type_mark_as_plugin_api (type, 0);
  return type;
}

/* "spatial-sigma" becomes "Spatial sigma". */
static gchar *
get_title (const OclParam * param)
{
  gchar *title = g_strdelimit (g_strdup (param->name), "-", ' ');

  title[0] = g_ascii_toupper (title[0]);
  return title;
}

static GParamSpec *
create_spec (const OclParam * param)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_NAME
      | G_PARAM_STATIC_BLURB
      | (param->at_start ? GST_PARAM_MUTABLE_READY : GST_PARAM_MUTABLE_PLAYING)
      | (param->at_start || param->fixed ? 0 : GST_PARAM_CONTROLLABLE);
  const gchar *name = param->name;
  const gchar *blurb = param->blurb;
  g_autofree gchar *title = get_title (param);

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      return g_param_spec_boolean (name, title, blurb, param->default_value,
          flags);
    case OCL_PARAM_INT:
      return g_param_spec_int (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_UINT:
      return g_param_spec_uint (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_UINT64:
      return g_param_spec_uint64 (name, title, blurb, 0, G_MAXUINT64,
          param->default_value, flags);
    case OCL_PARAM_DOUBLE:
      return g_param_spec_double (name, title, blurb, param->minimum,
          param->maximum, param->default_value, flags);
    case OCL_PARAM_ENUM:
      return g_param_spec_enum (name, title, blurb,
          gst_gl_opencl_properties_get_type (param->values, FALSE),
          param->default_value, flags);
    case OCL_PARAM_FLAGS:
      return g_param_spec_flags (name, title, blurb,
          gst_gl_opencl_properties_get_type (param->values, TRUE),
          param->default_value, flags);
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
      /* The element checks the types of the values. */
      return gst_param_spec_array (name, title, blurb, NULL, flags);
    case OCL_PARAM_NAMED_NUMBERS:
      return g_param_spec_boxed (name, title, blurb, GST_TYPE_STRUCTURE, flags);
    case OCL_PARAM_FILE:
      return g_param_spec_string (name, title, blurb, NULL, flags);
    case OCL_PARAM_TEXT:
      return g_param_spec_string (name, title, blurb, "", flags);
  }
  g_return_val_if_reached (NULL);
}

void
gst_gl_opencl_properties_install (GObjectClass * klass, guint first_id,
    const OclParam * table)
{
  for (guint i = 0; table && table[i].name; i++)
    g_object_class_install_property (klass, first_id + i,
        create_spec (&table[i]));
}

/* Returns the number in @value in the syntax of a literal. Other values are
 * quoted, so that they are rejected with their position. A boolean is not a
 * number, although GLib could convert it. */
static gchar *
print_number (const GValue * value)
{
  GValue number = G_VALUE_INIT;

  g_value_init (&number, G_TYPE_DOUBLE);
  if (G_VALUE_HOLDS_BOOLEAN (value) || G_VALUE_HOLDS_STRING (value)
      || !g_value_transform (value, &number)) {
    g_autofree gchar *text = g_strdup_value_contents (value);

    if (*text == '"')
      return g_strdelimit (g_steal_pointer (&text), "<>,", '_');
    return g_strdelimit (g_strdup_printf ("\"%s\"", text), "<>,", '_');
  }
  return ocl_number_print (g_value_get_double (&number));
}

/* Returns the array @value of numbers, or of rows, in the syntax of a
 * literal. */
static gchar *
print_array (const GValue * value, gboolean has_rows)
{
  GString *text = g_string_new ("<");

  for (guint i = 0; i < gst_value_array_get_size (value); i++) {
    const GValue *item = gst_value_array_get_value (value, i);
    g_autofree gchar *printed = has_rows && GST_VALUE_HOLDS_ARRAY (item)
        ? print_array (item, FALSE) : print_number (item);

    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", printed);
  }
  return g_string_free (g_string_append_c (text, '>'), FALSE);
}

/* Sets numbers with names to the fields of the structure in @value, or changes
 * them. NULL has no fields. */
static gboolean
set_named_numbers (const OclParam * param, gpointer params,
    const GValue * value, GError ** error)
{
  const GstStructure *structure = gst_value_get_structure (value);

  if (!structure
      || !gst_structure_has_name (structure,
          GST_GL_OPENCL_NAMED_NUMBERS_CHANGE))
    ocl_param_parse_literal (param, "<>", params, NULL);
  for (gint i = 0; structure && i < gst_structure_n_fields (structure); i++) {
    const gchar *name = gst_structure_nth_field_name (structure, i);
    g_autofree gchar *number =
        print_number (gst_structure_get_value (structure, name));

    if (!ocl_param_set_named (param, name, number, params, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_gl_opencl_properties_set (const OclParam * param, gpointer params,
    gpointer object, const GValue * value, GError ** error)
{
  GValue integer = G_VALUE_INIT;
  g_autofree gchar *text = NULL;

  switch (param->type) {
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
      text = print_array (value, param->type == OCL_PARAM_MATRIX);
      return ocl_param_parse_literal (param, text, params, error);
    case OCL_PARAM_NAMED_NUMBERS:
      return set_named_numbers (param, params, value, error);
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      text = gst_gl_opencl_properties_get_text (object, value);
      return ocl_param_parse_literal (param, text, params, error);
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = g_value_get_double (value);
      return TRUE;
    default:
      g_value_init (&integer, G_TYPE_INT64);
      g_value_transform (value, &integer);
      ocl_param_set_integer (param, params, g_value_get_int64 (&integer));
      return TRUE;
  }
}

/* Adds @n numbers to the array @value. */
static void
append_numbers (GValue * value, const gdouble * numbers, gint n)
{
  for (gint i = 0; i < n; i++) {
    GValue number = G_VALUE_INIT;

    g_value_init (&number, G_TYPE_DOUBLE);
    g_value_set_double (&number, numbers[i]);
    gst_value_array_append_and_take_value (value, &number);
  }
}

void
gst_gl_opencl_properties_get (const OclParam * param, gconstpointer params,
    GValue * value)
{
  const OclLiteral *literal = ocl_param_get_literal (param, params);
  const gint n = literal ? literal->n : 0;
  GValue integer = G_VALUE_INIT;
  GstStructure *structure;

  switch (param->type) {
    case OCL_PARAM_MATRIX:
      for (gint j = 0; j < literal->height; j++) {
        GValue row = G_VALUE_INIT;

        g_value_init (&row, GST_TYPE_ARRAY);
        append_numbers (&row, literal->numbers + j * literal->width,
            literal->width);
        gst_value_array_append_and_take_value (value, &row);
      }
      break;
    case OCL_PARAM_NUMBERS:
      if (literal)
        append_numbers (value, literal->numbers, n);
      break;
    case OCL_PARAM_NAMED_NUMBERS:
      structure = gst_structure_new_empty (param->name);
      for (gint i = 0; i < n; i++)
        gst_structure_set (structure, literal->names[i], G_TYPE_DOUBLE,
            literal->numbers[i], NULL);
      g_value_take_boxed (value, structure);
      break;
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      g_value_set_string (value, literal ? literal->text
          : param->type == OCL_PARAM_FILE ? NULL : "");
      break;
    case OCL_PARAM_DOUBLE:
      g_value_set_double (value, MEMBER (gdouble, params, param));
      break;
    default:
      g_value_init (&integer, G_TYPE_INT64);
      g_value_set_int64 (&integer, ocl_param_get_integer (param, params));
      g_value_transform (&integer, value);
      break;
  }
}

gchar **
gst_gl_opencl_properties_list_own (GObject * object)
{
  guint n = 0, n_names = 0;
  g_autofree GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);
  gchar **names = g_new0 (gchar *, n + 1);

  for (guint i = 0; i < n; i++) {
    if (specs[i]->owner_type == G_OBJECT_TYPE (object))
      names[n_names++] = g_strdup (specs[i]->name);
  }
  return names;
}

static gboolean (*load_preset) (GstPreset * preset, const gchar * name);

/* The object for which this thread loads a preset. */
static GPrivate loading;

static gboolean
load_with_object (GstPreset * preset, const gchar * name)
{
  g_private_set (&loading, preset);
  const gboolean ok = load_preset (preset, name);
  g_private_set (&loading, NULL);
  return ok;
}

void
gst_gl_opencl_properties_init_preset (GstPresetInterface * interface)
{
  load_preset = interface->load_preset;
  interface->load_preset = load_with_object;
}

/* Returns whether @text has blanks, all escaped with a backslash, as GStreamer
 * does. */
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
gst_gl_opencl_properties_get_text (gpointer object, const GValue * value)
{
  const gchar *text = g_value_get_string (value);

  return text && g_private_get (&loading) == object && is_escaped (text)
      ? g_strcompress (text) : g_strdup (text);
}
