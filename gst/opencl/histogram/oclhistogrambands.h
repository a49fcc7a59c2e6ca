/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram's variant for CPUs, see kernels/histogram-bands.cl. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_histogram_bands;

G_END_DECLS
