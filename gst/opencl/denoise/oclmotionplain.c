/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search for any device. */
#include "oclmotionvariants.h"

enum
{
  KERNEL_BLUR,
  KERNEL_HALVE,
  KERNEL_SEARCH
};

static gboolean
fill_picture (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const OclGrid grid = OCL_GRID (KERNEL_BLUR,
      ocl_motion_get_side (blocks.s[0], 0),
      ocl_motion_get_side (blocks.s[1], 0));

  return ocl_motion_fill_picture (self, run, grid, KERNEL_HALVE, memory,
      offset, error);
}

static const OclMotionFamily family = {
  .fill = fill_picture,.search = KERNEL_SEARCH
};

const OclVariant ocl_motion_plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion.cl",
  .kernels = OCL_NAMES ("blur", "halve", "search"),
  .group_width = 32,
  .group_height = 2,
  .state_size = sizeof (OclMotionState),
  .family = &family,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};
