/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter's variant for CPUs, see kernels/bilateral-rows.cl.
 *
 * Part of the operation in oclbilateral.h, which is what others use. One thread
 * at a time. */

#pragma once

#include "oclbilateral.h"

G_BEGIN_DECLS

typedef struct _OclBilateralRows OclBilateralRows;

/* Builds the kernels; keeps a reference to @context. */
OclBilateralRows *ocl_bilateral_rows_new (OclContext * context,
    GError ** error);
void ocl_bilateral_rows_free (OclBilateralRows * rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclBilateralRows, ocl_bilateral_rows_free)

/* As ocl_bilateral_enqueue(); @radius is the resolved one. */
gboolean ocl_bilateral_rows_enqueue (OclBilateralRows * rows,
    const OclBilateralParams * params, gint radius, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error);

G_END_DECLS
