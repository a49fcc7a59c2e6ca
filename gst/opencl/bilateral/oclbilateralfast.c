/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralfast.h"

#include <math.h>

#include "oclmemory.h"
#include "ocltable.h"

/* Pixels a work-item, and work-items a group. A group's size is fixed, because
 * some drivers compile a kernel anew for each. */
#define VECTOR 16
#define GROUP_WIDTH 32

/* Floats of a wave at a node; see kernels/bilateral-fast.cl. */
#define NODE_FLOATS 8

/* What the planes and nodes of one band may take: less than a large cache. */
#define BAND_BYTES (12 * 1024 * 1024)

#define MIN_SPATIAL_SIGMA 5.0
#define MIN_RADIUS 10
#define MIN_STEP 4
#define MIN_WAVES 3
#define MAX_WAVES 32
#define MAX_WAVE_ERROR 0.0002

/* A window goes no further than this many sigmas: weights are 4e-6 there. */
#define MAX_SIGMAS 5.0

/* Nodes that a window reaches to each side, at most: the step is more than 0.4
 * of sigma, or of half the radius. */
#define MAX_REACH 13
#define MAX_SIDE (2 * MAX_REACH + 1)

/* Nodes that a work-item of the blur makes, and the zeros that go between the
 * rows of weights for that. */
#define BLURRED_NODES 4
#define ZEROS (BLURRED_NODES - 1)

#define TABLE_FLOATS (MAX_WAVES + ZEROS + MAX_SIDE * (MAX_SIDE + ZEROS))

/* What a frame's kernels depend on, other than its size. */
typedef struct
{
  gdouble spatial_sigma;
  gdouble intensity_sigma;
  gint radius;
  OclBilateralWindow window;
} Setting;

/* How the planes and nodes of a band are laid out; see
 * kernels/bilateral-fast.cl. */
typedef struct
{
  cl_int spans;
  cl_int pitch;                 /* in floats; all of a row is used */
  cl_int pad;
  cl_int columns;               /* of nodes, after the blur; a multiple of 4 */
  gint band_height;             /* a multiple of the step */
} Layout;

enum
{
  KERNEL_PLANES,
  KERNEL_SPLAT,
  KERNEL_BLUR,
  KERNEL_SLICE,
  N_KERNELS,
};

static const gchar *const kernel_names[N_KERNELS] = {
  [KERNEL_PLANES] = "planes",
  [KERNEL_SPLAT] = "splat",
  [KERNEL_BLUR] = "blur",
  [KERNEL_SLICE] = "slice",
};

typedef struct
{
  OclContext *context;
  OclPass pass;
  guint n_planes;               /* of floats */
  cl_kernel kernels[N_KERNELS];
  OclTable table;               /* TABLE_FLOATS cl_float */
  gdouble luma_unit;            /* what the planes have for white */
  OclMemory planes;
  OclMemory nodes;
  OclMemory carries;
  OclMemory blurred;

  /* What table holds, and what follows from it. */
  Setting setting;
  cl_int step;
  cl_int reach;
  cl_int waves;
  cl_float frequency;
} OclBilateralFast;

/* T of the header. */
static gdouble
get_period (gdouble sigma, gint waves)
{
  return 0.5 + sqrt (0.25 + 2.0 * G_PI * sigma * sigma * (waves + 0.5));
}

gint
ocl_bilateral_fast_count_waves (const OclBilateralParams * params,
    const OclPass * pass)
{
  const gdouble sigma = params->intensity_sigma;

  if (params->color_mode != OCL_BILATERAL_COLOR_INTENSITY
      || pass->x_shift != pass->y_shift
      || ocl_bilateral_get_radius (params) >> pass->x_shift < MIN_RADIUS
      || params->spatial_sigma < MIN_SPATIAL_SIGMA * (1 << pass->x_shift))
    return 0;
  for (gint waves = MIN_WAVES; waves <= MAX_WAVES; waves++) {
    gdouble distance = (get_period (sigma, waves) - 1.0) / sigma;

    if (exp (-0.5 * distance * distance) < MAX_WAVE_ERROR)
      return waves;
  }
  return 0;
}

static gboolean
ocl_bilateral_fast_can_serve (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format, const OclPass * pass)
{
  return ocl_bilateral_fast_count_waves (params, pass) > 0;
}

static void
ocl_bilateral_fast_free (gpointer object)
{
  OclBilateralFast *self = object;

  for (guint i = 0; i < N_KERNELS; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_table_clear (&self->table);
  ocl_memory_clear (&self->planes);
  ocl_memory_clear (&self->nodes);
  ocl_memory_clear (&self->carries);
  ocl_memory_clear (&self->blurred);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_fast_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralFast *self = g_new0 (OclBilateralFast, 1);

  self->context = ocl_context_ref (context);
  self->pass = build->pass;
  self->n_planes = build->pass.n_channels > 1 ? build->pass.n_channels + 1 : 1;
  self->luma_unit = ocl_bilateral_get_guide_unit (OCL_BILATERAL_COLOR_INTENSITY,
      build->format);
  if (!ocl_program_build_kernels (context, "bilateral-fast.cl", build, "",
          kernel_names, self->kernels, N_KERNELS, error)
      || !ocl_table_init (&self->table, context,
          TABLE_FLOATS * sizeof (cl_float), error)) {
    ocl_bilateral_fast_free (self);
    return NULL;
  }
  return self;
}

/* Adds to @row, by distance of nodes from -@reach on, what a pixel @t pixels
 * away from one at @x in the interval after node 0 contributes to it, for
 * weights of 1 between nodes: both are between two nodes. */
static void
add_contributions (gdouble * row, gint reach, gint step, gint x, gint t)
{
  gdouble target = (x + 0.5) / step;
  gdouble source = (x + t + 0.5) / step;
  gint node = (gint) floor (source);

  source -= node;
  for (gint i = 0; i < 2; i++) {
    for (gint j = 0; j < 2; j++) {
      gint distance = node + j - i;

      if (ABS (distance) <= reach)
        row[distance + reach] += (i ? target : 1.0 - target)
            * (j ? source : 1.0 - source);
    }
  }
}

/* The normal equations of the fit along one axis: @matrix, @side x @side, and
 * @products, for every distance of nodes its contributions to pixels -@radius
 * to @radius away. */
static void
make_normal_equations (gint step, gint reach, gint radius,
    gdouble matrix[MAX_SIDE][MAX_SIDE],
    gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1])
{
  const gint side = 2 * reach + 1;
  const gint extent = (reach + 2) * step;       /* of any contribution */

  for (gint x = 0; x < step; x++) {
    for (gint t = -extent; t <= extent; t++) {
      gdouble row[MAX_SIDE] = { 0.0, };

      add_contributions (row, reach, step, x, t);
      for (gint i = 0; i < side; i++) {
        for (gint j = 0; j < side; j++)
          matrix[i][j] += row[i] * row[j];
        if (ABS (t) <= radius)
          products[i][t + radius] += row[i];
      }
    }
  }
}

/* Replaces the columns of @values, @side rows of @n, by the solutions of
 * @matrix, which is symmetric and positive definite and gets destroyed. */
static void
solve (gdouble matrix[MAX_SIDE][MAX_SIDE], gint side, gdouble * values, gint n)
{
  for (gint pivot = 0; pivot < side; pivot++) {
    for (gint row = 0; row < side; row++) {
      if (row == pivot)
        continue;

      gdouble factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (gint i = pivot; i < side; i++)
        matrix[row][i] -= factor * matrix[pivot][i];
      for (gint i = 0; i < n; i++)
        values[row * n + i] -= factor * values[pivot * n + i];
    }
  }
  for (gint row = 0; row < side; row++) {
    for (gint i = 0; i < n; i++)
      values[row * n + i] /= matrix[row][row];
  }
}

/* The weights between nodes, 2 @reach + 1 rows of as many, with zeros before
 * each and after the last. The fit is separable, the window need not be.
 * Returns how many floats that makes. */
static gint
fit_taps (const Setting * setting, gint step, gint reach, cl_float * taps)
{
  const gint radius = setting->radius;
  const gint side = 2 * reach + 1;
  gdouble matrix[MAX_SIDE][MAX_SIDE] = { 0, };
  gdouble products[MAX_SIDE][2 * OCL_BILATERAL_MAX_RADIUS + 1] = { 0, };
  gdouble weights[2 * OCL_BILATERAL_MAX_RADIUS + 1];
  gdouble fitted[MAX_SIDE * MAX_SIDE] = { 0, };

  make_normal_equations (step, reach, radius, matrix, products);
  solve (matrix, side, products[0], G_N_ELEMENTS (products[0]));
  for (gint i = -radius; i <= radius; i++) {
    gdouble distance = i / setting->spatial_sigma;

    weights[i + radius] = exp (-0.5 * distance * distance);
  }

  for (gint y = -radius; y <= radius; y++) {
    gint extent = setting->window == OCL_BILATERAL_WINDOW_DISC
        ? (gint) sqrt (radius * radius - y * y) : radius;

    for (gint i = 0; i < side; i++) {
      gdouble sum = 0.0;

      for (gint x = -extent; x <= extent; x++)
        sum += products[i][x + radius] * weights[x + radius];
      for (gint j = 0; j < side; j++)
        fitted[j * side + i] += products[j][y + radius] * weights[y + radius]
            * sum;
    }
  }

  gint n = 0;
  for (gint i = 0; i < side * side; i++) {
    for (gint zero = 0; i % side == 0 && zero < ZEROS; zero++)
      taps[n++] = 0.0f;
    taps[n++] = fitted[i];
  }
  for (gint zero = 0; zero < ZEROS; zero++)
    taps[n++] = 0.0f;
  return n;
}

/* a (k) of the header. */
static void
fill_amplitudes (gdouble sigma, gint waves, cl_float * amplitudes)
{
  const gdouble period = get_period (sigma, waves);

  for (gint wave = 0; wave < waves; wave++) {
    gdouble angle = G_PI * sigma * (wave + 0.5) / period;

    amplitudes[wave] = 2.0 * sqrt (2.0 * G_PI) * sigma / period
        * exp (-2.0 * angle * angle);
  }
}

/* The largest power of 2 that is at most 0.8 of sigma and of half the radius:
 * photographs lose 6 dB with the next larger. */
static gint
get_step (const Setting * setting)
{
  gint step = MIN_STEP;

  while (2 * step <= 0.8 * setting->spatial_sigma
      && 4 * step <= 0.8 * setting->radius)
    step *= 2;
  return step;
}

static gboolean
ocl_bilateral_fast_update_table (OclBilateralFast * self,
    const Setting * setting, gint waves, OclTimer * timer, GError ** error)
{
  const Setting *old = &self->setting;

  if (old->spatial_sigma == setting->spatial_sigma
      && old->intensity_sigma == setting->intensity_sigma
      && old->radius == setting->radius && old->window == setting->window)
    return TRUE;

  cl_float *table = self->table.data;

  self->setting.radius = -1;    /* until the device has it */
  if (!ocl_table_begin (&self->table, error))
    return FALSE;
  self->step = get_step (setting);
  self->reach = (setting->radius + self->step - 1) / self->step;
  self->waves = waves;
  /* In turns per unit of the luma plane. */
  self->frequency = 0.5 / get_period (setting->intensity_sigma, waves)
      / self->luma_unit;
  fill_amplitudes (setting->intensity_sigma, waves, table);
  gint n_taps = fit_taps (setting, self->step, self->reach, table + waves);

  if (!ocl_table_enqueue_write (&self->table, self->context,
          (waves + n_taps) * sizeof (cl_float), timer, error))
    return FALSE;
  self->setting = *setting;
  return TRUE;
}

/* Columns, or rows, of nodes that are between the first and the last that
 * @pixels need, @unit pixels at a time. */
static gint
count_nodes (gint pixels, gint unit, gint step)
{
  return (pixels - 1) / unit * unit / step + MAX (unit / step, 1) + 1;
}

static gint
round_up (gint value, gint multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

/* Bands as high as the budget allows, and at least one step. */
static gint
ocl_bilateral_fast_get_band_height (OclBilateralFast * self,
    const Layout * layout, gint height)
{
  const gsize floats_of_step =
      (gsize) layout->pitch * self->step * self->n_planes
      + (gsize) NODE_FLOATS * self->waves * (layout->columns
      + layout->spans * (MAX (VECTOR / self->step, 1) + 1));
  gsize budget = MIN ((guint64) BAND_BYTES,
      self->context->device->max_alloc_size);
  gssize steps = (gssize) (budget / (floats_of_step * sizeof (cl_float)))
      - 2 * (self->reach + 1);

  return CLAMP (steps, 1, (height + self->step - 1) / self->step) * self->step;
}

static Layout
ocl_bilateral_fast_get_layout (OclBilateralFast * self, gint width, gint height)
{
  const gint intervals = MAX (VECTOR / self->step, 1);
  Layout layout;

  layout.columns = round_up (count_nodes (width, VECTOR, self->step),
      BLURRED_NODES);
  layout.spans = (layout.columns + 2 * self->reach + intervals) / intervals;
  layout.pitch = layout.spans * MAX (VECTOR, self->step);
  layout.pad = (self->reach + 1) * self->step;
  layout.band_height = ocl_bilateral_fast_get_band_height (self, &layout,
      height);
  return layout;
}

/* Rows of nodes that the pixels of a band lie between. */
static gint
ocl_bilateral_fast_count_rows (OclBilateralFast * self, gint band_height)
{
  return count_nodes (band_height, 1, self->step);
}

static gint
ocl_bilateral_fast_count_padded_rows (OclBilateralFast * self, gint band_height)
{
  return ocl_bilateral_fast_count_rows (self, band_height) + 2 * self->reach;
}

static gboolean
ocl_bilateral_fast_ensure_memory (OclBilateralFast * self,
    const Layout * layout, GError ** error)
{
  const gsize wave_bytes = self->waves * NODE_FLOATS * sizeof (cl_float);
  const gsize rows = ocl_bilateral_fast_count_padded_rows (self,
      layout->band_height);
  const gint intervals = MAX (VECTOR / self->step, 1);

  OclContext *context = self->context;

  return ocl_memory_ensure (&self->planes, context,
      (rows + 1) * self->step * layout->pitch * self->n_planes
      * sizeof (cl_float), error)
      && ocl_memory_ensure (&self->carries, context,
      rows * layout->spans * wave_bytes, error)
      && ocl_memory_ensure (&self->nodes, context,
      rows * layout->spans * intervals * wave_bytes, error)
      && ocl_memory_ensure (&self->blurred, context,
      rows * layout->columns * wave_bytes, error);
}

/* Enqueues @kernel for @width x @height work-items. */
static gboolean
ocl_bilateral_fast_enqueue_kernel (OclBilateralFast * self, guint kernel,
    const OclArguments * arguments, gsize width, gsize height,
    OclTimer * timer, GError ** error)
{
  return ocl_kernel_set_arguments (self->kernels[kernel], arguments, error)
      && ocl_kernel_enqueue (self->context, self->kernels[kernel], 0, width,
      height, GROUP_WIDTH, 1, ocl_timer_add (timer, OCL_TIMER_KERNEL), error);
}

static gboolean
ocl_bilateral_fast_enqueue_planes (OclBilateralFast * self,
    const OclRun * run, const Layout * layout, cl_int plane_size, cl_int rows,
    cl_int band_y, GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, input, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_PLANES,
      &arguments, layout->pitch / VECTOR, rows, run->timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_splat (OclBilateralFast * self,
    const Layout * layout, cl_int plane_size, cl_int rows, OclTimer * timer,
    GError ** error)
{
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, self->step);
  OCL_ARGUMENTS_ADD (&arguments, self->waves);
  OCL_ARGUMENTS_ADD (&arguments, self->frequency);
  OCL_ARGUMENTS_ADD (&arguments, layout->spans);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->carries.memory);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_SPLAT,
      &arguments, (gsize) layout->spans * self->waves, rows, timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_blur (OclBilateralFast * self,
    const Layout * layout, cl_int rows, OclTimer * timer, GError ** error)
{
  const cl_int intervals = MAX (VECTOR / self->step, 1);
  const cl_int taps = self->waves;
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->nodes.memory);
  OCL_ARGUMENTS_ADD (&arguments, self->carries.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->spans);
  OCL_ARGUMENTS_ADD (&arguments, intervals);
  OCL_ARGUMENTS_ADD (&arguments, self->waves);
  OCL_ARGUMENTS_ADD (&arguments, self->table.memory);
  OCL_ARGUMENTS_ADD (&arguments, taps);
  OCL_ARGUMENTS_ADD (&arguments, self->reach);
  OCL_ARGUMENTS_ADD (&arguments, layout->columns);
  OCL_ARGUMENTS_ADD (&arguments, rows);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_BLUR,
      &arguments, (gsize) layout->columns / BLURRED_NODES * self->waves, rows,
      timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_slice (OclBilateralFast * self, const OclRun * run,
    const Layout * layout, cl_int plane_size, cl_int band_y,
    cl_int band_height, GError ** error)
{
  const cl_int width = ocl_pass_get_width (run->pass, run->input);
  OclArguments arguments = { 0, };

  OCL_ARGUMENTS_ADD (&arguments, self->planes.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->pitch);
  OCL_ARGUMENTS_ADD (&arguments, plane_size);
  OCL_ARGUMENTS_ADD (&arguments, layout->pad);
  OCL_ARGUMENTS_ADD (&arguments, self->step);
  OCL_ARGUMENTS_ADD (&arguments, self->waves);
  OCL_ARGUMENTS_ADD (&arguments, self->frequency);
  OCL_ARGUMENTS_ADD (&arguments, self->blurred.memory);
  OCL_ARGUMENTS_ADD (&arguments, layout->columns);
  ocl_arguments_add_planes (&arguments, run->input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, band_y);
  OCL_ARGUMENTS_ADD (&arguments, band_height);
  return ocl_bilateral_fast_enqueue_kernel (self, KERNEL_SLICE,
      &arguments, (width + VECTOR - 1) / VECTOR, band_height,
      run->timer, error);
}

static gboolean
ocl_bilateral_fast_enqueue_band (OclBilateralFast * self, const OclRun * run,
    const Layout * layout, gint band_y, GError ** error)
{
  gint height = ocl_pass_get_height (run->pass, run->input);
  gint band_height = MIN (layout->band_height, height - band_y);
  gint rows = ocl_bilateral_fast_count_rows (self, band_height);
  gint padded_rows = ocl_bilateral_fast_count_padded_rows (self, band_height);
  gint plane_rows = (padded_rows + 1) * self->step;
  cl_int plane_size = plane_rows * layout->pitch;

  return ocl_bilateral_fast_enqueue_planes (self, run, layout, plane_size,
      plane_rows, band_y, error)
      && ocl_bilateral_fast_enqueue_splat (self, layout, plane_size,
      padded_rows, run->timer, error)
      && ocl_bilateral_fast_enqueue_blur (self, layout, rows, run->timer, error)
      && ocl_bilateral_fast_enqueue_slice (self, run, layout, plane_size,
      band_y, band_height, error);
}

static gboolean
ocl_bilateral_fast_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralFast *self = object;
  const OclBilateralParams *params = run->params;
  const gdouble spatial_sigma =
      params->spatial_sigma / (1 << self->pass.x_shift);
  const gint height = ocl_pass_get_height (run->pass, run->input);
  /* In samples. */
  const Setting setting = {
    .spatial_sigma = spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = MIN (ocl_bilateral_get_radius (params) >> self->pass.x_shift,
        ceil (MAX_SIGMAS * spatial_sigma)),
    .window = params->window,
  };

  if (!ocl_bilateral_fast_update_table (self, &setting,
          ocl_bilateral_fast_count_waves (params, run->pass), run->timer,
          error))
    return FALSE;

  const Layout layout = ocl_bilateral_fast_get_layout (self,
      ocl_pass_get_width (run->pass, run->input), height);
  if (!ocl_bilateral_fast_ensure_memory (self, &layout, error))
    return FALSE;
  for (gint y = 0; y < height; y += layout.band_height) {
    if (!ocl_bilateral_fast_enqueue_band (self, run, &layout, y, error))
      return FALSE;
  }
  return TRUE;
}

const OclVariant ocl_bilateral_fast = {
  .name = "fast",
  .flags = OCL_VARIANT_BUFFERS_ONLY | OCL_VARIANT_APPROXIMATE,
  .can_serve = ocl_bilateral_fast_can_serve,
  .new = ocl_bilateral_fast_new,
  .enqueue = ocl_bilateral_fast_enqueue,
  .free = ocl_bilateral_fast_free,
};
