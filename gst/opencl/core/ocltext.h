/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats texts and numbers for messages. All functions may be called from any
 * thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns @text, shortened for a message. The caller frees the result. */
gchar *ocl_text_shorten (const gchar * text);

/* Returns the shortest text that parses to exactly @number. The caller frees
 * the text. */
gchar *ocl_number_print (gdouble number);

G_END_DECLS
