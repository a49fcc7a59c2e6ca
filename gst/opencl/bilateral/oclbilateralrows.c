/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include <math.h>

#include "core/oclcoefficients.h"
#include "core/oclmemory.h"

/* Spatial weights of several windows on the device, in the layout of
 * kernels/bilateral-rows.cl. A pyramid can keep the windows of all its bands.
 * Use the structs from one thread at a time. */

/* Weights whose exponent of 2 is below this value are treated as 0. */
#define OCL_BILATERAL_TAPS_LEAST_EXPONENT -62.0

/* Maximum number of windows: one for each band of a pyramid. */
#define OCL_BILATERAL_TAPS_MAX_WINDOWS 9

/**
 * OclBilateralTaps:
 * @exponents: one float per tap: log2 of the weight of the tap
 * @rows: one int2 per row: the number of taps on either side of the middle tap,
 *    and the index of the middle tap in @exponents
 * @radius: the radius of the window in pixels, or -1 if there is no window
 * @spatial_sigma: the spatial sigma of the window
 * @window: the shape of the window
 * @last_use: the value of @n_uses of OclBilateralWindows at the last use
 *
 * One window.
 */
typedef struct
{
  OclCoefficients exponents;
  OclCoefficients rows;
  gint radius;
  gdouble spatial_sigma;
  OclBilateralWindow window;
  guint64 last_use;
} OclBilateralTaps;

/**
 * OclBilateralWindows:
 * @taps: the windows on the device
 * @n_uses: number of uses of windows
 *
 * Start with a zeroed struct, end with ocl_bilateral_windows_clear().
 */
typedef struct
{
  OclBilateralTaps taps[OCL_BILATERAL_TAPS_MAX_WINDOWS];
  guint64 n_uses;
} OclBilateralWindows;

#define MAX_ROWS (2 * OCL_BILATERAL_MAX_RADIUS + 1)
#define MAX_TAPS (MAX_ROWS * MAX_ROWS)

/* Returns the number of taps on either side of the middle tap in row @j of the
 * window. */
static gint
get_extent (const OclPass * pass, OclBilateralWindow window, gint radius,
    gint j)
{
  const gint y = j * (1 << pass->y_shift);
  gint extent = radius >> pass->x_shift;

  if (window == OCL_BILATERAL_WINDOW_DISC) {
    while ((extent << pass->x_shift) * (extent << pass->x_shift) + y * y
        > radius * radius)
      extent--;
  }
  return extent;
}

/* Returns log2 of the spatial weight of a tap that is @x and @y pixels away
 * from the middle of the window. Returns 0 in the middle for any sigma. */
static cl_float
get_exponent (gint x, gint y, gdouble sigma)
{
  gdouble distance = sqrt (x * x + y * y) / sigma;

  return x == 0 && y == 0 ? 0.0 : MAX (-0.5 * M_LOG2E * distance * distance,
      OCL_BILATERAL_TAPS_LEAST_EXPONENT);
}

static gboolean
ocl_bilateral_taps_write (OclBilateralTaps * self, OclContext * context,
    const OclPass * pass, const OclBilateralParams * params,
    OclTimer * timer, GError ** error)
{
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
    gint j = row - n_rows / 2;
    gint extent = get_extent (pass, params->window, radius, j);

    rows[row].s[0] = extent;
    rows[row].s[1] = n_taps + extent;
    for (gint i = -extent; i <= extent; i++)
      exponents[n_taps++] = get_exponent (i * (1 << pass->x_shift),
          j * (1 << pass->y_shift), params->spatial_sigma);
  }
  if (!ocl_coefficients_enqueue_write (&self->exponents, context,
          n_taps * sizeof (cl_float), timer, error)
      || !ocl_coefficients_enqueue_write (&self->rows, context,
          n_rows * sizeof (cl_int2), timer, error))
    return FALSE;

  self->radius = radius;
  self->window = params->window;
  self->spatial_sigma = params->spatial_sigma;
  return TRUE;
}

static gboolean
ocl_bilateral_taps_are (const OclBilateralTaps * self,
    const OclBilateralParams * params)
{
  return self->exponents.memory
      && self->radius == ocl_bilateral_get_radius (params)
      && self->window == params->window
      && self->spatial_sigma == params->spatial_sigma;
}

static const OclBilateralTaps *
ocl_bilateral_windows_get (OclBilateralWindows * self, OclContext * context,
    const OclPass * pass, const OclBilateralParams * params,
    OclTimer * timer, GError ** error)
{
  OclBilateralTaps *found = &self->taps[0];

  for (guint i = 0; i < OCL_BILATERAL_TAPS_MAX_WINDOWS; i++) {
    OclBilateralTaps *taps = &self->taps[i];

    if (ocl_bilateral_taps_are (taps, params)) {
      taps->last_use = ++self->n_uses;
      return taps;
    }
    if (taps->last_use < found->last_use)
      found = taps;
  }
  if (!ocl_bilateral_taps_write (found, context, pass, params, timer, error))
    return NULL;
  found->last_use = ++self->n_uses;
  return found;
}

static void
ocl_bilateral_windows_clear (OclBilateralWindows * self)
{
  for (guint i = 0; i < OCL_BILATERAL_TAPS_MAX_WINDOWS; i++) {
    ocl_coefficients_clear (&self->taps[i].exponents);
    ocl_coefficients_clear (&self->taps[i].rows);
  }
}

/* Number of samples that a work-item computes. */
#define VECTOR 16

/* If a squared difference of intensity can be above this value, the kernel's
 * may_vanish is set. Up to this value, the squared difference and
 * OCL_BILATERAL_TAPS_LEAST_EXPONENT together fit into the exponent of a
 * float. */
#define LARGE_SQUARE 64.0

/* Maximum size of the planes of one strip in bytes, so that they stay in a
 * cache. */
#define STRIP_BYTES (8 * 1024 * 1024)

enum
{
  KERNEL_PLANES,
  KERNEL_ROWS,
};

/* State that is kept between frames. */
typedef struct
{
  cl_mem linear;                /* floats: sRGB level to linear light (owned) */
  OclBilateralWindows windows;
  OclMemory planes;
} State;

/* A strip of rows of the frame, and the layout of its planes, see
 * kernels/bilateral-rows.cl. */
typedef struct
{
  cl_int y;
  cl_int height;
  cl_int pad_x;
  cl_int pitch;                 /* in floats, all used */
  cl_int plane_size;            /* in floats */
  gsize bytes;
} Strip;

/* IEC 61966-2-1 */
static gdouble
srgb_to_linear (gdouble value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static gboolean
ocl_bilateral_rows_init (OclKernels * self, GError ** error)
{
  State *state = self->state;
  const guint max_level = ocl_format_get_max_level (self->build.format);
  g_autofree cl_float *linear = g_new (cl_float, max_level + 1);
  cl_int status = CL_SUCCESS;

  for (guint i = 0; i <= max_level; i++)
    linear[i] = srgb_to_linear (i / (gdouble) max_level);

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
  ocl_bilateral_windows_clear (&state->windows);
  ocl_memory_clear (&state->planes);
}

static gint
round_up_to_vector (gint value)
{
  return (value + VECTOR - 1) / VECTOR * VECTOR;
}

/* Returns the number of planes for the channels, and for guides that are not
 * channels themselves. */
static guint
count_planes (guint n_channels, OclBilateralColorMode color_mode)
{
  if (color_mode == OCL_BILATERAL_COLOR_LAB)
    return n_channels + 3;
  return color_mode == OCL_BILATERAL_COLOR_INTENSITY && n_channels > 1
      ? n_channels + 1 : n_channels;
}

/* Returns the first strip. All strips except the last have its height. */
static Strip
get_strip (const OclKernels * self, const OclRun * run)
{
  const gint radius = ocl_bilateral_get_radius (run->params);
  const gint radius_y = radius >> run->pass->y_shift;
  const guint n_planes = count_planes (run->pass->n_channels,
      ocl_bilateral_get_color_mode (run->params, run->input->info.format));
  Strip strip = {.pad_x = round_up_to_vector (radius >> run->pass->x_shift) };

  strip.pitch = 2 * strip.pad_x + round_up_to_vector (ocl_run_get_width (run));
  const gsize row_bytes = (gsize) strip.pitch * n_planes * sizeof (cl_float);
  const gsize budget = MIN ((guint64) STRIP_BYTES,
      self->context->device->max_alloc_size);
  const gssize rows = (gssize) (budget / row_bytes) - 2 * radius_y;

  strip.height = CLAMP (rows, 1, ocl_run_get_height (run));
  strip.plane_size = strip.pitch * (strip.height + 2 * radius_y);
  strip.bytes = row_bytes * (strip.height + 2 * radius_y);
  return strip;
}

/* Returns the factor that scales a guide so that the square of a difference is
 * an exponent of 2. The factor is small enough for finite squares, and large
 * enough to recover levels from the scaled guide. */
static cl_float
get_scale (const OclBilateralParams * params, const OclFormat * format)
{
  const gdouble unit = ocl_bilateral_get_guide_unit
      (ocl_bilateral_get_color_mode (params, format), format);
  const gdouble scale = sqrt (0.5 * M_LOG2E) / unit / params->intensity_sigma;

  return CLAMP (scale, 1e-5 / unit, 1e18 / unit);
}

static gboolean
ocl_bilateral_rows_enqueue_planes (OclKernels * self, const OclRun * run,
    const Strip * strip, const OclBilateralTaps * taps, GError ** error)
{
  State *state = self->state;
  const OclBilateralParams *params = run->params;
  const OclFormat *format = run->input->info.format;
  const OclBilateralBorder color = ocl_bilateral_get_run_border (run);
  const cl_int radius = taps->radius >> run->pass->y_shift;
  const cl_int rows = strip->height + 2 * radius;

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_PLANES, strip->pitch / VECTOR,
          rows), error, OCL_INPUT, OCL_BILATERAL_SIZE (run),
      OCL_INT (strip->y), OCL_INT (rows), OCL_MEMORY (state->planes.memory),
      OCL_INT (strip->pitch), OCL_INT (strip->plane_size),
      OCL_INT (strip->pad_x), OCL_INT (radius),
      OCL_INT (ocl_bilateral_get_color_mode (params, format)),
      OCL_FLOAT (get_scale (params, format)), OCL_MEMORY (state->linear),
      OCL_BILATERAL_BORDER (params, color));
}

static gboolean
ocl_bilateral_rows_enqueue_rows (OclKernels * self, const OclRun * run,
    const Strip * strip, const OclBilateralTaps * taps, GError ** error)
{
  State *state = self->state;
  const OclFormat *format = run->input->info.format;
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (run->params, format);
  const cl_float scale = get_scale (run->params, format);
  const gint width = ocl_run_get_width (run);
  /* Samples may have bits set above the largest level. */
  const gdouble largest = scale
      * ocl_bilateral_get_guide_unit (color_mode, format)
      * ocl_format_get_largest_difference (format)
      / ocl_format_get_max_level (format);

  return OCL_LAUNCH (self, run, OCL_GRID (KERNEL_ROWS,
          (width + VECTOR - 1) / VECTOR, strip->height), error,
      OCL_MEMORY (state->planes.memory), OCL_INT (strip->pitch),
      OCL_INT (strip->plane_size), OCL_INT (strip->pad_x),
      OCL_INT (taps->radius >> run->pass->y_shift), OCL_INT (color_mode),
      OCL_FLOAT (1.0f / scale), OCL_INT (largest * largest > LARGE_SQUARE),
      OCL_MEMORY (taps->exponents.memory), OCL_MEMORY (taps->rows.memory),
      OCL_INPUT_PLANES, OCL_OUTPUT, OCL_INT (width),
      OCL_INT (strip->y), OCL_INT (strip->height));
}

static gboolean
ocl_bilateral_rows_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const gint height = ocl_run_get_height (run);
  const Strip first = get_strip (self, run);

  const OclBilateralTaps *taps = ocl_bilateral_windows_get (&state->windows,
      self->context, run->pass, run->params, run->timer, error);
  if (!taps || !ocl_memory_ensure (&state->planes, self->context, first.bytes,
          error))
    return FALSE;
  for (gint y = 0; y < height; y += first.height) {
    Strip strip = first;

    strip.y = y;
    strip.height = MIN (first.height, height - y);
    if (!ocl_bilateral_rows_enqueue_planes (self, run, &strip, taps, error)
        || !ocl_bilateral_rows_enqueue_rows (self, run, &strip, taps, error))
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
