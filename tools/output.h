/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes reports to standard output or to a file. A file is written completely
 * or not at all. Main thread only. */

#pragma once

#include "report.h"

G_BEGIN_DECLS

/* Checks that @csv_path can be written, before any work is done that would be
 * lost. NULL is fine. Returns FALSE after a complaint. */
gboolean output_check (const gchar * csv_path);

/* Writes @report: as a table to standard output if @csv_path is NULL, as CSV to
 * standard output if @csv_path is "-", else as CSV to this file. The file gets
 * its name when it is complete. Returns FALSE after a complaint; errors of
 * standard output are left to output_end(). */
gboolean output_write (const Report * report, const gchar * csv_path);

/* Makes sure that no file is opened in place of a closed standard stream. Must
 * be called before any file is opened. */
void output_begin (void);

/* Closes standard output. Returns whether everything was written to it; FALSE
 * after a complaint. */
gboolean output_end (void);

G_END_DECLS
