/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter's variant for one channel on GPUs, see
 * kernels/bilateral-expanded.cl: the square of a difference is expanded, which
 * saves instructions for each tap. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_expanded;

G_END_DECLS
