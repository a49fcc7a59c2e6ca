/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The operation that writes what it reads. In a chain it turns integers into
 * floats, or floats into rounded integers, in planes that the operation beside
 * it does not write. It is not in ocl_operations[]. */

#pragma once

#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OclConvertParams:
 * @planes: which planes of Y'CbCr are written
 */
typedef struct
{
  OclPlanes planes;
} OclConvertParams;

extern const OclOperationClass ocl_convert_class;

G_END_DECLS
