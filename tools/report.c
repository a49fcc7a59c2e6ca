/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <string.h>

struct _Report
{
  GArray *columns;              /* ReportColumn */
  GPtrArray *cells;             /* strings, row after row */
};

static const ReportColumn *
report_get_column (const Report * self, guint column)
{
  return &g_array_index (self->columns, ReportColumn, column);
}

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

static gint
report_get_width (const Report * self, guint column)
{
  glong width = g_utf8_strlen (report_get_column (self, column)->name, -1);

  for (guint i = column; i < self->cells->len; i += self->columns->len)
    width = MAX (width, g_utf8_strlen (self->cells->pdata[i], -1));
  return width;
}

/* Writes the heading's or a row's @text with the spaces that align it. */
static void
report_pad (const Report * self, guint column, const gchar * text,
    GString * line)
{
  const gboolean is_number = report_get_column (self, column)->is_number;
  gint padding =
      report_get_width (self, column) - (gint) g_utf8_strlen (text, -1);

  if (line->len > 0)
    g_string_append (line, "  ");
  g_string_append_printf (line, "%*s%s%*s", is_number ? padding : 0, "", text,
      is_number ? 0 : padding, "");
}

void
report_write_table (const Report * self, FILE * file)
{
  const guint n_columns = self->columns->len;
  const guint n_rows = self->cells->len / n_columns;

  for (guint row = 0; row <= n_rows; row++) {
    g_autoptr (GString) line = g_string_new (NULL);

    for (guint i = 0; i < n_columns; i++) {
      const ReportColumn *column = report_get_column (self, i);

      if (!column->csv_only)
        report_pad (self, i, row == 0 ? column->name
            : self->cells->pdata[(row - 1) * n_columns + i], line);
    }
    fprintf (file, "%s\n", g_strchomp (line->str));
  }
}

static void
write_csv_cell (const gchar * text, gboolean is_last, FILE * file)
{
  if (strpbrk (text, ",\"\n")) {
    fputc ('"', file);
    for (; *text; text++) {
      if (*text == '"')
        fputc ('"', file);
      fputc (*text, file);
    }
    fputc ('"', file);
  } else {
    fputs (text, file);
  }
  fputc (is_last ? '\n' : ',', file);
}

void
report_write_csv (const Report * self, FILE * file)
{
  const guint n_columns = self->columns->len;

  for (guint i = 0; i < n_columns; i++)
    write_csv_cell (report_get_column (self, i)->name, i == n_columns - 1,
        file);
  for (guint i = 0; i < self->cells->len; i++)
    write_csv_cell (self->cells->pdata[i], i % n_columns == n_columns - 1,
        file);
}

static void
write_json_text (const gchar * text, FILE * file)
{
  fputc ('"', file);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      fprintf (file, "\\%c", *text);
    else if ((guchar) * text < ' ')
      fprintf (file, "\\u%04x", *text);
    else
      fputc (*text, file);
  }
  fputc ('"', file);
}

/* Returns whether @text is a number of JSON: what the format %d or %f makes of
 * a finite one is. */
static gboolean
is_json_number (const gchar * text)
{
  gchar *end;
  const gdouble value = g_ascii_strtod (text, &end);

  return (g_ascii_isdigit (*text) || *text == '-') && *end == '\0'
      && value - value == 0.0 && !strpbrk (text, "xX");
}

static void
write_json_cell (const ReportColumn * column, const gchar * text, FILE * file)
{
  write_json_text (column->name, file);
  fputs (": ", file);
  if (!*text)
    fputs ("null", file);
  else if (column->is_number && is_json_number (text))
    fputs (text, file);
  else
    write_json_text (text, file);
}

void
report_write_json (const Report * self, FILE * file)
{
  const guint n_columns = self->columns->len;

  fputs ("[", file);
  for (guint i = 0; i < self->cells->len; i++) {
    const guint column = i % n_columns;

    fputs (column > 0 ? ", " : i > 0 ? ",\n  {" : "\n  {", file);
    write_json_cell (report_get_column (self, column), self->cells->pdata[i],
        file);
    if (column == n_columns - 1)
      fputs ("}", file);
  }
  fputs ("\n]\n", file);
}
