/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "oclbands.h"

enum
{
  KERNEL_SEPARABLE,
  KERNEL_BOX,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_SEPARABLE] = "separable",
  [KERNEL_BOX] = "box",
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_uint n_threads;
  cl_kernel kernels[N_KERNELS];
  OclStencilWeights weights;    /* of rows, then of columns */
  OclMemory scratch;
} OclStencilRows;

void
ocl_stencil_rows_free (gpointer object)
{
  OclStencilRows *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_stencil_weights_clear (&self->weights);
  ocl_memory_clear (&self->scratch);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilRows *self = g_new0 (OclStencilRows, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  if (!ocl_context_get_compute_units (context, &self->n_threads, error)
      || !ocl_program_build_kernels (context, "stencil-rows.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_stencil_weights_init (&self->weights, context,
          2 * OCL_STENCIL_MAX_SIDE, error)) {
    ocl_stencil_rows_free (self);
    return NULL;
  }
  return self;
}

gboolean
ocl_stencil_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilRows *self = object;
  const gboolean is_box = stencil->kind == OCL_STENCIL_BOX;
  const cl_kernel kernel =
      self->kernels[is_box ? KERNEL_BOX : KERNEL_SEPARABLE];
  /* Of sums, or of the windows of two rows and of sums for both. */
  const gint n_rows = is_box ? 1 : 2 * stencil->radius_y + 2 + 2;
  OclStencilNumbers numbers;
  OclArguments arguments = { 0, };
  OclBands bands;

  ocl_stencil_get_numbers (stencil, run, &numbers);
  ocl_bands_init (&bands, numbers.width, numbers.height, numbers.radius_x,
      numbers.radius_y, self->pass.n_channels, n_rows, self->n_threads);
  if (!ocl_stencil_weights_set_lines (&self->weights, self->context, stencil,
          run->timer, error)
      || !ocl_bands_ensure (&bands, &self->scratch, self->context, error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  ocl_bands_add_arguments (&bands, &self->scratch, &arguments);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  ocl_stencil_add_numbers (&numbers, &arguments);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, bands.n_bands, 1, 1, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}
