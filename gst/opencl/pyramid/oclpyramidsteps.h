/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Steps of a pyramid, see oclpyramid.h, and the variants that compute the
 * steps.
 *
 * Each run of a step has an OclPyramidStep as its parameters. The input and the
 * output of the run are fine octaves. A variant is built twice: once for steps
 * whose fine octave is the frame itself (the build has the format of the
 * frame), and once for steps whose fine octave is an octave of the pyramid (the
 * build has no format). The form of the build is the OclStorage of the
 * octaves. */

#pragma once

#include "operation/oclkernels.h"

G_BEGIN_DECLS

/**
 * OclPyramidKind:
 * @OCL_PYRAMID_REDUCE: coarse = reduce (fine)
 * @OCL_PYRAMID_SUBTRACT: band = fine - expand (coarse)
 * @OCL_PYRAMID_ADD: output = gain band + coarse_gain expand (coarse) + offset,
 *    with the alpha of fine
 */
typedef enum
{
  OCL_PYRAMID_REDUCE,
  OCL_PYRAMID_SUBTRACT,
  OCL_PYRAMID_ADD,
} OclPyramidKind;

/**
 * OclPyramidStep:
 * @kind: the step to compute
 * @coarse: the octave above the fine octave, written by REDUCE
 * @band: the octave of differences, written by SUBTRACT
 * @width: samples of the fine octave, across
 * @height: samples of the fine octave, down
 * @coarse_width: samples of the coarse octave, across
 * @coarse_height: samples of the coarse octave, down
 * @border: an OclBorderMode
 * @outside: the value outside the octave that is reduced or expanded. Luma
 *    comes first if the octaves have luma
 * @gain: the factor of @band in ADD
 * @coarse_gain: the factor of @coarse in ADD
 * @offset: the offset in ADD, in levels
 */
typedef struct
{
  OclPyramidKind kind;
  const OclFrame *coarse;
  const OclFrame *band;
  cl_int width;
  cl_int height;
  cl_int coarse_width;
  cl_int coarse_height;
  cl_int border;
  cl_float4 outside;
  cl_float gain;
  cl_float coarse_gain;
  cl_float offset;
} OclPyramidStep;

/* Computes one sample per work-item, in one launch per step of the
 * definition. */
extern const OclVariant ocl_pyramid_plain;

/* Computes strips of rows, 16 samples at a time, in one launch per step, for
 * CPUs. Frames and octaves are in buffers. */
extern const OclVariant ocl_pyramid_rows;

/* Computes from tiles in local memory, in one launch per step, for GPUs. One of
 * the tunables is the storage of the octaves, see
 * ocl_pyramid_tiled_get_storage(). */
extern const OclVariant ocl_pyramid_tiled;
extern const OclTunable ocl_pyramid_tiled_tunables[];

/* Returns the storage of the octaves that @tuning selects. Thread-safe. */
OclStorage ocl_pyramid_tiled_get_storage (const OclTuning * tuning);

/* The declarations below are for the variants only. */

/* Returns the common compiler options of all variants, which describe the
 * octaves and the fine octave. */
gchar *ocl_pyramid_get_options (const OclBuild * build,
    const OclDevice * device);

/* The arguments of a kernel for an octave: its memory and, except for 2D
 * images, its place in the memory, see kernels/band.clh. */
#define OCL_OCTAVE(octave) OCL_MEMORY ((octave)->planes[0].memory), \
    ocl_octave_get_place (octave)

OclArgument ocl_octave_get_place (const OclFrame * octave);

/* The arguments of a kernel for the fine octave that a step reads or writes.
 * The fine octave may be the frame itself. */
#define OCL_FINE_IN(kernels, run) \
    ocl_fine_get_memory (kernels, (run)->input, OCL_INPUT), \
    ocl_fine_get_place (kernels, (run)->input)
#define OCL_FINE_OUT(kernels, run) \
    ocl_fine_get_memory (kernels, (run)->output, OCL_OUTPUT), \
    ocl_fine_get_place (kernels, (run)->output)

/* Return the memory and the place of the octave @octave. If the kernels are
 * built for the frame itself as the fine octave, these functions return @frame
 * and no argument, respectively. */
OclArgument ocl_fine_get_memory (const OclKernels * kernels,
    const OclFrame * octave, OclArgument frame);
OclArgument ocl_fine_get_place (const OclKernels * kernels,
    const OclFrame * octave);

G_END_DECLS
