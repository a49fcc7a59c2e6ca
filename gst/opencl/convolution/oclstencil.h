/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A stencil is the general form of linear filters of a frame: a sum of
 * neighbours with fixed weights, and the pixel itself.
 *
 *   out (p) = centre · I (p) + scale · Σ w (i, j) I (p + (i, j)) + offset
 *
 * I is a level divided by the largest level, in [0, 1]. Alpha is copied. An
 * operation converts its parameters to an OclStencil, and has the variants
 * below, as members of a variant's table. */

#pragma once

#include "core/oclmemory.h"
#include "operation/oclkernels.h"
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

/**
 * OclStencilFamily:
 * @init: sets @stencil to the stencil for the parameters and the pass of @run.
 *    Thread-safe
 *
 * Family data in the table of a variant, for the functions that compute
 * stencils.
 */
typedef struct
{
  void (*init) (OclStencil * stencil, const OclRun * run);
} OclStencilFamily;

/* Sets @stencil to a box. The caller must have set the radii. Thread-safe. */
void ocl_stencil_set_box (OclStencil * stencil);

/* Returns the number of taps of the window. Thread-safe. */
gint ocl_stencil_get_n_taps (const OclStencil * stencil);

/**
 * OclStencilSpecialization:
 * @OCL_STENCIL_FLOATS: sums are floats
 * @OCL_STENCIL_PARTS: sums of some taps are floats, and these sums are added
 *    without loss (only in variants that compute tap by tap)
 * @OCL_STENCIL_PAIRS: weights and sums are pairs of floats, for weights of any
 *    size (only in the plain variant)
 *
 * Specializations of variants, see OclVariant. A more exact specialization is
 * slower.
 */
typedef enum
{
  OCL_STENCIL_FLOATS,
  OCL_STENCIL_PARTS,
  OCL_STENCIL_PAIRS,
} OclStencilSpecialization;

/**
 * OclWeights:
 * @coefficients: the weights on the device, as cl_float (owned)
 * @limit: the largest number of weights
 * @n: the number of weights on the device, or 0
 * @values: the weights to write to the device (owned)
 *
 * The weights of the taps of a filter on the device. Start with a zeroed
 * struct, end with ocl_weights_clear(). Use the struct from one thread at a
 * time.
 */
typedef struct
{
  OclCoefficients coefficients;
  gsize limit;
  gsize n;
  cl_float *values;
} OclWeights;

/* Returns the array for at most @limit weights of the caller. All calls must
 * have the same @limit. */
cl_float *ocl_weights_begin (OclWeights * weights, gsize limit);

/* Writes the first @n weights of the array to the device, unless the device
 * already has the same weights. Before a write, waits until the previous write
 * has ended. */
gboolean ocl_weights_end (OclWeights * weights, OclContext * context, gsize n,
    OclTimer * timer, GError ** error);

/* Commands may be in flight, see ocl_coefficients_clear(). */
void ocl_weights_clear (OclWeights * weights);

/**
 * OclTaps:
 * @coefficients: the entries (owned)
 * @n_groups: the number of groups in @coefficients
 * @n_taps: the number of taps in @coefficients
 * @n_weights: the number of weights of the window of @coefficients, or 0 if
 *    they are not on the device
 * @width: the number of columns of the window
 * @weights: the weights of the window (owned)
 *
 * The taps of a window on the device, in groups of taps with equal weight. Taps
 * of weight 0 are omitted.
 *
 * The coefficients are entries of two words. The first entries are for the
 * groups: the weight of the group, a float, and the index where its taps end.
 * The next entries are for the taps: the row and the column of the tap, counted
 * from the upper left tap of the window.
 *
 * Groups of positive weights and groups of negative weights alternate, so that
 * the sum of the first n groups is small where levels differ little. The number
 * of taps of a group is limited so that its levels are added without rounding.
 * If ocl_taps_get_specialization() returns OCL_STENCIL_PARTS, kernels add some
 * groups at a time, and then add these sums without loss (kernels/sum.clh). If
 * ocl_taps_supports() returns TRUE, the result differs from the exact result
 * by at most one level for depths of up to 12 bits, and by at most 2 levels for
 * 16 bits.
 */
typedef struct
{
  OclCoefficients coefficients;
  cl_int n_groups;
  cl_int n_taps;
  gint n_weights;
  gint width;
  cl_float *weights;
} OclTaps;

/* Returns whether frames of @format can be computed within the errors above.
 * @gain is the sum of the absolute weights, and @largest is the largest
 * absolute weight. Thread-safe. */
gboolean ocl_taps_supports (gdouble gain, gdouble largest,
    const OclFormat * format);

/* Returns the specialization for weights of @gain and frames of @format.
 * Thread-safe. */
OclStencilSpecialization ocl_taps_get_specialization (gdouble gain,
    const OclFormat * format);

/**
 * OclStencilState:
 * @stencil: the stencil of the run
 * @weights: the weights of the taps, or of the rows and then of the columns, on
 *    the device (owned)
 * @taps: the taps of a DENSE stencil on the device (owned)
 * @slices: the slices, for variants that use slices (owned)
 * @sums: the sums that one kernel passes to the next (owned)
 *
 * State of the variants between frames. Each variant uses only some of the
 * members.
 */
typedef struct
{
  OclStencil stencil;
  OclWeights weights;
  OclTaps taps;
  OclSlices slices;
  OclMemory sums;
} OclStencilState;

void ocl_stencil_state_clear (gpointer state);

/* The members of a variant's table. The operation adds the name, the flags,
 * @supports and an OclStencilFamily. */
#define OCL_STENCIL_STATE .state_size = sizeof (OclStencilState), \
    .clear = ocl_stencil_state_clear

/* Functions of the tables below. */
gchar *ocl_stencil_get_form_options (const OclBuild * build,
    const OclDevice * device);
gchar *ocl_stencil_get_radius_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_plain_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gboolean ocl_stencil_rows_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gboolean ocl_stencil_tiled_init (OclKernels * kernels, GError ** error);
gboolean ocl_stencil_tiled_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gboolean ocl_stencil_dense_rows_enqueue (OclKernels * kernels,
    const OclRun * run, GError ** error);
gboolean ocl_stencil_dense_tiled_enqueue (OclKernels * kernels,
    const OclRun * run, GError ** error);
gboolean ocl_stencil_blocked_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);

extern const OclTunable ocl_stencil_blocked_tunables[];
extern const OclTunable ocl_stencil_tiled_tunables[];
extern const OclTunable ocl_stencil_dense_tiled_tunables[];

/* Computes one sample per work-item, on any device. */
#define OCL_STENCIL_PLAIN \
    .source = "stencil.cl", .kernels = OCL_NAMES ("stencil"), \
    .group_width = 16, .group_height = 16, \
    .get_options = ocl_stencil_get_form_options, \
    OCL_STENCIL_STATE, .enqueue = ocl_stencil_plain_enqueue

/* Computes slices of rows, 16 samples at a time, for CPUs. Does not support
 * DENSE. */
#define OCL_STENCIL_ROWS \
    .source = "stencil-rows.cl", .kernels = OCL_NAMES ("separable", "box"), \
    OCL_STENCIL_STATE, .enqueue = ocl_stencil_rows_enqueue

/* Sets @specializations to the tiled specializations for windows up to @radius,
 * and returns their number. */
guint ocl_stencil_tiled_get_specializations (gint radius,
    guint specializations[OCL_MAX_SPECIALIZATIONS]);

/* Computes from tiles in local memory, for GPUs. Does not support DENSE. The
 * operation adds @get_specializations. */
#define OCL_STENCIL_TILED \
    .tunables = ocl_stencil_tiled_tunables, .source = "stencil-tiled.cl", \
    .kernels = OCL_NAMES ("tiled", "down", "across"), \
    .get_options = ocl_stencil_get_radius_options, \
    OCL_STENCIL_STATE, .init = ocl_stencil_tiled_init, \
    .enqueue = ocl_stencil_tiled_enqueue

/* OCL_STENCIL_DENSE_ROWS uses slices of rows, for CPUs, and
 * OCL_STENCIL_DENSE_TILED uses tiles in local memory, for GPUs. Both compute
 * windows of up to OCL_STENCIL_MAX_TAPS taps, tap by tap. Taps of weight 0 have
 * no cost. Taps of equal weight are added before they are multiplied. */
#define OCL_STENCIL_DENSE_ROWS \
    .source = "stencil-dense-rows.cl", .kernels = OCL_NAMES ("dense"), \
    .get_options = ocl_stencil_get_form_options, \
    OCL_STENCIL_STATE, .enqueue = ocl_stencil_dense_rows_enqueue

#define OCL_STENCIL_DENSE_TILED \
    .tunables = ocl_stencil_dense_tiled_tunables, \
    .source = "stencil-dense-tiled.cl", \
    .kernels = OCL_NAMES ("dense", "direct"), \
    .get_options = ocl_stencil_get_form_options, \
    OCL_STENCIL_STATE, .enqueue = ocl_stencil_dense_tiled_enqueue

/* Returns whether windows up to @radius, the radius of luma, are so small that
 * blocks are faster than tiles for the channels of @pass. If @stencil is DENSE,
 * floats must also hold sums of levels of @format to a quarter of a level in
 * any order. Thread-safe. */
gboolean ocl_stencil_blocked_supports (const OclStencil * stencil,
    const OclFormat * format, const OclPass * pass, gint radius);

/* Sets @specializations to the specialization for windows up to @radius, and
 * returns 1. Passes over chroma have windows that are no larger. */
guint ocl_stencil_blocked_get_specializations (gint radius,
    guint specializations[OCL_MAX_SPECIALIZATIONS]);

/* Computes a block of samples per work-item in registers, for GPUs and small
 * windows. The operation adds @get_specializations. In images, tiles are faster
 * than blocks unless the stencil is DENSE. */
#define OCL_STENCIL_BLOCKED \
    .tunables = ocl_stencil_blocked_tunables, \
    .source = "stencil-blocked.cl", \
    .kernels = OCL_NAMES ("dense", "separable"), \
    .get_options = ocl_stencil_get_radius_options, \
    OCL_STENCIL_STATE, .enqueue = ocl_stencil_blocked_enqueue

G_END_DECLS
