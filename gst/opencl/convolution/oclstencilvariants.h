/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ways to compute a stencil, see oclstencil.h, as members of a variant's
 * table: name, flags, when it serves, and an OclStencilFamily are the
 * operation's. */

#pragma once

#include "ocltaps.h"
#include "oclweights.h"
#include "operation/oclstrips.h"

G_BEGIN_DECLS

/**
 * OclStencilState:
 * @stencil: that of the run
 * @weights: of the taps, or of rows and then of columns, on the device; owned
 * @taps: those of DENSE on the device; owned
 * @strips: of variants that take strips; owned
 * @sums: what one kernel hands to the next; owned
 *
 * What the variants keep between frames, each of it what it needs.
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
 * @width: samples of the pass, across
 * @height: samples of the pass, down
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

/* Makes the stencil of @run, which is kept in the state, and returns the
 * numbers of it. One thread at a time. */
OclStencilNumbers ocl_stencil_begin (OclKernels * kernels, const OclRun * run);

/* Groups of arguments of the kernels. */
#define OCL_STENCIL_SIZE(n) OCL_INT ((n).width), OCL_INT ((n).height)
#define OCL_STENCIL_RADII(n) OCL_INT ((n).radius_x), OCL_INT ((n).radius_y)
#define OCL_STENCIL_SUM(n) OCL_FLOAT ((n).centre), OCL_FLOAT ((n).scale), \
    OCL_FLOAT ((n).offset)
#define OCL_STENCIL_BORDER(n) OCL_INT ((n).border), OCL_FLOAT4 ((n).outside)

/* The functions of the tables below. */
gchar *ocl_stencil_plain_get_options (const OclBuild * build,
    const OclDevice * device);
gboolean ocl_stencil_plain_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
gboolean ocl_stencil_rows_enqueue (OclKernels * kernels, const OclRun * run,
    GError ** error);
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

/* A sample a work-item, on any device. */
#define OCL_STENCIL_PLAIN \
    .source = "stencil.cl", .kernels = OCL_NAMES ("stencil"), \
    .group_width = 16, .group_height = 16, \
    .state_size = sizeof (OclStencilState), \
    .get_options = ocl_stencil_plain_get_options, \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_plain_enqueue

/* Strips of rows, 16 samples at a time, for CPUs. Not DENSE. */
#define OCL_STENCIL_ROWS \
    .source = "stencil-rows.cl", .kernels = OCL_NAMES ("separable", "box"), \
    .state_size = sizeof (OclStencilState), \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_rows_enqueue

/* Tiles in local memory, for GPUs. Not DENSE. */
#define OCL_STENCIL_TILED \
    .tunables = ocl_stencil_tiled_tunables, .source = "stencil-tiled.cl", \
    .kernels = OCL_NAMES ("tiled", "down", "across"), \
    .state_size = sizeof (OclStencilState), .init = ocl_stencil_tiled_init, \
    .clear = ocl_stencil_state_clear, .enqueue = ocl_stencil_tiled_enqueue

/* The same for windows of up to OCL_STENCIL_MAX_TAPS, tap by tap: those of
 * weight 0 cost nothing, and those of one weight are summed up before they are
 * multiplied. */
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

/* The variants of an operation whose stencils are not DENSE: what its class,
 * outside of functions, has. */
#define OCL_STENCIL_VARIANTS(init_stencil) ((const OclVariant *const[]) { \
    &(const OclVariant) {.name = "plain", OCL_STENCIL_PLAIN, \
        .family = &(const OclStencilFamily) {init_stencil}}, \
    &(const OclVariant) {.name = "rows", \
        .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY, \
        OCL_STENCIL_ROWS, \
        .family = &(const OclStencilFamily) {init_stencil}}, \
    &(const OclVariant) {.name = "tiled", .flags = OCL_VARIANT_FOR_GPU, \
        OCL_STENCIL_TILED, \
        .family = &(const OclStencilFamily) {init_stencil}}, \
    NULL})

G_END_DECLS
