/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidkernels.h"

#define GROUP_SIDE 16

enum
{
  KERNEL_REDUCE,
  KERNEL_SPREAD,
  KERNEL_LOWPASS,
  KERNEL_SCALE,
  KERNEL_SUBTRACT,
  KERNEL_ADD,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_REDUCE] = "reduce",
  [KERNEL_SPREAD] = "spread",
  [KERNEL_LOWPASS] = "lowpass",
  [KERNEL_SCALE] = "scale",
  [KERNEL_SUBTRACT] = "subtract",
  [KERNEL_ADD] = "add",
};

/* Between steps: what spread() and scale(), what lowpass() writes. */
enum
{
  BETWEEN_WIDE,
  BETWEEN_SMOOTH,
  N_BETWEEN,
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  OclFormat format;
  cl_kernel kernels[OCL_PYRAMID_N_SETS][N_KERNELS];
  gsize group_side;
  OclLevels between[N_BETWEEN]; /* of the largest size so far */
} OclPyramidPlain;

static void
ocl_pyramid_plain_free (gpointer object)
{
  OclPyramidPlain *self = object;

  for (guint i = 0; i < OCL_PYRAMID_N_SETS * N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i / N_KERNELS][i % N_KERNELS],
        clReleaseKernel);
  for (guint i = 0; i < N_BETWEEN; i++)
    ocl_levels_clear (&self->between[i]);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_pyramid_plain_get_side (OclPyramidPlain * self, GError ** error)
{
  self->group_side = GROUP_SIDE;
  for (guint i = 0; i < OCL_PYRAMID_N_SETS * N_KERNELS; i++) {
    if (!ocl_kernel_get_group_side (self->context,
            self->kernels[i / N_KERNELS][i % N_KERNELS], self->group_side,
            &self->group_side, error))
      return FALSE;
  }
  return TRUE;
}

static gpointer
ocl_pyramid_plain_new (OclContext * context, const OclBuild * build,
    OclStorage storage, GError ** error)
{
  OclPyramidPlain *self = g_new0 (OclPyramidPlain, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  ocl_levels_init_format (&self->format, build->format, &build->pass, storage,
      TRUE);
  if (!ocl_pyramid_build_kernels (context, "pyramid.cl", build, storage,
          kernel_names, self->kernels[0], self->kernels[OCL_PYRAMID_INNER],
          N_KERNELS, error) || !ocl_pyramid_plain_get_side (self, error)) {
    ocl_pyramid_plain_free (self);
    return NULL;
  }
  return self;
}

static gboolean
ocl_pyramid_plain_enqueue_kernel (OclPyramidPlain * self,
    const OclPyramidStep * step, guint kernel,
    const OclPyramidArguments * arguments, gsize width, gsize height,
    GError ** error)
{
  cl_kernel object =
      self->kernels[step->is_outer ? 0 : OCL_PYRAMID_INNER][kernel];

  return ocl_kernel_set_arguments (object, &arguments->arguments, error)
      && ocl_kernel_enqueue (self->context, object, 0, width, height,
      self->group_side, self->group_side, ocl_timer_add (step->timer,
          OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_pyramid_plain_reduce (OclPyramidPlain * self, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_levels (&args, step, &self->pass);
  ocl_pyramid_add_numbers (&args, step);
  return ocl_pyramid_plain_enqueue_kernel (self, step, KERNEL_REDUCE, &args,
      step->coarse_width, step->coarse_height, error);
}

/* A kernel from one level of the size of the fine one to another. */
static gboolean
ocl_pyramid_plain_enqueue_between (OclPyramidPlain * self,
    const OclPyramidStep * step, guint kernel, const OclFrame * from,
    const OclFrame * to, GError ** error)
{
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_level (&args, from);
  ocl_pyramid_add_level (&args, to);
  OCL_ARGUMENTS_ADD (&args.arguments, step->width);
  OCL_ARGUMENTS_ADD (&args.arguments, step->height);
  if (kernel == KERNEL_LOWPASS) {
    OCL_ARGUMENTS_ADD (&args.arguments, step->coarse_width);
    OCL_ARGUMENTS_ADD (&args.arguments, step->coarse_height);
    OCL_ARGUMENTS_ADD (&args.arguments, step->border);
    OCL_ARGUMENTS_ADD (&args.arguments, step->outside);
  }
  return ocl_pyramid_plain_enqueue_kernel (self, step, kernel, &args,
      step->width, step->height, error);
}

static gboolean
ocl_pyramid_plain_has_place (OclPyramidPlain * self, const OclLevels * levels,
    const OclPyramidStep * step)
{
  const OclFrame *frame = levels->frames;

  return frame && ocl_pass_get_width (&self->pass, frame) >= step->width
      && ocl_pass_get_height (&self->pass, frame) >= step->height;
}

/* Expands the coarse level to BETWEEN_WIDE. */
static gboolean
ocl_pyramid_plain_expand (OclPyramidPlain * self, const OclPyramidStep * step,
    GError ** error)
{
  for (guint i = 0; i < N_BETWEEN; i++) {
    OclLevels *levels = &self->between[i];

    if (!ocl_pyramid_plain_has_place (self, levels, step)
        && !ocl_levels_ensure (levels, self->context,
            step->coarse->storage, &self->format, &self->pass, step->width,
            step->height, 1, 1, error))
      return FALSE;
  }

  const OclFrame *wide = ocl_levels_get (&self->between[BETWEEN_WIDE], 0, 0);
  const OclFrame *smooth =
      ocl_levels_get (&self->between[BETWEEN_SMOOTH], 0, 0);

  return ocl_pyramid_plain_enqueue_between (self, step, KERNEL_SPREAD,
      step->coarse, wide, error)
      && ocl_pyramid_plain_enqueue_between (self, step, KERNEL_LOWPASS, wide,
      smooth, error)
      && ocl_pyramid_plain_enqueue_between (self, step, KERNEL_SCALE, smooth,
      wide, error);
}

static gboolean
ocl_pyramid_plain_subtract (OclPyramidPlain * self,
    const OclPyramidStep * step, GError ** error)
{
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_fine (&args, step, &self->pass);
  ocl_pyramid_add_level (&args,
      ocl_levels_get (&self->between[BETWEEN_WIDE], 0, 0));
  ocl_pyramid_add_level (&args, step->band);
  OCL_ARGUMENTS_ADD (&args.arguments, step->width);
  OCL_ARGUMENTS_ADD (&args.arguments, step->height);
  return ocl_pyramid_plain_enqueue_kernel (self, step, KERNEL_SUBTRACT, &args,
      step->width, step->height, error);
}

static gboolean
ocl_pyramid_plain_add (OclPyramidPlain * self, const OclPyramidStep * step,
    GError ** error)
{
  OclPyramidArguments args = { {0,}, };

  ocl_pyramid_add_fine (&args, step, &self->pass);
  ocl_pyramid_add_output (&args, step, &self->pass);
  ocl_pyramid_add_level (&args, step->band);
  ocl_pyramid_add_level (&args,
      ocl_levels_get (&self->between[BETWEEN_WIDE], 0, 0));
  OCL_ARGUMENTS_ADD (&args.arguments, step->width);
  OCL_ARGUMENTS_ADD (&args.arguments, step->height);
  OCL_ARGUMENTS_ADD (&args.arguments, step->gain);
  OCL_ARGUMENTS_ADD (&args.arguments, step->coarse_gain);
  OCL_ARGUMENTS_ADD (&args.arguments, step->offset);
  return ocl_pyramid_plain_enqueue_kernel (self, step, KERNEL_ADD, &args,
      step->width, step->height, error);
}

static gboolean
ocl_pyramid_plain_enqueue (gpointer object, const OclPyramidStep * step,
    GError ** error)
{
  switch (step->kind) {
    case OCL_PYRAMID_REDUCE:
      return ocl_pyramid_plain_reduce (object, step, error);
    case OCL_PYRAMID_SUBTRACT:
      return ocl_pyramid_plain_expand (object, step, error)
          && ocl_pyramid_plain_subtract (object, step, error);
    default:
      return ocl_pyramid_plain_expand (object, step, error)
          && ocl_pyramid_plain_add (object, step, error);
  }
}

const OclPyramidKernels ocl_pyramid_plain = {
  .new = ocl_pyramid_plain_new,
  .enqueue = ocl_pyramid_plain_enqueue,
  .free = ocl_pyramid_plain_free,
};
