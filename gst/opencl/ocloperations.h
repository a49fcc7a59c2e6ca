/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists all operations. Tools and tests walk this list and know no operation by
 * name. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The list is ended by NULL. */
extern const OclOperationClass *const ocl_operations[];

/* Returns the operation that is called @name, or NULL. May be called from any
 * thread. */
const OclOperationClass *ocl_operations_find (const gchar * name);

G_END_DECLS
