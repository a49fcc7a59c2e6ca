/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expands the macros of a kernel's text on the host, before it is passed to a
 * driver, to limit its length and to find forbidden calls. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of tokens of an expanded text. */
#define OCL_USER_MAX_TOKENS (128 * 1024)

/* Returns the tokens of @text, called @name in messages, with a space after
 * each, without comments and directives, and with macros expanded. Only macros
 * that the text itself defines are known. As drivers define others, all
 * branches of conditional directives are read, and a macro that is defined
 * inside them expands to all its definitions, one after the other.
 *
 * Adds the names of all macros that the text defines or undefines to @macros, a
 * set of strings that owns its keys.
 *
 * Returns NULL with OCL_ERROR_SETTINGS, which names the line, if the text is
 * too long, includes a file, sets line numbers, has an unterminated comment or
 * conditional directive, or uses work-group functions, assembler or printf. The
 * caller frees the result. May be called from any thread. */
gchar *ocl_user_expand (const gchar * name, const gchar * text,
    GHashTable * macros, GError ** error);

G_END_DECLS
