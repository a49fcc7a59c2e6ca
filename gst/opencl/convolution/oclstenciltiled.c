/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "oclmemory.h"

/* What may vary: work-items a group, samples a work-item. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  N_TUNABLES,
};

static const gint group_widths[] = { 16, 32, 64, 0 };
static const gint group_heights[] = { 4, 8, 0 };
static const gint rows[] = { 1, 2, 4, 0 };

const OclTunable ocl_stencil_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 8, group_heights},
  [ROWS] = {"ROWS", 2, rows},
  [N_TUNABLES] = {NULL},
};

/* Up to this radius one kernel does both sums, where local memory suffices:
 * beyond, what a tile has around its samples costs more than a trip through
 * global memory. */
#define MAX_RADIUS_OF_TILE 8

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
  gsize group_rows;             /* of samples */
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

/* Whether groups may be that large, and how much local memory they have. */
static gboolean
ocl_stencil_tiled_check (OclStencilTiled * self, GError ** error)
{
  const cl_device_id device = self->context->device->id;
  cl_ulong local_size = 0;

  if (!ocl_check (clGetDeviceInfo (device, CL_DEVICE_LOCAL_MEM_SIZE,
              sizeof (local_size), &local_size, NULL), "clGetDeviceInfo",
          error))
    return FALSE;
  self->local_size = local_size;
  for (guint i = 0; i < N_KERNELS; i++) {
    size_t group_size = 0;

    if (!ocl_check (clGetKernelWorkGroupInfo (self->kernels[i], device,
                CL_KERNEL_WORK_GROUP_SIZE, sizeof (group_size), &group_size,
                NULL), "clGetKernelWorkGroupInfo", error))
      return FALSE;
    if (group_size < self->group_width * self->group_height) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "%s has groups of %" G_GSIZE_FORMAT " work-items: too few for a "
          "tile.", self->context->device->name, (gsize) group_size);
      return FALSE;
    }
  }
  return TRUE;
}

/* Of both kernels that take any radius, the larger. */
static gsize
ocl_stencil_tiled_get_line_size (OclStencilTiled * self, gint radius_x,
    gint radius_y)
{
  return self->sum_size * MAX (self->group_width
      * (self->group_rows + 2 * radius_y),
      (self->group_width + 2 * radius_x) * self->group_rows);
}

gpointer
ocl_stencil_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  static const gsize sum_sizes[OCL_MAX_PASS_CHANNELS + 1] = {
    0, sizeof (cl_float), sizeof (cl_float2), sizeof (cl_float4)
  };
  OclStencilTiled *self = g_new0 (OclStencilTiled, 1);

  self->context = ocl_context_ref (context);
  self->group_width = build->tuning.values[GROUP_WIDTH];
  self->group_height = build->tuning.values[GROUP_HEIGHT];
  self->group_rows = self->group_height * build->tuning.values[ROWS];
  self->sum_size = sum_sizes[build->pass.n_channels];
  if (!ocl_program_build_kernels (context, "stencil-tiled.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_stencil_tiled_check (self, error)
      || !ocl_stencil_weights_init (&self->weights, context,
          2 * OCL_STENCIL_MAX_SIDE, error)) {
    ocl_stencil_tiled_free (self);
    return NULL;
  }
  if (ocl_stencil_tiled_get_line_size (self, OCL_STENCIL_MAX_RADIUS,
          OCL_STENCIL_MAX_RADIUS) > self->local_size) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has too little local memory for a tile.", context->device->name);
    ocl_stencil_tiled_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_stencil_tiled_enqueue_kernel (OclStencilTiled * self, guint n,
    const OclStencilNumbers * numbers, const OclArguments * arguments,
    OclTimer * timer, GError ** error)
{
  const gsize groups =
      (numbers->height + self->group_rows - 1) / self->group_rows;

  return ocl_kernel_set_arguments (self->kernels[n], arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernels[n], 0,
      numbers->width, groups * self->group_height, self->group_width,
      self->group_height, ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_stencil_tiled_enqueue_tiled (OclStencilTiled * self, const OclRun * run,
    const OclStencilNumbers * numbers, gsize tile_size, gsize sums_size,
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
  OCL_ARGUMENTS_ADD (&arguments, numbers->centre);
  OCL_ARGUMENTS_ADD (&arguments, numbers->scale);
  OCL_ARGUMENTS_ADD (&arguments, numbers->offset);
  OCL_ARGUMENTS_ADD (&arguments, numbers->border);
  OCL_ARGUMENTS_ADD (&arguments, numbers->outside);
  ocl_arguments_add (&arguments, tile_size, NULL);
  ocl_arguments_add (&arguments, sums_size, NULL);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_TILED, numbers,
      &arguments, run->timer, error);
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
  ocl_arguments_add (&arguments, self->sum_size * self->group_width
      * (self->group_rows + 2 * numbers->radius_y), NULL);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_DOWN, numbers,
      &arguments, run->timer, error);
}

static gboolean
ocl_stencil_tiled_enqueue_across (OclStencilTiled * self, const OclRun * run,
    const OclStencil * stencil, const OclStencilNumbers * numbers,
    GError ** error)
{
  const cl_int first = 2 * stencil->radius_y + 1;
  cl_float4 outside = numbers->outside;
  gdouble sum = 0.0;
  OclArguments arguments = { 0, };

  for (gint j = 0; j < first; j++)
    sum += stencil->box ? 1.0 : stencil->rows[j];
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
  ocl_arguments_add (&arguments, self->sum_size * self->group_rows
      * (self->group_width + 2 * numbers->radius_x), NULL);
  return ocl_stencil_tiled_enqueue_kernel (self, KERNEL_ACROSS, numbers,
      &arguments, run->timer, error);
}

gboolean
ocl_stencil_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilTiled *self = object;
  OclStencilNumbers numbers;

  ocl_stencil_get_numbers (stencil, run, &numbers);
  if (!ocl_stencil_weights_set_lines (&self->weights, self->context, stencil,
          run->timer, error))
    return FALSE;

  const gsize columns = self->group_width + 2 * numbers.radius_x;
  const gsize sums_size = self->sum_size * columns * self->group_rows;
  const gsize tile_size = self->sum_size * columns
      * (self->group_rows + 2 * numbers.radius_y);
  if (MAX (numbers.radius_x, numbers.radius_y) <= MAX_RADIUS_OF_TILE
      && tile_size + sums_size <= self->local_size)
    return ocl_stencil_tiled_enqueue_tiled (self, run, &numbers, tile_size,
        sums_size, error);

  return ocl_memory_ensure (&self->sums, self->context, self->sum_size
      * numbers.width * numbers.height, error)
      && ocl_stencil_tiled_enqueue_down (self, run, &numbers, error)
      && ocl_stencil_tiled_enqueue_across (self, run, stencil, &numbers, error);
}
