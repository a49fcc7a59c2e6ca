/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#include "ocltaps.h"

/* Bytes of local memory that drivers need for themselves: NVIDIA's counts it
 * among those that a group has. */
#define RESERVED_SIZE 1024

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
static const gint rows[] = { 1, 2, 4, 0 };

const OclTunable ocl_stencil_dense_tiled_tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, group_heights},
  [ROWS] = {"ROWS", 4, rows},
  [N_TUNABLES] = {NULL},
};

enum
{
  KERNEL_DENSE,
  KERNEL_DIRECT,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_DENSE] = "dense",
  [KERNEL_DIRECT] = "direct",
};

typedef struct
{
  OclContext *context;
  cl_kernel kernels[N_KERNELS];
  gsize group_width;
  gsize group_height;
  gsize rows;                   /* samples of a work-item */
  gsize sample_size;            /* bytes of one in a tile */
  guint64 local_size;           /* bytes of local memory of a group */
  OclTaps taps;
} OclStencilDenseTiled;

void
ocl_stencil_dense_tiled_free (gpointer object)
{
  OclStencilDenseTiled *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_taps_clear (&self->taps);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_dense_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilDenseTiled *self = g_new0 (OclStencilDenseTiled, 1);

  self->context = ocl_context_ref (context);
  self->group_width = build->tuning.values[GROUP_WIDTH];
  self->group_height = build->tuning.values[GROUP_HEIGHT];
  self->rows = build->tuning.values[ROWS];
  self->sample_size = ocl_stencil_get_sum_size (&build->pass);
  if (!ocl_context_get_local_size (context, &self->local_size, error)
      || !ocl_program_build_kernels (context, "stencil-dense-tiled.cl", build,
          ocl_taps_get_options (build->form), kernel_names, self->kernels,
          N_KERNELS, error)
      || !ocl_kernels_check_group (context, self->kernels, N_KERNELS,
          self->group_width * self->group_height, error)
      || !ocl_taps_init (&self->taps, context, error)) {
    ocl_stencil_dense_tiled_free (self);
    return NULL;
  }
  return self;
}

gboolean
ocl_stencil_dense_tiled_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilDenseTiled *self = object;
  const gsize tile_size = self->sample_size
      * (self->group_width + 2 * stencil->radius_x)
      * (self->group_height * self->rows + 2 * stencil->radius_y);
  const gboolean fits = tile_size + RESERVED_SIZE <= self->local_size;
  const cl_kernel kernel = self->kernels[fits ? KERNEL_DENSE : KERNEL_DIRECT];
  OclStencilNumbers numbers;
  OclArguments arguments = { 0, };

  ocl_stencil_get_numbers (stencil, run, &numbers);
  if (!ocl_taps_set (&self->taps, self->context, stencil, run->input->format,
          run->timer, error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->taps.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->taps.n_groups);
  ocl_stencil_add_dense_numbers (&numbers, &arguments);
  if (fits)
    ocl_arguments_add (&arguments, tile_size, NULL);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_stencil_enqueue_kernel (self->context, kernel, &numbers,
      self->taps.n_taps, self->rows, self->group_width, self->group_height,
      run->timer, error);
}
