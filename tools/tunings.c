/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tunings.h"

#include "tool.h"

#define OPTION "--tuning"

static void
complain_of_macro (const gchar * macro, GPtrArray * variants)
{
  g_autoptr (GString) known = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < variants->len; i++) {
    const OclVariant *variant = variants->pdata[i];
    const OclTunable *tunable = variant->tunables;

    for (; tunable && tunable->macro; tunable++) {
      if (g_hash_table_add (seen, (gpointer) tunable->macro))
        g_string_append_printf (known, "%s%s", known->len ? ", " : "one of ",
            tunable->macro);
    }
  }
  tool_complain_of_value (OPTION, macro, known->len ? known->str
      : "of use: none of these variants can be tuned");
}

static void
complain_of_value (const gchar * value, const OclTunable * tunable)
{
  g_autoptr (GString) legal = g_string_new (NULL);

  g_string_append_printf (legal, "a %s, which is one of ", tunable->macro);
  for (guint i = 0; tunable->values[i]; i++)
    g_string_append_printf (legal, "%s%d", i ? ", " : "", tunable->values[i]);
  tool_complain_of_value (OPTION, value, legal->str);
}

static gboolean
check_value (const gchar * macro, const gchar * text, GPtrArray * variants,
    gint * value)
{
  gint64 number = 0;
  gboolean found = FALSE;

  /* 0 is legal for none. */
  g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &number, NULL);
  *value = number;
  for (guint i = 0; i < variants->len; i++) {
    const OclVariant *variant = variants->pdata[i];
    const gint place = ocl_tunables_find (variant->tunables, macro);
    const OclTunable *tunable = place >= 0 ? &variant->tunables[place] : NULL;

    if (tunable && !ocl_tunable_allows (tunable, *value)) {
      complain_of_value (text, tunable);
      return FALSE;
    }
    found = found || tunable;
  }
  if (!found)
    complain_of_macro (macro, variants);
  return found;
}

GHashTable *
tunings_parse (const gchar * text, GPtrArray * variants)
{
  g_autoptr (GHashTable) tunings =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) parts = ocl_param_split (text);

  for (guint i = 0; parts[i]; i++) {
    g_auto (GStrv) words = g_strsplit (parts[i], "=", 2);
    gint value = 0;

    if (g_strv_length (words) != 2) {
      tool_complain_of_value (OPTION, parts[i], "MACRO=VALUE");
      return NULL;
    }
    if (!check_value (words[0], words[1], variants, &value))
      return NULL;
    g_hash_table_insert (tunings, g_strdup (words[0]), GINT_TO_POINTER (value));
  }
  return g_steal_pointer (&tunings);
}

void
tunings_get (GHashTable * tunings, const OclVariant * variant,
    OclTuning * tuning)
{
  const OclTunable *tunables = variant->tunables;

  ocl_tuning_init (tuning, tunables);
  for (guint i = 0; tunings && tunables && tunables[i].macro; i++) {
    gpointer value = g_hash_table_lookup (tunings, tunables[i].macro);

    if (value)
      tuning->values[i] = GPOINTER_TO_INT (value);
  }
}
