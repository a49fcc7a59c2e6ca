/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes reports to standard output or to files. A file is written completely
 * or not at all. Main thread only. */

#pragma once

#include "report.h"

G_BEGIN_DECLS

/**
 * Output:
 * @csv: path of the CSV file to write, "-" for standard output, or NULL
 * @json: path of the JSON file to write, likewise
 *
 * Where a report goes. Without either it is a table on standard output.
 */
typedef struct
{
  gchar *csv;
  gchar *json;
} Output;

/* Adds the options to @entries (of GOptionEntry). */
void output_add_options (Output * output, GArray * entries);

void output_clear (Output * output);

/* Returns whether a table is written. */
gboolean output_is_table (const Output * output);

/* Checks that the files can be written, before any work is done that would be
 * lost. Returns FALSE after a complaint. */
gboolean output_check (const Output * output);

/* Writes @report. A file gets its name when it is complete. Returns FALSE after
 * a complaint; errors of standard output are left to output_end(). */
gboolean output_write (const Report * report, const Output * output);

/* Makes sure that no file is opened in place of a closed standard stream. Must
 * be called before any file is opened. */
void output_begin (void);

/* Closes standard output. Returns whether everything was written to it; FALSE
 * after a complaint. */
gboolean output_end (void);

G_END_DECLS
