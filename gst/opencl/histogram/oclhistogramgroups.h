/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histogram's variant for any device, see kernels/histogram.cl. */

#pragma once

#include "oclvariant.h"

G_BEGIN_DECLS

extern const OclVariant ocl_histogram_groups;

G_END_DECLS
