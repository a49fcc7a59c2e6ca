/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter's variant for GPUs, see kernels/bilateral-tiled.cl. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_tiled;

G_END_DECLS
