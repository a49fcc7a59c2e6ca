/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of figures, for people or for programs, and their output files. A file
 * is written completely or not at all. Main thread only. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ReportColumn:
 * @name: the heading of the column
 * @is_number: whether the column is aligned to the right
 * @csv_only: whether the table on the terminal omits the column
 */
typedef struct
{
  const gchar *name;
  gboolean is_number;
  gboolean csv_only;
} ReportColumn;

typedef struct _Report Report;

Report *report_new (void);
void report_free (Report * report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Report, report_free)

/* Adds @n columns. Must be called before the first cell is added. The names in
 * @columns must outlive the report. */
void report_add_columns (Report * report, const ReportColumn * columns,
    guint n);

/* Adds the next cell. The cell of the last column ends the row. */
void report_add (Report * report, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Adds @n empty cells. */
void report_add_empty (Report * report, guint n);

/**
 * Output:
 * @csv: path of the CSV file to write (RFC 4180, but lines end with \n), "-"
 *    for standard output, or NULL
 * @json: path of the JSON file to write (RFC 8259), likewise: an array of
 *    objects, whose members have the names of the columns. Empty cells are null
 *
 * The destination of a report. Without either, a table on standard output.
 */
typedef struct
{
  gchar *csv;
  gchar *json;
} Output;

void output_add_options (Output * output, GOptionContext * context);

/* Returns whether a table is written. */
gboolean output_is_table (const Output * output);

/* Checks that the files can be written, before any work is done. Returns FALSE
 * after a complaint. */
gboolean output_check (const Output * output);

/* Writes @report. A file gets its name when it is complete. Returns FALSE after
 * a complaint. output_end() reports errors of standard output. */
gboolean output_write (const Output * output, const Report * report);

/* Writes @text to @path, "-" for standard output, like output_write(). */
gboolean output_write_text (const gchar * path, const gchar * text);

/* Closes standard output. Returns whether all output was written. FALSE after a
 * complaint. */
gboolean output_end (void);

G_END_DECLS
