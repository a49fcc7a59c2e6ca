/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter's variant for any device, see kernels/bilateral.cl. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_plain;

G_END_DECLS
