/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclproperties.h"

#include "gstglopenclmatrix.h"
#include "gstglopenclnamednumbers.h"
#include "gstglopenclnumbers.h"

#define MEMBER(type, params, param) \
    (*(type *) ((gchar *) (params) + (param)->offset))
#define CONST_MEMBER(type, params, param) \
    (*(const type *) ((const gchar *) (params) + (param)->offset))

static guint
count_values (const OclValues * values)
{
  guint n = 0;

  while (values->values[n].nick)
    n++;
  return n;
}

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

/* GType keeps the values for as long as the process lives. Several elements may
 * share a type; class_init runs in one thread at a time. */
GType
gst_gl_opencl_properties_get_enum_type (const OclValues * values)
{
  g_autofree gchar *name = get_type_name (values);
  GType type = g_type_from_name (name);
  if (type)
    return type;

  const guint n = count_values (values);
  GEnumValue *copies = g_new0 (GEnumValue, n + 1);
  for (guint i = 0; i < n; i++) {
    copies[i].value = values->values[i].value;
    copies[i].value_name = values->values[i].blurb;
    copies[i].value_nick = values->values[i].nick;
  }
  type = g_enum_register_static (name, copies);
  gst_type_mark_as_plugin_api (type, 0);
  return type;
}

static GType
get_flags_type (const OclValues * values)
{
  g_autofree gchar *name = get_type_name (values);
  GType type = g_type_from_name (name);
  if (type)
    return type;

  const guint n = count_values (values);
  GFlagsValue *copies = g_new0 (GFlagsValue, n + 1);
  for (guint i = 0; i < n; i++) {
    copies[i].value = values->values[i].value;
    copies[i].value_name = values->values[i].blurb;
    copies[i].value_nick = values->values[i].nick;
  }
  type = g_flags_register_static (name, copies);
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
          gst_gl_opencl_properties_get_enum_type (param->values),
          param->default_value, flags);
    case OCL_PARAM_FLAGS:
      return g_param_spec_flags (name, title, blurb,
          get_flags_type (param->values), param->default_value, flags);
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
      /* The element decides which types of values are valid. */
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

gboolean
gst_gl_opencl_properties_set (const OclParam * param, gpointer params,
    const GValue * value, GError ** error)
{
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      MEMBER (gboolean, params, param) = g_value_get_boolean (value);
      break;
    case OCL_PARAM_INT:
      MEMBER (gint, params, param) = g_value_get_int (value);
      break;
    case OCL_PARAM_UINT:
      MEMBER (guint, params, param) = g_value_get_uint (value);
      break;
    case OCL_PARAM_UINT64:
      MEMBER (guint64, params, param) = g_value_get_uint64 (value);
      break;
    case OCL_PARAM_DOUBLE:
      MEMBER (gdouble, params, param) = g_value_get_double (value);
      break;
    case OCL_PARAM_ENUM:
      MEMBER (gint, params, param) = g_value_get_enum (value);
      break;
    case OCL_PARAM_FLAGS:
      MEMBER (guint, params, param) = g_value_get_flags (value);
      break;
    case OCL_PARAM_MATRIX:
      return gst_gl_opencl_matrix_set (&MEMBER (OclMatrix, params, param),
          value, error);
    case OCL_PARAM_NUMBERS:
      return gst_gl_opencl_numbers_set (&MEMBER (OclNumbers, params, param),
          param, value, error);
    case OCL_PARAM_NAMED_NUMBERS:
      return gst_gl_opencl_named_numbers_set (&MEMBER (OclNamedNumbers, params,
              param), value, error);
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return ocl_param_parse_literal (param, g_value_get_string (value),
          params, error);
  }
  return TRUE;
}

void
gst_gl_opencl_properties_get (const OclParam * param, gconstpointer params,
    GValue * value)
{
  const OclLiteral *literal = ocl_param_get_literal (param, params);

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      g_value_set_boolean (value, CONST_MEMBER (gboolean, params, param));
      break;
    case OCL_PARAM_INT:
      g_value_set_int (value, CONST_MEMBER (gint, params, param));
      break;
    case OCL_PARAM_UINT:
      g_value_set_uint (value, CONST_MEMBER (guint, params, param));
      break;
    case OCL_PARAM_UINT64:
      g_value_set_uint64 (value, CONST_MEMBER (guint64, params, param));
      break;
    case OCL_PARAM_DOUBLE:
      g_value_set_double (value, CONST_MEMBER (gdouble, params, param));
      break;
    case OCL_PARAM_ENUM:
      g_value_set_enum (value, CONST_MEMBER (gint, params, param));
      break;
    case OCL_PARAM_FLAGS:
      g_value_set_flags (value, CONST_MEMBER (guint, params, param));
      break;
    case OCL_PARAM_MATRIX:
      gst_gl_opencl_matrix_get (&CONST_MEMBER (OclMatrix, params, param),
          value);
      break;
    case OCL_PARAM_NUMBERS:
      gst_gl_opencl_numbers_get (&CONST_MEMBER (OclNumbers, params, param),
          value);
      break;
    case OCL_PARAM_NAMED_NUMBERS:
      gst_gl_opencl_named_numbers_get (&CONST_MEMBER (OclNamedNumbers, params,
              param), value);
      break;
    case OCL_PARAM_TEXT:
      g_value_set_string (value, ocl_literal_get_text (literal));
      break;
    case OCL_PARAM_FILE:
      g_value_set_string (value, literal ? literal->text : NULL);
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
