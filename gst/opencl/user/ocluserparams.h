/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of a user's kernel, see ocluser.h. */

#pragma once

#include "params/oclborder.h"

G_BEGIN_DECLS

/**
 * OclUserParams:
 * @location: the name of the file that the text is from, or no name
 * @source: the text; 0 for none, which changes nothing
 * @arguments: the arguments of the kernel that do not have their defaults
 * @border: the values that taps outside the frame read
 * @id: the number of the text, see ocl_user_source_get(). It follows from the
 *    members above, like @values
 * @values: the value of each argument, in the order of the pragmas
 */
typedef struct
{
  OclFileName location;
  GQuark source;
  OclNamedNumbers arguments;
  OclBorder border;
  guint id;
  gfloat values[OCL_MAX_NAMED_NUMBERS];
} OclUserParams;

G_END_DECLS
