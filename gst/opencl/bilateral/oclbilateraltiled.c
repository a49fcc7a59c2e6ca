/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

#include <math.h>

/* The tunables are the work-items of a group, the rows of the frame per
 * work-item, and the pixels of the tile, which has a smaller height for L*a*b*.
 * With the defaults, all local variables fit into 32 KiB, which any device has.
 * With all values of the tunables, the tile has room for the pixels of the
 * group and one more tap in both directions. */
enum
{
  GROUP_WIDTH,
  GROUP_HEIGHT,
  ROWS,
  TILE_WIDTH,
  TILE_HEIGHT,
  TILE_HEIGHT_LAB,
};

static const OclTunable tunables[] = {
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32)},
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4)},
  [ROWS] = {"ROWS", 4, OCL_CHOICES (1, 2, 4)},
  [TILE_WIDTH] = {"TILE_WIDTH", 48, OCL_CHOICES (40, 48, 64)},
  [TILE_HEIGHT] = {"TILE_HEIGHT", 32, OCL_CHOICES (24, 32)},
  [TILE_HEIGHT_LAB] = {"TILE_HEIGHT_LAB", 24, OCL_CHOICES (20, 24)},
  {NULL},
};

/* Each colour mode has a separate program. A frame needs only one of the
 * programs. */
static guint
ocl_bilateral_tiled_get_specializations (gconstpointer params,
    const OclFormat * format, guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  specializations[0] = ocl_bilateral_get_color_mode (params, format);
  return 1;
}

/* With exact denormals, exp2 () takes several instructions instead of one,
 * although denormal weights vanish in the sum anyway. */
static gchar *
ocl_bilateral_tiled_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-cl-denorms-are-zero -D COLOR_MODE=%u",
      build->specialization);
}

/* Returns the length of the chunks of @length. The chunks have equal size, and
 * are as few as possible. */
static cl_int
get_chunk (gint length, gint max_chunk)
{
  gint n_chunks = (length + max_chunk - 1) / max_chunk;

  return (length + n_chunks - 1) / n_chunks;
}

static gboolean
ocl_bilateral_tiled_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFormat *format = run->input->info.format;
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (params, format);
  const gdouble unit = ocl_bilateral_get_guide_unit (color_mode, format);
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
  /* The largest number of window rows whose pixels fit into a tile. */
  const gint max_chunk_rows = ocl_kernels_get_tuning (self,
      color_mode == OCL_BILATERAL_COLOR_LAB ? TILE_HEIGHT_LAB : TILE_HEIGHT)
      - self->group_height * rows + 1;
  const OclGrid grid = {.width = ocl_run_get_width (run),
    .height = (ocl_run_get_height (run) + rows - 1) / rows,
    .n_taps = rows * ocl_bilateral_get_n_taps (run)
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_BILATERAL_SIZE (run),
      OCL_FLOAT (ocl_bilateral_get_exponent_scale (1.0,
              params->spatial_sigma)),
      OCL_FLOAT (ocl_bilateral_get_exponent_scale (unit,
              params->intensity_sigma)),
      OCL_INT (ocl_bilateral_get_radius (params)),
      OCL_INT (params->window == OCL_BILATERAL_WINDOW_DISC),
      OCL_INT (get_chunk (ocl_bilateral_get_tap_columns (run),
              ocl_kernels_get_tuning (self, TILE_WIDTH) - self->group_width
              + 1)),
      OCL_INT (get_chunk (ocl_bilateral_get_tap_rows (run),
              max_chunk_rows)), OCL_BILATERAL_BORDER (params, color));
}

const OclVariant ocl_bilateral_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .source = "bilateral-tiled.cl",
  .kernels = OCL_NAMES ("tiled"),
  .get_specializations = ocl_bilateral_tiled_get_specializations,
  .get_options = ocl_bilateral_tiled_get_options,
  .enqueue = ocl_bilateral_tiled_enqueue,
};

/* The tunables are the work-items of a group, the rows of the frame per
 * work-item, and the KiB of a tile. The kernel does not use the KiB, because it
 * gets the tile as an argument. */
enum
{
  TILE_KIB = ROWS + 1,
};

#define TUNABLES(rows) \
  [GROUP_WIDTH] = {"GROUP_WIDTH", 32, OCL_CHOICES (16, 32, 64)}, \
  [GROUP_HEIGHT] = {"GROUP_HEIGHT", 4, OCL_CHOICES (2, 4, 8)}, \
  [ROWS] = {"ROWS", rows, OCL_CHOICES (2, 3, 4, 6)}, \
  [TILE_KIB] = {"TILE_KIB", 28, OCL_CHOICES (16, 24, 28, 40)}, \
  {NULL}

/* The sums of colours use twice the registers. */
static const OclTunable expanded_tunables[] = { TUNABLES (6) };
static const OclTunable rgb_tunables[] = { TUNABLES (4) };

/* At the smallest sigma, with differences of the whole range, the largest
 * weight is up to 2^(log2 e / (8 σ²)) = 2^113 times the smallest weight. The
 * range of floats is 2^252. The rest of this range is for the sums, and for
 * taps of small weight. Exponents have an error of 2^-17 at the smallest sigma,
 * which is 3e-4 levels of 8 bits. At the largest sigma, scaled guides are still
 * far from vanishing. */
#define MIN_INTENSITY_SIGMA 0.04
#define MAX_INTENSITY_SIGMA 1e6

/* Sums are kept as multiples of the factor of a row, so they grow from the
 * middle row of the window to the last by 2 to this power, at most. Floats have
 * this range in addition to the 2^57 of the largest weight, the number of taps
 * and the levels. A radius of twice the sigma needs 2.9. */
#define MAX_SPATIAL_EXPONENT 32.0

/* Local memory in bytes that is reserved for other local variables of the
 * kernel, and for the driver. */
#define RESERVED_SIZE 4096

/* Smallest radii, in samples. The window of MIN_RADIUS has as many rows of taps
 * as a work-item has rows, or one row less. From MIN_DISC_RADIUS on, a disc is
 * faster with this variant than with the variant for all windows. A disc needs
 * a larger radius because its rows differ. */
#define MIN_RADIUS 2
#define MIN_DISC_RADIUS 8

/* Up to this radius, a program that is specialised for one radius is faster,
 * because a loop over few taps costs as much as the taps. */
#define MAX_SPECIAL_RADIUS 4

/* A specialization holds the window, and the radius from this bit on, which is
 * 0 if the radius is an argument of the kernel. */
#define RADIUS_SHIFT 1

/* Returns whether the numbers fit floats, and the window is large enough. */
static gboolean
has_room (const OclBilateralParams * params, const OclFormat * format,
    const OclPass * pass)
{
  const gint radius = ocl_bilateral_get_radius (params);
  const gint least = params->window == OCL_BILATERAL_WINDOW_DISC
      ? MIN_DISC_RADIUS : MIN_RADIUS;
  const gdouble spatial_exponent = -radius * radius
      * ocl_bilateral_get_exponent_scale (1.0, params->spatial_sigma);

  return !pass->guided && !format->is_float
      && params->intensity_sigma >= MIN_INTENSITY_SIGMA
      && params->intensity_sigma <= MAX_INTENSITY_SIGMA
      && spatial_exponent <= MAX_SPATIAL_EXPONENT
      && radius >> pass->x_shift >= least && radius >> pass->y_shift >= least;
}

/* One variant supports a single channel, which is also the guide. The other
 * supports red, green and blue with the luma as the guide. Their defaults
 * differ. */
static gboolean
ocl_bilateral_expanded_supports (gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return pass->n_channels == 1 && has_room (params, format, pass);
}

static gboolean
ocl_bilateral_expanded_rgb_supports (gconstpointer params,
    const OclFormat * format, const OclPass * pass)
{
  return pass->n_channels == 3 && format->model == OCL_MODEL_RGB
      && ocl_bilateral_get_color_mode (params, format)
      == OCL_BILATERAL_COLOR_INTENSITY && has_room (params, format, pass);
}

/* Each window has a separate program, because all rows of taps are equal in a
 * square. Small squares also have a specialised program for each radius. */
static guint
ocl_bilateral_expanded_get_specializations (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  const OclBilateralParams *params = data;
  const guint radius = ocl_bilateral_get_radius (params);
  guint n = 0;

  if (params->window != OCL_BILATERAL_WINDOW_DISC
      && radius <= MAX_SPECIAL_RADIUS)
    specializations[n++] = params->window | radius << RADIUS_SHIFT;
  specializations[n++] = params->window;
  return n;
}

/* With exact denormals, exp2 () takes several instructions instead of one,
 * although denormal weights vanish in the sum anyway. */
static gchar *
ocl_bilateral_expanded_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  const guint window = build->specialization & ((1 << RADIUS_SHIFT) - 1);

  return g_strdup_printf ("-cl-denorms-are-zero -D DISC=%d -D RADIUS=%u",
      window == OCL_BILATERAL_WINDOW_DISC,
      build->specialization >> RADIUS_SHIFT);
}

static gboolean
ocl_bilateral_expanded_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclFormat *format = run->input->info.format;
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const gboolean is_rgb = run->pass->n_channels > 1;
  const gdouble unit = is_rgb
      ? ocl_bilateral_get_guide_unit (OCL_BILATERAL_COLOR_INTENSITY, format)
      : ocl_format_get_max_level (format);
  const cl_float guide_scale = sqrt (-ocl_bilateral_get_exponent_scale
      (unit, params->intensity_sigma));
  const cl_float largest = guide_scale * unit / 2.0;
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
  const gsize row_size = (is_rgb ? sizeof (cl_float4) : sizeof (cl_float))
      * (self->group_width + ocl_bilateral_get_tap_columns (run) - 1);
  const gsize tile_size =
      MIN ((guint64) ocl_kernels_get_tuning (self, TILE_KIB) * 1024,
      self->context->device->local_size - RESERVED_SIZE);
  const cl_int tile_rows = MIN (tile_size / row_size,
      self->group_height * rows + ocl_bilateral_get_tap_rows (run) - 1);
  const OclGrid grid = {.width = ocl_run_get_width (run),
    .height = (ocl_run_get_height (run) + rows - 1) / rows,
    .n_taps = rows * ocl_bilateral_get_n_taps (run)
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_BILATERAL_SIZE (run),
      OCL_FLOAT (ocl_bilateral_get_exponent_scale (1.0,
              params->spatial_sigma)), OCL_FLOAT (guide_scale),
      OCL_FLOAT (largest * largest / 2.0f),
      OCL_INT (ocl_bilateral_get_radius (params)),
      OCL_INT (params->border.mode), OCL_FLOAT4 (color.channels),
      OCL_INT (tile_rows), OCL_LOCAL (row_size * tile_rows));
}

#define VARIANT(variant_name, its_tunables, is_supported) { \
  .name = variant_name, \
  .flags = OCL_VARIANT_FOR_GPU, \
  .tunables = its_tunables, \
  .source = "bilateral-expanded.cl", \
  .kernels = OCL_NAMES ("expanded"), \
  .supports = is_supported, \
  .get_specializations = ocl_bilateral_expanded_get_specializations, \
  .get_options = ocl_bilateral_expanded_get_options, \
  .enqueue = ocl_bilateral_expanded_enqueue, \
}

const OclVariant ocl_bilateral_expanded =
VARIANT ("expanded", expanded_tunables, ocl_bilateral_expanded_supports);
const OclVariant ocl_bilateral_expanded_rgb =
VARIANT ("expanded-rgb", rgb_tunables, ocl_bilateral_expanded_rgb_supports);
