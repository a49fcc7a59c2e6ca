/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prepares texts and numbers for messages, and keeps texts that are parameters.
 * All functions may be called from any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the part of @text that a message shows, as @text may be long. The
 * caller frees the result. */
gchar *ocl_text_shorten (const gchar * text);

/* Returns @number as the shortest text that reads back as exactly this number.
 * The caller frees the text. */
gchar *ocl_number_print (gdouble number);

/* Returns a number for @text, which is kept as long as the process lives. NULL
 * and "" have the number 0. */
GQuark ocl_text_intern (const gchar * text);

/* Returns the text with the number @quark; "" for 0. */
const gchar *ocl_text_get (GQuark quark);

G_END_DECLS
