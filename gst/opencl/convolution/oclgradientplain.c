/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclgradientvariants.h"

#define GROUP_SIDE 16

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  gsize group_side;
} OclGradientPlain;

static void
ocl_gradient_plain_free (gpointer object)
{
  OclGradientPlain *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_gradient_plain_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclGradientPlain *self = g_new0 (OclGradientPlain, 1);

  self->context = ocl_context_ref (context);
  self->kernel = ocl_program_build_kernel (context, "gradient.cl", build, "",
      "gradient", error);
  if (!self->kernel || !ocl_kernel_get_group_side (context, self->kernel,
          GROUP_SIDE, &self->group_side, error)) {
    ocl_gradient_plain_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_gradient_plain_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclGradientPlain *self = object;
  OclGradientNumbers numbers;
  OclArguments arguments = { 0, };

  ocl_gradient_get_numbers (run, &numbers);
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, numbers.width);
  OCL_ARGUMENTS_ADD (&arguments, numbers.height);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_x);
  OCL_ARGUMENTS_ADD (&arguments, numbers.step_y);
  OCL_ARGUMENTS_ADD (&arguments, numbers.output);
  OCL_ARGUMENTS_ADD (&arguments, numbers.luma);
  OCL_ARGUMENTS_ADD (&arguments, numbers.unit);
  OCL_ARGUMENTS_ADD (&arguments, numbers.border);
  OCL_ARGUMENTS_ADD (&arguments, numbers.outside);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernel, 0, numbers.width,
      numbers.height, self->group_side, self->group_side,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

const OclVariant ocl_gradient_plain = {
  .name = "plain",
  .new = ocl_gradient_plain_new,
  .enqueue = ocl_gradient_plain_enqueue,
  .free = ocl_gradient_plain_free,
};
