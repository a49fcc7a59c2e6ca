/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

struct _Report
{
  GArray *columns;              /* ReportColumn */
  GPtrArray *cells;             /* strings, row after row */
};

Report *
report_new (void)
{
  Report *self = g_new0 (Report, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (ReportColumn));
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
report_free (Report * self)
{
  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

void
report_add_columns (Report * self, const ReportColumn * columns, guint n)
{
  g_array_append_vals (self->columns, columns, n);
}

void
report_add (Report * self, const gchar * format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->cells, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
report_add_empty (Report * self, guint n)
{
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->cells, g_strdup (""));
}

/* Returns a heading and the rows. Spaces align the columns. */
static gchar *
print_table (const Report * self)
{
  const guint n = self->columns->len;
  const ReportColumn *columns = (const ReportColumn *) self->columns->data;
  g_autofree glong *widths = g_new (glong, n);
  g_autoptr (GString) line = g_string_new (NULL);
  GString *table = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    widths[i] = g_utf8_strlen (columns[i].name, -1);
    for (guint j = i; j < self->cells->len; j += n)
      widths[i] = MAX (widths[i], g_utf8_strlen (self->cells->pdata[j], -1));
  }
  for (guint row = 0; row <= self->cells->len / n; row++) {
    for (guint i = 0; i < n; i++) {
      const gchar *text = row == 0 ? columns[i].name
          : self->cells->pdata[(row - 1) * n + i];
      const gint padding = widths[i] - g_utf8_strlen (text, -1);

      if (!columns[i].csv_only)
        g_string_append_printf (line, "%s%*s%s%*s", line->len > 0 ? "  " : "",
            columns[i].is_number ? padding : 0, "", text,
            columns[i].is_number ? 0 : padding, "");
    }
    g_string_append_printf (table, "%s\n", g_strchomp (line->str));
    g_string_truncate (line, 0);
  }
  return g_string_free (table, FALSE);
}

static gchar *
print_csv (const Report * self)
{
  const guint n = self->columns->len;
  GString *csv = g_string_new (NULL);

  for (guint i = 0; i < n + self->cells->len; i++) {
    const gchar *text = i < n
        ? g_array_index (self->columns, ReportColumn, i).name
        : self->cells->pdata[i - n];

    if (strpbrk (text, ",\"\n")) {
      g_auto (GStrv) parts = g_strsplit (text, "\"", -1);
      g_autofree gchar *doubled = g_strjoinv ("\"\"", parts);

      g_string_append_printf (csv, "\"%s\"", doubled);
    } else {
      g_string_append (csv, text);
    }
    g_string_append_c (csv, i % n == n - 1 ? '\n' : ',');
  }
  return g_string_free (csv, FALSE);
}

static void
append_json_text (GString * json, const gchar * text)
{
  g_string_append_c (json, '"');
  for (; *text; text++) {
    if ((guchar) * text < ' ')
      g_string_append_printf (json, "\\u%04x", *text);
    else
      g_string_append_printf (json, "%s%c",
          *text == '"' || *text == '\\' ? "\\" : "", *text);
  }
  g_string_append_c (json, '"');
}

static gchar *
print_json (const Report * self)
{
  const guint n = self->columns->len;
  GString *json = g_string_new ("[");

  for (guint i = 0; i < self->cells->len; i++) {
    const ReportColumn *column =
        &g_array_index (self->columns, ReportColumn, i % n);
    const gchar *text = self->cells->pdata[i];

    g_string_append (json, i % n > 0 ? ", " : i > 0 ? ",\n  {" : "\n  {");
    append_json_text (json, column->name);
    g_string_append (json, ": ");
    if (!*text)
      g_string_append (json, "null");
    else if (column->is_number && g_regex_match_simple
        ("^-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?$", text, 0, 0))
      g_string_append (json, text);
    else
      append_json_text (json, text);
    if (i % n == n - 1)
      g_string_append_c (json, '}');
  }
  g_string_append (json, "\n]\n");
  return g_string_free (json, FALSE);
}

void
output_add_options (Output * self, GOptionContext * context)
{
  const GOptionEntry entries[] = {
    {"csv", 0, 0, G_OPTION_ARG_FILENAME, &self->csv,
        "Write CSV instead of tables, - for standard output", "FILE"},
    {"json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
        "Write JSON instead of tables, - for standard output", "FILE"},
    G_OPTION_ENTRY_NULL
  };

  g_option_context_add_main_entries (context, entries, NULL);
}

gboolean
output_is_table (const Output * self)
{
  return !self->csv && !self->json;
}

static void
complain_of_file (const gchar * path, int code)
{
  tool_complain ("%s cannot be written: %s", path,
      g_strerror (code ? code : EIO));
}

/* Returns the target of the link @path, or @path itself. The caller frees
 * it. */
static gchar *
follow_links (const gchar * path)
{
  char *real = realpath (path, NULL);

  return real ? real : g_strdup (path);
}

/* Does not open a pipe, which would block until there is a reader. */
static gboolean
check_path (const gchar * given)
{
  struct stat info;
  int code = 0;

  if (!given || g_str_equal (given, "-"))
    return TRUE;
  g_autofree gchar *path = follow_links (given);
  g_autofree gchar *folder = g_path_get_dirname (path);
  const gboolean exists = stat (path, &info) == 0;
  if (!exists && errno != ENOENT)
    code = errno;
  else if (exists && S_ISDIR (info.st_mode))
    code = EISDIR;
  else if ((exists && access (path, W_OK) != 0)
      || ((!exists || S_ISREG (info.st_mode))
          && access (folder, W_OK | X_OK) != 0))
    code = errno;
  if (code)
    complain_of_file (given, code);
  return !code;
}

gboolean
output_check (const Output * self)
{
  return check_path (self->csv) && check_path (self->json);
}

gboolean
output_write_text (const gchar * given, const gchar * text)
{
  g_autofree gchar *path = follow_links (given);
  g_autoptr (GError) error = NULL;
  struct stat info;

  if (g_str_equal (given, "-")) {
    fputs (text, stdout);
    return TRUE;
  }
  const gboolean exists = stat (path, &info) == 0;
  errno = 0;
  if (exists && !S_ISREG (info.st_mode)) {
    FILE *file = fopen (path, "w");
    gboolean ok = file && fputs (text, file) >= 0;

    ok = file && fclose (file) == 0 && ok;
    if (!ok)
      complain_of_file (given, errno);
    return ok;
  }
  if (!g_file_set_contents_full (path, text, -1,
          G_FILE_SET_CONTENTS_CONSISTENT, exists ? info.st_mode & 0777 : 0666,
          &error)) {
    tool_complain ("%s cannot be written: %s", given, error->message);
    return FALSE;
  }
  /* The umask may have changed the mode of the file. */
  if (!exists || g_chmod (path, info.st_mode & 07777) == 0)
    return TRUE;
  complain_of_file (given, errno);
  return FALSE;
}

gboolean
output_write (const Output * self, const Report * report)
{
  const struct
  {
    const gchar *path;
    gchar *(*print) (const Report * report);
  } writers[] = {
    {output_is_table (self) ? "-" : NULL, print_table},
    {self->csv, print_csv},
    {self->json, print_json},
  };

  for (guint i = 0; i < G_N_ELEMENTS (writers); i++) {
    if (!writers[i].path)
      continue;
    g_autofree gchar *text = writers[i].print (report);

    if (!output_write_text (writers[i].path, text))
      return FALSE;
  }
  return TRUE;
}

gboolean
output_end (void)
{
  errno = 0;
  gboolean ok = !ferror (stdout);
  ok = fclose (stdout) == 0 && ok;
  if (!ok)
    complain_of_file ("standard output", errno);
  return ok;
}
