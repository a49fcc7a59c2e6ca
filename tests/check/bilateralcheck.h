/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs the bilateral filter on pictures, for the tests of its exact variants
 * and of its approximation. Every failure ends the test. */

#pragma once

#include "opencl/bilateral/oclbilateral.h"
#include "picture.h"

G_BEGIN_DECLS

/**
 * Combination:
 * @variant: the variant to force; NULL to let the operation choose one
 * @storage: the storage of frames
 * @operation: owned
 */
typedef struct
{
  const OclVariant *variant;
  OclStorage storage;
  OclOperation *operation;
} Combination;

/* combination_init() must come first, combination_clear() last. */
void combination_init (Combination * combination, OclContext * context,
    const OclVariant * variant, OclStorage storage);
void combination_clear (Combination * combination);

/* Returns parameters. The colour of the border is fixed, the method is
 * exact. */
OclBilateralParams make_params (gdouble spatial_sigma,
    gdouble intensity_sigma, gint radius, OclBilateralColorMode color_mode,
    OclBilateralWindow window, OclBorderMode border);

/* Filters the RGBA pixels of @input to the pixels of @output. Checks that the
 * bytes around the pixels of @output stay unchanged. */
void filter (const Combination * combination,
    const OclBilateralParams * params, Picture * input, Picture * output);

/* Checks that a picture of one colour stays unchanged. */
void check_constant (const Combination * combination,
    const OclBilateralParams * params);

G_END_DECLS
