/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltext.h"

/* Maximum number of characters of a text in a message. */
#define MAX_SHOWN 40

gchar *
ocl_text_shorten (const gchar * text)
{
  g_autofree gchar *valid = g_utf8_make_valid (text, -1);

  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1),
          MAX_SHOWN));
}

gchar *
ocl_number_print (gdouble number)
{
  gchar text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof (text), "%g", number);
  if (g_ascii_strtod (text, NULL) != number)
    g_ascii_dtostr (text, sizeof (text), number);
  return g_strdup (text);
}
