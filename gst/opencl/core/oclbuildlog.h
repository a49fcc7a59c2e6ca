/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds in the log of a driver's compiler what is wrong with a part of a
 * program that a user wrote. Thread-safe. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the first error of @log that is about the text called @name, as
 * NAME:LINE:COLUMN: MESSAGE, with the line counted in the text. The text has
 * @n_lines lines, from line @first_line of the program on, which counts from 1.
 * Some drivers follow line directives, and name the text; others, such as
 * NVIDIA's, name the line of the program. Returns NULL if there is no such
 * error. If a vector of 16 pixels is used as one number, says what to write
 * instead. The caller frees the text. */
gchar *ocl_build_log_find (const gchar * log, const gchar * name,
    guint first_line, guint n_lines);

/* Returns sentences about a text with a mistake for which @log, which may be
 * NULL, names no line. @hint, which may be NULL, is one of them. The caller
 * frees the text. */
gchar *ocl_build_log_guess (const gchar * log, const gchar * hint);

G_END_DECLS
