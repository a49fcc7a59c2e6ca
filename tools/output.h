/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where reports go: to standard output, or whole or not at all to a file. The
 * main thread only. */

#pragma once

#include "report.h"

G_BEGIN_DECLS

/* Whether @csv_path, where it is not NULL, can be written, so that no work is
 * lost. FALSE after a complaint. */
gboolean output_check (const gchar * csv_path);

/* Writes @report as a table to standard output where @csv_path is NULL, else as
 * CSV, to standard output where it is "-". A file gets its name when all is in
 * it. FALSE after a complaint, but standard output is output_end()'s. */
gboolean output_write (const Report * report, const gchar * csv_path);

/* Keeps files from being opened in place of standard streams that are closed.
 * Before anything is opened. */
void output_begin (void);

/* Closes standard output; whether all that went there was written. FALSE after
 * a complaint. */
gboolean output_end (void);

G_END_DECLS
