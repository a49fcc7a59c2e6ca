/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Variants of the bilateral filter, see oclbilateral.h, and the common
 * functions of their tables. */

#pragma once

#include "oclbilateralparams.h"
#include "operation/oclkernels.h"

G_BEGIN_DECLS

extern const OclVariant ocl_bilateral_plain;
extern const OclVariant ocl_bilateral_rows;
extern const OclVariant ocl_bilateral_tiled;
extern const OclVariant ocl_bilateral_expanded;
extern const OclVariant ocl_bilateral_expanded_rgb;
extern const OclVariant ocl_bilateral_fast;
extern const OclVariant ocl_bilateral_fast_tiled;

/* Returns the factor that converts the square of a difference to an exponent of
 * 2: -log2 e / (2 σ²). A difference of @unit stands for 1. The factor is finite
 * even for the smallest @sigma, and so is its product with the square of any
 * difference that occurs. Thread-safe. */
cl_float ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma);

/* Expand to groups of kernel arguments: the size of the pass of a run, and the
 * border with the colour of the constant border. */
#define OCL_BILATERAL_SIZE(run) OCL_INT (ocl_run_get_width (run)), \
    OCL_INT (ocl_run_get_height (run))
#define OCL_BILATERAL_BORDER(params, color) OCL_INT ((params)->border.mode), \
    OCL_FLOAT4 ((color).channels), OCL_FLOAT ((color).luma)

/**
 * OclBilateralBorder:
 * @channels: the channels of a pass
 * @luma: the luma, which guides the pass
 *
 * Colour of the constant border in levels.
 */
typedef struct
{
  cl_float4 channels;
  cl_float luma;
} OclBilateralBorder;

/* Returns the colour of the constant border for the parameters of @run.
 * Thread-safe. */
OclBilateralBorder ocl_bilateral_get_border (const OclRun * run);

/* Return the number of columns, of rows and of all taps in the square window of
 * @run, in samples of the pass. A disc has fewer taps. Thread-safe. */
gint ocl_bilateral_get_tap_columns (const OclRun * run);
gint ocl_bilateral_get_tap_rows (const OclRun * run);
gint ocl_bilateral_get_n_taps (const OclRun * run);

/* Returns the number of terms of the cosine expansion for @pass of frames that
 * are filtered with @params. The cost of a frame grows with this number.
 * Returns 0 if the approximation is not available: for colour modes other than
 * intensity, for radii below 10 and spatial sigmas below 5, both in samples,
 * for intensity sigmas below about 0.022, and for samples that do not stand for
 * a square of pixels. Thread-safe. */
gint ocl_bilateral_count_terms (const OclBilateralParams * params,
    const OclPass * pass);

G_END_DECLS
