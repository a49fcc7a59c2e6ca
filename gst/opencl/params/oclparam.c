/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclparam.h"

#include <string.h>

#include "core/ocltext.h"

#define MEMBER(type, params, param) \
    G_STRUCT_MEMBER (type, params, (param)->offset)

/* Returns the address of the literal in @params, or NULL if @param has another
 * type. */
static OclLiteral **
get_place (const OclParam * param, gconstpointer params)
{
  return param->type < OCL_PARAM_MATRIX ? NULL
      : &MEMBER (OclLiteral *, params, param);
}

gint64
ocl_param_get_integer (const OclParam * param, gconstpointer params)
{
  switch (param->type) {
    case OCL_PARAM_UINT64:
      return MEMBER (guint64, params, param);
    case OCL_PARAM_UINT:
    case OCL_PARAM_FLAGS:
      return MEMBER (guint, params, param);
    default:
      return MEMBER (gint, params, param);
  }
}

void
ocl_param_set_integer (const OclParam * param, gpointer params, gint64 integer)
{
  if (param->type == OCL_PARAM_UINT64)
    MEMBER (guint64, params, param) = integer;
  else
    MEMBER (guint, params, param) = integer;
}

void
ocl_params_init (const OclParam * table, gpointer params)
{
  for (const OclParam * param = table; param && param->name; param++) {
    OclLiteral **place = get_place (param, params);

    if (place)
      *place = NULL;
    if (param->default_text)
      ocl_param_parse_literal (param, param->default_text, params, NULL);
    else if (param->type == OCL_PARAM_DOUBLE)
      MEMBER (gdouble, params, param) = param->default_value;
    else if (!place)
      ocl_param_set_integer (param, params, param->default_value);
  }
}

void
ocl_params_clear (const OclParam * table, gpointer params)
{
  for (const OclParam * param = table; param && param->name; param++) {
    OclLiteral **place = get_place (param, params);

    if (place)
      ocl_literal_take (place, NULL);
  }
}

/* The table is before the parameters in memory. */
OclParams *
ocl_params_new (const OclParam * table, gsize size)
{
  if (size == 0)
    return NULL;
  const OclParam **header = g_malloc0 (sizeof (*header) + size);
  *header = table;
  ocl_params_init (table, header + 1);
  return header + 1;
}

void
ocl_params_free (OclParams * params)
{
  const OclParam **header = params;

  if (!header)
    return;
  header--;
  ocl_params_clear (*header, params);
  g_free (header);
}

void
ocl_params_copy (const OclParam * table, gsize size, gpointer params,
    gconstpointer source)
{
  for (const OclParam * param = table; param && param->name; param++)
    ocl_literal_ref (ocl_param_get_literal (param, source));
  ocl_params_clear (table, params);
  memcpy (params, source, size);
}

gboolean
ocl_param_equals (const OclParam * param, gconstpointer a, gconstpointer b)
{
  return get_place (param, a)
      ? ocl_literal_equals (*get_place (param, a), *get_place (param, b))
      : memcmp (&MEMBER (gchar, a, param), &MEMBER (gchar, b, param),
      ocl_param_get_size (param)) == 0;
}

gboolean
ocl_params_equal (const OclParam * table, gsize size, gconstpointer a,
    gconstpointer b)
{
  gpointer bytes;

  /* Usually the literals are identical. */
  if (size == 0 || memcmp (a, b, size) == 0)
    return TRUE;
  bytes = memcpy (g_alloca (size), a, size);
  for (const OclParam * param = table; param && param->name; param++) {
    if (!ocl_param_equals (param, a, b))
      return FALSE;
    if (get_place (param, a))
      *get_place (param, bytes) = *get_place (param, b);
  }
  return memcmp (bytes, b, size) == 0;
}

OclLiteral *
ocl_param_get_literal (const OclParam * param, gconstpointer params)
{
  OclLiteral **place = get_place (param, params);

  return place ? *place : NULL;
}

const OclParam *
ocl_params_find (const OclParam * table, const gchar * name)
{
  for (const OclParam * param = table; param && param->name; param++) {
    if (g_str_equal (param->name, name))
      return param;
  }
  return NULL;
}

gsize
ocl_param_get_size (const OclParam * param)
{
  switch (param->type) {
    case OCL_PARAM_UINT64:
      return sizeof (guint64);
    case OCL_PARAM_DOUBLE:
      return sizeof (gdouble);
    case OCL_PARAM_MATRIX:
    case OCL_PARAM_NUMBERS:
    case OCL_PARAM_NAMED_NUMBERS:
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return sizeof (OclLiteral *);
    default:
      return sizeof (gint);
  }
}

const OclValue *
ocl_values_find (const OclValues * values, const gchar * nick)
{
  for (const OclValue * value = values->values; value->nick; value++) {
    if (g_str_equal (value->nick, nick))
      return value;
  }
  return NULL;
}

static gboolean
parse_flags (const OclValues * values, const gchar * text, gint64 * flags)
{
  g_auto (GStrv) nicks = g_strsplit (text, "+", -1);

  *flags = 0;
  for (guint i = 0; nicks[i]; i++) {
    const OclValue *value = ocl_values_find (values, nicks[i]);

    if (!value)
      return FALSE;
    *flags |= value->value;
  }
  return nicks[0] != NULL;
}

gboolean
ocl_param_parse_literal (const OclParam * param, const gchar * text,
    gpointer params, GError ** error)
{
  OclLiteral **place = get_place (param, params);
  const gsize length = text ? strlen (text) : 0;
  OclLiteral *matrix;

  switch (param->type) {
    case OCL_PARAM_MATRIX:
      matrix = ocl_matrix_parse (text, error);
      if (matrix)
        ocl_literal_take (place, matrix);
      return matrix != NULL;
    case OCL_PARAM_NUMBERS:
      return ocl_list_parse (place, param->name, text, FALSE, param->minimum,
          param->maximum, error);
    case OCL_PARAM_NAMED_NUMBERS:
      return ocl_list_parse (place, param->name, text, TRUE, -G_MAXDOUBLE,
          G_MAXDOUBLE, error);
    default:
      if (param->type == OCL_PARAM_FILE && length >= OCL_MAX_FILE_NAME)
        return ocl_fail (error, "The name of the file has %" G_GSIZE_FORMAT
            " characters; at most %d are possible.", length,
            OCL_MAX_FILE_NAME - 1);
      ocl_literal_take (place, ocl_literal_new (text));
      return TRUE;
  }
}

gboolean
ocl_param_set_named (const OclParam * param, const gchar * name,
    const gchar * value, gpointer params, GError ** error)
{
  const OclLiteral *numbers = *get_place (param, params);
  g_autoptr (GString) text = g_string_new ("<");

  for (gint i = 0; numbers && i < numbers->n; i++) {
    g_autofree gchar *number = ocl_number_print (numbers->numbers[i]);

    if (!g_str_equal (numbers->names[i], name))
      g_string_append_printf (text, "%s%s=%s", text->len > 1 ? "," : "",
          numbers->names[i], number);
  }
  if (value) {
    g_autofree gchar *word = g_strconcat (name, "=", value, NULL);

    /* A comma would start another number. */
    g_string_append_printf (text, "%s%s", text->len > 1 ? "," : "",
        g_strdelimit (word, ",", '_'));
  }
  return ocl_param_parse_literal (param, g_string_append_c (text, '>')->str,
      params, error);
}

gboolean
ocl_param_parse (const OclParam * param, const gchar * text, gpointer params)
{
  const guint64 most = param->type == OCL_PARAM_UINT ? (guint64) param->maximum
      : G_MAXUINT64;
  const gboolean is_hexadecimal = g_str_has_prefix (text, "0x");
  const OclValue *value;
  gint64 integer = 0;
  guint64 natural;
  gdouble number;
  gchar *end;

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      integer = g_str_equal (text, "true");
      if (!integer && !g_str_equal (text, "false"))
        return FALSE;
      break;
    case OCL_PARAM_INT:
      if (!g_ascii_string_to_signed (text, 10, param->minimum, param->maximum,
              &integer, NULL))
        return FALSE;
      break;
    case OCL_PARAM_UINT:
    case OCL_PARAM_UINT64:
      if (!g_ascii_string_to_unsigned (is_hexadecimal ? text + 2 : text,
              is_hexadecimal ? 16 : 10, 0, most, &natural, NULL)
          || (param->type == OCL_PARAM_UINT && natural < param->minimum))
        return FALSE;
      integer = natural;
      break;
    case OCL_PARAM_DOUBLE:
      number = g_ascii_strtod (text, &end);
      /* NaN is never in the range. */
      if (end == text || *end
          || !(number >= param->minimum && number <= param->maximum))
        return FALSE;
      MEMBER (gdouble, params, param) = number;
      return TRUE;
    case OCL_PARAM_ENUM:
      value = ocl_values_find (param->values, text);
      if (!value)
        return FALSE;
      integer = value->value;
      break;
    case OCL_PARAM_FLAGS:
      if (!parse_flags (param->values, text, &integer))
        return FALSE;
      break;
    default:
      return ocl_param_parse_literal (param, text, params, NULL);
  }
  ocl_param_set_integer (param, params, integer);
  return TRUE;
}

static gchar *
print_values (const OclParam * param, guint number)
{
  GString *text = g_string_new (NULL);

  for (const OclValue * value = param->values->values; value->nick; value++) {
    gboolean is_set = param->type == OCL_PARAM_ENUM || value->value == 0
        ? number == (guint) value->value
        : (number & value->value) == (guint) value->value;

    if (is_set)
      g_string_append_printf (text, "%s%s", text->len ? "+" : "", value->nick);
  }
  return g_string_free (text, FALSE);
}

gchar **
ocl_param_split (const gchar * text)
{
  GPtrArray *parts = g_ptr_array_new ();
  const gchar *start = text;
  gint depth = 0;

  for (const gchar * at = text;; at++) {
    depth += (*at == '<') - (*at == '>');
    if (*at && (*at != ',' || depth > 0))
      continue;
    g_ptr_array_add (parts, g_strndup (start, at - start));
    if (!*at)
      break;
    start = at + 1;
  }
  g_ptr_array_add (parts, NULL);
  return (gchar **) g_ptr_array_free (parts, FALSE);
}

gchar *
ocl_param_print (const OclParam * param, gconstpointer params)
{
  const OclLiteral *literal = ocl_param_get_literal (param, params);

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      return g_strdup (ocl_param_get_integer (param, params) ? "true"
          : "false");
    case OCL_PARAM_INT:
    case OCL_PARAM_UINT:
    case OCL_PARAM_UINT64:
      return g_strdup_printf (param->type == OCL_PARAM_UINT64
          ? "%" G_GUINT64_FORMAT : "%" G_GINT64_FORMAT,
          ocl_param_get_integer (param, params));
    case OCL_PARAM_DOUBLE:
      return ocl_number_print (MEMBER (gdouble, params, param));
    case OCL_PARAM_ENUM:
    case OCL_PARAM_FLAGS:
      return print_values (param, ocl_param_get_integer (param, params));
    case OCL_PARAM_NUMBERS:
    case OCL_PARAM_NAMED_NUMBERS:
      return g_strdup (literal ? literal->text : "<>");
    default:
      return g_strdup (ocl_literal_get_text (literal));
  }
}
