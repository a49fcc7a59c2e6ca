/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter's variant for CPUs, see kernels/bilateral-rows.cl. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_rows;

G_END_DECLS
