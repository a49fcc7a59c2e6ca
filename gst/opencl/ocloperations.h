/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All operations: tools and tests walk this list and know none by name. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Ended by NULL. */
extern const OclOperationClass *const ocl_operations[];

/* The operation of that name, or NULL. Any thread. */
const OclOperationClass *ocl_operations_find (const gchar * name);

G_END_DECLS
