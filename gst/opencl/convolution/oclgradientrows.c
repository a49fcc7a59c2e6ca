/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgradientvariants.h"

#include "oclbands.h"

/* Rows of sums behind those of the window. */
#define N_SUMS 2

typedef struct
{
  OclContext *context;
  cl_uint n_channels;
  cl_uint n_threads;
  /* The second for red, green and blue. */
  cl_kernel kernels[OCL_GRADIENT_N_KERNELS];
  OclMemory scratch;
} OclGradientRows;

static void
ocl_gradient_rows_free (gpointer object)
{
  OclGradientRows *self = object;

  for (guint i = 0; i < OCL_GRADIENT_N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_memory_clear (&self->scratch);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_gradient_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclGradientRows *self = g_new0 (OclGradientRows, 1);

  self->context = ocl_context_ref (context);
  self->n_channels = build->pass.n_channels;
  if (!ocl_context_get_compute_units (context, &self->n_threads, error)
      || !ocl_program_build_kernels (context, "gradient-rows.cl", build, "",
          ocl_gradient_kernel_names, self->kernels,
          self->n_channels ==
          OCL_MAX_PASS_CHANNELS ? OCL_GRADIENT_N_KERNELS : 1, error)) {
    ocl_gradient_rows_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_gradient_rows_enqueue (gpointer object, const OclRun * run, GError ** error)
{
  OclGradientRows *self = object;
  OclGradientNumbers numbers;
  OclArguments arguments = { 0, };
  OclBands bands;

  ocl_gradient_get_numbers (run, &numbers);
  const cl_kernel kernel =
      self->kernels[numbers.luma ? OCL_GRADIENT_KERNEL_LUMA :
      OCL_GRADIENT_KERNEL_EACH];
  ocl_bands_init (&bands, numbers.width, numbers.height, numbers.step_x,
      numbers.step_y, numbers.luma ? 1 : self->n_channels,
      2 * numbers.step_y + 1 + N_SUMS, self->n_threads);
  if (!ocl_bands_ensure (&bands, &self->scratch, self->context, error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  ocl_bands_add_arguments (&bands, &self->scratch, &arguments);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_y);
  OCL_ARGUMENTS_ADD (&arguments, numbers.output);
  OCL_ARGUMENTS_ADD (&arguments, numbers.unit);
  OCL_ARGUMENTS_ADD (&arguments, numbers.border);
  OCL_ARGUMENTS_ADD (&arguments, numbers.outside);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, bands.n_bands, 1, 1, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_gradient_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .new = ocl_gradient_rows_new,
  .enqueue = ocl_gradient_rows_enqueue,
  .free = ocl_gradient_rows_free,
};
