/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateraltiled.h"

#include <math.h>

#include "oclbilateral.h"

/* What may vary: work-items a group, rows of the frame a work-item, and pixels
 * of the tile, which is less high for L*a*b*. With the defaults all that is
 * local fits into 32 KiB, which any device has; the tile has room for the
 * group's pixels and one tap more in both directions with all values. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  TILE_WIDTH,
  TILE_HEIGHT,
  TILE_HEIGHT_LAB,
};

static const gint group_widths[] = { 16, 32, 0 };
static const gint group_heights[] = { 2, 4, 0 };
static const gint rows[] = { 1, 2, 4, 0 };
static const gint tile_widths[] = { 40, 48, 64, 0 };
static const gint tile_heights[] = { 24, 32, 0 };
static const gint tile_heights_lab[] = { 20, 24, 0 };

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, group_heights},
  [ROWS] = {"ROWS", 4, rows},
  [TILE_WIDTH] = {"TILE_WIDTH", 48, tile_widths},
  [TILE_HEIGHT] = {"TILE_HEIGHT", 32, tile_heights},
  [TILE_HEIGHT_LAB] = {"TILE_HEIGHT_LAB", 24, tile_heights_lab},
  {NULL},
};

/* A GPU is reset when one launch takes seconds: larger work is cut up. The
 * slowest compute units take about a tenth of a second for this, and a launch
 * still has work for all of them. */
#define MAX_TAPS_OF_UNIT G_GUINT64_CONSTANT (100000000)

#define N_KERNELS (OCL_BILATERAL_COLOR_LAB + 1)

typedef struct
{
  OclContext *context;
  cl_kernel kernels[N_KERNELS]; /* by OclBilateralColorMode */
  guint n_kernels;              /* those that the pass can need */
  guint64 max_taps;             /* of a launch */
  gint tuning[G_N_ELEMENTS (tunables) - 1];
} OclBilateralTiled;

static void
ocl_bilateral_tiled_free (gpointer object)
{
  OclBilateralTiled *self = object;

  for (guint i = 0; i < self->n_kernels; i++)
    g_clear_pointer (&self->kernels[i], clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gboolean
ocl_bilateral_tiled_build (OclBilateralTiled * self, const OclBuild * build,
    GError ** error)
{
  static const gchar *const names[N_KERNELS] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = "tiled_intensity",
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = "tiled_per_channel",
    [OCL_BILATERAL_COLOR_LAB] = "tiled_lab",
  };
  /* Exact denormals make exp2 () several instructions of one, for weights that
   * vanish in the sum anyway. */
  return ocl_program_build_kernels (self->context, "bilateral-tiled.cl",
      build, "-cl-denorms-are-zero", names, self->kernels, self->n_kernels,
      error)
      && ocl_kernels_check_group (self->context, self->kernels,
      self->n_kernels, self->tuning[GROUP_WIDTH] * self->tuning[GROUP_HEIGHT],
      error);
}

static gpointer
ocl_bilateral_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralTiled *self = g_new0 (OclBilateralTiled, 1);
  cl_uint n_units = 1;

  self->context = ocl_context_ref (context);
  self->n_kernels = build->pass.n_channels == OCL_MAX_PASS_CHANNELS
      && !build->format->is_float ? N_KERNELS : OCL_BILATERAL_COLOR_LAB;
  for (guint i = 0; i < G_N_ELEMENTS (self->tuning); i++)
    self->tuning[i] = build->tuning.values[i];
  if (!ocl_context_get_compute_units (context, &n_units, error)
      || !ocl_bilateral_tiled_build (self, build, error)) {
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

/* The most rows of the window that a tile has the pixels for. */
static gint
ocl_bilateral_tiled_get_max_chunk_rows (const OclBilateralTiled * self,
    OclBilateralColorMode color_mode)
{
  gint tile_height = self->tuning[color_mode == OCL_BILATERAL_COLOR_LAB
      ? TILE_HEIGHT_LAB : TILE_HEIGHT];

  return tile_height - self->tuning[GROUP_HEIGHT] * self->tuning[ROWS] + 1;
}

static gboolean
ocl_bilateral_tiled_enqueue_bands (OclBilateralTiled * self, cl_kernel kernel,
    gint width, gint height, gint n_taps, OclTimer * timer, GError ** error)
{
  /* In rows of work-items from here on. */
  const gint rows = self->tuning[ROWS];
  const gsize group_height = self->tuning[GROUP_HEIGHT];
  const gsize n_rows = (height + rows - 1) / rows;
  const guint64 taps_of_row = (guint64) width * rows * n_taps;
  const gsize band = CLAMP (self->max_taps / taps_of_row, group_height,
      n_rows + group_height) / group_height * group_height;

  for (gsize row = 0; row < n_rows; row += band) {
    if (!ocl_kernel_enqueue (self->context, kernel, row, width,
            MIN (band, n_rows - row), self->tuning[GROUP_WIDTH], group_height,
            ocl_timer_add (timer, OCL_TIMER_KERNEL), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
ocl_bilateral_tiled_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralTiled *self = object;
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (params, input->format);
  const gdouble unit = ocl_bilateral_get_guide_unit (color_mode, input->format);
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_float spatial_scale =
      get_exponent_scale (1.0, params->spatial_sigma);
  const cl_float range_scale =
      get_exponent_scale (unit, params->intensity_sigma);
  const cl_int radius = ocl_bilateral_get_radius (params);
  const gint columns = 2 * (radius >> run->pass->x_shift) + 1;
  const gint rows_of_taps = 2 * (radius >> run->pass->y_shift) + 1;
  const cl_int disc = params->window == OCL_BILATERAL_WINDOW_DISC;
  const cl_int chunk_columns = get_chunk (columns,
      self->tuning[TILE_WIDTH] - self->tuning[GROUP_WIDTH] + 1);
  const cl_int chunk_rows = get_chunk (rows_of_taps,
      ocl_bilateral_tiled_get_max_chunk_rows (self, color_mode));
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  cl_kernel kernel = self->kernels[color_mode];
  OclArguments arguments = { 0, };

  ocl_arguments_add_input (&arguments, input, run->pass);
  ocl_arguments_add_planes (&arguments, run->output, run->pass);
  OCL_ARGUMENTS_ADD (&arguments, width);
  OCL_ARGUMENTS_ADD (&arguments, height);
  OCL_ARGUMENTS_ADD (&arguments, spatial_scale);
  OCL_ARGUMENTS_ADD (&arguments, range_scale);
  OCL_ARGUMENTS_ADD (&arguments, radius);
  OCL_ARGUMENTS_ADD (&arguments, disc);
  OCL_ARGUMENTS_ADD (&arguments, chunk_columns);
  OCL_ARGUMENTS_ADD (&arguments, chunk_rows);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, color.luma);
  return ocl_kernel_set_arguments (kernel, &arguments, error)
      && ocl_bilateral_tiled_enqueue_bands (self, kernel, width, height,
      columns * rows_of_taps, run->timer, error);
}

const OclVariant ocl_bilateral_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .new = ocl_bilateral_tiled_new,
  .enqueue = ocl_bilateral_tiled_enqueue,
  .free = ocl_bilateral_tiled_free,
};
