/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateraltiled.h"

#include "oclbilateral.h"
#include "oclbilaterallaunch.h"

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

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  cl_uint n_units;
  gint tuning[G_N_ELEMENTS (tunables) - 1];
} OclBilateralTiled;

static void
ocl_bilateral_tiled_free (gpointer object)
{
  OclBilateralTiled *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

/* Of each colour mode a program, as a frame needs one. */
static guint
ocl_bilateral_tiled_get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  forms[0] = ocl_bilateral_get_color_mode (params, format);
  return 1;
}

static gpointer
ocl_bilateral_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralTiled *self = g_new0 (OclBilateralTiled, 1);

  self->context = ocl_context_ref (context);
  for (guint i = 0; i < G_N_ELEMENTS (self->tuning); i++)
    self->tuning[i] = build->tuning.values[i];
  /* Exact denormals make exp2 () several instructions of one, for weights that
   * vanish in the sum anyway. */
  g_autofree gchar *options =
      g_strdup_printf ("-cl-denorms-are-zero -D COLOR_MODE=%u", build->form);
  self->kernel = ocl_program_build_kernel (context, "bilateral-tiled.cl", build,
      options, "tiled", error);
  if (!self->kernel || !ocl_kernels_check_group (context, &self->kernel, 1,
          self->tuning[GROUP_WIDTH] * self->tuning[GROUP_HEIGHT], error)
      || !ocl_context_get_compute_units (context, &self->n_units, error)) {
    ocl_bilateral_tiled_free (self);
    return NULL;
  }
  return self;
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
      ocl_bilateral_get_exponent_scale (1.0, params->spatial_sigma);
  const cl_float range_scale =
      ocl_bilateral_get_exponent_scale (unit, params->intensity_sigma);
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
  const OclBilateralLaunch launch = {.width = width,.height = height,
    .n_taps = columns * rows_of_taps,.rows = self->tuning[ROWS],
    .group_width = self->tuning[GROUP_WIDTH],
    .group_height = self->tuning[GROUP_HEIGHT],.n_units = self->n_units
  };
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
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_bilateral_launch (&launch, self->context, self->kernel,
      run->timer, error);
}

const OclVariant ocl_bilateral_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .get_forms = ocl_bilateral_tiled_get_forms,
  .new = ocl_bilateral_tiled_new,
  .enqueue = ocl_bilateral_tiled_enqueue,
  .free = ocl_bilateral_tiled_free,
};
