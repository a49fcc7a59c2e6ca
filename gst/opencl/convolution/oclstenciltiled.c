/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "oclmemory.h"

#define MAX_ROWS 8
#define MAX_WEIGHTS (2 * OCL_STENCIL_MAX_SIDE + MAX_ROWS - 1)

/* What may vary: work-items a group, samples a work-item. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  N_TUNABLES,
};

static const gint group_widths[] = { 16, 32, 64, 0 };
static const gint group_heights[] = { 2, 4, 8, 0 };
static const gint rows[] = { 1, 2, 4, MAX_ROWS, 0 };

const OclTunable ocl_stencil_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 64, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 2, group_heights},
  [ROWS] = {"ROWS", 8, rows},
  [N_TUNABLES] = {NULL},
};

/* Up to this radius one kernel does both sums: beyond, what a group sums up
 * left and right of its samples costs more than a trip through global
 * memory. */
#define MAX_RADIUS_OF_TILE 12

enum
{
  KERNEL_TILED,
  KERNEL_DOWN,
  KERNEL_ACROSS,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_TILED] = "tiled",
  [KERNEL_DOWN] = "down",
  [KERNEL_ACROSS] = "across",
};

typedef struct
{
  OclContext *context;
  cl_kernel kernels[N_KERNELS];
  gsize group_width;
  gsize group_height;
  gsize rows;                   /* samples of a work-item */
  gsize sum_size;               /* bytes of what is summed up for a sample */
  guint64 local_size;           /* bytes of local memory of a group */
  OclStencilWeights weights;    /* of rows, then of columns */
  OclMemory sums;
} OclStencilTiled;

void
ocl_stencil_tiled_free (gpointer object)
{
  OclStencilTiled *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_stencil_weights_clear (&self->weights);
  ocl_memory_clear (&self->sums);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Bytes of the sums of @rows rows of a group, for a window that wide. */
static gsize
ocl_stencil_tiled_get_sums_size (OclStencilTiled * self, gsize rows,
    gint radius_x)
{
  return self->sum_size * rows * (self->group_width + 2 * radius_x);
}

gpointer
ocl_stencil_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilTiled *self = g_new0 (OclStencilTiled, 1);

  self->context = ocl_context_ref (context);
  self->group_width = build->tuning.values[GROUP_WIDTH];
  self->group_height = build->tuning.values[GROUP_HEIGHT];
  self->rows = build->tuning.values[ROWS];
  self->sum_size = ocl_stencil_get_sum_size (&build->pass);
  if (!ocl_context_get_local_size (context, &self->local_size, error)
      || !ocl_program_build_kernels (context, "stencil-tiled.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_kernels_check_group (context, self->kernels, N_KERNELS,
          self->group_width * self->group_height, error)
      || !ocl_stencil_weights_init (&self->weights, context,
          MAX_WEIGHTS, error)) {
    ocl_stencil_tiled_free (self);
    return NULL;
  }
  if (ocl_stencil_tiled_get_sums_size (self, self->group_height,
          OCL_STENCIL_MAX_RADIUS) > self->local_size) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has too little local memory for a tile.", context->device->name);
    ocl_stencil_tiled_free (self);
    return NULL;
  }
  return self;
}

/* Those of the rows, zeros, and those of the columns, @first being where these
 * are. */
static gboolean
ocl_stencil_tiled_set_weights (OclStencilTiled * self,
    const OclStencil * stencil, cl_int * first, OclTimer * timer,
    GError ** error)
{
  cl_float values[MAX_WEIGHTS] = { 0.0f, };
  gsize n = 0;

  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    values[n++] = stencil->rows[j];
  n += self->rows - 1;
  *first = n;
  for (gint i = 0; i <= 2 * stencil->radius_x; i++)
    values[n++] = stencil->columns[i];
  return ocl_stencil_weights_set (&self->weights, self->context, values, n,
      timer, error);
}

/* A work-item has @rows rows. */
static gboolean
ocl_stencil_tiled_enqueue_kernel (OclStencilTiled * self, guint n,
    const OclStencilNumbers * numbers, gsize rows,
    const OclArguments * arguments, OclTimer * timer, GError ** error)
{
  return ocl_kernel_set_arguments (self->kernels[n], arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernels[n], 0,
      numbers->width, (numbers->height + rows - 1) / rows, self->group_width,
      self->group_height, ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_stencil_tiled_enqueue_tiled (OclStencilTiled * self, const OclRun * run,
    const OclStencilNumbers * numbers, cl_int first, gsize sums_size,
    GError ** error)
{
  OclArguments arguments = { 0, };

  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers->width);
  OCL_ARGUMENTS_ADD (&arguments, numbers->height);
  OCL_ARGUMENTS_ADD (&arguments, numbers->radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers->radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, first);
  ocl_stencil_add_numbers (numbers, &arguments);
  ocl_arguments_add (&arguments, sums_size, NULL);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_TILED, numbers,
      self->rows, &arguments, run->timer, error);
}

static gboolean
ocl_stencil_tiled_enqueue_down (OclStencilTiled * self, const OclRun * run,
    const OclStencilNumbers * numbers, GError ** error)
{
  OclArguments arguments = { 0, };

  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, self->sums.memory);
  OCL_ARGUMENTS_ADD (&arguments, numbers->width);
  OCL_ARGUMENTS_ADD (&arguments, numbers->height);
  OCL_ARGUMENTS_ADD (&arguments, numbers->radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, numbers->border);
  OCL_ARGUMENTS_ADD (&arguments, numbers->outside);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_DOWN, numbers,
      self->rows, &arguments, run->timer, error);
}

static gboolean
ocl_stencil_tiled_enqueue_across (OclStencilTiled * self, const OclRun * run,
    const OclStencil * stencil, const OclStencilNumbers * numbers,
    cl_int first, GError ** error)
{
  cl_float4 outside = numbers->outside;
  gdouble sum = 0.0;
  OclArguments arguments = { 0, };

  for (gint j = 0; j <= 2 * stencil->radius_y; j++)
    sum += stencil->rows[j];
  for (guint i = 0; i < G_N_ELEMENTS (outside.s); i++)
    outside.s[i] *= sum;
  OCL_ARGUMENTS_ADD (&arguments, self->sums.memory);
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers->width);
  OCL_ARGUMENTS_ADD (&arguments, numbers->height);
  OCL_ARGUMENTS_ADD (&arguments, numbers->radius_x);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, first);
  OCL_ARGUMENTS_ADD (&arguments, numbers->centre);
  OCL_ARGUMENTS_ADD (&arguments, numbers->scale);
  OCL_ARGUMENTS_ADD (&arguments, numbers->offset);
  OCL_ARGUMENTS_ADD (&arguments, numbers->border);
  OCL_ARGUMENTS_ADD (&arguments, outside);
  ocl_arguments_add (&arguments, ocl_stencil_tiled_get_sums_size (self,
          self->group_height, numbers->radius_x), NULL);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_ACROSS, numbers, 1,
      &arguments, run->timer, error);
}

gboolean
ocl_stencil_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilTiled *self = object;
  const gsize sums_size = ocl_stencil_tiled_get_sums_size (self,
      self->group_height * self->rows, stencil->radius_x);
  OclStencilNumbers numbers;
  cl_int first;

  ocl_stencil_get_numbers (stencil, run, &numbers);
  if (!ocl_stencil_tiled_set_weights (self, stencil, &first, run->timer, error))
    return FALSE;
  if (MAX (numbers.radius_x, numbers.radius_y) <= MAX_RADIUS_OF_TILE
      && sums_size <= self->local_size)
    return ocl_stencil_tiled_enqueue_tiled (self, run, &numbers, first,
        sums_size, error);

  return ocl_memory_ensure (&self->sums, self->context, self->sum_size
      * numbers.width * numbers.height, error)
      && ocl_stencil_tiled_enqueue_down (self, run, &numbers, error)
      && ocl_stencil_tiled_enqueue_across (self, run, stencil, &numbers, first,
      error);
}
