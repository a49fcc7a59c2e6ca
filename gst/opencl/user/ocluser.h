/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's kernel as an operation: a function that computes one pixel from its
 * neighbourhood, see oclusersource.h. */

#pragma once

#include "operation/ocloperationclass.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclUserParams:
 * @location: the name of the file of the text, or NULL
 * @source: the parsed text, see oclusersource.h, or NULL, which leaves frames
 *    unchanged
 * @arguments: the arguments of the kernel that differ from their defaults
 * @border: the values of taps outside the frame
 * @has_arguments: whether @arguments belong to @source, and not to a later
 *    text. Derived from the members above, like @values
 * @values: the value of each argument, in the order of the pragmas
 */
typedef struct
{
  OclLiteral *location;
  OclLiteral *source;
  OclLiteral *arguments;
  OclBorder border;
  gboolean has_arguments;
  gfloat values[OCL_MAX_NAMED_NUMBERS];
} OclUserParams;

/* The operation. Its text is code: it runs with the rights of the process. */
extern const OclOperationClass ocl_user_class;

G_END_DECLS
