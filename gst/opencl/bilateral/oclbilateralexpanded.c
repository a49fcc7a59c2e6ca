/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralexpanded.h"

#include <math.h>

#include "oclbilateral.h"
#include "oclbilaterallaunch.h"

/* What may vary: work-items a group, rows of the frame a work-item, and KiB of
 * a tile, which the kernel does not use: it takes the tile that it gets. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  TILE_KIB,
};

static const gint group_widths[] = { 16, 32, 64, 0 };
static const gint group_heights[] = { 2, 4, 8, 0 };
static const gint rows[] = { 2, 3, 4, 6, 0 };
static const gint tile_sizes[] = { 16, 24, 28, 40, 0 };

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, group_widths},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, group_heights},
  [ROWS] = {"ROWS", 6, rows},
  [TILE_KIB] = {"TILE_KIB", 28, tile_sizes},
  {NULL},
};

/* The least sigma: with differences of the whole range weights are up to
 * 2^(log2 e / (8 σ²)) from each other, 2^113 here, of the 2^252 that floats
 * have. The rest is for the sums, and for taps that count little. Exponents
 * have an error of 2^-17 there, which is 3e-4 levels of 8 bits. The largest is
 * where scaled guides are far from vanishing. */
#define MIN_INTENSITY_SIGMA 0.04
#define MAX_INTENSITY_SIGMA 1e6

typedef struct
{
  OclContext *context;
  cl_kernel kernel;
  cl_uint n_units;
  gsize tile_size;              /* bytes, at most */
  gint tuning[G_N_ELEMENTS (tunables) - 1];
} OclBilateralExpanded;

/* Bytes of local memory that are not the tile's: what else the kernel has
 * there, and drivers need for themselves. */
#define RESERVED_SIZE 4096

/* Radii in samples: of a window that has as many rows of taps as a work-item
 * has rows, or one less; and of a disc from which on it is faster than the
 * variant for all windows, for its rows are not alike. */
#define MIN_RADIUS 2
#define MIN_DISC_RADIUS 8

/* Up to this radius a program for one radius alone is faster: loops of few taps
 * cost as much as the taps. */
#define MAX_SPECIAL_RADIUS 4

/* Forms: the window, and the radius from this bit on, 0 where it is the
 * kernel's argument. */
#define FORM_RADIUS_SHIFT 1

/* What differs is the channel itself. With three, a tap takes as many
 * instructions for its sums as for its weight, and the variant for all modes is
 * about as fast. */
static gboolean
ocl_bilateral_expanded_can_serve (gconstpointer data, const OclFormat * format,
    const OclPass * pass)
{
  const OclBilateralParams *params = data;
  const gint radius = ocl_bilateral_get_radius (params);
  const gint least = params->window == OCL_BILATERAL_WINDOW_DISC
      ? MIN_DISC_RADIUS : MIN_RADIUS;

  return pass->n_channels == 1 && !pass->guided && !format->is_float
      && params->intensity_sigma >= MIN_INTENSITY_SIGMA
      && params->intensity_sigma <= MAX_INTENSITY_SIGMA
      && radius >> pass->x_shift >= least && radius >> pass->y_shift >= least;
}

/* Of each window a program, since in a square all rows of taps are alike, and
 * of small squares one for each radius. */
static guint
ocl_bilateral_expanded_get_forms (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format, guint forms[OCL_MAX_FORMS])
{
  const OclBilateralParams *params = data;
  const guint radius = ocl_bilateral_get_radius (params);
  guint n = 0;

  if (params->window != OCL_BILATERAL_WINDOW_DISC
      && radius <= MAX_SPECIAL_RADIUS)
    forms[n++] = params->window | radius << FORM_RADIUS_SHIFT;
  forms[n++] = params->window;
  return n;
}

static void
ocl_bilateral_expanded_free (gpointer object)
{
  OclBilateralExpanded *self = object;

  g_clear_pointer (&self->kernel, clReleaseKernel);
  ocl_context_unref (self->context);
  g_free (self);
}

static gpointer
ocl_bilateral_expanded_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  OclBilateralExpanded *self = g_new0 (OclBilateralExpanded, 1);
  const guint window = build->form & ((1 << FORM_RADIUS_SHIFT) - 1);
  guint64 local_size = 0;

  self->context = ocl_context_ref (context);
  for (guint i = 0; i < G_N_ELEMENTS (self->tuning); i++)
    self->tuning[i] = build->tuning.values[i];
  /* Exact denormals make exp2 () several instructions of one, for weights that
   * vanish in the sum anyway. */
  g_autofree gchar *options =
      g_strdup_printf ("-cl-denorms-are-zero -D DISC=%d -D RADIUS=%u",
      window == OCL_BILATERAL_WINDOW_DISC, build->form >> FORM_RADIUS_SHIFT);
  self->kernel = ocl_program_build_kernel (context, "bilateral-expanded.cl",
      build, options, "expanded", error);
  if (!self->kernel || !ocl_kernels_check_group (context, &self->kernel, 1,
          self->tuning[GROUP_WIDTH] * self->tuning[GROUP_HEIGHT], error)
      || !ocl_context_get_compute_units (context, &self->n_units, error)
      || !ocl_context_get_local_size (context, &local_size, error)) {
    ocl_bilateral_expanded_free (self);
    return NULL;
  }
  /* Every device has 32 KiB. */
  self->tile_size = MIN ((guint64) self->tuning[TILE_KIB] * 1024,
      local_size - RESERVED_SIZE);
  return self;
}

static gboolean
ocl_bilateral_expanded_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclBilateralExpanded *self = object;
  const OclBilateralParams *params = run->params;
  const OclFrame *input = run->input;
  const gdouble max_level = ocl_format_get_max_level (input->format);
  const cl_int width = ocl_pass_get_width (run->pass, input);
  const cl_int height = ocl_pass_get_height (run->pass, input);
  const cl_float spatial_scale =
      ocl_bilateral_get_exponent_scale (1.0, params->spatial_sigma);
  const cl_float level_scale = sqrt (-ocl_bilateral_get_exponent_scale
      (max_level, params->intensity_sigma));
  const cl_float largest = level_scale * max_level / 2.0;
  const cl_float offset = largest * largest / 2.0f;
  const cl_int radius = ocl_bilateral_get_radius (params);
  const gint columns = 2 * (radius >> run->pass->x_shift) + 1;
  const gint rows_of_taps = 2 * (radius >> run->pass->y_shift) + 1;
  const cl_int border = params->border.mode;
  const OclBilateralBorder color =
      ocl_bilateral_get_border (params, input, run->pass);
  const gsize row_size =
      sizeof (cl_float) * (self->tuning[GROUP_WIDTH] + columns - 1);
  const cl_int tile_rows = MIN (self->tile_size / row_size,
      (gsize) self->tuning[GROUP_HEIGHT] * self->tuning[ROWS]
      + rows_of_taps - 1);
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
  OCL_ARGUMENTS_ADD (&arguments, level_scale);
  OCL_ARGUMENTS_ADD (&arguments, offset);
  OCL_ARGUMENTS_ADD (&arguments, radius);
  OCL_ARGUMENTS_ADD (&arguments, border);
  OCL_ARGUMENTS_ADD (&arguments, color.channels);
  OCL_ARGUMENTS_ADD (&arguments, tile_rows);
  ocl_arguments_add (&arguments, row_size * tile_rows, NULL);
  return ocl_kernel_set_arguments (self->kernel, &arguments, error)
      && ocl_bilateral_launch (&launch, self->context, self->kernel,
      run->timer, error);
}

const OclVariant ocl_bilateral_expanded = {
  .name = "expanded",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .can_serve = ocl_bilateral_expanded_can_serve,
  .get_forms = ocl_bilateral_expanded_get_forms,
  .new = ocl_bilateral_expanded_new,
  .enqueue = ocl_bilateral_expanded_enqueue,
  .free = ocl_bilateral_expanded_free,
};
