/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclpyramidsteps.h"

#include "ocloctaves.h"

enum
{
  KERNEL_REDUCE,
  KERNEL_SPREAD,
  KERNEL_LOWPASS,
  KERNEL_SCALE,
  KERNEL_SUBTRACT,
  KERNEL_ADD,
};

/* Intermediate octaves of a step: spread() and scale() write @wide, lowpass()
 * writes @smooth. They have the largest size so far. */
typedef struct
{
  OclOctaves wide;
  OclOctaves smooth;
} Between;

static void
ocl_pyramid_plain_clear (gpointer state)
{
  Between *between = state;

  ocl_octaves_clear (&between->wide);
  ocl_octaves_clear (&between->smooth);
}

static gboolean
ocl_pyramid_plain_reduce (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclPyramidStep *step = run->params;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_REDUCE, step->coarse_width,
          step->coarse_height), error, OCL_FINE_IN (self, run),
      OCL_OCTAVE (step->coarse), OCL_INT (step->width), OCL_INT (step->height),
      OCL_INT (step->coarse_width), OCL_INT (step->coarse_height),
      OCL_INT (step->border), OCL_FLOAT4 (step->outside));
}

/* Sets @octaves to one octave of the size of the fine octave. Keeps an octave
 * that is large enough. */
static gboolean
ensure_place (OclOctaves * octaves, OclContext * context, const OclRun * run,
    GError ** error)
{
  const OclPyramidStep *step = run->params;
  const OclFrame *frame = octaves->frames;

  return (frame && ocl_pass_get_width (run->pass, &frame->info) >= step->width
      && ocl_pass_get_height (run->pass, &frame->info) >= step->height)
      || ocl_octaves_ensure (octaves, context, step->band->info.storage,
      step->band->info.format, run->pass, step->width, step->height, 1, 1,
      error);
}

/* Enqueues @kernel, which reads the octave @from and writes the octave @to.
 * Both have the size of the fine octave. */
static gboolean
ocl_pyramid_plain_enqueue_between (OclKernels * self, const OclRun * run,
    guint kernel, const OclFrame * from, const OclFrame * to, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const gboolean borders = kernel == KERNEL_LOWPASS;

  return OCL_LAUNCH (self, run, OCL_GRID (kernel, step->width, step->height),
      error, OCL_OCTAVE (from), OCL_OCTAVE (to), OCL_INT (step->width),
      OCL_INT (step->height), OCL_IF (borders, OCL_INT (step->coarse_width)),
      OCL_IF (borders, OCL_INT (step->coarse_height)),
      OCL_IF (borders, OCL_INT (step->border)),
      OCL_IF (borders, OCL_FLOAT4 (step->outside)));
}

/* Expands the coarse octave into the octave @wide. */
static gboolean
ocl_pyramid_plain_expand (OclKernels * self, const OclRun * run,
    const OclFrame * wide, GError ** error)
{
  const OclPyramidStep *step = run->params;
  const OclFrame *smooth =
      ocl_octaves_get (&((Between *) self->state)->smooth, 0, 0);

  return ocl_pyramid_plain_enqueue_between (self, run, KERNEL_SPREAD,
      step->coarse, wide, error)
      && ocl_pyramid_plain_enqueue_between (self, run, KERNEL_LOWPASS, wide,
      smooth, error)
      && ocl_pyramid_plain_enqueue_between (self, run, KERNEL_SCALE, smooth,
      wide, error);
}

static gboolean
ocl_pyramid_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  Between *between = self->state;
  const OclPyramidStep *step = run->params;

  if (step->kind == OCL_PYRAMID_REDUCE)
    return ocl_pyramid_plain_reduce (self, run, error);
  if (!ensure_place (&between->wide, self->context, run, error)
      || !ensure_place (&between->smooth, self->context, run, error))
    return FALSE;

  const OclFrame *wide = ocl_octaves_get (&between->wide, 0, 0);
  if (!ocl_pyramid_plain_expand (self, run, wide, error))
    return FALSE;
  if (step->kind == OCL_PYRAMID_SUBTRACT)
    return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_SUBTRACT, step->width,
            step->height), error, OCL_FINE_IN (self, run),
        OCL_OCTAVE (wide), OCL_OCTAVE (step->band), OCL_INT (step->width),
        OCL_INT (step->height));
  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ADD, step->width,
          step->height), error, OCL_FINE_IN (self, run),
      OCL_FINE_OUT (self, run), OCL_OCTAVE (step->band),
      OCL_OCTAVE (wide), OCL_INT (step->width), OCL_INT (step->height),
      OCL_FLOAT (step->gain), OCL_FLOAT (step->coarse_gain),
      OCL_FLOAT (step->offset));
}

const OclVariant ocl_pyramid_plain = {
  .name = "plain",
  .source = "pyramid.cl",
  .kernels = OCL_NAMES ("reduce", "spread", "lowpass", "scale", "subtract",
      "add"),
  .group_width = 16,
  .group_height = 16,
  .state_size = sizeof (Between),
  .get_options = ocl_pyramid_get_options,
  .clear = ocl_pyramid_plain_clear,
  .enqueue = ocl_pyramid_plain_enqueue,
};
