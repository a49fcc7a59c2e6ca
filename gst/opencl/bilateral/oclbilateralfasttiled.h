/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter approximated, for GPUs; see oclbilateralwaves.h and
 * kernels/bilateral-fast-tiled.cl. */

#pragma once

#include "oclbilateral.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_fast_tiled;

G_END_DECLS
