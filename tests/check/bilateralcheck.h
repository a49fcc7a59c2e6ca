/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter on pictures, for the tests of its exact variants and of
 * its approximation. What fails ends the test. */

#pragma once

#include "opencl/bilateral/oclbilateral.h"
#include "picture.h"

G_BEGIN_DECLS

/**
 * Combination:
 * @variant: that is forced; NULL for the one that is chosen
 * @storage: of frames
 * @operation: owned
 */
typedef struct
{
  const OclVariant *variant;
  OclStorage storage;
  OclOperation *operation;
} Combination;

/* Start with the first, end with the second. */
void combination_init (Combination * combination, OclContext * context,
    const OclVariant * variant, OclStorage storage);
void combination_clear (Combination * combination);

/* The border's colour is always the same, the method exact. */
OclBilateralParams make_params (gdouble spatial_sigma,
    gdouble intensity_sigma, gint radius, OclBilateralColorMode color_mode,
    OclBilateralWindow window, OclBorderMode border);

/* Filters RGBA pixels of @input to those of @output. The bytes around these
 * must stay as they are. */
void filter (const Combination * combination,
    const OclBilateralParams * params, Picture * input, Picture * output);

/* Blue first gives what red first gives: by the kernel, or by an image. */
void check_bgra (const Combination * combination,
    const OclBilateralParams * params);

/* One colour stays that colour. */
void check_constant (const Combination * combination,
    const OclBilateralParams * params);

G_END_DECLS
