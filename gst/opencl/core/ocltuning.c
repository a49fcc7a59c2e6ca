/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocltuning.h"

gint
ocl_tunables_find (const OclTunable * table, const gchar * macro)
{
  for (gint i = 0; table && table[i].macro; i++) {
    if (g_str_equal (table[i].macro, macro))
      return i;
  }
  return -1;
}

gboolean
ocl_tunable_allows (const OclTunable * tunable, gint value)
{
  for (const gint * allowed = tunable->values; *allowed; allowed++) {
    if (*allowed == value)
      return TRUE;
  }
  return FALSE;
}

void
ocl_tuning_init (OclTuning * tuning, const OclTunable * table)
{
  memset (tuning, 0, sizeof (*tuning));
  for (guint i = 0; table && table[i].macro; i++)
    tuning->values[i] = table[i].default_value;
}

gchar *
ocl_tuning_get_options (const OclTuning * tuning, const OclTunable * table)
{
  GString *options = g_string_new (NULL);

  for (guint i = 0; table && table[i].macro; i++) {
    if (tuning->values[i] != 0)
      g_string_append_printf (options, " -D %s=%d", table[i].macro,
          tuning->values[i]);
  }
  return g_string_free (options, FALSE);
}
