/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel as an operation: a function that computes one pixel from its
 * neighbourhood, see oclusersource.h. */

#pragma once

#include "ocluserparams.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/* The operation. Its text is code: it runs with the rights of the process. */
extern const OclOperationClass ocl_user_class;

G_END_DECLS
