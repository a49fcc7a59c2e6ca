/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateral.h"

#include <math.h>
#include <string.h>

#include "oclbilateralrows.h"
#include "oclprogram.h"

#define GROUP_SIDE 16

/* A GPU is reset when one launch takes seconds: larger work is cut up. */
#define MAX_TAPS_OF_LAUNCH G_GUINT64_CONSTANT (100000000)

struct _OclBilateral
{
  OclContext *context;
  OclBilateralVariant variant;  /* never AUTO */
  OclBilateralRows *rows;       /* when prepared */
  cl_kernel plain[2];           /* by OclStorage; when prepared */
  gsize plain_group_side[2];
};

gboolean
ocl_bilateral_is_neutral (const OclBilateralParams * params)
{
  return params->spatial_sigma <= 0.0 || params->intensity_sigma <= 0.0
      || params->radius == 0
      || (params->radius < 0 && params->spatial_sigma < 0.5);
}

static gint
ocl_bilateral_get_radius (const OclBilateralParams * params)
{
  gint radius = params->radius < 0
      ? (gint) floor (2.0 * params->spatial_sigma) : params->radius;

  return MIN (radius, OCL_BILATERAL_MAX_RADIUS);
}

OclBilateral *
ocl_bilateral_new (OclContext * context, OclBilateralVariant variant)
{
  OclBilateral *self = g_new0 (OclBilateral, 1);

  if (variant == OCL_BILATERAL_VARIANT_AUTO)
    variant = context->device->type & CL_DEVICE_TYPE_CPU
        ? OCL_BILATERAL_VARIANT_ROWS : OCL_BILATERAL_VARIANT_PLAIN;
  self->context = ocl_context_ref (context);
  self->variant = variant;
  return self;
}

void
ocl_bilateral_free (OclBilateral * self)
{
  g_clear_pointer (&self->rows, ocl_bilateral_rows_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->plain); i++)
    g_clear_pointer (&self->plain[i], clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_bilateral_build_plain (OclBilateral * self, OclStorage storage,
    GError ** error)
{
  gsize group_size = 0;
  cl_kernel kernel = ocl_program_build_kernel (self->context, "bilateral.cl",
      storage == OCL_STORAGE_IMAGE ? "-D PIXELS_IN_IMAGES" : "", "bilateral",
      error);
  if (!kernel)
    return FALSE;
  if (!ocl_kernel_get_group_size (self->context, kernel,
          GROUP_SIDE * GROUP_SIDE, &group_size, error)) {
    clReleaseKernel (kernel);
    return FALSE;
  }
  self->plain[storage] = kernel;
  self->plain_group_side[storage] = GROUP_SIDE;
  while (self->plain_group_side[storage] * self->plain_group_side[storage]
      > group_size)
    self->plain_group_side[storage] /= 2;
  return TRUE;
}

/* -1 / (2 sigma²), finite for the smallest sigma. */
static cl_float
get_exponent_scale (gdouble sigma)
{
  return MAX (-0.5 / sigma / sigma, -1e30);
}

static gboolean
ocl_bilateral_enqueue_plain (OclBilateral * self,
    const OclBilateralParams * params, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error)
{
  const cl_int width = input->width;
  const cl_int height = input->height;
  const cl_int input_stride = input->stride;
  const cl_int output_stride = output->stride;
  const cl_float spatial_scale = get_exponent_scale (params->spatial_sigma);
  const cl_float range_scale = get_exponent_scale (params->intensity_sigma);
  const cl_int radius = ocl_bilateral_get_radius (params);
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

  cl_kernel kernel = self->plain[input->storage];
  if (!ocl_kernel_set_arguments (kernel, arguments, n, error))
    return FALSE;

  gsize side = self->plain_group_side[input->storage];
  guint64 taps_of_row = (guint64) width * (2 * radius + 1) * (2 * radius + 1);
  gsize band_height = CLAMP (MAX_TAPS_OF_LAUNCH / taps_of_row, side,
      (gsize) height + side) / side * side;
  for (gsize y = 0; y < (gsize) height; y += band_height) {
    if (!ocl_kernel_enqueue (self->context, kernel, y, width,
            MIN (band_height, height - y), side, side,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}

/* Many drivers compile at the first enqueue, not in clBuildProgram. */
static gboolean
ocl_bilateral_warm_up (OclBilateral * self, OclStorage storage, GError ** error)
{
  const OclFrame like = {.width = 16,.height = 1 };
  const OclBilateralParams params = {.spatial_sigma = 1.0,
    .intensity_sigma = 1.0,.radius = 1
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame input = { 0, };
  OclFrame output = { 0, };

  gboolean ok = ocl_frame_ensure (&input, self->context, storage, &like, error)
      && ocl_frame_ensure (&output, self->context, storage, &like, error)
      && ocl_frame_enqueue_blank (self->context, &input, error)
      && ocl_bilateral_enqueue (self, &params, &input, &output, timer, error);
  ok = ocl_context_finish (self->context, ok ? error : NULL) && ok;
  ocl_frame_clear (&input);
  ocl_frame_clear (&output);
  return ok;
}

gboolean
ocl_bilateral_prepare (OclBilateral * self, OclStorage storage, GError ** error)
{
  if (self->variant == OCL_BILATERAL_VARIANT_ROWS) {
    if (self->rows)
      return TRUE;
    self->rows = ocl_bilateral_rows_new (self->context, error);
    if (!self->rows)
      return FALSE;
    if (!ocl_bilateral_warm_up (self, storage, error)) {
      g_clear_pointer (&self->rows, ocl_bilateral_rows_free);
      return FALSE;
    }
    return TRUE;
  }

  if (self->plain[storage])
    return TRUE;
  if (!ocl_bilateral_build_plain (self, storage, error))
    return FALSE;
  if (!ocl_bilateral_warm_up (self, storage, error)) {
    g_clear_pointer (&self->plain[storage], clReleaseKernel);
    return FALSE;
  }
  return TRUE;
}

gboolean
ocl_bilateral_enqueue (OclBilateral * self, const OclBilateralParams * params,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  g_assert (!ocl_bilateral_is_neutral (params));
  g_assert (input->width == output->width && input->height == output->height
      && input->storage == output->storage);

  if (self->variant == OCL_BILATERAL_VARIANT_ROWS)
    return ocl_bilateral_rows_enqueue (self->rows, params,
        ocl_bilateral_get_radius (params), input, output, timer, error);
  return ocl_bilateral_enqueue_plain (self, params, input, output, timer,
      error);
}

const gchar *
ocl_bilateral_get_variant_name (OclBilateral * self, OclStorage storage)
{
  if (self->variant == OCL_BILATERAL_VARIANT_ROWS)
    return "rows";
  return storage == OCL_STORAGE_IMAGE ? "plain-image" : "plain-buffer";
}
