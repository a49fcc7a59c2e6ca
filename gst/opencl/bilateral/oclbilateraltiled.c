/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateralvariants.h"

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
ocl_bilateral_tiled_get_forms (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  forms[0] = ocl_bilateral_get_color_mode (params, format);
  return 1;
}

/* With exact denormals, exp2 () takes several instructions instead of one,
 * although denormal weights vanish in the sum anyway. */
static gchar *
ocl_bilateral_tiled_get_options (const OclBuild * build,
    G_GNUC_UNUSED const OclDevice * device)
{
  return g_strdup_printf ("-cl-denorms-are-zero -D COLOR_MODE=%u", build->form);
}

/* Returns the length of the chunks of @length. The chunks have equal size, and
 * are as few as possible. */
static cl_int
get_chunk (gint length, gint max_chunk)
{
  gint n_chunks = (length + max_chunk - 1) / max_chunk;

  return (length + n_chunks - 1) / n_chunks;
}

/* Returns the largest number of window rows whose pixels fit into a tile. */
static gint
get_max_chunk_rows (const OclKernels * self, OclBilateralColorMode color_mode)
{
  const gint tile_height = ocl_kernels_get_tuning (self,
      color_mode == OCL_BILATERAL_COLOR_LAB ? TILE_HEIGHT_LAB : TILE_HEIGHT);

  return tile_height - self->group_height * ocl_kernels_get_tuning (self, ROWS)
      + 1;
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
  const OclBilateralBorder color = ocl_bilateral_get_run_border (run);
  const gint rows = ocl_kernels_get_tuning (self, ROWS);
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
              get_max_chunk_rows (self, color_mode))),
      OCL_BILATERAL_BORDER (params, color));
}

const OclVariant ocl_bilateral_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = tunables,
  .source = "bilateral-tiled.cl",
  .kernels = OCL_NAMES ("tiled"),
  .get_forms = ocl_bilateral_tiled_get_forms,
  .get_options = ocl_bilateral_tiled_get_options,
  .enqueue = ocl_bilateral_tiled_enqueue,
};
