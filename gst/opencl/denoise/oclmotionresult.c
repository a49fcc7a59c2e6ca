/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmotionresult.h"

static cl_int2
count_parts (const OclFrameInfo * info, gint side)
{
  const cl_int2 n = { {(info->width + side - 1) / side,
      (info->height + side - 1) / side}
  };

  return n;
}

cl_int2
ocl_motion_get_blocks (const OclRun * run)
{
  return count_parts (&run->input->info, OCL_MOTION_BLOCK);
}

cl_int2
ocl_motion_get_cells (const OclRun * run)
{
  return count_parts (&run->input->info, OCL_MOTION_CELL);
}

gsize
ocl_motion_count_cells (const OclFrameInfo * info)
{
  const cl_int2 cells = count_parts (info, OCL_MOTION_CELL);

  return (gsize) cells.s[0] * cells.s[1];
}

gsize
ocl_motion_get_result_size (const OclFrameInfo * info)
{
  const cl_int2 blocks = count_parts (info, OCL_MOTION_BLOCK);

  return 2 * (gsize) OCL_MAX_NEIGHBOURS *blocks.s[0] * blocks.s[1]
  * sizeof (cl_int);
}
