/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclstencil.h"

#define GROUP_SIDE 16
#define MAX_TAPS (OCL_STENCIL_MAX_SIDE * OCL_STENCIL_MAX_SIDE)

/* A weight is two floats in some programs, which take some eight times as long. */
#define FLOATS_OF_PAIR 2
#define TIMES_OF_PAIRS (8 / FLOATS_OF_PAIR)

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  gsize group_side;
  gboolean pairs;               /* of floats are the weights */
  OclStencilWeights weights;    /* of the taps, row by row */
  cl_float *values;             /* what they are to be */
} OclStencilPlain;

void
ocl_stencil_plain_free (gpointer object)
{
  OclStencilPlain *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_stencil_weights_clear (&self->weights);
  g_free (self->values);
  ocl_context_unref (self->context);
  g_free (self);
}

gpointer
ocl_stencil_plain_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclStencilPlain *self = g_new0 (OclStencilPlain, 1);

  self->context = ocl_context_ref (context);
  self->values = g_new (cl_float, FLOATS_OF_PAIR * MAX_TAPS);
  self->pairs = build->form == OCL_STENCIL_PAIRS;
  self->kernel = ocl_program_build_kernel (context, "stencil.cl", build,
      self->pairs ? "-D PAIRS" : "", "stencil", error);
  if (!self->kernel || !ocl_kernel_get_group_side (context, self->kernel,
          GROUP_SIDE, &self->group_side, error)
      || !ocl_stencil_weights_init (&self->weights, context,
          FLOATS_OF_PAIR * MAX_TAPS, error)) {
    ocl_stencil_plain_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_stencil_plain_update (OclStencilPlain * self, const OclStencil * stencil,
    OclTimer * timer, GError ** error)
{
  const gint n_taps = ocl_stencil_get_n_taps (stencil);
  gint n = 0;

  for (gint i = 0; i < n_taps; i++) {
    const gdouble weight = ocl_stencil_get_weight (stencil, i);

    self->values[n++] = weight;
    if (self->pairs) {
      self->values[n] = weight - self->values[n - 1];
      n++;
    }
  }
  return ocl_stencil_weights_set (&self->weights, self->context, self->values,
      n, timer, error);
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
  ocl_stencil_add_numbers (&numbers, &arguments);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_stencil_enqueue_kernel (self->context, self->kernel, &numbers,
      self->pairs ? TIMES_OF_PAIRS * self->weights.n : self->weights.n, 1,
      self->group_side, self->group_side, run->timer, error);
}
