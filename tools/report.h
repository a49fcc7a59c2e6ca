/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of figures, to be read by people or by programs. Not thread-safe: one
 * thread at a time. */

#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/**
 * ReportColumn:
 * @name: the heading of the column
 * @is_number: whether the column is aligned to the right
 * @csv_only: whether the table for people leaves the column out
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

/* Writes a heading and the rows. Spaces align the columns. */
void report_write_table (const Report * report, FILE * file);

/* Writes the rows as JSON (RFC 8259): an array of objects, whose members have
 * the names of the columns. Empty cells are null. */
void report_write_json (const Report * report, FILE * file);

/* Writes a heading and the rows as CSV (RFC 4180, but lines end with \n). */
void report_write_csv (const Report * report, FILE * file);

G_END_DECLS
