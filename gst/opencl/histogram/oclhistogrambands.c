/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclhistogrambands.h"

#include "oclhistogram.h"

/* Bands that a compute unit is given, to share out the work evenly. */
#define BANDS_OF_UNIT 2

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  cl_uint n_units;
} OclHistogramBands;

static void
ocl_histogram_bands_free (gpointer object)
{
  OclHistogramBands *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_histogram_bands_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclHistogramBands *self = g_new0 (OclHistogramBands, 1);

  self->context = ocl_context_ref (context);
  if (ocl_context_get_compute_units (context, &self->n_units, error))
    self->kernel = ocl_program_build_kernel (context, "histogram-bands.cl",
        build, "", "histogram_bands", error);
  if (!self->kernel) {
    ocl_histogram_bands_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_histogram_bands_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclHistogramBands *self = object;
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  const cl_int height = ocl_pass_get_height (run->pass, run->input);
  const gsize n_bands = MIN (self->n_units * BANDS_OF_UNIT, (guint) height);
  const cl_int band_height = (height + n_bands - 1) / n_bands;
  const cl_int first_channel = run->pass->first_channel;
  OclArguments arguments = { 0, };

  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, band_height);
  OCL_ARGUMENTS_ADD (&arguments, first_channel);
  OCL_ARGUMENTS_ADD (&arguments, run->result->device.memory);
  return ocl_histogram_enqueue_clear (self->context, run, error)
      && ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, n_bands, 1, 1, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_histogram_bands = {
  .name = "bands",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .new = ocl_histogram_bands_new,
  .enqueue = ocl_histogram_bands_enqueue,
  .free = ocl_histogram_bands_free,
};
