/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search for GPUs. */
#include "oclmotionvariants.h"

enum
{
  KERNEL_BLUR,
  KERNEL_HALVE,
  KERNEL_SEARCH
};

/* As in the kernels. */
#define TILE_WIDTH 32
#define TILE_HEIGHT 8
#define SEARCH_SIZE 128

static gboolean
fill_picture (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const OclGrid grid = {.kernel = KERNEL_BLUR,
    .width = ocl_motion_get_side (blocks.s[0], 0),
    .height = ocl_motion_get_side (blocks.s[1], 0),
    .group_width = TILE_WIDTH,.group_height = TILE_HEIGHT
  };

  return ocl_motion_fill_picture (self, run, grid, KERNEL_HALVE, memory,
      offset, error);
}

static gboolean
ocl_motion_tiled_init (OclKernels * self, GError ** error)
{
  return ocl_kernels_check_group (self, KERNEL_BLUR, TILE_WIDTH, TILE_HEIGHT,
      error)
      && ocl_kernels_check_group (self, KERNEL_SEARCH, SEARCH_SIZE, 1, error);
}

static const OclMotionFamily family = {
  .fill = fill_picture,.search = KERNEL_SEARCH,.search_size = SEARCH_SIZE
};

const OclVariant ocl_motion_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-tiled.cl",
  .kernels = OCL_NAMES ("blur_tiles", "halve", "search_tiles"),
  .group_width = 32,
  .group_height = 4,
  .state_size = sizeof (OclMotionState),
  .family = &family,
  .init = ocl_motion_tiled_init,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};
