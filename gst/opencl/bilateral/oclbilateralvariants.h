/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The variants of the bilateral filter, see oclbilateral.h, and what their
 * tables have in common. */

#pragma once

#include "oclbilateralparams.h"
#include "operation/oclkernels.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_plain;
extern const OclVariant ocl_bilateral_rows;
extern const OclVariant ocl_bilateral_tiled;
extern const OclVariant ocl_bilateral_expanded;
extern const OclVariant ocl_bilateral_fast;
extern const OclVariant ocl_bilateral_fast_tiled;

/* What makes the square of a difference an exponent of 2: -log2 e / (2 σ²), for
 * differences that are @unit for 1. Finite for the smallest @sigma, with the
 * square of any difference that there is as well. Any thread. */
cl_float ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma);

/* Groups of arguments of the kernels: the size of the pass of a run, and the
 * border, with the colour of the constant one. */
#define OCL_BILATERAL_SIZE(run) OCL_INT (ocl_run_get_width (run)), \
    OCL_INT (ocl_run_get_height (run))
#define OCL_BILATERAL_BORDER(params, color) OCL_INT ((params)->border.mode), \
    OCL_FLOAT4 ((color).channels), OCL_FLOAT ((color).luma)

/* What follows from the parameters of @run. Any thread. */
OclBilateralBorder ocl_bilateral_get_run_border (const OclRun * run);

/* Columns, rows and number of the taps of the window of @run, in samples of its
 * pass; those of a disc are fewer. Any thread. */
gint ocl_bilateral_get_tap_columns (const OclRun * run);
gint ocl_bilateral_get_tap_rows (const OclRun * run);
gint ocl_bilateral_get_n_taps (const OclRun * run);

G_END_DECLS
