/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stencil is the general form of linear filters of a frame: a sum of
 * neighbours with fixed weights, and the pixel itself.
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * I is a level divided by the largest level, in [0, 1]. Alpha is copied. An
 * operation converts its parameters to an OclStencil, and has the variants of
 * oclstencilvariants.h. */

#pragma once

#include "operation/oclvariant.h"
#include "params/oclborder.h"

G_BEGIN_DECLS

#define OCL_STENCIL_MAX_RADIUS 64
#define OCL_STENCIL_MAX_SIDE (2 * OCL_STENCIL_MAX_RADIUS + 1)
#define OCL_STENCIL_MAX_TAPS (OCL_MATRIX_MAX_SIDE * OCL_MATRIX_MAX_SIDE)

/**
 * OclStencilKind:
 * @OCL_STENCIL_BOX: all weights are 1
 * @OCL_STENCIL_SEPARABLE: a weight is the product of a weight of its column and
 *    a weight of its row
 * @OCL_STENCIL_DENSE: the weights can be any numbers
 */
typedef enum
{
  OCL_STENCIL_BOX,
  OCL_STENCIL_SEPARABLE,
  OCL_STENCIL_DENSE,
} OclStencilKind;

/**
 * OclStencil:
 * @kind: the kind of the weights w (i, j)
 * @radius_x: the number of samples left and right of the middle, up to
 *    OCL_STENCIL_MAX_RADIUS
 * @radius_y: the number of samples above and below the middle
 * @rows: one weight per row of the window, from top to bottom, unused for DENSE
 * @columns: one weight per column of the window, unused for DENSE. w (i, j) is
 *    @columns times @rows
 * @taps: w (i, j) row by row, only for DENSE, whose windows have up to
 *    OCL_MATRIX_MAX_SIDE rows and columns
 * @centre: the factor of the pixel itself
 * @scale: the factor of the sum
 * @offset: the value that is added, in units of the largest level
 * @border: the values of samples outside the frame
 *
 * Describes a filter on the grid of samples of a pass.
 */
typedef struct
{
  OclStencilKind kind;
  gint radius_x;
  gint radius_y;
  gdouble rows[OCL_STENCIL_MAX_SIDE];
  gdouble columns[OCL_STENCIL_MAX_SIDE];
  gdouble taps[OCL_STENCIL_MAX_TAPS];
  gdouble centre;
  gdouble scale;
  gdouble offset;
  OclBorder border;
} OclStencil;

/* Sets @stencil to the stencil for the parameters and the pass of @run.
 * Thread-safe. */
typedef void (*OclStencilInit) (OclStencil * stencil, const OclRun * run);

/**
 * OclStencilFamily:
 * @init: sets the stencil of a run
 *
 * Family data in the table of a variant, for the functions that compute
 * stencils.
 */
typedef struct
{
  OclStencilInit init;
} OclStencilFamily;

/* Sets @stencil to a box. The caller must have set the radii. Thread-safe. */
void ocl_stencil_set_box (OclStencil * stencil);

/* Return the number of taps of the window, and the weight of the @n-th tap,
 * counted row by row. Thread-safe. */
gint ocl_stencil_get_n_taps (const OclStencil * stencil);
gdouble ocl_stencil_get_weight (const OclStencil * stencil, gint n);

/**
 * OclStencilForm:
 * @OCL_STENCIL_FLOATS: sums are floats
 * @OCL_STENCIL_PARTS: sums of some taps are floats, and these sums are added
 *    without loss (only in variants that compute tap by tap)
 * @OCL_STENCIL_PAIRS: weights and sums are pairs of floats, for weights of any
 *    size (only in the plain variant)
 *
 * Forms of the programs of variants, see OclVariant. A more exact form is
 * slower.
 */
typedef enum
{
  OCL_STENCIL_FLOATS,
  OCL_STENCIL_PARTS,
  OCL_STENCIL_PAIRS,
} OclStencilForm;

G_END_DECLS
