/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateraltiled.h"

#include <math.h>

#include "bilateral-tiled.clh"
#include "oclprogram.h"

/* The most taps of the window that a tile has the pixels for. */
#define MAX_CHUNK_COLUMNS (TILE_WIDTH - GROUP_WIDTH + 1)
#define MAX_CHUNK_ROWS (TILE_HEIGHT - GROUP_HEIGHT * ROWS + 1)
#define MAX_CHUNK_ROWS_LAB (TILE_HEIGHT_LAB - GROUP_HEIGHT * ROWS + 1)

/* A GPU is reset when one launch takes seconds: larger work is cut up. The
 * slowest compute units take about a tenth of a second for this, and a launch
 * still has work for all of them. */
#define MAX_TAPS_OF_UNIT G_GUINT64_CONSTANT (100000000)

#define N_KERNELS (OCL_BILATERAL_COLOR_LAB + 1)

typedef struct
{
  OclContext *context;
  cl_kernel kernels[N_KERNELS]; /* by OclBilateralColorMode */
  guint64 max_taps;             /* of a launch */
} OclBilateralTiled;

static void
ocl_bilateral_tiled_free (gpointer variant)
{
  OclBilateralTiled *self = variant;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Whether the device has the local memory and registers for a work-group. */
static gboolean
ocl_bilateral_tiled_check (OclContext * context, cl_kernel kernel,
    GError ** error)
{
  cl_device_id device = context->device->id;
  cl_ulong memory = 0, memory_needed = 0;
  size_t group_size = 0;

  if (!ocl_check (clGetDeviceInfo (device, CL_DEVICE_LOCAL_MEM_SIZE,
              sizeof (memory), &memory, NULL), "clGetDeviceInfo", error)
      || !ocl_check (clGetKernelWorkGroupInfo (kernel, device,
              CL_KERNEL_LOCAL_MEM_SIZE, sizeof (memory_needed), &memory_needed,
              NULL), "clGetKernelWorkGroupInfo", error)
      || !ocl_check (clGetKernelWorkGroupInfo (kernel, device,
              CL_KERNEL_WORK_GROUP_SIZE, sizeof (group_size), &group_size,
              NULL), "clGetKernelWorkGroupInfo", error))
    return FALSE;

  if (memory_needed > memory || group_size < GROUP_WIDTH * GROUP_HEIGHT) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has %" G_GUINT64_FORMAT " bytes of local memory and groups of %"
        G_GSIZE_FORMAT " work-items: too little for a tile.",
        context->device->name, (guint64) memory, (gsize) group_size);
    return FALSE;
  }
  return TRUE;
}

static gboolean
ocl_bilateral_tiled_build (OclBilateralTiled * self, OclStorage storage,
    GError ** error)
{
  static const gchar *const names[N_KERNELS] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = "tiled_intensity",
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = "tiled_per_channel",
    [OCL_BILATERAL_COLOR_LAB] = "tiled_lab",
  };
  /* Exact denormals make exp2 () several instructions of one, for weights that
   * vanish in the sum anyway. */
  cl_program program = ocl_program_build (self->context, "bilateral-tiled.cl",
      storage == OCL_STORAGE_IMAGE
      ? "-cl-denorms-are-zero -D PIXELS_IN_IMAGES" : "-cl-denorms-are-zero",
      error);
  gboolean ok = program != NULL;

  for (guint i = 0; ok && i < N_KERNELS; i++) {
    self->kernels[i] = ocl_program_create_kernel (program, names[i], error);
    ok = self->kernels[i]
        && ocl_bilateral_tiled_check (self->context, self->kernels[i], error);
  }
  g_clear_pointer (&program, clReleaseProgram); /* the kernels keep it */
  return ok;
}

static gpointer
ocl_bilateral_tiled_new (OclContext * context, OclStorage storage,
    GError ** error)
{
  OclBilateralTiled *self = g_new0 (OclBilateralTiled, 1);
  cl_uint n_units = 1;

  self->context = ocl_context_ref (context);
  if (!ocl_check (clGetDeviceInfo (context->device->id,
              CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (n_units), &n_units, NULL),
          "clGetDeviceInfo", error)
      || !ocl_bilateral_tiled_build (self, storage, error)) {
    ocl_bilateral_tiled_free (self);
    return NULL;
  }
  self->max_taps = n_units * MAX_TAPS_OF_UNIT;
  return self;
}

/* Makes the square of a difference an exponent of 2: finite for the smallest
 * sigma, with the square of any difference that there is as well. */
static cl_float
get_exponent_scale (gdouble unit, gdouble sigma)
{
  return MAX (-0.5 * M_LOG2E / (unit * sigma) / (unit * sigma), -1e28);
}

/* The length of chunks of the same size, as few as there can be. */
static cl_int
get_chunk (gint length, gint max_chunk)
{
  gint n_chunks = (length + max_chunk - 1) / max_chunk;

  return (length + n_chunks - 1) / n_chunks;
}

static gboolean
ocl_bilateral_tiled_enqueue (gpointer variant,
    const OclBilateralParams * params, gint window_radius,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  /* What a guide has to be divided by for its distance to be Δ. */
  static const gdouble units[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = 25500.0,
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = 255.0,
    [OCL_BILATERAL_COLOR_LAB] = 100.0,
  };
  OclBilateralTiled *self = variant;
  const gint diameter = 2 * window_radius + 1;
  const cl_int width = input->width;
  const cl_int height = input->height;
  const cl_int input_stride = input->stride;
  const cl_int output_stride = output->stride;
  const cl_float spatial_scale =
      get_exponent_scale (1.0, params->spatial_sigma);
  const cl_float range_scale =
      get_exponent_scale (units[params->color_mode], params->intensity_sigma);
  const cl_int radius = window_radius;
  const cl_int disc = params->window == OCL_BILATERAL_WINDOW_DISC;
  const cl_int chunk_columns = get_chunk (diameter, MAX_CHUNK_COLUMNS);
  const cl_int chunk_rows = get_chunk (diameter,
      params->color_mode == OCL_BILATERAL_COLOR_LAB
      ? MAX_CHUNK_ROWS_LAB : MAX_CHUNK_ROWS);
  const cl_int border = params->border;
  const cl_float4 border_color = { {params->border_color[0],
          params->border_color[1], params->border_color[2], 255.0f} };
  OclArgument arguments[14];
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
  arguments[n++] = (OclArgument) OCL_ARGUMENT (disc);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (chunk_columns);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (chunk_rows);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (border);
  arguments[n++] = (OclArgument) OCL_ARGUMENT (border_color);

  cl_kernel kernel = self->kernels[params->color_mode];
  if (!ocl_kernel_set_arguments (kernel, arguments, n, error))
    return FALSE;

  /* In rows of work-items from here on. */
  gsize n_rows = (height + ROWS - 1) / ROWS;
  guint64 taps_of_row = (guint64) width * ROWS * diameter * diameter;
  gsize band = CLAMP (self->max_taps / taps_of_row, GROUP_HEIGHT,
      n_rows + GROUP_HEIGHT) / GROUP_HEIGHT * GROUP_HEIGHT;
  for (gsize row = 0; row < n_rows; row += band) {
    if (!ocl_kernel_enqueue (self->context, kernel, row, width,
            MIN (band, n_rows - row), GROUP_WIDTH, GROUP_HEIGHT,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}

const OclBilateralImplementation ocl_bilateral_tiled = {
  .names = {
    [OCL_STORAGE_BUFFER] = "tiled-buffer",
    [OCL_STORAGE_IMAGE] = "tiled-image",
  },
  .new = ocl_bilateral_tiled_new,
  .enqueue = ocl_bilateral_tiled_enqueue,
  .free = ocl_bilateral_tiled_free,
};
