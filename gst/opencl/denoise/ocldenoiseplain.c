/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoiser for any device, one block for each work-item. */
#include "ocldenoisevariants.h"

enum
{
  KERNEL_TAKE_APART,
  KERNEL_SHRINK,
  KERNEL_PUT_TOGETHER
};

/* As in the kernels. */
#define FIRST_BLOCK(step) ((step) - 8)
#define BLOCK_FLOATS 65

/* Approximate maximum size of the blocks of a strip in bytes, for each
 * channel. */
#define MAX_STRIP_BYTES (16 << 20)

/* Filters rows @y to @y + @n_rows. */
static gboolean
enqueue_strip (OclKernels * self, const OclRun * run,
    const OclPicturesOffsets * offsets, gint y, gint n_rows, GError ** error)
{
  OclDenoiseState *state = self->state;
  const OclDenoiseLayout layout = ocl_denoise_get_layout (run);
  const gint width = ocl_run_get_width (run);
  const gint height = ocl_run_get_height (run);
  const gint columns = (width + 7) / layout.step;
  const gint rows = (n_rows + 7) / layout.step;
  const gint channel_size = columns * rows * BLOCK_FLOATS;

  for (guint i = 0; i < run->pass->n_channels; i++) {
    if (!OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SHRINK, columns, rows), error,
            OCL_MEMORY (state->pictures.memory.memory),
            OCL_INT (offsets->current), OCL_INT8 (offsets->neighbours),
            OCL_INT (layout.pitch), OCL_INT (layout.plane_size), OCL_INT (i),
            OCL_INT (y + FIRST_BLOCK (layout.step)), OCL_INT (columns),
            OCL_INT (rows), OCL_DENOISE_MOTION (self, run),
            OCL_DENOISE_NOISE (self, run), OCL_MEMORY (state->scratch.memory),
            OCL_INT (i * channel_size)))
      return FALSE;
  }
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_PUT_TOGETHER, width, n_rows),
      error, OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (height),
      OCL_INT (y), OCL_INT (n_rows), OCL_DENOISE_GRAIN (run),
      OCL_MEMORY (state->scratch.memory), OCL_INT (columns),
      OCL_INT (channel_size));
}

static gboolean
ocl_denoise_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclDenoiseState *state = self->state;
  const gint height = ocl_run_get_height (run);
  const gint step = ocl_denoise_params_get_step (run->params);
  const gsize row_bytes = (ocl_run_get_width (run) + 7) / step * BLOCK_FLOATS
      * sizeof (cl_float);
  const gint strip = MAX (MAX_STRIP_BYTES / row_bytes, 8) * step;
  OclPicturesOffsets offsets;

  if (!ocl_denoise_ensure_pictures (self, run, ocl_denoise_take_samples_apart,
          &offsets, error)
      || !ocl_memory_ensure (&state->scratch, self->context,
          (MIN (strip, height) + 7) / step * row_bytes * run->pass->n_channels,
          error))
    return FALSE;
  for (gint y = 0; y < height; y += strip) {
    if (!enqueue_strip (self, run, &offsets, y, MIN (strip, height - y), error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_denoise_plain = {
  .name = "plain",
  .flags = OCL_VARIANT_BUFFERS_ONLY,
  .source = "denoise.cl",
  .kernels = OCL_NAMES ("take_apart", "shrink", "put_together"),
  .group_width = 32,
  .group_height = 4,
  .state_size = sizeof (OclDenoiseState),
  .get_forms = ocl_denoise_get_forms,
  .get_options = ocl_denoise_get_options,
  .init = ocl_denoise_init,
  .clear = ocl_denoise_clear,
  .enqueue = ocl_denoise_plain_enqueue,
};
