/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralfasttiled.h"

#include "oclbilateralwaves.h"
#include "oclmemory.h"

/* What may vary: work-items of a group that sums up pixels, which have to be
 * two steps; rows of pixels between the first and the last node that one of
 * them makes; work-items of the other groups; pixels that a work-item makes of
 * nodes; and what the nodes of a band may take. */
enum
{
  SPLAT_WIDTH,
  STRIP,
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  BAND_MEGABYTES,
  N_TUNABLES,
};

static const gint splat_widths[] = { 64, 128, 256, 0 };
static const gint strips[] = { 32, 64, 128, 0 };
static const gint group_widths[] = { 16, 32, 0 };
static const gint group_heights[] = { 2, 4, 0 };
static const gint rows[] = { 1, 2, 4, 0 };
static const gint band_megabytes[] = { 8, 32, 64, 128, 256, 0 };

static const OclTunable tunables[] = {
  [SPLAT_WIDTH] = {"SPLAT_WIDTH", 128, splat_widths},
  [STRIP] = {"STRIP", 64, strips},
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, group_heights},
  [ROWS] = {"ROWS", 4, rows},
  [BAND_MEGABYTES] = {"BAND_MEGABYTES", 64, band_megabytes},
  [N_TUNABLES] = {NULL},
};

/* Local memory that any device has, without what drivers need for themselves.
 * It has room for the columns of a group with all values and reaches. */
#define TILE_BYTES (32768 - 4096)

enum
{
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_SPLAT] = "splat",
  [KERNEL_BLUR] = "blur",
  [KERNEL_SLICE] = "slice",
};

typedef struct
{
  OclContext *context;
  cl_kernel kernels[N_KERNELS];
  gint tuning[N_TUNABLES];
  gsize node_size;              /* bytes of a NODE of the kernels */
  OclBilateralWaves waves;
  OclMemory nodes;
  OclMemory blurred;
} OclBilateralFastTiled;

/* Rows of a frame, and how many nodes lie around their pixels; to each side
 * the blur reads as many more as the window reaches. */
typedef struct
{
  cl_int y;                     /* a multiple of the step */
  cl_int height;
  cl_int columns;
  cl_int rows;
} Band;

static void
ocl_bilateral_fast_tiled_free (gpointer object)
{
  OclBilateralFastTiled *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_bilateral_waves_clear (&self->waves);
  ocl_memory_clear (&self->nodes);
  ocl_memory_clear (&self->blurred);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_fast_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralFastTiled *self = g_new0 (OclBilateralFastTiled, 1);
  gsize group_size;

  self->context = ocl_context_ref (context);
  for (guint i = 0; i < N_TUNABLES; i++)
    self->tuning[i] = build->tuning.values[i];
  group_size = self->tuning[GROUP_WIDTH] * self->tuning[GROUP_HEIGHT];
  self->node_size = build->pass.n_channels > 1
      ? sizeof (cl_float4) : sizeof (cl_float2);
  if (!ocl_program_build_kernels (context, "bilateral-fast-tiled.cl", build,
          "", kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_kernels_check_group (context, self->kernels, 1,
          self->tuning[SPLAT_WIDTH], error)
      || !ocl_kernels_check_group (context, self->kernels + KERNEL_BLUR,
          N_KERNELS - KERNEL_BLUR, group_size, error)
      || !ocl_bilateral_waves_init (&self->waves, context, build->format,
          error)) {
    ocl_bilateral_fast_tiled_free (self);
    return NULL;
  }
  return self;
}

static gint
divide_up (gint value, gint divisor)
{
  return (value + divisor - 1) / divisor;
}

/* The nodes of all waves, a cosine and a sine each, in bytes. */
static gsize
ocl_bilateral_fast_tiled_get_size (const OclBilateralFastTiled * self,
    gsize columns, gsize rows)
{
  return columns * rows * 2 * self->waves.n_waves * self->node_size;
}

/* The first band: all are of its height, but for the last. They are as few as
 * memory allows, and of the same height, which is at least a step. */
static Band
ocl_bilateral_fast_tiled_get_band (const OclBilateralFastTiled * self,
    gint width, gint height)
{
  const OclBilateralWaves *waves = &self->waves;
  const gsize columns = ocl_bilateral_waves_count_nodes (waves, width, 1);
  const gsize budget = MIN (self->context->device->max_alloc_size,
      (guint64) self->tuning[BAND_MEGABYTES] * 1024 * 1024 / 2);
  const gsize row_size = ocl_bilateral_fast_tiled_get_size (self,
      columns + 2 * waves->reach, 1);
  const gint steps = divide_up (height, waves->step);
  const gint max_steps = MAX (1, (gssize) (budget / row_size)
      - 2 * waves->reach - 1);
  const gint n_bands = divide_up (steps, max_steps);
  const gint band_height = divide_up (steps, n_bands) * waves->step;
  const Band band = {
    .height = band_height,
    .columns = columns,
    .rows = ocl_bilateral_waves_count_nodes (waves, band_height, 1),
  };

  return band;
}

static gboolean
ocl_bilateral_fast_tiled_ensure_memory (OclBilateralFastTiled * self,
    const Band * band, GError ** error)
{
  const gint around = 2 * self->waves.reach;

  return ocl_memory_ensure (&self->nodes, self->context,
      ocl_bilateral_fast_tiled_get_size (self, band->columns + around,
          band->rows + around), error)
      && ocl_memory_ensure (&self->blurred, self->context,
      ocl_bilateral_fast_tiled_get_size (self, band->columns, band->rows),
      error);
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_splat (OclBilateralFastTiled * self,
    const OclRun * run, const Band * band, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclBilateralWaves *waves = &self->waves;
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  const cl_int height = ocl_pass_get_height (run->pass, run->input);
  const cl_int strip = self->tuning[STRIP] / waves->step;
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, run->input, run->pass);
  const cl_int columns = band->columns + 2 * waves->reach;
  const cl_int rows = band->rows + 2 * waves->reach;
  const gint group_width = self->tuning[SPLAT_WIDTH];
  const gint n_groups = divide_up (columns, group_width / waves->step - 1);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, run->input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, band->y);
  OCL_ARGUMENTS_ADD (&arguments, waves->step);
  OCL_ARGUMENTS_ADD (&arguments, waves->reach);
  OCL_ARGUMENTS_ADD (&arguments, waves->n_waves);
  OCL_ARGUMENTS_ADD (&arguments, waves->frequency);
  OCL_ARGUMENTS_ADD (&arguments, strip);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, columns);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  return ocl_kernel_set_arguments (self->kernels[KERNEL_SPLAT], &arguments,
      error)
      && ocl_kernel_enqueue (self->context, self->kernels[KERNEL_SPLAT], 0,
      (gsize) n_groups * group_width,
      (gsize) divide_up (rows, strip) * waves->n_waves, group_width, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_blur (OclBilateralFastTiled * self,
    const Band * band, OclTimer * timer, GError ** error)
{
  const OclBilateralWaves *waves = &self->waves;
  const cl_int taps = waves->n_waves;
  const gint group_width = self->tuning[GROUP_WIDTH];
  const gint group_height = self->tuning[GROUP_HEIGHT];
  const gint block_height = group_height * OCL_BILATERAL_BLURRED_NODES;
  const gsize column_size = (block_height + 2 * waves->reach)
      * self->node_size;
  const cl_int chunk = MIN (2 * waves->reach + 1,
      (gint) (TILE_BYTES / column_size) - group_width + 1);
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, waves->table.memory);
  OCL_ARGUMENTS_ADD (&arguments, taps);
  OCL_ARGUMENTS_ADD (&arguments, waves->reach);
  OCL_ARGUMENTS_ADD (&arguments, chunk);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  OCL_ARGUMENTS_ADD (&arguments, band->columns);
  OCL_ARGUMENTS_ADD (&arguments, band->rows);
  ocl_arguments_add (&arguments, (group_width + chunk - 1) * column_size, NULL);
  return ocl_kernel_set_arguments (self->kernels[KERNEL_BLUR], &arguments,
      error)
      && ocl_kernel_enqueue (self->context, self->kernels[KERNEL_BLUR], 0,
      band->columns, (gsize) divide_up (band->rows, block_height)
      * 2 * waves->n_waves * group_height, group_width, group_height,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_fast_tiled_enqueue_slice (OclBilateralFastTiled * self,
    const OclRun * run, const Band * band, GError ** error)
{
  const OclBilateralWaves *waves = &self->waves;
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, band->y);
  OCL_ARGUMENTS_ADD (&arguments, band->height);
  OCL_ARGUMENTS_ADD (&arguments, waves->step);
  OCL_ARGUMENTS_ADD (&arguments, waves->n_waves);
  OCL_ARGUMENTS_ADD (&arguments, waves->frequency);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  OCL_ARGUMENTS_ADD (&arguments, band->columns);
  OCL_ARGUMENTS_ADD (&arguments, band->rows);
  return ocl_kernel_set_arguments (self->kernels[KERNEL_SLICE], &arguments,
      error)
      && ocl_kernel_enqueue (self->context, self->kernels[KERNEL_SLICE], 0,
      width, divide_up (band->height, self->tuning[ROWS]),
      self->tuning[GROUP_WIDTH], self->tuning[GROUP_HEIGHT],
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_fast_tiled_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralFastTiled *self = object;
  const gint height = ocl_pass_get_height (run->pass, run->input);

  if (!ocl_bilateral_waves_update (&self->waves, self->context, run, error))
    return FALSE;

  Band band = ocl_bilateral_fast_tiled_get_band (self,
      ocl_pass_get_width (run->pass, run->input), height);
  if (!ocl_bilateral_fast_tiled_ensure_memory (self, &band, error))
    return FALSE;
  for (; band.y < height; band.y += band.height) {
    band.height = MIN (band.height, height - band.y);
    band.rows = ocl_bilateral_waves_count_nodes (&self->waves, band.height, 1);
    if (!ocl_bilateral_fast_tiled_enqueue_splat (self, run, &band, error)
        || !ocl_bilateral_fast_tiled_enqueue_blur (self, &band, run->timer,
            error)
        || !ocl_bilateral_fast_tiled_enqueue_slice (self, run, &band, error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_fast_tiled = {
  .name = "fast-tiled",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_APPROXIMATE,
  .tunables = tunables,
  .can_serve = ocl_bilateral_waves_can_serve,
  .new = ocl_bilateral_fast_tiled_new,
  .enqueue = ocl_bilateral_fast_tiled_enqueue,
  .free = ocl_bilateral_fast_tiled_free,
};
