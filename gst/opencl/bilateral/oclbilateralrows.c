/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralrows.h"

#include <math.h>
#include <string.h>

#include "oclbilateral.h"
#include "oclmemory.h"
#include "ocltable.h"

/* Pixels a work-item, and work-items a group. A group's size is fixed, because
 * some drivers compile a kernel anew for each. */
#define VECTOR 16
#define GROUP_WIDTH 8

/* Where a weight has vanished: spatial exponents are not below the one, squared
 * differences of intensity above the other set the kernel's may_vanish. Both
 * together are a float's exponent. */
#define LEAST_EXPONENT -62.0
#define LARGE_SQUARE 64.0

/* What the planes of one band may take: they stay in a cache. */
#define BAND_BYTES (8 * 1024 * 1024)

#define MAX_ROWS_OF_TAPS (2 * OCL_BILATERAL_MAX_RADIUS + 1)
#define MAX_TAPS (MAX_ROWS_OF_TAPS * MAX_ROWS_OF_TAPS)

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
  OclTable taps;                /* MAX_TAPS cl_float */
  OclTable rows_of_taps;        /* MAX_ROWS_OF_TAPS cl_int2 */
  OclMemory planes;

  /* What taps and rows_of_taps hold. */
  gdouble spatial_sigma;
  cl_int radius;
  OclBilateralWindow window;
} OclBilateralRows;

/* IEC 61966-2-1 */
static gdouble
srgb_to_linear (gdouble value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static gboolean
ocl_bilateral_rows_create_tables (OclBilateralRows * self,
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
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  return ocl_table_init (&self->taps, self->context,
      MAX_TAPS * sizeof (cl_float), error)
      && ocl_table_init (&self->rows_of_taps, self->context,
      MAX_ROWS_OF_TAPS * sizeof (cl_int2), error);
}

static void
ocl_bilateral_rows_free (gpointer object)
{
  OclBilateralRows *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  g_clear_pointer (&self->linear, clReleaseMemObject);
  ocl_table_clear (&self->taps);
  ocl_table_clear (&self->rows_of_taps);
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
  self->radius = -1;
  if (!ocl_program_build_kernels (context, "bilateral-rows.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_bilateral_rows_create_tables (self, build->format, error)) {
    ocl_bilateral_rows_free (self);
    return NULL;
  }
  return self;
}

/* Taps on either side of the middle one in row @j of the window. */
static gint
ocl_bilateral_rows_get_extent (OclBilateralRows * self,
    OclBilateralWindow window, gint radius, gint j)
{
  const gint y = j * (1 << self->pass.y_shift);
  gint extent = radius >> self->pass.x_shift;

  if (window == OCL_BILATERAL_WINDOW_DISC) {
    while ((extent << self->pass.x_shift) * (extent << self->pass.x_shift)
        + y * y > radius * radius)
      extent--;
  }
  return extent;
}

/* log2 of the spatial weight of a tap that many pixels away; 0 in the middle of
 * the window for any sigma. */
static cl_float
get_spatial_exponent (gint x, gint y, gdouble sigma)
{
  gdouble distance = sqrt (x * x + y * y) / sigma;

  return x == 0 && y == 0 ? 0.0
      : MAX (-0.5 * M_LOG2E * distance * distance, LEAST_EXPONENT);
}

/* The spatial weights as exponents of 2, and where each row of them is. */
static gboolean
ocl_bilateral_rows_update_taps (OclBilateralRows * self,
    const OclBilateralParams * params, gint radius, OclTimer * timer,
    GError ** error)
{
  if (self->radius == radius && self->window == params->window
      && self->spatial_sigma == params->spatial_sigma)
    return TRUE;

  cl_float *taps = self->taps.data;
  cl_int2 *rows_of_taps = self->rows_of_taps.data;
  const gint n_rows = 2 * (radius >> self->pass.y_shift) + 1;
  gint n_taps = 0;

  self->radius = -1;            /* until the device has them */
  if (!ocl_table_begin (&self->taps, error)
      || !ocl_table_begin (&self->rows_of_taps, error))
    return FALSE;
  for (gint row = 0; row < n_rows; row++) {
    gint j = row - n_rows / 2;
    gint extent =
        ocl_bilateral_rows_get_extent (self, params->window, radius, j);

    rows_of_taps[row].s[0] = extent;
    rows_of_taps[row].s[1] = n_taps + extent;
    for (gint i = -extent; i <= extent; i++)
      taps[n_taps++] = get_spatial_exponent (i * (1 << self->pass.x_shift),
          j * (1 << self->pass.y_shift), params->spatial_sigma);
  }

  if (!ocl_table_enqueue_write (&self->taps, self->context,
          n_taps * sizeof (cl_float), timer, error)
      || !ocl_table_enqueue_write (&self->rows_of_taps, self->context,
          n_rows * sizeof (cl_int2), timer, error))
    return FALSE;

  self->radius = radius;
  self->window = params->window;
  self->spatial_sigma = params->spatial_sigma;
  return TRUE;
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
    const Layout * layout, cl_int band_y, cl_int band_height, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_int radius = self->radius >> self->pass.y_shift;
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
    const Layout * layout, cl_int band_y, cl_int band_height, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int radius = self->radius >> self->pass.y_shift;
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
  OCL_ARGUMENTS_ADD (&arguments, self->taps.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->rows_of_taps.memory);
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

  if (!ocl_bilateral_rows_update_taps (self, params, radius, run->timer, error)
      || !ocl_memory_ensure (&self->planes, self->context, layout.bytes, error))
    return FALSE;

  for (gint y = 0; y < height; y += layout.band_height) {
    gint band_height = MIN (layout.band_height, height - y);

    if (!ocl_bilateral_rows_enqueue_planes (self, run, &layout, y, band_height,
            error)
        || !ocl_bilateral_rows_enqueue_rows (self, run, &layout, y,
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
