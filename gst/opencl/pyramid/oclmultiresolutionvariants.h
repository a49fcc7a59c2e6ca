/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variants of the multiresolution filter, see oclmultiresolution.h. */

#pragma once

#include "oclmultiresolution.h"

G_BEGIN_DECLS

extern const OclVariant ocl_multiresolution_plain;
extern const OclVariant ocl_multiresolution_rows;
extern const OclVariant ocl_multiresolution_tiled;

G_END_DECLS
