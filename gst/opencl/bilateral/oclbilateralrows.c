/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include <math.h>

#include "core/oclmemory.h"

/* Number of samples that a work-item computes. */
#define VECTOR 16

/* Weights whose exponent of 2 is below this value are treated as 0. */
#define LEAST_EXPONENT -62.0

/* If a squared difference of intensity can be above this value, the kernel's
 * may_vanish is set. Up to this value, the squared difference and
 * LEAST_EXPONENT together fit into the exponent of a float. */
#define LARGE_SQUARE 64.0

/* Maximum size of the planes of one slice in bytes, so that they stay in a
 * cache. */
#define SLICE_BYTES (8 * 1024 * 1024)

/* Maximum number of windows: one for each band of a pyramid. */
#define MAX_WINDOWS 9

#define MAX_ROWS (2 * OCL_BILATERAL_MAX_RADIUS + 1)
#define MAX_TAPS (MAX_ROWS * MAX_ROWS)

enum
{
  KERNEL_PLANES,
  KERNEL_ROWS,
};

/* Spatial weights of a window on the device, in the layout of
 * kernels/bilateral-rows.cl. */
typedef struct
{
  OclCoefficients exponents;    /* a float per tap: log2 of its weight */
  OclCoefficients rows;         /* an int2 per row: the taps on either side of
                                 * the middle tap, and the index of that tap */
  gint radius;                  /* in pixels, or -1 if there are no weights */
  gdouble spatial_sigma;
  OclBilateralWindow shape;
  guint64 last_use;             /* the value of n_uses of the state */
} Window;

/* State that is kept between frames. */
typedef struct
{
  cl_mem linear;                /* floats: sRGB level to linear light (owned) */
  Window windows[MAX_WINDOWS];
  guint64 n_uses;               /* of windows */
  OclMemory planes;
} State;

/* A slice of rows of the frame, and the layout of its planes, see
 * kernels/bilateral-rows.cl. */
typedef struct
{
  cl_int y;
  cl_int height;
  cl_int pad_x;
  cl_int pitch;                 /* in floats, all used */
  cl_int plane_size;            /* in floats */
  gsize bytes;
} Slice;

static gboolean
ocl_bilateral_rows_init (OclKernels * self, GError ** error)
{
  State *state = self->state;
  const guint max_level = ocl_format_get_max_level (self->build.format);
  g_autofree cl_float *linear = g_new (cl_float, max_level + 1);
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i <= max_level; i++) {
    const gdouble value = i / (gdouble) max_level;

    /* IEC 61966-2-1 */
    linear[i] =
        value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
  }
  state->linear = clCreateBuffer (self->context->context,
      CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      (max_level + 1) * sizeof (cl_float), linear, &status);
  return ocl_check (status, "clCreateBuffer", error);
}

static void
ocl_bilateral_rows_clear (gpointer data)
{
  State *state = data;

  g_clear_pointer (&state->linear, clReleaseMemObject);
  for (guint i = 0; i < MAX_WINDOWS; i++) {
    ocl_coefficients_clear (&state->windows[i].exponents);
    ocl_coefficients_clear (&state->windows[i].rows);
  }
  ocl_memory_clear (&state->planes);
}

static gboolean
window_write (Window * self, OclContext * context, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclPass *pass = run->pass;
  const gint radius = ocl_bilateral_get_radius (params);
  const gint n_rows = 2 * (radius >> pass->y_shift) + 1;
  gint n_taps = 0;

  self->radius = -1;            /* until the device has the weights */
  /* The memory is large enough for the largest window. */
  if (!ocl_coefficients_begin (&self->exponents, context,
          MAX_TAPS * sizeof (cl_float), error)
      || !ocl_coefficients_begin (&self->rows, context,
          MAX_ROWS * sizeof (cl_int2), error))
    return FALSE;

  cl_float *exponents = self->exponents.data;
  cl_int2 *rows = self->rows.data;
  for (gint row = 0; row < n_rows; row++) {
    const gint y = (row - n_rows / 2) * (1 << pass->y_shift);
    gint extent = radius >> pass->x_shift;

    if (params->window == OCL_BILATERAL_WINDOW_DISC) {
      while ((extent << pass->x_shift) * (extent << pass->x_shift) + y * y
          > radius * radius)
        extent--;
    }
    rows[row].s[0] = extent;
    rows[row].s[1] = n_taps + extent;
    for (gint i = -extent; i <= extent; i++) {
      const gint x = i * (1 << pass->x_shift);
      const gdouble distance = sqrt (x * x + y * y) / params->spatial_sigma;

      /* The sigma may be 0. */
      exponents[n_taps++] = x == 0 && y == 0 ? 0.0
          : MAX (-0.5 * M_LOG2E * distance * distance, LEAST_EXPONENT);
    }
  }
  if (!ocl_coefficients_enqueue_write (&self->exponents, context,
          n_taps * sizeof (cl_float), run->timer, error)
      || !ocl_coefficients_enqueue_write (&self->rows, context,
          n_rows * sizeof (cl_int2), run->timer, error))
    return FALSE;

  self->radius = radius;
  self->shape = params->window;
  self->spatial_sigma = params->spatial_sigma;
  return TRUE;
}

/* Returns the window of @run. If it is not on the device yet, waits until the
 * last write of the least recently used window has ended, and replaces that
 * window. */
static const Window *
get_window (OclKernels * self, const OclRun * run, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  Window *oldest = &state->windows[0];

  for (guint i = 0; i < MAX_WINDOWS; i++) {
    Window *window = &state->windows[i];

    if (window->exponents.memory
        && window->radius == ocl_bilateral_get_radius (params)
        && window->shape == params->window
        && window->spatial_sigma == params->spatial_sigma) {
      window->last_use = ++state->n_uses;
      return window;
    }
    if (window->last_use < oldest->last_use)
      oldest = window;
  }
  if (!window_write (oldest, self->context, run, error))
    return NULL;
  oldest->last_use = ++state->n_uses;
  return oldest;
}

static gint
round_up_to_vector (gint value)
{
  return (value + VECTOR - 1) / VECTOR * VECTOR;
}

/* Returns the first slice. All slices except the last have its height. */
static Slice
get_slice (const OclKernels * self, const OclRun * run)
{
  const gint radius = ocl_bilateral_get_radius (run->params);
  const gint radius_y = radius >> run->pass->y_shift;
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (run->params, run->input->info.format);
  Slice slice = {.pad_x = round_up_to_vector (radius >> run->pass->x_shift) };
  /* Planes for the channels, and for guides that are not channels. */
  guint n_planes = run->pass->n_channels;

  if (color_mode == OCL_BILATERAL_COLOR_LAB)
    n_planes += 3;
  else if (color_mode == OCL_BILATERAL_COLOR_INTENSITY && n_planes > 1)
    n_planes++;
  slice.pitch = 2 * slice.pad_x + round_up_to_vector (ocl_run_get_width (run));
  const gsize row_bytes = (gsize) slice.pitch * n_planes * sizeof (cl_float);
  const gsize budget = MIN ((guint64) SLICE_BYTES,
      self->context->device->max_alloc_size);
  const gssize rows = (gssize) (budget / row_bytes) - 2 * radius_y;

  slice.height = CLAMP (rows, 1, ocl_run_get_height (run));
  slice.plane_size = slice.pitch * (slice.height + 2 * radius_y);
  slice.bytes = row_bytes * (slice.height + 2 * radius_y);
  return slice;
}

static gboolean
enqueue_slice (OclKernels * self, const OclRun * run, const Slice * slice,
    const Window * window, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  const OclFormat *format = run->input->info.format;
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (params, format);
  const gint width = ocl_run_get_width (run);
  const cl_int radius = window->radius >> run->pass->y_shift;
  const cl_int rows = slice->height + 2 * radius;
  const gdouble unit = ocl_bilateral_get_guide_unit (color_mode, format);
  /* The square of a difference of scaled guides is an exponent of 2. The scale
   * is small enough for finite squares, and large enough to recover levels from
   * the scaled guide. */
  const cl_float scale = CLAMP (sqrt (0.5 * M_LOG2E) / unit
      / params->intensity_sigma, 1e-5 / unit, 1e18 / unit);
  /* Samples may have bits set above the largest level. */
  const gdouble largest = scale * unit
      * ocl_format_get_largest_difference (format)
      / ocl_format_get_max_level (format);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_PLANES, slice->pitch / VECTOR,
          rows), error, OCL_INPUT, OCL_BILATERAL_SIZE (run),
      OCL_INT (slice->y), OCL_INT (rows), OCL_MEMORY (state->planes.memory),
      OCL_INT (slice->pitch), OCL_INT (slice->plane_size),
      OCL_INT (slice->pad_x), OCL_INT (radius), OCL_INT (color_mode),
      OCL_FLOAT (scale), OCL_MEMORY (state->linear),
      OCL_BILATERAL_BORDER (params, color))
      && OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ROWS,
          (width + VECTOR - 1) / VECTOR, slice->height), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (slice->pitch),
      OCL_INT (slice->plane_size), OCL_INT (slice->pad_x), OCL_INT (radius),
      OCL_INT (color_mode), OCL_FLOAT (1.0f / scale),
      OCL_INT (largest * largest > LARGE_SQUARE),
      OCL_MEMORY (window->exponents.memory), OCL_MEMORY (window->rows.memory),
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width), OCL_INT (slice->y),
      OCL_INT (slice->height));
}

static gboolean
ocl_bilateral_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const gint height = ocl_run_get_height (run);
  Slice slice = get_slice (self, run);
  const Window *window = get_window (self, run, error);

  if (!window || !ocl_memory_ensure (&state->planes, self->context,
          slice.bytes, error))
    return FALSE;
  for (; slice.y < height; slice.y += slice.height) {
    slice.height = MIN (slice.height, height - slice.y);
    if (!enqueue_slice (self, run, &slice, window, error))
      return FALSE;
  }
  return TRUE;
}

/* The size of a work-group is fixed, because some drivers compile a kernel
 * again for each size. */
const OclVariant ocl_bilateral_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .source = "bilateral-rows.cl",
  .kernels = OCL_NAMES ("planes", "rows"),
  .group_width = 8,
  .state_size = sizeof (State),
  .init = ocl_bilateral_rows_init,
  .clear = ocl_bilateral_rows_clear,
  .enqueue = ocl_bilateral_rows_enqueue,
};
