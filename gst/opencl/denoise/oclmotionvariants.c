/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmotionvariants.h"

/* As in kernels/motion.clh. */
#define PAD 32

gint
ocl_motion_get_side (gint n_blocks, guint scale)
{
  return (n_blocks * OCL_MOTION_BLOCK + 2 * PAD) >> scale;
}

gsize
ocl_motion_get_picture_words (const OclRun * run)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  gsize n = 0;

  for (guint scale = 0; scale < OCL_MOTION_SCALES; scale++)
    n += (gsize) ocl_motion_get_side (blocks.s[0], scale)
        * ocl_motion_get_side (blocks.s[1], scale);
  return (n + 1) / 2;
}

gboolean
ocl_motion_fill_picture (OclKernels * self, const OclRun * run, OclGrid grid,
    guint halve, cl_mem memory, cl_int offset, GError ** error)
{
  const cl_int2 blocks = ocl_motion_get_blocks (run);

  if (!OCL_LAUNCH (self, run, grid, error, OCL_INPUT_PLANES,
          OCL_INT (run->input->info.width), OCL_INT (run->input->info.height),
          OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks)))
    return FALSE;
  for (guint scale = 1; scale < OCL_MOTION_SCALES; scale++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (halve,
                ocl_motion_get_side (blocks.s[0], scale),
                ocl_motion_get_side (blocks.s[1], scale)), error,
            OCL_MEMORY (memory), OCL_INT (offset), OCL_INT2 (blocks),
            OCL_INT (scale)))
      return FALSE;
  }
  return TRUE;
}

/* Returns the memory with the result of the noise. It is missing in warm-up
 * runs, which get any other memory that is only read. */
static cl_mem
get_noise (const OclKernels * self, const OclRun * run)
{
  const OclMotionState *state = self->state;
  const cl_mem memory = run->needed[0]->device.memory;

  return memory ? memory : state->pictures.memory.memory;
}

/* Searches for the vectors in neighbour @n. */
static gboolean
enqueue_search (OclKernels * self, const OclRun * run,
    const OclPicturesOffsets * offsets, guint n, GError ** error)
{
  const OclMotionFamily *family = self->variant->family;
  const OclMotionParams *params = run->params;
  const OclMotionState *state = self->state;
  const cl_int2 blocks = ocl_motion_get_blocks (run);
  const gint n_blocks = MAX (family->search_blocks, 1);
  const OclGrid grid = {.kernel = family->search,
    .width = (blocks.s[0] + n_blocks - 1) / n_blocks
        * MAX (family->search_size, 1),
    .height = blocks.s[1],.group_width = family->search_size,.group_height = 1
  };

  return OCL_LAUNCH (self, run, grid, error,
      OCL_MEMORY (state->pictures.memory.memory),
      OCL_INT (offsets->current), OCL_INT (offsets->neighbours.s[n]),
      OCL_INT2 (blocks), OCL_INT (n), OCL_MEMORY (get_noise (self, run)),
      OCL_FLOAT (params->noise), OCL_MEMORY (run->result->device.memory));
}

/* Returns a mask of the neighbours of @run that are not missing. */
static gint
get_present (const OclRun * run)
{
  const OclMotionParams *params = run->params;
  const guint n = MIN (run->n_earlier + run->n_later, params->n_neighbours);
  gint present = 0;

  for (guint i = 0; i < n; i++) {
    if (run->neighbours[i].serial != 0)
      present |= 1 << i;
  }
  return present;
}

gboolean
ocl_motion_enqueue (OclKernels * self, const OclRun * run, GError ** error)
{
  const OclMotionParams *params = run->params;
  const OclMotionFamily *family = self->variant->family;
  OclMotionState *state = self->state;
  const gint present = get_present (run);
  OclPicturesOffsets offsets;

  if (!ocl_pictures_ensure (&state->pictures, self, run, params->n_neighbours,
          ocl_motion_get_picture_words (run), family->fill, &offsets, error))
    return FALSE;
  /* Pictures that are not searched have vectors of 0. */
  if ((!params->search || present != (1 << params->n_neighbours) - 1)
      && !ocl_memory_enqueue_fill (&run->result->device, self->context, 0, 0,
          run->result->device.size, run->timer, error))
    return FALSE;
  for (guint i = 0; params->search && i < params->n_neighbours; i++) {
    if (present >> i & 1 && !enqueue_search (self, run, &offsets, i, error))
      return FALSE;
  }
  state->shared.memory = state->pictures.memory.memory;
  state->shared.offsets = offsets;
  run->result->shared = &state->shared;
  return TRUE;
}

void
ocl_motion_clear (gpointer data)
{
  OclMotionState *state = data;

  ocl_pictures_clear (&state->pictures);
  ocl_memory_clear (&state->luma);
}
