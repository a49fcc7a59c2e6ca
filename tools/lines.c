/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lines.h"

#include <math.h>
#include <string.h>

/* The index of @name in @names, or -1. */
static gint
find_name (const gchar * const *names, const gchar * name)
{
  for (gint i = 0; names[i]; i++) {
    if (g_str_equal (names[i], name))
      return i;
  }
  return -1;
}

static gboolean
parse_line (const gchar * line, RigTrial * trial)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const gint operation = words[0]
      ? find_name (rig_operation_names, words[0]) : -1;
  const guint n_words = operation == RIG_BILATERAL ? 6 : 3;
  gint64 radius = 1;
  gint window = 0;
  gint mode = 0;

  if (operation < 0 || g_strv_length (words) != n_words)
    return FALSE;
  if (operation == RIG_BILATERAL) {
    window = find_name (rig_window_names, words[4]);
    mode = find_name (rig_color_mode_names, words[5]);
    if (window < 0 || mode < 0 || !g_ascii_string_to_signed (words[3], 10, 1,
            OCL_BILATERAL_MAX_RADIUS, &radius, NULL))
      return FALSE;
  }
  const gint storage = find_name (rig_storage_names, words[2]);
  trial->variant = rig_find_variant (operation, words[1]);
  trial->storage = storage;
  trial->radius = radius;
  trial->window = window;
  trial->color_mode = mode;
  return storage >= 0 && trial->variant;
}

/* @seen holds the lines that came before. */
static gboolean
answer_line (Rig * rig, const gchar * line, const ToolSize * size,
    GHashTable * seen)
{
  g_autoptr (GError) error = NULL;
  RigTrial trial = {.width = size->width,.height = size->height };
  RigTimes times;

  if (!parse_line (line, &trial)) {
    tool_complain ("\"%s\" is not a line such as \"bilateral rows buffer 4 "
        "disc intensity\" or \"histogram auto buffer\"", line);
    return FALSE;
  }
  if ((g_hash_table_add (seen, g_strdup (line))
          && !rig_warm_up (rig, &trial, INFINITY, &error))
      || !rig_run (rig, &trial, &times, &error)) {
    tool_complain ("%s: %s", line, error->message);
    return FALSE;
  }
  printf ("%.4f %.4f\n", times.kernel, times.transfer);
  return fflush (stdout) == 0;
}

gboolean
lines_answer (Rig * rig, const OclDevice * device, const ToolSize * size)
{
  g_autoptr (GHashTable) seen =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char line[128];

  printf ("%s (%s)\n", device->name, device->platform_name);
  fflush (stdout);
  while (fgets (line, sizeof (line), stdin)) {
    line[strcspn (line, "\n")] = '\0';
    if (!answer_line (rig, line, size, seen))
      return FALSE;
  }
  return TRUE;
}
