/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts and numbers as messages show them. Any thread for both. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a message shows of a text that may be long; free it. */
gchar *ocl_text_shorten (const gchar * text);

/* A number as short as it can be and still be the same when it is read; free
 * it. */
gchar *ocl_number_print (gdouble number);

G_END_DECLS
