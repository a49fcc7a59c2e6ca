/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The steps of a pyramid, see oclpyramid.h, and the variants that do them.
 *
 * The parameters of a step's run are an OclPyramidStep; its input and output
 * are the fine octave. A variant is built twice: for a fine octave that is the
 * frame itself, where the build has the frame's format, and for one that is an
 * octave of the pyramid, where it has none; its form is the OclStorage of
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
 * @kind: what is to be done
 * @coarse: the octave above the fine one, which REDUCE writes
 * @band: the octave of differences, which SUBTRACT writes
 * @width: samples of the fine octave, across
 * @height: samples of the fine octave, down
 * @coarse_width: samples of the coarse octave, across
 * @coarse_height: samples of the coarse octave, down
 * @border: an OclBorderMode
 * @outside: what is outside of what is reduced or expanded, luma first where
 *    there is luma
 * @gain: of @band, with ADD
 * @coarse_gain: of @coarse, with ADD
 * @offset: of ADD, in levels
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

/* A work-item a sample, and a launch a step of the definition. */
extern const OclVariant ocl_pyramid_plain;

/* Strips of rows, 16 samples at a time, and one launch each, for CPUs; frames
 * and octaves in buffers. */
extern const OclVariant ocl_pyramid_rows;

/* From tiles in local memory, and one launch each, for GPUs; one of the
 * tunables is the storage of octaves: see ocl_pyramid_tiled_get_storage(). */
extern const OclVariant ocl_pyramid_tiled;
extern const OclTunable ocl_pyramid_tiled_tunables[];

/* What octaves are to be in, of the tunables. Any thread. */
OclStorage ocl_pyramid_tiled_get_storage (const OclTuning * tuning);

/* What follows is for the variants. */

/* The options of all: what octaves are, and what the fine one is. */
gchar *ocl_pyramid_get_options (const OclBuild * build,
    const OclDevice * device);

/* The arguments that kernels get of an octave: its memory and, but for 2D
 * images, where in that it is, see kernels/band.clh. */
#define OCL_OCTAVE(octave) OCL_MEMORY ((octave)->planes[0].memory), \
    ocl_octave_get_place (octave)

OclArgument ocl_octave_get_place (const OclFrame * octave);

/* The same of the fine octave that a step reads or writes, which may be the
 * frame itself. */
#define OCL_FINE_IN(kernels, run) \
    ocl_fine_get_memory (kernels, (run)->input, OCL_INPUT), \
    ocl_fine_get_place (kernels, (run)->input)
#define OCL_FINE_OUT(kernels, run) \
    ocl_fine_get_memory (kernels, (run)->output, OCL_OUTPUT), \
    ocl_fine_get_place (kernels, (run)->output)

/* Both take the octave @octave; of the frame itself they give @frame, and
 * nothing. */
OclArgument ocl_fine_get_memory (const OclKernels * kernels,
    const OclFrame * octave, OclArgument frame);
OclArgument ocl_fine_get_place (const OclKernels * kernels,
    const OclFrame * octave);

G_END_DECLS
