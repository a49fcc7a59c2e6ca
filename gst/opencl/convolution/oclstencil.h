/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What linear filters of a frame have in common: a sum of neighbours with fixed
 * weights, and the pixel itself.
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * I is a level in [0, 1] of the largest; alpha is carried through. An operation
 * says with an OclStencil what its parameters mean, and gets its variants of
 * OCL_STENCIL_DEFINE_VARIANTS(). */

#pragma once

#include "oclborder.h"
#include "ocloperation.h"
#include "ocltable.h"

G_BEGIN_DECLS

#define OCL_STENCIL_MAX_RADIUS 64
#define OCL_STENCIL_MAX_SIDE (2 * OCL_STENCIL_MAX_RADIUS + 1)

/**
 * OclStencil:
 * @radius_x: samples left and right of the middle, to OCL_STENCIL_MAX_RADIUS
 * @radius_y: samples above and below it
 * @box: whether all weights are 1, and @rows and @columns of no concern
 * @rows: for each row of the window, from the upper one on
 * @columns: for each column: w (i, j) is @columns times @rows
 * @centre: times the pixel itself
 * @scale: times the sum
 * @offset: added, in units of the largest level
 * @border: what taps outside the frame read
 *
 * On the grid of samples of a pass.
 */
typedef struct
{
  gint radius_x;
  gint radius_y;
  gboolean box;
  gdouble rows[OCL_STENCIL_MAX_SIDE];
  gdouble columns[OCL_STENCIL_MAX_SIDE];
  gdouble centre;
  gdouble scale;
  gdouble offset;
  OclBorder border;
} OclStencil;

/* Sets @stencil to what @params of an operation mean for @pass. Any thread. */
typedef void (*OclStencilInit) (OclStencil * stencil, gconstpointer params,
    const OclPass * pass);

/* What follows is for the variants. */

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

/* The variants of all operations: a work-item a sample, any device. */
gpointer ocl_stencil_plain_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_plain_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_plain_free (gpointer object);

/* Bands of rows, 16 samples at a time, for CPUs. */
gpointer ocl_stencil_rows_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_rows_free (gpointer object);

/* Tiles in local memory, for GPUs. */
gpointer ocl_stencil_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error);
gboolean ocl_stencil_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error);
void ocl_stencil_tiled_free (gpointer object);
extern const OclTunable ocl_stencil_tiled_tunables[];

/* Defines the array @variants for an operation whose parameters @init takes. */
#define OCL_STENCIL_DEFINE_VARIANTS(variants, init) \
OCL_STENCIL_DEFINE_VARIANT (variants##_plain, plain, 0, NULL, init) \
OCL_STENCIL_DEFINE_VARIANT (variants##_rows, rows, \
    OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY, NULL, init) \
OCL_STENCIL_DEFINE_VARIANT (variants##_tiled, tiled, OCL_VARIANT_FOR_GPU, \
    ocl_stencil_tiled_tunables, init) \
static const OclVariant *const variants[] = { \
  &variants##_plain, &variants##_rows, &variants##_tiled, NULL, \
};

#define OCL_STENCIL_DEFINE_VARIANT(variant, kind, kind_flags, table, init) \
static gboolean \
variant##_enqueue (gpointer object, const OclRun * run, GError ** error) \
{ \
  OclStencil stencil; \
  \
  init (&stencil, run->params, run->pass); \
  return ocl_stencil_##kind##_enqueue (object, run, &stencil, error); \
} \
\
static const OclVariant variant = { \
  .name = #kind, \
  .flags = kind_flags, \
  .tunables = table, \
  .new = ocl_stencil_##kind##_new, \
  .enqueue = variant##_enqueue, \
  .free = ocl_stencil_##kind##_free, \
};

G_END_DECLS
