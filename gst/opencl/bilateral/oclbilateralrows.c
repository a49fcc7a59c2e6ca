/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralrows.h"

#include <math.h>
#include <string.h>

#include "oclbilateraltaps.h"
#include "oclmemory.h"

/* Pixels a work-item, and work-items a group. A group's size is fixed, because
 * some drivers compile a kernel anew for each. */
#define VECTOR 16
#define GROUP_WIDTH 8

/* Squared differences of intensity above it set the kernel's may_vanish: with
 * OCL_BILATERAL_TAPS_LEAST_EXPONENT they are a float's exponent. */
#define LARGE_SQUARE 64.0

/* What the planes of one band may take: they stay in a cache. */
#define BAND_BYTES (8 * 1024 * 1024)

/* How the planes of a frame are laid out; see kernels/bilateral-rows.cl. */
typedef struct
{
  cl_int pad_x;
  cl_int pitch;                 /* in floats; all of a row is used */
  cl_int plane_size;            /* in floats */
  cl_int band_height;           /* rows of the frame in a band */
  gsize bytes;
} Layout;

enum
{
  KERNEL_PLANES,
  KERNEL_ROWS,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_PLANES] = "planes",
  [KERNEL_ROWS] = "rows",
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  cl_kernel kernels[N_KERNELS];
  cl_mem linear;                /* floats: sRGB level to linear light */
  OclBilateralWindows windows;
  OclMemory planes;
} OclBilateralRows;

/* IEC 61966-2-1 */
static gdouble
srgb_to_linear (gdouble value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static gboolean
ocl_bilateral_rows_create_linear (OclBilateralRows * self,
    const OclFormat * format, GError ** error)
{
  const guint max_level = ocl_format_get_max_level (format);
  g_autofree cl_float *linear = g_new (cl_float, max_level + 1);
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i <= max_level; i++)
    linear[i] = srgb_to_linear (i / (gdouble) max_level);

  self->linear = clCreateBuffer (self->context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      (max_level + 1) * sizeof (cl_float), linear, &status);
  return ocl_check (status, "clCreateBuffer", error);
}

static void
ocl_bilateral_rows_free (gpointer object)
{
  OclBilateralRows *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  g_clear_pointer (&self->linear, clReleaseMemObject);
  ocl_bilateral_windows_clear (&self->windows);
  ocl_memory_clear (&self->planes);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralRows *self = g_new0 (OclBilateralRows, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  if (!ocl_program_build_kernels (context, "bilateral-rows.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_bilateral_rows_create_linear (self, build->format, error)) {
    ocl_bilateral_rows_free (self);
    return NULL;
  }
  return self;
}

static gint
round_up_to_vector (gint value)
{
  return (value + VECTOR - 1) / VECTOR * VECTOR;
}

/* Those of the channels, and those of what differences are taken of. */
static guint
ocl_bilateral_rows_count_planes (OclBilateralRows * self,
    OclBilateralColorMode color_mode)
{
  const guint n_channels = self->pass.n_channels;

  if (color_mode == OCL_BILATERAL_COLOR_LAB)
    return n_channels + 3;
  return color_mode == OCL_BILATERAL_COLOR_INTENSITY && n_channels > 1
      ? n_channels + 1 : n_channels;
}

static Layout
ocl_bilateral_rows_get_layout (OclBilateralRows * self, gint width,
    gint height, gint radius, OclBilateralColorMode color_mode)
{
  const gint radius_y = radius >> self->pass.y_shift;
  Layout layout;

  layout.pad_x = round_up_to_vector (radius >> self->pass.x_shift);
  layout.pitch = 2 * layout.pad_x + round_up_to_vector (width);

  gsize row_bytes = (gsize) layout.pitch
      * ocl_bilateral_rows_count_planes (self, color_mode) * sizeof (cl_float);
  gsize budget = MIN ((guint64) BAND_BYTES,
      self->context->device->max_alloc_size);
  gssize rows = (gssize) (budget / row_bytes) - 2 * radius_y;

  layout.band_height = CLAMP (rows, 1, height);
  layout.plane_size = layout.pitch * (layout.band_height + 2 * radius_y);
  layout.bytes = row_bytes * (layout.band_height + 2 * radius_y);
  return layout;
}

/* From the guide's unit to one whose squared difference is an exponent of 2;
 * small enough for squares to be finite, and large enough for levels to be
 * computed back from it. */
static cl_float
ocl_bilateral_rows_get_scale (const OclBilateralParams * params,
    const OclFormat * format)
{
  const gdouble unit = ocl_bilateral_get_guide_unit
      (ocl_bilateral_get_color_mode (params, format), format);
  const gdouble scale = sqrt (0.5 * M_LOG2E) / unit / params->intensity_sigma;

  return CLAMP (scale, 1e-5 / unit, 1e18 / unit);
}

static gboolean
ocl_bilateral_rows_enqueue_planes (OclBilateralRows * self, const OclRun * run,
    const Layout * layout, const OclBilateralTaps * taps, cl_int band_y,
    cl_int band_height, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_int radius = taps->radius >> self->pass.y_shift;
  const cl_int band_rows = band_height + 2 * radius;
  const cl_int color_mode =
      ocl_bilateral_get_color_mode (params, input->format);
  const cl_float scale = ocl_bilateral_rows_get_scale (params, input->format);
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, band_rows);
  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, layout->plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad_x);
  OCL_ARGUMENTS_ADD (&arguments, radius);
  OCL_ARGUMENTS_ADD (&arguments, color_mode);
  OCL_ARGUMENTS_ADD (&arguments, scale);
  OCL_ARGUMENTS_ADD (&arguments, self->linear);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  return ocl_kernel_set_arguments (self->kernels[KERNEL_PLANES], &arguments,
      error)
      && ocl_kernel_enqueue (self->context, self->kernels[KERNEL_PLANES], 0,
      layout->pitch / VECTOR, band_rows, GROUP_WIDTH, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_rows_enqueue_rows (OclBilateralRows * self, const OclRun * run,
    const Layout * layout, const OclBilateralTaps * taps, cl_int band_y,
    cl_int band_height, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int radius = taps->radius >> self->pass.y_shift;
  const cl_int color_mode =
      ocl_bilateral_get_color_mode (params, input->format);
  const cl_float scale = ocl_bilateral_rows_get_scale (params, input->format);
  const cl_float unit = 1.0f / scale;
  /* Bits above the level may be set. */
  const gdouble largest = scale
      * ocl_bilateral_get_guide_unit (color_mode, input->format)
      * ocl_format_get_largest_difference (input->format)
      / ocl_format_get_max_level (input->format);
  const cl_int may_vanish = largest * largest > LARGE_SQUARE;
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, layout->plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad_x);
  OCL_ARGUMENTS_ADD (&arguments, radius);
  OCL_ARGUMENTS_ADD (&arguments, color_mode);
  OCL_ARGUMENTS_ADD (&arguments, unit);
  OCL_ARGUMENTS_ADD (&arguments, may_vanish);
  OCL_ARGUMENTS_ADD (&arguments, taps->exponents.memory);
  OCL_ARGUMENTS_ADD (&arguments, taps->rows.memory);
  ocl_arguments_add_planes (&arguments, input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, band_height);
  return ocl_kernel_set_arguments (self->kernels[KERNEL_ROWS], &arguments,
      error)
      && ocl_kernel_enqueue (self->context, self->kernels[KERNEL_ROWS], 0,
      (width + VECTOR - 1) / VECTOR, band_height, GROUP_WIDTH, 1,
      ocl_timer_add (run->timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_rows_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralRows *self = object;
  const OclBilateralParams *params = run->params;
  const gint radius = ocl_bilateral_get_radius (params);
  const gint height = ocl_pass_get_height (run->pass, run->input);
  const Layout layout = ocl_bilateral_rows_get_layout (self,
      ocl_pass_get_width (run->pass, run->input), height, radius,
      ocl_bilateral_get_color_mode (params, run->input->format));

  const OclBilateralTaps *taps = ocl_bilateral_windows_get (&self->windows,
      self->context, run->pass, params, run->timer, error);
  if (!taps
      || !ocl_memory_ensure (&self->planes, self->context, layout.bytes, error))
    return FALSE;

  for (gint y = 0; y < height; y += layout.band_height) {
    gint band_height = MIN (layout.band_height, height - y);

    if (!ocl_bilateral_rows_enqueue_planes (self, run, &layout, taps, y,
            band_height, error)
        || !ocl_bilateral_rows_enqueue_rows (self, run, &layout, taps, y,
            band_height, error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .new = ocl_bilateral_rows_new,
  .enqueue = ocl_bilateral_rows_enqueue,
  .free = ocl_bilateral_rows_free,
};
