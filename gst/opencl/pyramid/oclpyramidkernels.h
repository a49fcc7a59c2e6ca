/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernels of pyramids, see oclpyramid.h, have in common: a set of them
 * where the fine level is a frame, and one where it is a level. All functions
 * that need no kernel: any thread. */

#pragma once

#include "oclpyramid.h"

G_BEGIN_DECLS

/* The second set. */
#define OCL_PYRAMID_INNER 1
#define OCL_PYRAMID_N_SETS 2

/* Sets @outer and @inner to the kernels of these @names in the program
 * @source_name, as ocl_program_build_kernels() does; what all kernels with
 * levels in @storage need is among the options. */
gboolean ocl_pyramid_build_kernels (OclContext * context,
    const gchar * source_name, const OclBuild * build, OclStorage storage,
    const gchar * const *names, cl_kernel * outer, cl_kernel * inner, guint n,
    GError ** error);

/**
 * OclPyramidArguments:
 * @arguments: of a kernel
 * @layouts: some of the values
 * @n_layouts: how many
 *
 * Start with a zeroed struct.
 */
typedef struct
{
  OclArguments arguments;
  cl_int4 layouts[4];
  guint n_layouts;
} OclPyramidArguments;

/* Adds what kernels get of a level: its memory and, but for 2D images, where in
 * it that is, see kernels/band.clh. */
void ocl_pyramid_add_level (OclPyramidArguments * arguments,
    const OclFrame * level);

/* Adds what they get of the fine level of @step to read, a frame whose pass is
 * @pass, or a level. */
void ocl_pyramid_add_fine (OclPyramidArguments * arguments,
    const OclPyramidStep * step, const OclPass * pass);

/* The same of the one to write. */
void ocl_pyramid_add_output (OclPyramidArguments * arguments,
    const OclPyramidStep * step, const OclPass * pass);

/* Adds the border, what is outside, and with ADD the gains and the offset. */
void ocl_pyramid_add_numbers (OclPyramidArguments * arguments,
    const OclPyramidStep * step);

/**
 * OclPyramidSets:
 * @kernels: reduce, subtract and add, where the fine level is a frame and where
 *    it is a level; owned
 *
 * Kernels that do a step in one launch. Start with a zeroed struct, end with
 * ocl_pyramid_sets_clear().
 */
typedef struct
{
  cl_kernel kernels[OCL_PYRAMID_N_SETS][OCL_PYRAMID_N_KINDS];
} OclPyramidSets;

gboolean ocl_pyramid_sets_init (OclPyramidSets * sets, OclContext * context,
    const gchar * source_name, const OclBuild * build, OclStorage storage,
    GError ** error);

void ocl_pyramid_sets_clear (OclPyramidSets * sets);

/* That of @step. */
cl_kernel ocl_pyramid_sets_get (const OclPyramidSets * sets,
    const OclPyramidStep * step);

/* Adds what such a kernel gets first: the levels of @step, and the sizes of the
 * fine and of the coarse one. */
void ocl_pyramid_add_levels (OclPyramidArguments * arguments,
    const OclPyramidStep * step, const OclPass * pass);

G_END_DECLS
