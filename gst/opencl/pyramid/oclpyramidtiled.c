/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidkernels.h"

/* What may vary: work-items a group, pairs of rows of the fine level that a
 * work-item expands, and what levels are in, as OclStorage, but from 1 on. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  STORAGE,
};

static const gint group_widths[] = { 16, 32, 0 };
static const gint group_heights[] = { 4, 8, 0 };
static const gint rows[] = { 1, 2, 4, 0 };
static const gint storages[] = { 1, 2, 3, 4, 0 };

const OclTunable ocl_pyramid_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 8, group_heights},
  [ROWS] = {"ROWS", 2, rows},
  [STORAGE] = {"STORAGE", 1, storages},
  {NULL},
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  OclPyramidSets sets;
  gint tuning[G_N_ELEMENTS (ocl_pyramid_tiled_tunables) - 1];
} OclPyramidTiled;

OclStorage
ocl_pyramid_tiled_get_storage (const OclTuning * tuning)
{
  return tuning->values[STORAGE] - 1;
}

static void
ocl_pyramid_tiled_free (gpointer object)
{
  OclPyramidTiled *self = object;

  ocl_pyramid_sets_clear (&self->sets);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_pyramid_tiled_new (OclContext * context, const OclBuild * build,
    OclStorage storage, GError ** error)
{
  OclPyramidTiled *self = g_new0 (OclPyramidTiled, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  for (guint i = 0; i < G_N_ELEMENTS (self->tuning); i++)
    self->tuning[i] = build->tuning.values[i];
  if (!ocl_pyramid_sets_init (&self->sets, context, "pyramid-tiled.cl", build,
          storage, error)
      || !ocl_kernels_check_group (context, &self->sets.kernels[0][0],
          OCL_PYRAMID_N_SETS * OCL_PYRAMID_N_KINDS,
          self->tuning[GROUP_WIDTH] * self->tuning[GROUP_HEIGHT], error)) {
    ocl_pyramid_tiled_free (self);
    return NULL;
  }
  return self;
}

/* A sample of the coarse level a work-item, or of each row of the fine one. */
static gboolean
ocl_pyramid_tiled_enqueue (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidTiled *self = object;
  const gboolean reduces = step->kind == OCL_PYRAMID_REDUCE;
  const gint n_rows = 2 * self->tuning[ROWS];
  cl_kernel kernel = ocl_pyramid_sets_get (&self->sets, step);
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_levels (&args, step, &self->pass);
  ocl_pyramid_add_numbers (&args, step);
  return ocl_kernel_set_arguments (kernel, &args.arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0,
      reduces ? step->coarse_width : step->width,
      reduces ? step->coarse_height : (step->height + n_rows - 1) / n_rows,
      self->tuning[GROUP_WIDTH], self->tuning[GROUP_HEIGHT],
      ocl_timer_add (step->timer, OCL_TIMER_KERNEL), error);
}

const OclPyramidKernels ocl_pyramid_tiled = {
  .new = ocl_pyramid_tiled_new,
  .enqueue = ocl_pyramid_tiled_enqueue,
  .free = ocl_pyramid_tiled_free,
};
