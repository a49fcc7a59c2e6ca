/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclnamednumbers.h"

#include <math.h>
#include <string.h>

#include "core/ocltext.h"

gboolean
ocl_named_numbers_add (OclNamedNumbers * self, const gchar * name,
    gdouble number, GError ** error)
{
  const gsize length = strlen (name);
  g_autofree gchar *shown = ocl_text_shorten (name);

  if (self->n == OCL_MAX_NAMED_NUMBERS)
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "There are more than %d numbers.", OCL_MAX_NAMED_NUMBERS);
  else if (length == 0 || length >= OCL_MAX_NUMBER_NAME)
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "The name \"%s\" has %" G_GSIZE_FORMAT " characters; 1 to %d are "
        "possible.", shown, length, OCL_MAX_NUMBER_NAME - 1);
  else if (ocl_named_numbers_find (self, name) >= 0)
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s is set twice.", shown);
  else if (!isfinite (number))
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s is set to %g, which is not a finite number.", shown, number);
  else {
    memcpy (self->names[self->n], name, length);
    self->numbers[self->n++] = number;
    return TRUE;
  }
  return FALSE;
}

void
ocl_named_numbers_remove (OclNamedNumbers * self, guint place)
{
  const guint behind = self->n - place - 1;

  memmove (self->names[place], self->names[place + 1],
      behind * sizeof (self->names[0]));
  memmove (&self->numbers[place], &self->numbers[place + 1],
      behind * sizeof (self->numbers[0]));
  self->n--;
  memset (self->names[self->n], 0, sizeof (self->names[0]));
  self->numbers[self->n] = 0.0;
}

void
ocl_named_numbers_set_no_number (GError ** error, const gchar * name,
    const gchar * text)
{
  g_autofree gchar *shown_name = ocl_text_shorten (name);
  g_autofree gchar *shown = ocl_text_shorten (text);

  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s is set to \"%s\", where a number is needed.", shown_name, shown);
}

static gboolean
add_text (OclNamedNumbers * self, const gchar * text, GError ** error)
{
  const gchar *equals = strchr (text, '=');
  g_autofree gchar *name = equals ? g_strndup (text, equals - text) : NULL;
  g_autofree gchar *shown = ocl_text_shorten (text);
  gchar *end = NULL;

  if (!equals) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "\"%s\" is not a name, =, and a number.", shown);
    return FALSE;
  }
  const gdouble number = g_ascii_strtod (equals + 1, &end);
  if (end == equals + 1 || *end) {
    ocl_named_numbers_set_no_number (error, name, equals + 1);
    return FALSE;
  }
  return ocl_named_numbers_add (self, name, number, error);
}

gboolean
ocl_named_numbers_parse (OclNamedNumbers * self, const gchar * text,
    GError ** error)
{
  const gsize length = strlen (text);
  OclNamedNumbers numbers;

  memset (&numbers, 0, sizeof (numbers));
  if (length < 2 || text[0] != '<' || text[length - 1] != '>') {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "Write numbers with names as <NAME=NUMBER,NAME=NUMBER>.");
    return FALSE;
  }
  g_autofree gchar *inner = g_strndup (text + 1, length - 2);
  g_auto (GStrv) parts = g_strsplit (inner, ",", -1);
  for (guint i = 0; parts[i]; i++) {
    if (!add_text (&numbers, parts[i], error))
      return FALSE;
  }
  memcpy (self, &numbers, sizeof (numbers));
  return TRUE;
}

gchar *
ocl_named_numbers_print (const OclNamedNumbers * self)
{
  GString *text = g_string_new ("<");

  for (gint i = 0; i < self->n; i++) {
    g_autofree gchar *number = ocl_number_print (self->numbers[i]);

    g_string_append_printf (text, "%s%s=%s", i > 0 ? "," : "", self->names[i],
        number);
  }
  g_string_append_c (text, '>');
  return g_string_free (text, FALSE);
}

gint
ocl_named_numbers_find (const OclNamedNumbers * self, const gchar * name)
{
  for (gint i = 0; i < self->n; i++) {
    if (g_str_equal (self->names[i], name))
      return i;
  }
  return -1;
}
