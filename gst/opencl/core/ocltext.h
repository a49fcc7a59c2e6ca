/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prepares texts and numbers for messages. All functions may be called from any
 * thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the part of @text that a message shows, as @text may be long. The
 * caller frees the result. */
gchar *ocl_text_shorten (const gchar * text);

/* Returns @number as the shortest text that reads back as exactly this number.
 * The caller frees the text. */
gchar *ocl_number_print (gdouble number);

G_END_DECLS
