/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoiser for CPUs, with as many blocks at a time as a vector has floats. */
#include "ocldenoisevariants.h"

enum
{
  KERNEL_TAKE_APART,
  KERNEL_SHRINK
};

/* Number of strips of a compute unit, so that a busy unit does not delay the
 * frame. A strip filters the blocks of 6 rows again. */
#define STRIPS_OF_UNIT 3
#define MIN_STRIP_HEIGHT 32

/* The floats of a Carry of the kernel, which @step rows share. */
#define CARRY_FLOATS(step) (4 * (step) * (step) + 4)

static gboolean
take_apart (OclKernels * self, const OclRun * run, cl_mem memory,
    cl_int offset, GError ** error)
{
  const OclGrid grid = OCL_GRID (KERNEL_TAKE_APART,
      ocl_run_get_height (run) + 2 * OCL_DENOISE_PAD_Y, 1);

  return ocl_denoise_take_apart (self, run, grid, memory, offset, error);
}

/* Returns the rows of a strip, a multiple of @step. */
static gint
get_strip_height (const OclKernels * self, gint height, gint step)
{
  const gint n = self->context->device->n_units * STRIPS_OF_UNIT;
  const gint rows = MAX ((height + n - 1) / n, MIN_STRIP_HEIGHT);

  return (rows + step - 1) / step * step;
}

static gboolean
ocl_denoise_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);
  const gint height = ocl_run_get_height (run);
  const gint strip = get_strip_height (self, height, layout.step);
  const gint n_strips = (height + strip - 1) / strip;
  const gint scratch = layout.pitch * strip * run->pass->n_channels
      + strip / layout.step * CARRY_FLOATS (layout.step);
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, take_apart, &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (gsize) scratch * n_strips * sizeof (cl_float), error))
    return FALSE;
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, n_strips, 1), error,
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (ocl_run_get_width (run)),
      OCL_INT (height), OCL_INT (strip), OCL_MEMORY (state->scratch.memory),
      OCL_INT (scratch), OCL_MEMORY (state->pictures.memory.memory),
      OCL_INT (offsets.current), OCL_INT8 (offsets.neighbours),
      OCL_DENOISE_MOTION (self, run), OCL_INT (layout.pitch / layout.step),
      OCL_INT (layout.plane_size / layout.step), OCL_DENOISE_NOISE (self, run),
      OCL_DENOISE_GRAIN (run));
}

static const OclTunable tunables[] = {
  {"BLOCKS", 0, OCL_CHOICES (8, 16)},
  {NULL},
};

const OclVariant ocl_denoise_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise-rows.cl",
  .kernels = OCL_NAMES ("take_apart_rows", "shrink_rows"),
  .tunables = tunables,
  .state_size = sizeof (OclDenoiseState),
  .get_forms = ocl_denoise_get_forms,
  .get_options = ocl_denoise_get_options,
  .init = ocl_denoise_init,
  .clear = ocl_denoise_clear,
  .enqueue = ocl_denoise_rows_enqueue,
};
