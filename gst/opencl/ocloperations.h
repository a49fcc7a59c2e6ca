/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists all operations, which tools and tests iterate over, and parses chains
 * of operations from texts:
 *
 *   bilateral spatial-sigma=2 ! sharpen radius=2 ! kernel location=a.cl gain=2
 *
 * A name of ocl_operations[] is followed by parameters, NAME=VALUE, in any
 * order. ocl_param_parse() parses the values. Arguments of a user's kernel are
 * written like parameters. Words are separated by blanks and quoted as for a
 * shell. A separate `!` divides two operations. An empty text has no operation.
 *
 * All functions may be called from any thread. */

#pragma once

#include "graph/ocloperationlist.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Terminated by NULL. */
extern const OclOperationClass *const ocl_operations[];

/* Returns the operation named @name, or NULL. */
const OclOperationClass *ocl_operations_find (const gchar * name);

/* Sets @list, which is zeroed, to the operations in @text, with a new id.
 * ocl_operation_list_clear() releases them. Returns FALSE with
 * OCL_ERROR_SETTINGS if @text is invalid. The message has the position and the
 * name of the operation. */
gboolean ocl_operation_list_parse (OclOperationList * list, const gchar * text,
    GError ** error);

/* Returns the names of the operations for chains, with commas. The caller frees
 * the text. */
gchar *ocl_operations_get_names (void);

G_END_DECLS
