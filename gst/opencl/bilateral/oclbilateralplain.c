/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralplain.h"

#include "oclbilateral.h"

#define GROUP_SIDE 16

/* A GPU is reset when one launch takes seconds: larger work is cut up. */
#define MAX_TAPS_OF_LAUNCH G_GUINT64_CONSTANT (100000000)

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  gsize group_side;
} OclBilateralPlain;

static void
ocl_bilateral_plain_free (gpointer object)
{
  OclBilateralPlain *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_plain_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralPlain *self = g_new0 (OclBilateralPlain, 1);

  self->context = ocl_context_ref (context);
  self->kernel = ocl_program_build_kernel (context, "bilateral.cl", build, "",
      "bilateral", error);
  if (!self->kernel || !ocl_kernel_get_group_side (context, self->kernel,
          GROUP_SIDE, &self->group_side, error)) {
    ocl_bilateral_plain_free (self);
    return NULL;
  }
  return self;
}

/* -1 / (2 sigma²), finite for the smallest sigma. */
static cl_float
get_exponent_scale (gdouble sigma)
{
  return MAX (-0.5 / sigma / sigma, -1e30);
}

static gboolean
ocl_bilateral_plain_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralPlain *self = object;
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_float spatial_scale = get_exponent_scale (params->spatial_sigma);
  const cl_float range_scale = get_exponent_scale (params->intensity_sigma);
  const cl_int radius = ocl_bilateral_get_radius (params);
  const cl_int color_mode =
      ocl_bilateral_get_color_mode (params, input->format);
  const cl_int disc = params->window == OCL_BILATERAL_WINDOW_DISC;
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, spatial_scale);
  OCL_ARGUMENTS_ADD (&arguments, range_scale);
  OCL_ARGUMENTS_ADD (&arguments, radius);
  OCL_ARGUMENTS_ADD (&arguments, color_mode);
  OCL_ARGUMENTS_ADD (&arguments, disc);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  if (!ocl_kernel_set_arguments (self->kernel, &arguments, error))
    return FALSE;

  gsize side = self->group_side;
  guint64 taps_of_row = (guint64) width * (2 * radius + 1) * (2 * radius + 1);
  gsize band_height = CLAMP (MAX_TAPS_OF_LAUNCH / taps_of_row, side,
      height + side) / side * side;
  for (gsize y = 0; y < (gsize) height; y += band_height) {
    if (!ocl_kernel_enqueue (self->context, self->kernel, y, width,
            MIN (band_height, height - y), side, side,
            ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_plain = {
  .name = "plain",
  .new = ocl_bilateral_plain_new,
  .enqueue = ocl_bilateral_plain_enqueue,
  .free = ocl_bilateral_plain_free,
};
