/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#define GROUP_SIDE 16
#define MAX_TAPS (OCL_STENCIL_MAX_SIDE * OCL_STENCIL_MAX_SIDE)

/* A GPU is reset when one launch takes seconds: larger work is cut up. */
#define MAX_TAPS_OF_LAUNCH G_GUINT64_CONSTANT (400000000)

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  gsize group_side;
  OclStencilWeights weights;    /* of the taps, row by row */
} OclStencilPlain;

void
ocl_stencil_plain_free (gpointer object)
{
  OclStencilPlain *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_stencil_weights_clear (&self->weights);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_plain_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilPlain *self = g_new0 (OclStencilPlain, 1);

  self->context = ocl_context_ref (context);
  self->kernel = ocl_program_build_kernel (context, "stencil.cl", build, "",
      "stencil", error);
  if (!self->kernel || !ocl_kernel_get_group_side (context, self->kernel,
          GROUP_SIDE, &self->group_side, error)
      || !ocl_stencil_weights_init (&self->weights, context, MAX_TAPS, error)) {
    ocl_stencil_plain_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_stencil_plain_update (OclStencilPlain * self, const OclStencil * stencil,
    OclTimer * timer, GError ** error)
{
  const gint width = 2 * stencil->radius_x + 1;
  const gsize n = (gsize) width * (2 * stencil->radius_y + 1);
  g_autofree cl_float *weights = g_new (cl_float, n);

  for (gsize i = 0; i < n; i++)
    weights[i] = stencil->box ? 1.0
        : stencil->rows[i / width] * stencil->columns[i % width];
  return ocl_stencil_weights_set (&self->weights, self->context, weights, n,
      timer, error);
}

gboolean
ocl_stencil_plain_enqueue (gpointer object, const OclRun * run,
    const OclStencil * stencil, GError ** error)
{
  OclStencilPlain *self = object;
  OclStencilNumbers numbers;
  OclArguments arguments = { 0, };

  ocl_stencil_get_numbers (stencil, run, &numbers);
  if (!ocl_stencil_plain_update (self, stencil, run->timer, error))
    return FALSE;
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.radius_y);
  OCL_ARGUMENTS_ADD (&arguments, self->weights.table.memory);
  OCL_ARGUMENTS_ADD (&arguments, numbers.centre);
  OCL_ARGUMENTS_ADD (&arguments, numbers.scale);
  OCL_ARGUMENTS_ADD (&arguments, numbers.offset);
  OCL_ARGUMENTS_ADD (&arguments, numbers.border);
  OCL_ARGUMENTS_ADD (&arguments, numbers.outside);
  if (!ocl_kernel_set_arguments (self->kernel, &arguments, error))
    return FALSE;

  gsize side = self->group_side;
  guint64 taps_of_row = (guint64) numbers.width * self->weights.n;
  gsize band_height = CLAMP (MAX_TAPS_OF_LAUNCH / taps_of_row, side,
      numbers.height + side) / side * side;
  for (gsize y = 0; y < (gsize) numbers.height; y += band_height) {
    if (!ocl_kernel_enqueue (self->context, self->kernel, y,
            numbers.width, MIN (band_height, numbers.height - y), side, side,
            ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}
