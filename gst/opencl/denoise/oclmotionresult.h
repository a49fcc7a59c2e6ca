/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The result of the motion search, see oclmotion.h: an array of cl_int. For
 * each neighbour it has the vectors of all blocks, x before y, row by row. */

#pragma once

#include "oclpictures.h"

G_BEGIN_DECLS

/* As in kernels/motion.clh. */
#define OCL_MOTION_BLOCK 16
#define OCL_MOTION_CELL 4

/* Maximum length of a vector in each direction. */
#define OCL_MOTION_MAX_VECTOR 19

/**
 * OclMotionShared:
 * @memory: the blurred pictures of luma, see kernels/motion.clh
 * @offsets: their positions
 *
 * Data that the result shares with operations that need it, see OclResult.
 */
typedef struct
{
  cl_mem memory;
  OclPicturesOffsets offsets;
} OclMotionShared;

/* Return the numbers of blocks and cells of the picture of @run across and
 * down. May be called from any thread. */
cl_int2 ocl_motion_get_blocks (const OclRun * run);
cl_int2 ocl_motion_get_cells (const OclRun * run);

/* Returns the number of cells of a picture like @info. */
gsize ocl_motion_count_cells (const OclFrameInfo * info);

/* Returns the size of the result for frames like @info, in bytes. */
gsize ocl_motion_get_result_size (const OclFrameInfo * info);

G_END_DECLS
