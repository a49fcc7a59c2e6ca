/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a frame; its bytes can still be counted in 32 bits. */
#define MAX_SIDE 16384

void
tool_complain (const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree gchar *complaint = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  tool_show_progress ("%s", "");
  fprintf (stderr, "%s: %s\n", g_get_prgname (), complaint);
}

void
tool_complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected)
{
  tool_complain ("%s: \"%s\" is not %s", option, value, expected);
}

gboolean
tool_parse_options (const gchar * summary, const gchar * description,
    const GOptionEntry * entries, int argc, char **argv, int *status)
{
  gboolean help = FALSE;
  const GOptionEntry help_entries[] = {
    {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "Show this", NULL},
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_main_entries (context, help_entries, NULL);
  /* GLib's own would exit before anyone has seen whether it was written. */
  g_option_context_set_help_enabled (context, FALSE);
  *status = TOOL_MISUSED;
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    tool_complain ("%s. See %s --help.", error->message, g_get_prgname ());
    return FALSE;
  }
  if (help) {
    g_autofree gchar *text = g_option_context_get_help (context, TRUE, NULL);

    fputs (text, stdout);
    *status = EXIT_SUCCESS;
    return FALSE;
  }
  if (argc > 1) {
    tool_complain ("What is \"%s\"? See %s --help.", argv[1], g_get_prgname ());
    return FALSE;
  }
  return TRUE;
}

gint
tool_find_name (const gchar * option, const gchar * text,
    const gchar * const *names)
{
  for (gint i = 0; names[i]; i++) {
    if (g_str_equal (names[i], text))
      return i;
  }
  g_autofree gchar *known = g_strjoinv (", ", (gchar **) names);
  g_autofree gchar *expected = g_strdup_printf ("one of %s", known);
  tool_complain_of_value (option, text, expected);
  return -1;
}

gboolean
tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values)
{
  g_auto (GStrv) parts = ocl_param_split (text);

  for (guint i = 0; parts[i]; i++) {
    const gint found = tool_find_name (option, parts[i], names);
    const guint index = found;

    if (found < 0)
      return FALSE;
    g_array_append_val (values, index);
  }
  return TRUE;
}

static gboolean
parse_size (const gchar * text, ToolSize * size)
{
  g_auto (GStrv) sides = g_strsplit (text, "x", -1);
  guint64 width = 0;
  guint64 height = 0;

  if (g_strv_length (sides) != 2
      || !g_ascii_string_to_unsigned (sides[0], 10, 1, MAX_SIDE, &width, NULL)
      || !g_ascii_string_to_unsigned (sides[1], 10, 1, MAX_SIDE, &height, NULL))
    return FALSE;
  size->width = width;
  size->height = height;
  return TRUE;
}

gboolean
tool_parse_sizes (const gchar * option, const gchar * text, GArray * values)
{
  g_auto (GStrv) parts = ocl_param_split (text);

  for (guint i = 0; parts[i]; i++) {
    ToolSize size;

    if (!parse_size (parts[i], &size)) {
      tool_complain_of_value (option, parts[i], "a size such as 1280x720");
      return FALSE;
    }
    g_array_append_val (values, size);
  }
  return TRUE;
}

OclContext *
tool_open_device (const gchar * selector)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);
  g_autoptr (OclDevice) device = devices
      ? ocl_device_select (devices, selector, &error) : NULL;
  OclContext *context = device ? ocl_context_new (device, NULL, &error) : NULL;

  if (!context)
    tool_complain ("%s", error->message);
  return context;
}

void
tool_show_progress (const gchar * format, ...)
{
  va_list arguments;

  if (!isatty (STDERR_FILENO))
    return;
  va_start (arguments, format);
  g_autofree gchar *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* The line's start, the text, and nothing else up to the line's end. */
  fprintf (stderr, "\r%.78s\033[K", text);
  fflush (stderr);
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble first = *(const gdouble *) a;
  gdouble second = *(const gdouble *) b;

  return (first > second) - (first < second);
}

gchar *
tool_get_first_line (const GError * error)
{
  return g_strndup (error->message, strcspn (error->message, "\n"));
}

gdouble
tool_get_median (GArray * values)
{
  const guint n = values->len;

  g_array_sort (values, compare_doubles);
  return (g_array_index (values, gdouble, (n - 1) / 2)
      + g_array_index (values, gdouble, n / 2)) / 2.0;
}

gboolean
tool_check_count (const gchar * option, gint n, gint least, gint most)
{
  if (n >= least && n <= most)
    return TRUE;
  tool_complain ("%s: \"%d\" is not an integer from %d to %d", option, n, least,
      most);
  return FALSE;
}
