/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbuildlog.h"

#include <string.h>

/* Returns the message of a line of a log about the text, or NULL. */
static gchar *
find_by_line (const gchar * line, const gchar * name, guint first_line,
    guint n_lines)
{
  static const gchar pattern[] = "[:(](\\d+)[:,](\\d+)\\)?:\\s*(error.*)$";
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_RAW, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, line, 0, &match))
    return NULL;
  g_autofree gchar *number = g_match_info_fetch (match, 1);
  g_autofree gchar *column = g_match_info_fetch (match, 2);
  g_autofree gchar *message = g_match_info_fetch (match, 3);
  const guint64 found = g_ascii_strtoull (number, NULL, 10);

  if (found < first_line || found >= (guint64) first_line + n_lines)
    return NULL;
  return g_strdup_printf ("%s:%u:%s: %s", name, (guint) found - first_line + 1,
      column, message);
}

gchar *
ocl_build_log_find (const gchar * log, const gchar * name, guint first_line,
    guint n_lines)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);
  gchar *found = NULL;

  for (guint i = 0; lines[i] && !found; i++) {
    const gchar *place = strstr (lines[i], name);

    if (place && strstr (lines[i], "error"))
      found = g_strdup (place);
    else
      found = find_by_line (lines[i], name, first_line, n_lines);
  }
  if (found
      && g_regex_match_simple ("'(?:__private )?(?:const )?(?:real|integer|"
          "(?:float|int)16)'|'(?:float|int) __attribute__\\(\\(ext_vector|"
          "expression of scalar type|between vector", found, G_REGEX_RAW, 0)) {
    gchar *driver = found;

    found = g_strdup_printf ("%s. The value is of 16 pixels at once: write "
        "a < b ? x : y instead of if and while, and real instead of float and "
        "integer instead of int", driver);
    g_free (driver);
  }
  return found;
}

gchar *
ocl_build_log_guess (const gchar * log, const gchar * hint)
{
  g_auto (GStrv) lines = g_strsplit (log ? log : "", "\n", -1);
  const gchar *found = "";

  for (guint i = 0; lines[i] && !*found; i++) {
    if (g_regex_match_simple ("error: |cannot find|undefined|unresolved",
            lines[i], G_REGEX_RAW | G_REGEX_CASELESS, 0))
      found = lines[i];
  }
  return g_strdup_printf ("the program is only wrong with this kernel. Does it "
      "call a function that there is not, lack a brace, or use a name of the "
      "program? %s%s%s", hint ? hint : "", hint && *found ? " " : "", found);
}
