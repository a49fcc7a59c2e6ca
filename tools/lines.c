/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/ocloperations.h"
#include "paramlists.h"
#include "tunings.h"

/* What a word that is no parameter starts with. */
#define FORMAT "format="

static gboolean
parse_format (const gchar * line, const gchar * name, RunnerCase * item)
{
  g_autofree const gchar **names = runner_format_get_names ();
  const gint n = tool_find_name (line, name, names);

  if (n >= 0)
    item->format = ocl_formats[n];
  return n >= 0;
}

static gboolean
parse_param (const gchar * line, const gchar * word,
    const OclOperationClass * klass, gpointer params)
{
  g_auto (GStrv) parts = g_strsplit (word, "=", 2);
  const OclParam *param = ocl_params_find (klass->params, parts[0]);

  if (!param || !parts[1]) {
    tool_complain_of_value (line, word, "a parameter, see glopencl operations");
    return FALSE;
  }
  if (!ocl_operation_class_parse (klass, param, parts[1], params)) {
    g_autofree gchar *legal = param_describe_values (param);

    tool_complain_of_value (line, word, legal);
    return FALSE;
  }
  return TRUE;
}

static gboolean
parse_variant (const gchar * line, gchar ** words, RunnerVariant * variant)
{
  g_autofree const gchar **operations = runner_operation_get_names ();
  const gint n = tool_find_name (line, words[0], operations);

  if (n < 0)
    return FALSE;

  const OclOperationClass *klass = ocl_operations[n];
  g_auto (GStrv) names = runner_variant_get_names (klass);
  return tool_find_name (line, words[1], (const gchar * const *) names) >= 0
      && runner_variant_find (klass, words[1], variant);
}

/* Sets @params, which @item gets, to be freed with g_free(). FALSE after a
 * complaint. */
static gboolean
parse_line (const gchar * line, RunnerCase * item, gpointer * params)
{
  g_autofree gchar *quoted = g_strdup_printf ("\"%s\"", line);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  if (g_strv_length (words) < 3) {
    tool_complain_of_value ("line", line, LINES_FORM);
    return FALSE;
  }
  if (!parse_variant (quoted, words, &item->variant))
    return FALSE;
  const gint storage = tool_find_name (quoted, words[2], ocl_storage_names);
  if (storage < 0)
    return FALSE;
  item->storage = storage;
  *params = ocl_operation_class_create_params (item->variant.klass);
  item->params = *params;
  for (guint i = 3; words[i]; i++) {
    const gboolean ok = g_str_has_prefix (words[i], FORMAT)
        ? parse_format (quoted, words[i] + strlen (FORMAT), item)
        : parse_param (quoted, words[i], item->variant.klass, *params);

    if (!ok)
      return FALSE;
  }
  return TRUE;
}

/* @seen holds the lines that came before. */
static gboolean
answer_line (Runner * runner, const gchar * line, const ToolSize * size,
    GHashTable * tunings, GHashTable * seen)
{
  g_autoptr (GError) error = NULL;
  g_autofree gpointer params = NULL;
  RunnerCase item = {.format = OCL_FORMAT_RGBA,.width = size->width,
    .height = size->height
  };
  RunnerTimes times;

  if (!parse_line (line, &item, &params))
    return FALSE;
  if (item.variant.variant)
    tunings_get (tunings, item.variant.variant, &item.tuning);
  if ((g_hash_table_add (seen, g_strdup (line))
          && !runner_warm_up (runner, &item, INFINITY, &error))
      || !runner_run (runner, &item, &times, &error)) {
    tool_complain ("%s: %s", line, error->message);
    return FALSE;
  }
  printf ("%.4f %.4f\n", times.kernel, times.transfer);
  return fflush (stdout) == 0;
}

gboolean
lines_answer (Runner * runner, const OclDevice * device, const ToolSize * size,
    GHashTable * tunings)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char *line = NULL;
  size_t line_size = 0;

  printf ("%s (%s)\n", device->name, device->platform_name);
  gboolean ok = fflush (stdout) == 0;
  while (ok && getline (&line, &line_size, stdin) >= 0) {
    line[strcspn (line, "\n")] = '\0';
    ok = answer_line (runner, line, size, tunings, seen);
  }
  if (ferror (stdin)) {
    tool_complain ("standard input cannot be read: %s", g_strerror (errno));
    ok = FALSE;
  }
  free (line);
  return ok;
}
