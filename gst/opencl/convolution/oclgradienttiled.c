/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgradientvariants.h"

/* What may vary: work-items a group, samples a work-item. With the defaults the
 * tile fits into 32 KiB, which any device has; with the largest it takes 34. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  N_TUNABLES,
};

static const gint group_widths[] = { 16, 32, 64, 0 };
static const gint group_heights[] = { 2, 4, 0 };
static const gint rows[] = { 1, 2, 4, 0 };

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 64, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 2, group_heights},
  [ROWS] = {"ROWS", 4, rows},
  [N_TUNABLES] = {NULL},
};

typedef struct
{
  OclContext *context;
  /* The second for red, green and blue. */
  cl_kernel kernels[OCL_GRADIENT_N_KERNELS];
  gsize group_width;
  gsize group_height;
  gsize rows;
} OclGradientTiled;

static void
ocl_gradient_tiled_free (gpointer object)
{
  OclGradientTiled *self = object;

  for (guint i = 0; i < OCL_GRADIENT_N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_gradient_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclGradientTiled *self = g_new0 (OclGradientTiled, 1);
  const guint n_kernels =
      build->pass.n_channels ==
      OCL_MAX_PASS_CHANNELS ? OCL_GRADIENT_N_KERNELS : 1;

  self->context = ocl_context_ref (context);
  self->group_width = build->tuning.values[GROUP_WIDTH];
  self->group_height = build->tuning.values[GROUP_HEIGHT];
  self->rows = build->tuning.values[ROWS];
  if (!ocl_program_build_kernels (context, "gradient-tiled.cl", build, "",
          ocl_gradient_kernel_names, self->kernels, n_kernels, error)
      || !ocl_kernels_check_group (context, self->kernels, n_kernels,
          self->group_width * self->group_height, error)) {
    ocl_gradient_tiled_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_gradient_tiled_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclGradientTiled *self = object;
  OclGradientNumbers numbers;
  OclArguments arguments = { 0, };

  ocl_gradient_get_numbers (run, &numbers);
  const cl_kernel kernel =
      self->kernels[numbers.luma ? OCL_GRADIENT_KERNEL_LUMA :
      OCL_GRADIENT_KERNEL_EACH];
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_y);
  OCL_ARGUMENTS_ADD (&arguments, numbers.output);
  OCL_ARGUMENTS_ADD (&arguments, numbers.unit);
  OCL_ARGUMENTS_ADD (&arguments, numbers.border);
  OCL_ARGUMENTS_ADD (&arguments, numbers.outside);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, kernel, 0, numbers.width,
      (numbers.height + self->rows - 1) / self->rows, self->group_width,
      self->group_height, ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_gradient_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .new = ocl_gradient_tiled_new,
  .enqueue = ocl_gradient_tiled_enqueue,
  .free = ocl_gradient_tiled_free,
};
