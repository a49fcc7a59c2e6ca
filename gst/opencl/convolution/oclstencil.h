/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What linear filters of a frame have in common: a sum of neighbours with fixed
 * weights, and the pixel itself.
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * I is a level in [0, 1] of the largest; alpha is carried through. An operation
 * says with an OclStencil what its parameters mean, and has the variants of
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
 * @OCL_STENCIL_SEPARABLE: a weight is the product of one of the column and one
 *    of the row
 * @OCL_STENCIL_DENSE: any
 */
typedef enum
{
  OCL_STENCIL_BOX,
  OCL_STENCIL_SEPARABLE,
  OCL_STENCIL_DENSE,
} OclStencilKind;

/**
 * OclStencil:
 * @kind: what the weights w (i, j) are
 * @radius_x: samples left and right of the middle, to OCL_STENCIL_MAX_RADIUS
 * @radius_y: samples above and below it
 * @rows: for each row of the window, from the upper one on; not of DENSE
 * @columns: for each column: w (i, j) is @columns times @rows
 * @taps: of DENSE, for which windows have up to OCL_MATRIX_MAX_SIDE rows and
 *    columns: w (i, j) row by row
 * @centre: times the pixel itself
 * @scale: times the sum
 * @offset: added, in units of the largest level
 * @border: what taps outside the frame read
 *
 * On the grid of samples of a pass.
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

/* Sets @stencil to what the parameters of @run mean for its pass. Any
 * thread. */
typedef void (*OclStencilInit) (OclStencil * stencil, const OclRun * run);

/**
 * OclStencilFamily:
 * @init: makes the stencil of a run
 *
 * What the table of a variant tells the functions below.
 */
typedef struct
{
  OclStencilInit init;
} OclStencilFamily;

/* Makes @stencil, whose radii are set, a box. Any thread. */
void ocl_stencil_set_box (OclStencil * stencil);

/* Taps of the window, and the weight of the @n-th, row by row. Any thread. */
gint ocl_stencil_get_n_taps (const OclStencil * stencil);
gdouble ocl_stencil_get_weight (const OclStencil * stencil, gint n);

/**
 * OclStencilForm:
 * @OCL_STENCIL_FLOATS: sums are floats
 * @OCL_STENCIL_PARTS: of variants that go tap by tap: so are sums of some taps,
 *    which are added up without loss
 * @OCL_STENCIL_PAIRS: of the plain variant: weights and sums are pairs of
 *    floats, for weights of any size
 *
 * Programs of variants, see OclVariant, the more exact the slower.
 */
typedef enum
{
  OCL_STENCIL_FLOATS,
  OCL_STENCIL_PARTS,
  OCL_STENCIL_PAIRS,
} OclStencilForm;

G_END_DECLS
