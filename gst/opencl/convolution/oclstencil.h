/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What linear filters of a frame have in common: a sum of neighbours with fixed
 * weights, and the pixel itself.
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * I is a level in [0, 1] of the largest; alpha is carried through. An operation
 * says with an OclStencil what its parameters mean, and gets its variants of
 * OCL_STENCIL_DEFINE_VARIANT(). */

#pragma once

#include "oclborder.h"
#include "oclvariant.h"
#include "ocltable.h"

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

/* Gives the stencil that the parameters of @run mean for its pass, which may be
 * set in @space. Any thread. */
typedef const OclStencil *(*OclStencilGet) (const OclRun * run,
    OclStencil * space);

/* Makes @stencil, whose radii are set, a box. Any thread. */
void ocl_stencil_set_box (OclStencil * stencil);

/* What follows is for the variants. */

/* Taps of the window, and the weight of the @n-th, row by row. Any thread. */
gint ocl_stencil_get_n_taps (const OclStencil * stencil);
gdouble ocl_stencil_get_weight (const OclStencil * stencil, gint n);

/**
 * OclStencilWeights:
 * @table: cl_float; owned
 * @n: that the device has, or 0
 *
 * Weights on the device. Start with a zeroed struct. One thread at a time.
 */
typedef struct
{
  OclTable table;
  gsize n;
} OclStencilWeights;

/* For at most @limit of them. */
gboolean ocl_stencil_weights_init (OclStencilWeights * weights,
    OclContext * context, gsize limit, GError ** error);
void ocl_stencil_weights_clear (OclStencilWeights * weights);

/* Writes these, where the device has others. */
gboolean ocl_stencil_weights_set (OclStencilWeights * weights,
    OclContext * context, const cl_float * values, gsize n, OclTimer * timer,
    GError ** error);

/* Writes those of the rows of @stencil, then those of its columns. */
gboolean ocl_stencil_weights_set_lines (OclStencilWeights * weights,
    OclContext * context, const OclStencil * stencil, OclTimer * timer,
    GError ** error);

/**
 * OclStencilNumbers:
 * @width: samples of the pass
 * @height: the same, down
 * @radius_x: of the stencil, and so on; @offset in levels
 * @outside: levels of the constant border
 *
 * What all kernels get.
 */
typedef struct
{
  cl_int width;
  cl_int height;
  cl_int radius_x;
  cl_int radius_y;
  cl_float centre;
  cl_float scale;
  cl_float offset;
  cl_int border;
  cl_float4 outside;
} OclStencilNumbers;

void ocl_stencil_get_numbers (const OclStencil * stencil, const OclRun * run,
    OclStencilNumbers * numbers);

/* Adds centre, scale, offset and border, with which the arguments of all
 * kernels end. @numbers have to be there when the arguments are set. Any thread. */
void ocl_stencil_add_numbers (const OclStencilNumbers * numbers,
    OclArguments * arguments);

/* The same for kernels that sum up tap by tap, whose weights have the scale,
 * and of which one is the centre's: offset and border. */
void ocl_stencil_add_dense_numbers (const OclStencilNumbers * numbers,
    OclArguments * arguments);

/* Bytes of the channels of a sample of @pass in local memory. Any thread. */
gsize ocl_stencil_get_sum_size (const OclPass * pass);

/* Enqueues @kernel, of one sample a work-item across and @rows down, in as many
 * launches as @n_taps taps a sample ask for: a GPU is reset when one takes
 * seconds. Kernels see an offset down. One thread at a time. */
gboolean ocl_stencil_enqueue_kernel (OclContext * context, cl_kernel kernel,
    const OclStencilNumbers * numbers, gsize n_taps, gsize rows,
    gsize group_width, gsize group_height, OclTimer * timer, GError ** error);

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

/* The variants of all operations: a work-item a sample, any device. */
gpointer ocl_stencil_plain_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_plain_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_plain_free (gpointer object);

/* Bands of rows, 16 samples at a time, for CPUs. Not DENSE. */
gpointer ocl_stencil_rows_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_rows_free (gpointer object);

/* Tiles in local memory, for GPUs. Not DENSE. */
gpointer ocl_stencil_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_tiled_free (gpointer object);
extern const OclTunable ocl_stencil_tiled_tunables[];

/* The same for windows of up to OCL_STENCIL_MAX_TAPS, tap by tap: those of
 * weight 0 cost nothing, and those of one weight are summed up before they are
 * multiplied. */
gpointer ocl_stencil_dense_rows_new (OclContext * context,
    const OclBuild * build, GError ** error);
gboolean ocl_stencil_dense_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_dense_rows_free (gpointer object);

gpointer ocl_stencil_dense_tiled_new (OclContext * context,
    const OclBuild * build, GError ** error);
gboolean ocl_stencil_dense_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_dense_tiled_free (gpointer object);
extern const OclTunable ocl_stencil_dense_tiled_tunables[];

/* Defines the variant @variant, called @label, of an operation whose parameters
 * @get takes, an OclStencilGet: one of those above; @forms is its get_forms. */
#define OCL_STENCIL_DEFINE_VARIANT(variant, label, kind, kind_flags, table, \
    serves, forms, get) \
static gboolean \
variant##_enqueue (gpointer object, const OclRun * run, GError ** error) \
{ \
  OclStencil space; \
  \
  return ocl_stencil_##kind##_enqueue (object, run, get (run, &space), \
      error); \
} \
\
static const OclVariant variant = { \
  .name = label, \
  .flags = kind_flags, \
  .tunables = table, \
  .can_serve = serves, \
  .get_forms = forms, \
  .new = ocl_stencil_##kind##_new, \
  .enqueue = variant##_enqueue, \
  .free = ocl_stencil_##kind##_free, \
};

G_END_DECLS
