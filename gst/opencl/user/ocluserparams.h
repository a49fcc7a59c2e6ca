/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of a user's kernel, see ocluser.h. */

#pragma once

#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclUserParams:
 * @location: the name of the file that the text is from, or NULL
 * @source: the text, with what was read from it, see oclusersource.h; NULL for
 *    none, which changes nothing
 * @arguments: the arguments of the kernel that do not have their defaults
 * @border: the values that taps outside the frame read
 * @has_arguments: whether @arguments are of @source, and not of a text that is
 *    still to come. It follows from the members above, like @values
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

G_END_DECLS
