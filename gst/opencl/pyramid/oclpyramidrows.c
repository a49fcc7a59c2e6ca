/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "convolution/oclbands.h"
#include "oclpyramidkernels.h"

/* Rows of the scratch: one of the fine level, and a ring of five; or two of the
 * fine level before they are expanded along. */
#define REDUCE_ROWS 6
#define EXPAND_ROWS 2

/* Columns beyond a level that are read. */
#define REACH 2

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_uint n_threads;
  OclPyramidSets sets;
  OclMemory scratch;
} OclPyramidRows;

static void
ocl_pyramid_rows_free (gpointer object)
{
  OclPyramidRows *self = object;

  ocl_pyramid_sets_clear (&self->sets);
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
      || !ocl_pyramid_sets_init (&self->sets, context, "pyramid-rows.cl",
          build, storage, error)) {
    ocl_pyramid_rows_free (self);
    return NULL;
  }
  return self;
}

/* A band of rows of the coarse level a work-item. */
static gboolean
ocl_pyramid_rows_enqueue (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidRows *self = object;
  const gboolean reduces = step->kind == OCL_PYRAMID_REDUCE;
  cl_kernel kernel = ocl_pyramid_sets_get (&self->sets, step);
  OclPyramidArguments args = { {0,}, };
  OclBands bands;

  ocl_bands_init (&bands, reduces ? step->width : step->coarse_width,
      step->coarse_height, REACH, REACH,
      ocl_levels_count_floats (&self->pass),
      reduces ? REDUCE_ROWS : EXPAND_ROWS, self->n_threads);
  if (!ocl_bands_ensure (&bands, &self->scratch, self->context, error))
    return FALSE;
  ocl_pyramid_add_levels (&args, step, &self->pass);
  ocl_bands_add_arguments (&bands, &self->scratch, &args.arguments);
  ocl_pyramid_add_numbers (&args, step);
  return ocl_kernel_set_arguments (kernel, &args.arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, bands.n_bands, 1, 1, 1,
      ocl_timer_add (step->timer, OCL_TIMER_KERNEL), error);
}

const OclPyramidKernels ocl_pyramid_rows = {
  .new = ocl_pyramid_rows_new,
  .enqueue = ocl_pyramid_rows_enqueue,
  .free = ocl_pyramid_rows_free,
};
