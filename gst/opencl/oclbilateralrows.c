/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralrows.h"

#include <math.h>
#include <string.h>

#include "oclprogram.h"
#include "ocltable.h"

/* Pixels a work-item, and work-items a group. A group's size is fixed, because
 * some drivers compile a kernel anew for each. */
#define VECTOR 16
#define GROUP_WIDTH 8

/* Far enough for a weight to vanish, and finite as a float. */
#define LARGE 1e30

/* What the planes of one band may take. */
#define BAND_BYTES (64 * 1024 * 1024)

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

typedef struct
{
  OclContext *context;
  cl_kernel planes_kernel;
  cl_kernel rows_kernel;
  cl_mem linear;                /* 256 floats: sRGB byte to linear light */
  OclTable taps;                /* MAX_TAPS cl_float */
  OclTable rows_of_taps;        /* MAX_ROWS_OF_TAPS cl_int2 */
  cl_mem planes;
  gsize planes_bytes;

  /* What taps and rows_of_taps hold. */
  gdouble spatial_sigma;
  gint radius;
  OclBilateralWindow window;
} OclBilateralRows;

static gboolean
ocl_bilateral_rows_build (OclBilateralRows * self, GError ** error)
{
  cl_program program = ocl_program_build (self->context, "bilateral-rows.cl",
      "", error);
  if (!program)
    return FALSE;
  self->planes_kernel = ocl_program_create_kernel (program, "planes", error);
  if (self->planes_kernel)
    self->rows_kernel = ocl_program_create_kernel (program, "rows", error);
  clReleaseProgram (program);   /* the kernels keep it */
  return self->rows_kernel != NULL;
}

/* IEC 61966-2-1 */
static gdouble
srgb_to_linear (gdouble value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static gboolean
ocl_bilateral_rows_create_tables (OclBilateralRows * self, GError ** error)
{
  cl_context context = self->context->context;
  cl_float linear[256];
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i < G_N_ELEMENTS (linear); i++)
    linear[i] = srgb_to_linear (i / 255.0);

  self->linear = clCreateBuffer (context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof (linear), linear,
      &status);
  if (!ocl_check (status, "clCreateBuffer", error))
    return FALSE;
  return ocl_table_init (&self->taps, self->context,
      MAX_TAPS * sizeof (cl_float), error)
      && ocl_table_init (&self->rows_of_taps, self->context,
      MAX_ROWS_OF_TAPS * sizeof (cl_int2), error);
}

static void
ocl_bilateral_rows_free (gpointer variant)
{
  OclBilateralRows *self = variant;

  g_clear_pointer (&self->planes_kernel, clReleaseKernel);
  g_clear_pointer (&self->rows_kernel, clReleaseKernel);
  g_clear_pointer (&self->linear, clReleaseMemObject);
  ocl_table_clear (&self->taps);
  ocl_table_clear (&self->rows_of_taps);
  g_clear_pointer (&self->planes, clReleaseMemObject);
  ocl_context_unref (self->context);
  g_free (self);
}

/* The kernels are the same for both storages. */
static gpointer
ocl_bilateral_rows_new (OclContext * context,
    G_GNUC_UNUSED OclStorage storage, GError ** error)
{
  OclBilateralRows *self = g_new0 (OclBilateralRows, 1);

  self->context = ocl_context_ref (context);
  self->radius = -1;
  if (!ocl_bilateral_rows_build (self, error)
      || !ocl_bilateral_rows_create_tables (self, error)) {
    ocl_bilateral_rows_free (self);
    return NULL;
  }
  return self;
}

static gint
ocl_bilateral_rows_get_extent (OclBilateralWindow window, gint radius, gint j)
{
  gint extent = radius;

  if (window == OCL_BILATERAL_WINDOW_DISC) {
    while (extent * extent + j * j > radius * radius)
      extent--;
  }
  return extent;
}

/* log2 of the spatial weight. Finite for the smallest sigma, and 0 in the
 * middle of the window for any. */
static cl_float
get_spatial_exponent (gint i, gint j, gdouble sigma)
{
  gdouble distance = sqrt (i * i + j * j) / sigma;

  return i == 0 && j == 0 ? 0.0
      : MAX (-0.5 * M_LOG2E * distance * distance, -LARGE);
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
  gint n_taps = 0;

  self->radius = -1;            /* until the device has them */
  if (!ocl_table_begin (&self->taps, error)
      || !ocl_table_begin (&self->rows_of_taps, error))
    return FALSE;
  for (gint j = -radius; j <= radius; j++) {
    gint extent = ocl_bilateral_rows_get_extent (params->window, radius, j);

    rows_of_taps[j + radius] = (cl_int2) { {
    extent, n_taps + extent}};
    for (gint i = -extent; i <= extent; i++)
      taps[n_taps++] = get_spatial_exponent (i, j,
          params->spatial_sigma);
  }

  if (!ocl_table_enqueue_write (&self->taps, self->context,
          n_taps * sizeof (cl_float), timer, error)
      || !ocl_table_enqueue_write (&self->rows_of_taps, self->context,
          (2 * radius + 1) * sizeof (cl_int2), timer, error))
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

static Layout
ocl_bilateral_rows_get_layout (OclBilateralRows * self, gint width,
    gint height, gint radius, OclBilateralColorMode color_mode)
{
  static const guint planes_of_mode[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = 4,
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = 3,
    [OCL_BILATERAL_COLOR_LAB] = 6,
  };
  Layout layout;

  layout.pad_x = round_up_to_vector (radius);
  layout.pitch = 2 * layout.pad_x + round_up_to_vector (width);

  gsize row_bytes = (gsize) layout.pitch * planes_of_mode[color_mode]
      * sizeof (cl_float);
  gsize budget = MIN ((guint64) BAND_BYTES,
      self->context->device->max_alloc_size);
  gssize rows = (gssize) (budget / row_bytes) - 2 * radius;

  layout.band_height = CLAMP (rows, 1, height);
  layout.plane_size = layout.pitch * (layout.band_height + 2 * radius);
  layout.bytes = row_bytes * (layout.band_height + 2 * radius);
  return layout;
}

static gboolean
ocl_bilateral_rows_ensure_planes (OclBilateralRows * self, gsize bytes,
    GError ** error)
{
  cl_int status = CL_SUCCESS;

  if (self->planes && self->planes_bytes >= bytes)
    return TRUE;

  g_clear_pointer (&self->planes, clReleaseMemObject);
  self->planes = clCreateBuffer (self->context->context, CL_MEM_READ_WRITE,
      bytes, NULL, &status);
  self->planes_bytes = bytes;
  return ocl_check (status, "clCreateBuffer", error);
}

/* From a difference in the guide's unit to one whose square is an exponent of
 * 2; small enough for squares to be finite. */
static cl_float
ocl_bilateral_rows_get_guide_scale (const OclBilateralParams * params)
{
  static const gdouble units[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = 25500.0,
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = 255.0,
    [OCL_BILATERAL_COLOR_LAB] = 100.0,
  };
  gdouble scale = sqrt (0.5 * M_LOG2E) / units[params->color_mode]
      / params->intensity_sigma;

  return MIN (scale, 1e14);
}

static gboolean
ocl_bilateral_rows_enqueue_planes (OclBilateralRows * self,
    const OclBilateralParams * params, const Layout * layout,
    const OclFrame * input, cl_int band_y, cl_int band_height,
    OclTimer * timer, GError ** error)
{
  const cl_int stride = input->stride;
  const cl_int width = input->width;
  const cl_int height = input->height;
  const cl_int bgra = input->bgra;
  const cl_int radius = self->radius;
  const cl_int band_rows = band_height + 2 * radius;
  const cl_int color_mode = params->color_mode;
  const cl_int border = params->border;
  const cl_uchar4 border_color = { {params->border_color[0],
          params->border_color[1], params->border_color[2], 255} };
  const OclArgument arguments[] = {
    OCL_ARGUMENT (input->memory), OCL_ARGUMENT (stride), OCL_ARGUMENT (width),
    OCL_ARGUMENT (height), OCL_ARGUMENT (bgra), OCL_ARGUMENT (band_y),
    OCL_ARGUMENT (band_rows), OCL_ARGUMENT (self->planes),
    OCL_ARGUMENT (layout->pitch), OCL_ARGUMENT (layout->plane_size),
    OCL_ARGUMENT (layout->pad_x), OCL_ARGUMENT (radius),
    OCL_ARGUMENT (color_mode), OCL_ARGUMENT (self->linear),
    OCL_ARGUMENT (border), OCL_ARGUMENT (border_color),
  };

  return ocl_kernel_set_arguments (self->planes_kernel, arguments,
      G_N_ELEMENTS (arguments), error)
      && ocl_kernel_enqueue (self->context, self->planes_kernel, 0,
      layout->pitch / VECTOR, band_rows, GROUP_WIDTH, 1,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_rows_enqueue_rows (OclBilateralRows * self,
    const OclBilateralParams * params, const Layout * layout,
    const OclFrame * input, const OclFrame * output, cl_int band_y,
    cl_int band_height, OclTimer * timer, GError ** error)
{
  const cl_int input_stride = input->stride;
  const cl_int output_stride = output->stride;
  const cl_int width = input->width;
  const cl_int bgra = input->bgra;
  const cl_int radius = self->radius;
  const cl_int color_mode = params->color_mode;
  const cl_float guide_scale = ocl_bilateral_rows_get_guide_scale (params);
  const OclArgument arguments[] = {
    OCL_ARGUMENT (self->planes), OCL_ARGUMENT (layout->pitch),
    OCL_ARGUMENT (layout->plane_size), OCL_ARGUMENT (layout->pad_x),
    OCL_ARGUMENT (radius), OCL_ARGUMENT (color_mode),
    OCL_ARGUMENT (guide_scale), OCL_ARGUMENT (self->taps.memory),
    OCL_ARGUMENT (self->rows_of_taps.memory), OCL_ARGUMENT (input->memory),
    OCL_ARGUMENT (input_stride), OCL_ARGUMENT (output->memory),
    OCL_ARGUMENT (output_stride), OCL_ARGUMENT (bgra), OCL_ARGUMENT (width),
    OCL_ARGUMENT (band_y), OCL_ARGUMENT (band_height),
  };

  return ocl_kernel_set_arguments (self->rows_kernel, arguments,
      G_N_ELEMENTS (arguments), error)
      && ocl_kernel_enqueue (self->context, self->rows_kernel, 0,
      (width + VECTOR - 1) / VECTOR, band_height, GROUP_WIDTH, 1,
      ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_rows_enqueue (gpointer variant,
    const OclBilateralParams * params, gint radius, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error)
{
  OclBilateralRows *self = variant;
  const Layout layout = ocl_bilateral_rows_get_layout (self, input->width,
      input->height, radius, params->color_mode);

  if (!ocl_bilateral_rows_update_taps (self, params, radius, timer, error)
      || !ocl_bilateral_rows_ensure_planes (self, layout.bytes, error))
    return FALSE;

  for (gint y = 0; y < input->height; y += layout.band_height) {
    gint band_height = MIN (layout.band_height, input->height - y);

    if (!ocl_bilateral_rows_enqueue_planes (self, params, &layout, input, y,
            band_height, timer, error)
        || !ocl_bilateral_rows_enqueue_rows (self, params, &layout, input,
            output, y, band_height, timer, error))
      return FALSE;
  }
  return TRUE;
}

const OclBilateralImplementation ocl_bilateral_rows = {
  .names = {
    [OCL_STORAGE_BUFFER] = "rows",
    [OCL_STORAGE_IMAGE] = "rows",
  },
  .buffers_only = TRUE,
  .new = ocl_bilateral_rows_new,
  .enqueue = ocl_bilateral_rows_enqueue,
  .free = ocl_bilateral_rows_free,
};
