/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the errors of a user's part of a program in the log of a driver's
 * compiler. Thread-safe. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the first error of @log in the text called @name, as
 * NAME:LINE:COLUMN: MESSAGE, with the line counted in the text. The text has
 * @n_lines lines, from line @first_line of the program on, counted from 1. Some
 * drivers follow line directives, and name the text. Others, such as NVIDIA's,
 * name the line of the program. Returns NULL if there is no such error. If a
 * vector of 16 pixels is used as one number, suggests a replacement. The caller
 * frees the text. */
gchar *ocl_build_log_find (const gchar * log, const gchar * name,
    guint first_line, guint n_lines);

/* Returns a message about a text with an error whose line @log does not name.
 * The message includes @hint. @log and @hint may be NULL. The caller frees the
 * text. */
gchar *ocl_build_log_guess (const gchar * log, const gchar * hint);

G_END_DECLS
