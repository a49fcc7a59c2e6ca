/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidsteps.h"

#include "ocloctaves.h"
#include "operation/oclstrips.h"

gchar *
ocl_pyramid_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  static const gchar *const storages[] = {
    [OCL_STORAGE_BUFFER] = "",
    [OCL_STORAGE_IMAGE] = " -D BANDS_IN_IMAGES=IMAGE",
    [OCL_STORAGE_IMAGE_ARRAY] = " -D BANDS_IN_IMAGES=LAYER",
    [OCL_STORAGE_IMAGE_BUFFER] = " -D BANDS_IN_IMAGES=TEXELS",
  };

  return g_strdup_printf ("-D BAND_CHANNELS=%u -D BAND_FIRST=%d%s%s",
      ocl_octaves_count_floats (&build->pass), build->pass.guided ? 1 : 0,
      storages[build->form], build->format ? "" : " -D INNER");
}

OclArgument
ocl_octave_get_place (const OclFrame * octave)
{
  const OclPlane *planes = octave->planes;
  const cl_int unit = sizeof (cl_float);
  /* The layer of an array, or the offset and stride of pixels. */
  const cl_int2 place = { {planes[0].offset, planes[0].stride} };
  const cl_int4 layout = { {
          planes[0].offset / unit, planes[0].stride / unit,
      octave->info.format->n_planes > 1
          ? (planes[1].offset - planes[0].offset) / unit : 0, 0}
  };

  if (octave->info.storage == OCL_STORAGE_BUFFER)
    return OCL_INT4 (layout);
  return octave->info.storage ==
      OCL_STORAGE_IMAGE ? OCL_NONE : OCL_INT2 (place);
}

OclArgument
ocl_fine_get_memory (const OclKernels * self, const OclFrame * octave,
    OclArgument frame)
{
  return self->build.format ? frame : OCL_MEMORY (octave->planes[0].memory);
}

OclArgument
ocl_fine_get_place (const OclKernels * self, const OclFrame * octave)
{
  return self->build.format ? OCL_NONE : ocl_octave_get_place (octave);
}

/* Launches the kernel for the whole step. @strips is NULL for kernels that do
 * not work on strips. */
static gboolean
ocl_pyramid_launch (OclKernels * self, const OclRun * run,
    const OclGrid * grid, const OclStrips * strips, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gboolean adds = step->kind == OCL_PYRAMID_ADD;
  const gboolean subtracts = step->kind == OCL_PYRAMID_SUBTRACT;

  return OCL_LAUNCH (self, run, *grid, error, OCL_FINE_IN (self, run),
      OCL_IF (adds, ocl_fine_get_memory (self, run->output, OCL_OUTPUT)),
      OCL_IF (adds, ocl_fine_get_place (self, run->output)),
      OCL_IF (adds, OCL_MEMORY (step->band->planes[0].memory)),
      OCL_IF (adds, ocl_octave_get_place (step->band)),
      OCL_OCTAVE (step->coarse),
      OCL_IF (subtracts, OCL_MEMORY (step->band->planes[0].memory)),
      OCL_IF (subtracts, ocl_octave_get_place (step->band)),
      OCL_INT (step->width), OCL_INT (step->height),
      OCL_INT (step->coarse_width), OCL_INT (step->coarse_height),
      OCL_IF (strips, OCL_INT (strips->height)),
      OCL_IF (strips, OCL_MEMORY (strips->scratch.memory)),
      OCL_IF (strips, OCL_INT (strips->scratch_floats)),
      OCL_IF (strips, OCL_INT (strips->pitch)),
      OCL_IF (strips, OCL_INT (strips->pad)),
      OCL_INT (step->border), OCL_FLOAT4 (step->outside),
      OCL_IF (adds, OCL_FLOAT (step->gain)),
      OCL_IF (adds, OCL_FLOAT (step->coarse_gain)),
      OCL_IF (adds, OCL_FLOAT (step->offset)));
}

/* The names of the kernels, by OclPyramidKind. */
static const gchar *const kernel_names[] = {
  [OCL_PYRAMID_REDUCE] = "reduce",
  [OCL_PYRAMID_SUBTRACT] = "subtract",
  [OCL_PYRAMID_ADD] = "add",
  NULL,
};

/* Number of rows in the scratch memory. REDUCE needs one row of the fine octave
 * and a ring of five rows. The other steps need two rows of the fine octave
 * before they are expanded horizontally. */
#define REDUCE_ROWS 6
#define EXPAND_ROWS 2

/* Number of columns that are read outside an octave. */
#define REACH 2

/* Each work-item processes one strip of rows of the coarse octave. */
static gboolean
ocl_pyramid_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  OclStrips *strips = self->state;
  const OclPyramidStep *step = run->params;
  const gboolean reduces = step->kind == OCL_PYRAMID_REDUCE;
  const OclStripsNeeds needs = {
    .width = reduces ? step->width : step->coarse_width,
    .height = step->coarse_height,.reach_x = REACH,.reach_y = REACH,
    .n_planes = ocl_octaves_count_floats (run->pass),
    .n_rows = reduces ? REDUCE_ROWS : EXPAND_ROWS,
  };

  return ocl_strips_ensure (strips, self->context, &needs, error)
      && ocl_pyramid_launch (self, run,
      &OCL_STRIPS_GRID (step->kind, strips), strips, error);
}

static void
ocl_pyramid_rows_clear (gpointer state)
{
  ocl_strips_clear (state);
}

const OclVariant ocl_pyramid_rows = {
  .name = "rows",
  .source = "pyramid-rows.cl",
  .kernels = kernel_names,
  .state_size = sizeof (OclStrips),
  .get_options = ocl_pyramid_get_options,
  .clear = ocl_pyramid_rows_clear,
  .enqueue = ocl_pyramid_rows_enqueue,
};

/* The tunables are the work-items per group, the pairs of rows of the fine
 * octave that a work-item expands, and the storage of the octaves, as
 * OclStorage + 1. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  STORAGE,
};

const OclTunable ocl_pyramid_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 8, OCL_CHOICES (4, 8)},
  [ROWS] = {"ROWS", 2, OCL_CHOICES (1, 2, 4)},
  [STORAGE] = {"STORAGE", 1, OCL_CHOICES (1, 2, 3, 4)},
  {NULL},
};

OclStorage
ocl_pyramid_tiled_get_storage (const OclTuning * tuning)
{
  return tuning->values[STORAGE] - 1;
}

/* For REDUCE, each work-item computes one sample of the coarse octave. For the
 * other steps, each work-item computes one sample in each of its rows of the
 * fine octave. */
static gboolean
ocl_pyramid_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gint n_rows = 2 * ocl_kernels_get_tuning (self, ROWS);
  const OclGrid reduce = OCL_GRID (OCL_PYRAMID_REDUCE, step->coarse_width,
      step->coarse_height);
  const OclGrid expand = OCL_GRID (step->kind, step->width,
      (step->height + n_rows - 1) / n_rows);

  return ocl_pyramid_launch (self, run,
      step->kind == OCL_PYRAMID_REDUCE ? &reduce : &expand, NULL, error);
}

const OclVariant ocl_pyramid_tiled = {
  .name = "tiled",
  .tunables = ocl_pyramid_tiled_tunables,
  .source = "pyramid-tiled.cl",
  .kernels = kernel_names,
  .get_options = ocl_pyramid_get_options,
  .enqueue = ocl_pyramid_tiled_enqueue,
};
