/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclnumbers.h"

#include <string.h>

#include "core/ocltext.h"

/* A limit on the words of a list, far above OCL_MAX_NUMBERS. */
#define MAX_WORDS 1000

void
ocl_numbers_set_no_number (GError ** error, const gchar * name, guint place,
    const gchar * text)
{
  g_autofree gchar *shown = ocl_text_shorten (text);

  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s has \"%s\" in place %u, where a number is needed.", name, shown,
      place + 1);
}

static gboolean
check_number (const gchar * name, guint place, gdouble number,
    gdouble minimum, gdouble maximum, GError ** error)
{
  /* A NaN is never in the range. */
  if (number >= minimum && number <= maximum)
    return TRUE;

  g_autofree gchar *shown = ocl_number_print (number);
  g_autofree gchar *least = ocl_number_print (minimum);
  g_autofree gchar *most = ocl_number_print (maximum);
  g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
      "%s has %s in place %u: numbers can be from %s to %s.", name, shown,
      place + 1, least, most);
  return FALSE;
}

gboolean
ocl_numbers_set (OclNumbers * self, const gchar * name,
    const gdouble * values, guint n, gdouble minimum, gdouble maximum,
    GError ** error)
{
  for (guint i = 0; i < n; i++) {
    if (!check_number (name, i, values[i], minimum, maximum, error))
      return FALSE;
  }
  if (n > OCL_MAX_NUMBERS) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s has %u numbers; at most %d are possible.", name, n,
        OCL_MAX_NUMBERS);
    return FALSE;
  }
  /* Clears the whole struct, because parameters are compared as bytes. */
  memset (self, 0, sizeof (*self));
  if (n > 0)
    memcpy (self->numbers, values, n * sizeof (gdouble));
  self->n = n;
  return TRUE;
}

/* Sets @list to the numbers between the commas of @text. */
static gboolean
parse_words (GArray * list, const gchar * name, const gchar * text,
    GError ** error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", MAX_WORDS);

  for (guint i = 0; words[i]; i++) {
    gchar *end = NULL;
    const gchar *word = g_strstrip (words[i]);
    const gdouble number = g_ascii_strtod (word, &end);

    if (!*word || *end) {
      ocl_numbers_set_no_number (error, name, i, word);
      return FALSE;
    }
    g_array_append_val (list, number);
  }
  return TRUE;
}

gboolean
ocl_numbers_parse (OclNumbers * self, const gchar * name, const gchar * text,
    gdouble minimum, gdouble maximum, GError ** error)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (gdouble));
  g_autofree gchar *bare = g_strstrip (g_strdup (text));
  const gsize length = strlen (bare);

  if (length < 2 || bare[0] != '<' || bare[length - 1] != '>') {
    g_set_error (error, OCL_ERROR, OCL_ERROR_SETTINGS,
        "%s is not a list of numbers in <>: write it as <1,2>.", name);
    return FALSE;
  }
  bare[length - 1] = '\0';
  return parse_words (list, name, g_strstrip (bare + 1), error)
      && ocl_numbers_set (self, name, (const gdouble *) list->data, list->len,
      minimum, maximum, error);
}

gchar *
ocl_numbers_print (const OclNumbers * self)
{
  GString *text = g_string_new ("<");

  for (gint i = 0; i < self->n; i++) {
    g_autofree gchar *number = ocl_number_print (self->numbers[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", number);
  }
  return g_string_free (g_string_append (text, ">"), FALSE);
}

gdouble
ocl_numbers_get (const OclNumbers * self, guint place, gdouble otherwise)
{
  return place < (guint) self->n ? self->numbers[place] : otherwise;
}
