/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Variants of a stencil, see oclstencil.h, as members of a variant's table. The
 * operation adds the name, the flags, @can_serve and an OclStencilFamily. */

#pragma once

#include "ocltaps.h"
#include "oclweights.h"
#include "operation/oclstrips.h"

G_BEGIN_DECLS

/**
 * OclStencilState:
 * @stencil: the stencil of the run
 * @weights: the weights of the taps, or of the rows and then of the columns, on
 *    the device (owned)
 * @taps: the taps of a DENSE stencil on the device (owned)
 * @strips: the strips, for variants that use strips (owned)
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
  OclStrips strips;
  OclMemory sums;
} OclStencilState;

void ocl_stencil_state_clear (gpointer state);

/**
 * OclStencilNumbers:
 * @width: the width of the pass in samples
 * @height: the height of the pass in samples
 * @radius_x: @radius_x of the stencil
 * @radius_y: @radius_y of the stencil
 * @centre: @centre of the stencil
 * @scale: @scale of the stencil
 * @offset: @offset of the stencil, in levels
 * @border: the mode of the border of the stencil
 * @outside: the levels of the constant border
 *
 * Arguments of all kernels.
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

/* Sets the stencil of @run in the state of @kernels, and returns the numbers of
 * the stencil. Use @kernels from one thread at a time. */
OclStencilNumbers ocl_stencil_begin (OclKernels * kernels, const OclRun * run);

/* Expand to groups of kernel arguments. */
#define OCL_STENCIL_SIZE(n) OCL_INT ((n).width), OCL_INT ((n).height)
#define OCL_STENCIL_RADII(n) OCL_INT ((n).radius_x), OCL_INT ((n).radius_y)
#define OCL_STENCIL_SUM(n) OCL_FLOAT ((n).centre), OCL_FLOAT ((n).scale), \
    OCL_FLOAT ((n).offset)
#define OCL_STENCIL_BORDER(n) OCL_INT ((n).border), OCL_FLOAT4 ((n).outside)

/* Functions of the tables below. */
gchar *ocl_stencil_plain_get_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_plain_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gboolean ocl_stencil_rows_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gchar *ocl_stencil_tiled_get_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_tiled_init (OclKernels * kernels, GError ** error);
gboolean ocl_stencil_tiled_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gchar *ocl_stencil_dense_get_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_dense_rows_enqueue (OclKernels * kernels,
    const OclRun * run, GError ** error);
gboolean ocl_stencil_dense_tiled_enqueue (OclKernels * kernels,
    const OclRun * run, GError ** error);

extern const OclTunable ocl_stencil_tiled_tunables[];
extern const OclTunable ocl_stencil_dense_tiled_tunables[];

/* Computes one sample per work-item, on any device. */
#define OCL_STENCIL_PLAIN \
    .source = "stencil.cl", .kernels = OCL_NAMES ("stencil"), \
    .group_width = 16, .group_height = 16, \
    .state_size = sizeof (OclStencilState), \
    .get_options = ocl_stencil_plain_get_options, \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_plain_enqueue

/* Computes strips of rows, 16 samples at a time, for CPUs. Does not support
 * DENSE. */
#define OCL_STENCIL_ROWS \
    .source = "stencil-rows.cl", .kernels = OCL_NAMES ("separable", "box"), \
    .state_size = sizeof (OclStencilState), \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_rows_enqueue

/* Sets @forms to the forms of the tiled programs for windows up to @radius, and
 * returns their number. */
guint ocl_stencil_tiled_get_forms (gint radius, guint forms[OCL_MAX_FORMS]);

/* Computes from tiles in local memory, for GPUs. Does not support DENSE. The
 * operation adds @get_forms. */
#define OCL_STENCIL_TILED \
    .tunables = ocl_stencil_tiled_tunables, .source = "stencil-tiled.cl", \
    .kernels = OCL_NAMES ("tiled", "down", "across"), \
    .get_options = ocl_stencil_tiled_get_options, \
    .state_size = sizeof (OclStencilState), .init = ocl_stencil_tiled_init, \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_tiled_enqueue

/* OCL_STENCIL_DENSE_ROWS uses strips of rows, for CPUs, and
 * OCL_STENCIL_DENSE_TILED uses tiles in local memory, for GPUs. Both compute
 * windows of up to OCL_STENCIL_MAX_TAPS taps, tap by tap. Taps of weight 0 have
 * no cost. Taps of equal weight are added before they are multiplied. */
#define OCL_STENCIL_DENSE_ROWS \
    .source = "stencil-dense-rows.cl", .kernels = OCL_NAMES ("dense"), \
    .state_size = sizeof (OclStencilState), \
    .get_options = ocl_stencil_dense_get_options, \
    .clear = ocl_stencil_state_clear, \
    .enqueue = ocl_stencil_dense_rows_enqueue

#define OCL_STENCIL_DENSE_TILED \
    .tunables = ocl_stencil_dense_tiled_tunables, \
    .source = "stencil-dense-tiled.cl", \
    .kernels = OCL_NAMES ("dense", "direct"), \
    .state_size = sizeof (OclStencilState), \
    .get_options = ocl_stencil_dense_get_options, \
    .clear = ocl_stencil_state_clear, \
    .enqueue = ocl_stencil_dense_tiled_enqueue

G_END_DECLS
