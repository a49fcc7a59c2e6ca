/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "oclbands.h"
#include "ocltaps.h"

/* Rows of sums behind those of the window. */
#define N_SUMS 1

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_uint n_threads;
  cl_kernel kernel;
  OclTaps taps;
  OclMemory scratch;
} OclStencilDenseRows;

void
ocl_stencil_dense_rows_free (gpointer object)
{
  OclStencilDenseRows *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_taps_clear (&self->taps);
  ocl_memory_clear (&self->scratch);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_dense_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilDenseRows *self = g_new0 (OclStencilDenseRows, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  self->kernel = ocl_program_build_kernel (context, "stencil-dense-rows.cl",
      build, ocl_taps_get_options (build->form), "dense", error);
  if (!self->kernel
      || !ocl_context_get_compute_units (context, &self->n_threads, error)
      || !ocl_taps_init (&self->taps, context, error)) {
    ocl_stencil_dense_rows_free (self);
    return NULL;
  }
  return self;
}

gboolean
ocl_stencil_dense_rows_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilDenseRows *self = object;
  OclStencilNumbers numbers;
  OclArguments arguments = { 0, };
  OclBands bands;

  ocl_stencil_get_numbers (stencil, run, &numbers);
  if (!ocl_taps_set (&self->taps, self->context, stencil, run->input->format,
          run->timer, error))
    return FALSE;
  ocl_bands_init (&bands, numbers.width, numbers.height, numbers.radius_x,
      numbers.radius_y, self->pass.n_channels,
      2 * numbers.radius_y + 1 + N_SUMS, self->n_threads);
  ocl_bands_add (&bands, self->taps.n_taps);
  if (!ocl_bands_ensure (&bands, &self->scratch, self->context, error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  ocl_bands_add_arguments (&bands, &self->scratch, &arguments);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->taps.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->taps.n_groups);
  OCL_ARGUMENTS_ADD (&arguments, self->taps.n_taps);
  ocl_stencil_add_dense_numbers (&numbers, &arguments);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, bands.n_bands, 1,
      1, 1, ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}
