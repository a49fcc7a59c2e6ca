/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists all operations. Tools and tests iterate over it instead of naming
 * operations. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Terminated by NULL. */
extern const OclOperationClass *const ocl_operations[];

/* Returns the operation named @name, or NULL. May be called from any thread. */
const OclOperationClass *ocl_operations_find (const gchar * name);

G_END_DECLS
