/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralplain.h"

#include "oclprogram.h"

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
ocl_bilateral_plain_free (gpointer variant)
{
  OclBilateralPlain *self = variant;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_plain_new (OclContext * context, OclStorage storage,
    GError ** error)
{
  OclBilateralPlain *self = g_new0 (OclBilateralPlain, 1);
  gsize group_size = 0;

  self->context = ocl_context_ref (context);
  self->kernel = ocl_program_build_kernel (context, "bilateral.cl",
      storage == OCL_STORAGE_IMAGE ? "-D PIXELS_IN_IMAGES" : "", "bilateral",
      error);
  if (!self->kernel || !ocl_kernel_get_group_size (context, self->kernel,
          GROUP_SIDE * GROUP_SIDE, &group_size, error)) {
    ocl_bilateral_plain_free (self);
    return NULL;
  }
  self->group_side = GROUP_SIDE;
  while (self->group_side * self->group_side > group_size)
    self->group_side /= 2;
  return self;
}

/* -1 / (2 sigma²), finite for the smallest sigma. */
static cl_float
get_exponent_scale (gdouble sigma)
{
  return MAX (-0.5 / sigma / sigma, -1e30);
}

static gboolean
ocl_bilateral_plain_enqueue (gpointer variant,
    const OclBilateralParams * params, gint window_radius,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  OclBilateralPlain *self = variant;
  const cl_int width = input->width;
  const cl_int height = input->height;
  const cl_int input_stride = input->stride;
  const cl_int output_stride = output->stride;
  const cl_float spatial_scale = get_exponent_scale (params->spatial_sigma);
  const cl_float range_scale = get_exponent_scale (params->intensity_sigma);
  const cl_int radius = window_radius;
  const cl_int color_mode = params->color_mode;
  const cl_int disc = params->window == OCL_BILATERAL_WINDOW_DISC;
  const cl_int border = params->border;
  const cl_float4 border_color = { {params->border_color[0],
          params->border_color[1], params->border_color[2], 255.0f} };
  OclArgument arguments[13];
  guint n = 0;

  arguments[n++] = (OclArgument) OCL_ARGUMENT (input->memory);
  if (input->storage == OCL_STORAGE_BUFFER)
    arguments[n++] = (OclArgument) OCL_ARGUMENT (input_stride);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (output->memory);
  if (output->storage == OCL_STORAGE_BUFFER)
    arguments[n++] = (OclArgument) OCL_ARGUMENT (output_stride);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (width);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (height);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (spatial_scale);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (range_scale);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (radius);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (color_mode);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (disc);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (border);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (border_color);

  if (!ocl_kernel_set_arguments (self->kernel, arguments, n, error))
    return FALSE;

  gsize side = self->group_side;
  guint64 taps_of_row = (guint64) width * (2 * radius + 1) * (2 * radius + 1);
  gsize band_height = CLAMP (MAX_TAPS_OF_LAUNCH / taps_of_row, side,
      (gsize) height + side) / side * side;
  for (gsize y = 0; y < (gsize) height; y += band_height) {
    if (!ocl_kernel_enqueue (self->context, self->kernel, y, width,
            MIN (band_height, height - y), side, side,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}

const OclBilateralImplementation ocl_bilateral_plain = {
  .names = {
    [OCL_STORAGE_BUFFER] = "plain-buffer",
    [OCL_STORAGE_IMAGE] = "plain-image",
  },
  .new = ocl_bilateral_plain_new,
  .enqueue = ocl_bilateral_plain_enqueue,
  .free = ocl_bilateral_plain_free,
};
