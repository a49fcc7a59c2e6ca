/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "convolution/oclbands.h"
#include "oclpyramidkernels.h"

/* Rows of the scratch: one of the fine level, and a ring of five; or two of the
 * fine level before they are expanded along. */
#define REDUCE_ROWS 6
#define EXPAND_ROWS 2

/* Columns beyond a level that are read. */
#define REACH 2

enum
{
  KERNEL_REDUCE,
  KERNEL_SUBTRACT,
  KERNEL_ADD,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_REDUCE] = "reduce",
  [KERNEL_SUBTRACT] = "subtract",
  [KERNEL_ADD] = "add",
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_uint n_threads;
  cl_kernel kernels[OCL_PYRAMID_N_SETS][N_KERNELS];
  OclMemory scratch;
} OclPyramidRows;

static void
ocl_pyramid_rows_free (gpointer object)
{
  OclPyramidRows *self = object;

  for (guint i = 0; i < OCL_PYRAMID_N_SETS * N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i / N_KERNELS][i % N_KERNELS],
        clReleaseKernel);
  ocl_memory_clear (&self->scratch);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_pyramid_rows_new (OclContext * context, const OclBuild * build,
    OclStorage storage, GError ** error)
{
  OclPyramidRows *self = g_new0 (OclPyramidRows, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  if (!ocl_context_get_compute_units (context, &self->n_threads, error)
      || !ocl_pyramid_build_kernels (context, "pyramid-rows.cl", build,
          storage, kernel_names, self->kernels[0],
          self->kernels[OCL_PYRAMID_INNER], N_KERNELS, error)) {
    ocl_pyramid_rows_free (self);
    return NULL;
  }
  return self;
}

/* A band of rows of the coarse level a work-item. */
static gboolean
ocl_pyramid_rows_enqueue (OclPyramidRows * self, const OclPyramidStep * step,
    guint kernel, OclPyramidArguments * args, GError ** error)
{
  const gboolean reduces = kernel == KERNEL_REDUCE;
  cl_kernel object =
      self->kernels[step->is_outer ? 0 : OCL_PYRAMID_INNER][kernel];
  const gint n_planes = self->pass.n_channels + (self->pass.guided ? 1 : 0);
  OclBands bands;

  ocl_bands_init (&bands, reduces ? step->width : step->coarse_width,
      step->coarse_height, REACH, REACH, n_planes,
      reduces ? REDUCE_ROWS : EXPAND_ROWS, self->n_threads);
  if (!ocl_bands_ensure (&bands, &self->scratch, self->context, error))
    return FALSE;
  OCL_ARGUMENTS_ADD (&args->arguments, step->width);
  OCL_ARGUMENTS_ADD (&args->arguments, step->height);
  OCL_ARGUMENTS_ADD (&args->arguments, step->coarse_width);
  OCL_ARGUMENTS_ADD (&args->arguments, step->coarse_height);
  ocl_bands_add_arguments (&bands, &self->scratch, &args->arguments);
  OCL_ARGUMENTS_ADD (&args->arguments, step->border);
  OCL_ARGUMENTS_ADD (&args->arguments, step->outside);
  if (kernel == KERNEL_ADD) {
    OCL_ARGUMENTS_ADD (&args->arguments, step->gain);
    OCL_ARGUMENTS_ADD (&args->arguments, step->coarse_gain);
    OCL_ARGUMENTS_ADD (&args->arguments, step->offset);
  }
  return ocl_kernel_set_arguments (object, &args->arguments, error)
      && ocl_kernel_enqueue (self->context, object, 0, bands.n_bands, 1, 1, 1,
      ocl_timer_add (step->timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_pyramid_rows_reduce (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidRows *self = object;
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_fine (&args, step, &self->pass);
  ocl_pyramid_add_level (&args, step->coarse);
  return ocl_pyramid_rows_enqueue (self, step, KERNEL_REDUCE, &args, error);
}

static gboolean
ocl_pyramid_rows_subtract (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidRows *self = object;
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_fine (&args, step, &self->pass);
  ocl_pyramid_add_level (&args, step->coarse);
  ocl_pyramid_add_level (&args, step->band);
  return ocl_pyramid_rows_enqueue (self, step, KERNEL_SUBTRACT, &args, error);
}

static gboolean
ocl_pyramid_rows_add (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidRows *self = object;
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_fine (&args, step, &self->pass);
  ocl_pyramid_add_output (&args, step, &self->pass);
  ocl_pyramid_add_level (&args, step->band);
  ocl_pyramid_add_level (&args, step->coarse);
  return ocl_pyramid_rows_enqueue (self, step, KERNEL_ADD, &args, error);
}

const OclPyramidKernels ocl_pyramid_rows = {
  .new = ocl_pyramid_rows_new,
  .reduce = ocl_pyramid_rows_reduce,
  .subtract = ocl_pyramid_rows_subtract,
  .add = ocl_pyramid_rows_add,
  .free = ocl_pyramid_rows_free,
};
