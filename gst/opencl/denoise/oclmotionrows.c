/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Motion search for CPUs. */
#include "oclmotionvariants.h"

enum
{
  KERNEL_TAKE_LUMA,
  KERNEL_BLUR,
  KERNEL_HALVE,
  KERNEL_SEARCH
};

/* As in the kernels. */
#define VECTOR 16
#define SEARCH_BLOCKS 3

/* Number of rows that a work-item blurs. It loads 6 rows first. */
#define BLURRED_ROWS 96

static gint
divide_up (gint value, gint divisor)
{
  return (value + divisor - 1) / divisor;
}

static gboolean
take_luma (OclKernels * self, const OclRun * run, gint pitch, GError ** error)
{
  OclMotionState *state = self->state;
  const gint height = run->input->info.height;

  return ocl_memory_ensure (&state->luma, self->context,
      (gsize) pitch * height * sizeof (cl_ushort), error)
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_TAKE_LUMA, height, 1), error,
      OCL_INPUT_PLANES, OCL_INT (run->input->info.width), OCL_INT (height),
      OCL_MEMORY (state->luma.memory), OCL_INT (pitch));
}

/* Blurs the picture, and halves it. */
static gboolean
fill_picture (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const OclMotionState *state = self->state;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint width = ocl_motion_get_side (blocks.s[0], 0);
  const gint height = ocl_motion_get_side (blocks.s[1], 0);
  const gint luma_pitch = width + VECTOR;

  if (!take_luma (self, run, luma_pitch, error)
      || !OCL_LAUNCH (self, run, OCL_GRID (KERNEL_BLUR, width / VECTOR,
              divide_up (height, BLURRED_ROWS)), error,
          OCL_MEMORY (state->luma.memory), OCL_INT (luma_pitch),
          OCL_INT (run->input->info.height), OCL_MEMORY (memory),
          OCL_INT (offset), OCL_INT2 (blocks), OCL_INT (BLURRED_ROWS)))
    return FALSE;
  for (guint scale = 1; scale < OCL_MOTION_SCALES; scale++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_HALVE,
                ocl_motion_get_side (blocks.s[1], scale), 1), error,
            OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks),
            OCL_INT (scale)))
      return FALSE;
  }
  return TRUE;
}

static const OclMotionFamily family = {
  .fill = fill_picture,.search = KERNEL_SEARCH,.search_blocks = SEARCH_BLOCKS
};

const OclVariant ocl_motion_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "motion-rows.cl",
  .kernels = OCL_NAMES ("take_luma", "blur_rows", "halve_rows",
      "search_rows"),
  .state_size = sizeof (OclMotionState),
  .family = &family,
  .clear = ocl_motion_clear,
  .enqueue = ocl_motion_enqueue,
};
