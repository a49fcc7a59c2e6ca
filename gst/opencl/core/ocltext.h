/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts and numbers for messages, and text files of users. All functions may be
 * called from any thread. */

#pragma once

#include <glib.h>

#include "oclerror.h"

G_BEGIN_DECLS

/* Returns @text, shortened for a message. The caller frees the result. */
gchar *ocl_text_shorten (const gchar * text);

/* Returns the shortest text that parses to exactly @number. The caller frees
 * the text. */
gchar *ocl_number_print (gdouble number);

/* Returns the text of a regular file of at most @max_size bytes, which must be
 * UTF-8 without zero bytes. Never waits for another process to write data. The
 * caller frees the text. Returns NULL with OCL_ERROR_SETTINGS. Messages call
 * the contents @what, such as "The matrix", and require a text file @rule, such
 * as "with one row of a matrix per line". */
gchar *ocl_text_file_load (const gchar * filename, const gchar * what,
    const gchar * rule, gsize max_size, GError ** error);

G_END_DECLS
