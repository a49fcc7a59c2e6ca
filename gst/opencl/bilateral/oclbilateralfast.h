/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter approximated, for CPUs; see oclbilateralwaves.h and
 * kernels/bilateral-fast.cl. */

#pragma once

#include "oclbilateral.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_fast;

G_END_DECLS
