/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tool.h"

#include <errno.h>
#include <unistd.h>

/* Of a frame; its bytes can still be counted in 32 bits. */
#define MAX_SIDE 16384

static void
complain_of_value (const gchar * option, const gchar * value,
    const gchar * expected)
{
  tool_complain ("%s: \"%s\" is not %s", option, value, expected);
}

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

gboolean
tool_parse_options (const gchar * summary, const gchar * description,
    const GOptionEntry * entries, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context, summary);
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    tool_complain ("%s. See %s --help.", error->message, g_get_prgname ());
    return FALSE;
  }
  if (argc > 1) {
    tool_complain ("What is \"%s\"? See %s --help.", argv[1],
        g_get_prgname ());
    return FALSE;
  }
  return TRUE;
}

gboolean
tool_parse_names (const gchar * option, const gchar * text,
    const gchar * const *names, GArray * values)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autofree gchar *known = g_strjoinv (", ", (gchar **) names);
  g_autofree gchar *expected = g_strdup_printf ("one of %s", known);

  for (guint i = 0; i == 0 || parts[i]; i++) {
    guint index = 0;

    while (names[index] && g_strcmp0 (parts[i], names[index]) != 0)
      index++;
    if (!names[index]) {
      complain_of_value (option, parts[i] ? parts[i] : "", expected);
      return FALSE;
    }
    g_array_append_val (values, index);
  }
  return TRUE;
}

gboolean
tool_parse_integers (const gchar * option, const gchar * text, gint min,
    gint max, GArray * values)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autofree gchar *expected = g_strdup_printf ("an integer from %d to %d",
      min, max);

  for (guint i = 0; i == 0 || parts[i]; i++) {
    gint64 value = 0;

    if (!parts[i]
        || !g_ascii_string_to_signed (parts[i], 10, min, max, &value, NULL)) {
      complain_of_value (option, parts[i] ? parts[i] : "", expected);
      return FALSE;
    }
    gint integer = value;
    g_array_append_val (values, integer);
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
  *size = (ToolSize) {.width = width,.height = height };
  return TRUE;
}

gboolean
tool_parse_sizes (const gchar * option, const gchar * text, GArray * values)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; i == 0 || parts[i]; i++) {
    ToolSize size;

    if (!parts[i] || !parse_size (parts[i], &size)) {
      complain_of_value (option, parts[i] ? parts[i] : "",
          "a size such as 1280x720");
      return FALSE;
    }
    g_array_append_val (values, size);
  }
  return TRUE;
}

OclContext *
tool_open_device (const gchar * selector, GError ** error)
{
  g_autoptr (GPtrArray) devices = ocl_device_list (error);
  if (!devices)
    return NULL;

  g_autoptr (OclDevice) device = ocl_device_select (devices, selector, error);
  return device ? ocl_context_new (device, NULL, error) : NULL;
}

FILE *
tool_open_output (const gchar * path)
{
  if (!path || g_str_equal (path, "-"))
    return stdout;

  FILE *file = fopen (path, "w");
  if (!file)
    tool_complain ("%s cannot be written: %s", path, g_strerror (errno));
  return file;
}

gboolean
tool_write_report (const Report * report, const gchar * csv_path, FILE * file)
{
  gboolean ok;

  if (csv_path)
    report_write_csv (report, file);
  else
    report_write_table (report, file);
  ok = !ferror (file);
  ok = (file == stdout ? fflush (file) : fclose (file)) == 0 && ok;
  if (!ok)
    tool_complain ("%s cannot be written: %s",
        csv_path ? csv_path : "standard output", g_strerror (errno));
  return ok;
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

gdouble
tool_get_median (GArray * values)
{
  const guint n = values->len;

  g_array_sort (values, compare_doubles);
  return (g_array_index (values, gdouble, (n - 1) / 2)
      + g_array_index (values, gdouble, n / 2)) / 2.0;
}
