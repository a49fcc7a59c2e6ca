/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report.h"

#include <string.h>

struct _Report
{
  const ReportColumn *columns;
  guint n_columns;
  GPtrArray *cells;             /* strings, row after row */
};

Report *
report_new (const ReportColumn * columns, guint n_columns)
{
  Report *self = g_new0 (Report, 1);

  self->columns = columns;
  self->n_columns = n_columns;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
report_free (Report * self)
{
  g_ptr_array_unref (self->cells);
  g_free (self);
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
  glong width = g_utf8_strlen (self->columns[column].name, -1);

  for (guint i = column; i < self->cells->len; i += self->n_columns)
    width = MAX (width, g_utf8_strlen (self->cells->pdata[i], -1));
  return width;
}

/* Writes the heading's or a row's @text with the spaces that align it. */
static void
report_pad (const Report * self, guint column, const gchar * text,
    GString * line)
{
  gint padding =
      report_get_width (self, column) - (gint) g_utf8_strlen (text, -1);

  if (line->len > 0)
    g_string_append (line, "  ");
  g_string_append_printf (line, "%*s%s%*s",
      self->columns[column].is_number ? padding : 0, "", text,
      self->columns[column].is_number ? 0 : padding, "");
}

void
report_write_table (const Report * self, FILE * file)
{
  const guint n_rows = self->cells->len / self->n_columns;

  for (guint row = 0; row <= n_rows; row++) {
    g_autoptr (GString) line = g_string_new (NULL);

    for (guint i = 0; i < self->n_columns; i++) {
      if (!self->columns[i].csv_only)
        report_pad (self, i, row == 0 ? self->columns[i].name
            : self->cells->pdata[(row - 1) * self->n_columns + i], line);
    }
    fprintf (file, "%s\n", g_strchomp (line->str));
  }
}

static void
write_csv_cell (const gchar * text, gboolean is_last, FILE * file)
{
  if (strpbrk (text, ",\"\n")) {
    fputc ('"', file);
    for (; *text; text++)
      fputs (*text == '"' ? "\"\"" : (gchar[]) { *text, '\0' }, file);
    fputc ('"', file);
  } else {
    fputs (text, file);
  }
  fputc (is_last ? '\n' : ',', file);
}

void
report_write_csv (const Report * self, FILE * file)
{
  for (guint i = 0; i < self->n_columns; i++)
    write_csv_cell (self->columns[i].name, i == self->n_columns - 1, file);
  for (guint i = 0; i < self->cells->len; i++)
    write_csv_cell (self->cells->pdata[i],
        i % self->n_columns == self->n_columns - 1, file);
}
