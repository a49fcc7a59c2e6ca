/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a user's text file. May be called from any thread. */

#pragma once

#include "oclerror.h"

G_BEGIN_DECLS

/* Returns the text of a regular file of at most @max_size bytes, which must be
 * UTF-8 without zero bytes. Never waits for another process to write data. The
 * caller frees the text. Returns NULL with OCL_ERROR_SETTINGS. Messages call
 * the contents @what, such as "The matrix", and require a text file @rule, such
 * as "with one row of a matrix per line". */
gchar *ocl_text_file_load (const gchar * filename, const gchar * what,
    const gchar * rule, gsize max_size, GError ** error);

G_END_DECLS
