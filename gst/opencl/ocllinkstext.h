/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text that users write for the operations of a chain:
 *
 *   bilateral spatial-sigma=2 ! sharpen radius=2 ! kernel location=a.cl gain=2
 *
 * A name of ocl_operations[] is followed by parameters, NAME=VALUE, in any
 * order; values are those of ocl_param_parse(). Arguments of a user's kernel
 * are written like parameters. Words are separated by blanks and quoted as for
 * a shell; a `!` by itself is between two operations. An empty text has no
 * operation.
 *
 * All functions may be called from any thread. */

#pragma once

#include "graph/ocllinks.h"

G_BEGIN_DECLS

/* Sets @links, which is zeroed, to the operations in @text, with a new id. End
 * with ocl_links_clear(). Returns FALSE with OCL_ERROR_SETTINGS if @text is
 * wrong; the message names the operation by its place and its name. */
gboolean ocl_links_parse (OclLinks * links, const gchar * text,
    GError ** error);

/* Returns @links as a text that ocl_links_parse() takes: the parameters that
 * are not at their defaults. The caller frees it. */
gchar *ocl_links_print (const OclLinks * links);

/* Returns the names of the operations that a chain may have, with commas. The
 * caller frees the text. */
gchar *ocl_links_list_operations (void);

G_END_DECLS
