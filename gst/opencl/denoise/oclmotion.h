/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search: finds the blocks of a frame in neighbouring frames. The
 * result of the operation stays on the device.
 *
 * A luma block of 16 x 16 pixels has one vector for each neighbour. All sums
 * are integers, so that every variant finds the same vectors.
 * kernels/motion.clh has the algorithm. */

#pragma once

#include "oclframecache.h"
#include "operation/ocloperationclass.h"

G_BEGIN_DECLS

/**
 * OclMotionParams:
 * @n_neighbours: number of other frames to compare
 * @search: whether blocks are searched for. Otherwise all vectors are 0
 * @noise: the standard deviation of the noise of luma, in levels of 8 bits. -1
 *    for the noise in the first needed result, an OclNoiseResult, which also
 *    has cuts
 */
typedef struct
{
  guint n_neighbours;
  gboolean search;
  gdouble noise;
} OclMotionParams;

/* As in kernels/motion.clh. */
#define OCL_MOTION_BLOCK 16
#define OCL_MOTION_CELL 4

/* Maximum length of a vector in each direction. */
#define OCL_MOTION_MAX_VECTOR 19

/**
 * OclMotionShared:
 * @memory: the blurred frames of luma, see kernels/motion.clh
 * @offsets: their positions
 *
 * Data that the result shares with operations that need it, see OclResult.
 */
typedef struct
{
  cl_mem memory;
  OclFrameCacheOffsets offsets;
} OclMotionShared;

/* Return the numbers of blocks and cells of the frame of @run across and
 * down. May be called from any thread. */
cl_int2 ocl_motion_get_blocks (const OclRun * run);
cl_int2 ocl_motion_get_cells (const OclRun * run);

/* Returns the number of cells of a frame like @info. */
gsize ocl_motion_count_cells (const OclFrameInfo * info);

/* The operation. Its result is an array of cl_int: for each neighbour the
 * vectors of all blocks, x before y, row by row. */
extern const OclOperationClass ocl_motion_class;

G_END_DECLS
