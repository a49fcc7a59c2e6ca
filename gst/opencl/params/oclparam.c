/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclparam.h"

#include <string.h>

#include "core/ocltext.h"

#define MEMBER(type, params, param) \
    ((type *) ((gchar *) (params) + (param)->offset))
#define CONST_MEMBER(type, params, param) \
    ((const type *) ((const gchar *) (params) + (param)->offset))

void
ocl_params_init (const OclParam * table, gpointer params)
{
  for (const OclParam * param = table; param && param->name; param++) {
    switch (param->type) {
      case OCL_PARAM_BOOLEAN:
      case OCL_PARAM_INT:
      case OCL_PARAM_ENUM:
        *MEMBER (gint, params, param) = param->default_value;
        break;
      case OCL_PARAM_UINT:
      case OCL_PARAM_FLAGS:
        *MEMBER (guint, params, param) = param->default_value;
        break;
      case OCL_PARAM_UINT64:
        *MEMBER (guint64, params, param) = param->default_value;
        break;
      case OCL_PARAM_DOUBLE:
        *MEMBER (gdouble, params, param) = param->default_value;
        break;
      case OCL_PARAM_MATRIX:
        ocl_matrix_parse (MEMBER (OclMatrix, params, param),
            param->default_text, NULL);
        break;
      case OCL_PARAM_NUMBERS:
      case OCL_PARAM_NAMED_NUMBERS:
      case OCL_PARAM_FILE:
      case OCL_PARAM_TEXT:
        memset (MEMBER (gchar, params, param), 0, ocl_param_get_size (param));
        break;
    }
  }
}

/* Returns the place of the literal in @params, or NULL if @param has another
 * type. */
static OclLiteral **
get_place (const OclParam * param, gconstpointer params)
{
  return param->type < OCL_PARAM_FILE ? NULL : (OclLiteral **) MEMBER
      (OclLiteral *, params, param);
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

/* What is before parameters in memory. */
typedef struct
{
  const OclParam *table;
  gsize size;
} Header;

OclParams *
ocl_params_new (const OclParam * table, gsize size)
{
  Header *header = size > 0 ? g_malloc0 (sizeof (Header) + size) : NULL;

  if (!header)
    return NULL;
  header->table = table;
  ocl_params_init (table, header + 1);
  return header + 1;
}

void
ocl_params_free (OclParams * params)
{
  Header *header = params;

  if (!header)
    return;
  header--;
  ocl_params_clear (header->table, params);
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
      : memcmp (CONST_MEMBER (gchar, a, param), CONST_MEMBER (gchar, b, param),
      ocl_param_get_size (param)) == 0;
}

gboolean
ocl_params_equal (const OclParam * table, gsize size, gconstpointer a,
    gconstpointer b)
{
  gpointer bytes = memcpy (g_alloca (size + 1), a, size);

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
      return sizeof (OclMatrix);
    case OCL_PARAM_NUMBERS:
      return sizeof (OclNumbers);
    case OCL_PARAM_NAMED_NUMBERS:
      return sizeof (OclNamedNumbers);
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
parse_flags (const OclValues * values, const gchar * text, guint * flags)
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

static gboolean
parse_double (const OclParam * param, const gchar * text, gdouble * number)
{
  gchar *end = NULL;

  *number = g_ascii_strtod (text, &end);
  /* A NaN is never in the range. */
  return end != text && *end == '\0' && *number >= param->minimum
      && *number <= param->maximum;
}

/* Reads a decimal number or, after 0x, a hexadecimal number. */
static gboolean
parse_natural (const gchar * text, guint64 maximum, guint64 * number)
{
  gboolean hexadecimal = g_str_has_prefix (text, "0x");

  return g_ascii_string_to_unsigned (hexadecimal ? text + 2 : text,
      hexadecimal ? 16 : 10, 0, maximum, number, NULL);
}

gboolean
ocl_param_parse_literal (const OclParam * param, const gchar * text,
    gpointer params, GError ** error)
{
  const gsize length = text ? strlen (text) : 0;

  if (param->type == OCL_PARAM_FILE && length >= OCL_MAX_FILE_NAME) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The name of the file has %" G_GSIZE_FORMAT " characters; at most %d "
        "are possible.", length, OCL_MAX_FILE_NAME - 1);
    return FALSE;
  }
  ocl_literal_take (get_place (param, params), ocl_literal_new (text));
  return TRUE;
}

gboolean
ocl_param_parse (const OclParam * param, const gchar * text, gpointer params)
{
  const OclValue *value = NULL;
  gint64 integer = 0;
  guint64 natural = 0;
  gdouble number = 0.0;
  guint flags = 0;

  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      if (!g_str_equal (text, "true") && !g_str_equal (text, "false"))
        return FALSE;
      *MEMBER (gboolean, params, param) = g_str_equal (text, "true");
      return TRUE;
    case OCL_PARAM_INT:
      if (!g_ascii_string_to_signed (text, 10, param->minimum, param->maximum,
              &integer, NULL))
        return FALSE;
      *MEMBER (gint, params, param) = integer;
      return TRUE;
    case OCL_PARAM_UINT:
      if (!parse_natural (text, param->maximum, &natural)
          || natural < param->minimum)
        return FALSE;
      *MEMBER (guint, params, param) = natural;
      return TRUE;
    case OCL_PARAM_UINT64:
      if (!parse_natural (text, G_MAXUINT64, &natural))
        return FALSE;
      *MEMBER (guint64, params, param) = natural;
      return TRUE;
    case OCL_PARAM_DOUBLE:
      if (!parse_double (param, text, &number))
        return FALSE;
      *MEMBER (gdouble, params, param) = number;
      return TRUE;
    case OCL_PARAM_ENUM:
      value = ocl_values_find (param->values, text);
      if (!value)
        return FALSE;
      *MEMBER (gint, params, param) = value->value;
      return TRUE;
    case OCL_PARAM_FLAGS:
      if (!parse_flags (param->values, text, &flags))
        return FALSE;
      *MEMBER (guint, params, param) = flags;
      return TRUE;
    case OCL_PARAM_MATRIX:
      return ocl_matrix_parse (MEMBER (OclMatrix, params, param), text, NULL);
    case OCL_PARAM_NUMBERS:
      return ocl_numbers_parse (MEMBER (OclNumbers, params, param),
          param->name, text, param->minimum, param->maximum, NULL);
    case OCL_PARAM_NAMED_NUMBERS:
      return ocl_named_numbers_parse (MEMBER (OclNamedNumbers, params, param),
          text, NULL);
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return ocl_param_parse_literal (param, text, params, NULL);
  }
  return FALSE;
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
  switch (param->type) {
    case OCL_PARAM_BOOLEAN:
      return g_strdup (*CONST_MEMBER (gboolean, params, param) ? "true"
          : "false");
    case OCL_PARAM_INT:
      return g_strdup_printf ("%d", *CONST_MEMBER (gint, params, param));
    case OCL_PARAM_UINT:
      return g_strdup_printf ("%u", *CONST_MEMBER (guint, params, param));
    case OCL_PARAM_UINT64:
      return g_strdup_printf ("%" G_GUINT64_FORMAT,
          *CONST_MEMBER (guint64, params, param));
    case OCL_PARAM_DOUBLE:
      return ocl_number_print (*CONST_MEMBER (gdouble, params, param));
    case OCL_PARAM_ENUM:
    case OCL_PARAM_FLAGS:
      return print_values (param, *CONST_MEMBER (guint, params, param));
    case OCL_PARAM_MATRIX:
      return ocl_matrix_print (CONST_MEMBER (OclMatrix, params, param));
    case OCL_PARAM_NUMBERS:
      return ocl_numbers_print (CONST_MEMBER (OclNumbers, params, param));
    case OCL_PARAM_NAMED_NUMBERS:
      return ocl_named_numbers_print (CONST_MEMBER (OclNamedNumbers, params,
              param));
    case OCL_PARAM_FILE:
    case OCL_PARAM_TEXT:
      return g_strdup (ocl_literal_get_text (ocl_param_get_literal (param,
                  params)));
  }
  return NULL;
}
