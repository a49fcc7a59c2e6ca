/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclbilateral.h"

#include <math.h>

#include "oclbilateralvariants.h"

/* One term of the approximation costs as much as this many taps of the exact
 * filter. The cost was measured where nodes are densest, on a CPU and on a
 * GPU. */
#define TAPS_OF_TERM 50

/* Radius that every variant supports. */
#define WARM_UP_RADIUS 10

#define OFFSET(member) G_STRUCT_OFFSET (OclBilateralParams, member)

static const OclValue color_modes[] = {
  {OCL_BILATERAL_COLOR_INTENSITY, "intensity",
      "Luma difference, with one weight for all channels"},
  {OCL_BILATERAL_COLOR_PER_CHANNEL, "per-channel",
      "Difference of each channel, with separate weights"},
  {OCL_BILATERAL_COLOR_LAB, "lab",
      "Perceptual colour difference: distance in CIE L*a*b*, divided "
        "by 100"},
  {0, NULL, NULL},
};

static const OclValue windows[] = {
  {OCL_BILATERAL_WINDOW_SQUARE, "square",
      "Pixels within the radius in x and in y"},
  {OCL_BILATERAL_WINDOW_DISC, "disc",
      "Pixels within the radius"},
  {0, NULL, NULL},
};

static const OclValue methods[] = {
  {OCL_BILATERAL_METHOD_EXACT, "exact", "The filter by its definition"},
  {OCL_BILATERAL_METHOD_FAST, "fast",
      "An approximation whose speed does not depend on the window. "
        "Requires color-mode=intensity and a spatial sigma of at least "
        "5, otherwise exact"},
  {OCL_BILATERAL_METHOD_AUTO, "auto",
      "The fastest method within max-error"},
  {0, NULL, NULL},
};

static const OclValues color_mode_values = {
  "filter-color-mode", color_modes
};
static const OclValues window_values = { "filter-window", windows };

static const OclValues method_values = { "filter-method", methods };

static const OclParam params_table[] = {
  {"spatial-sigma",
        "Standard deviation of the weight by distance, in pixels. 0 "
        "disables the filter",
        OCL_PARAM_DOUBLE, OFFSET (spatial_sigma),
        .maximum = OCL_BILATERAL_MAX_SPATIAL_SIGMA,.default_value = 2.0,
      .bench = "2,4,8",.decides = TRUE},
  {"intensity-sigma",
        "Standard deviation of the weight by difference, where black "
        "to white is 1. Stronger edges are kept. 0 disables the filter",
        OCL_PARAM_DOUBLE, OFFSET (intensity_sigma),
      .maximum = 10.0,.default_value = 0.25,.decides = TRUE},
  {"radius", "Radius of the window in pixels, excluding the centre. -1 uses "
        "twice the spatial sigma, rounded down. 0 disables the filter",
        OCL_PARAM_INT, OFFSET (radius),
      .minimum = -1,.maximum = OCL_BILATERAL_MAX_RADIUS,.default_value =
        -1,.decides = TRUE},
  {"color-mode", "Difference of two pixels that determines their weight",
      OCL_PARAM_ENUM, OFFSET (color_mode),.values =
        &color_mode_values,.decides = TRUE},
  {"window",
        "Shape of the window. A disc is a fifth faster than a square, "
        "and reaches equally far in all directions",
      OCL_PARAM_ENUM, OFFSET (window),.values = &window_values,.decides = TRUE},
  {"method", "The exact filter, or an approximation whose speed does not "
        "depend on the spatial sigma. Photographs differ by at most "
        "1.5 levels of 255 (RMS)",
      OCL_PARAM_ENUM, OFFSET (method),.values = &method_values,.decides = TRUE},
  {"max-error", "Lowest PSNR against the exact filter, in dB, that method=auto "
        "accepts. Above " G_STRINGIFY (OCL_BILATERAL_FAST_PSNR) ", auto uses "
        "the exact filter",
        OCL_PARAM_DOUBLE, OFFSET (max_error),
      .maximum = 100.0,.default_value = 40.0,.decides = TRUE},
  OCL_PLANES_PARAM (OclBilateralParams, planes, OCL_PLANES_ALL),
  OCL_BORDER_PARAMS (OclBilateralParams, border),
  {NULL},
};

gint
ocl_bilateral_get_radius (gconstpointer data)
{
  const OclBilateralParams *params = data;
  const gint radius = params->radius < 0
      ? (gint) floor (2.0 * params->spatial_sigma) : params->radius;

  return MIN (radius, OCL_BILATERAL_MAX_RADIUS);
}

gdouble
ocl_bilateral_get_guide_unit (OclBilateralColorMode color_mode,
    const OclFormat * format)
{
  gdouble level = ocl_format_get_max_level (format);

  if (color_mode == OCL_BILATERAL_COLOR_LAB)
    return 100.0;
  return color_mode == OCL_BILATERAL_COLOR_INTENSITY
      && format->model == OCL_MODEL_RGB ? 100.0 * level : level;
}

OclBilateralColorMode
ocl_bilateral_get_color_mode (const OclBilateralParams * params,
    const OclFormat * format)
{
  return params->color_mode == OCL_BILATERAL_COLOR_LAB
      && format->model != OCL_MODEL_RGB
      ? OCL_BILATERAL_COLOR_INTENSITY : params->color_mode;
}

OclBilateralBorder
ocl_bilateral_get_border (const OclRun * run)
{
  const OclBilateralParams *params = run->params;
  const OclFrameInfo *info = &run->input->info;
  const OclBilateralBorder border = {
    .channels = ocl_pass_get_color (run->pass, info, params->border.color),
    .luma = ocl_format_convert_color (info->format, &info->colorimetry,
        params->border.color).s[OCL_CHANNEL_LUMA],
  };

  return border;
}

cl_float
ocl_bilateral_get_exponent_scale (gdouble unit, gdouble sigma)
{
  return MAX (-0.5 * M_LOG2E / (unit * sigma) / (unit * sigma), -1e28);
}

gint
ocl_bilateral_get_tap_columns (const OclRun * run)
{
  return 2 * (ocl_bilateral_get_radius (run->params) >> run->pass->x_shift) + 1;
}

gint
ocl_bilateral_get_tap_rows (const OclRun * run)
{
  return 2 * (ocl_bilateral_get_radius (run->params) >> run->pass->y_shift) + 1;
}

gint
ocl_bilateral_get_n_taps (const OclRun * run)
{
  return ocl_bilateral_get_tap_columns (run) * ocl_bilateral_get_tap_rows (run);
}

/* Cost of a tap in taps of the other variants, because this variant computes
 * each tap again for each sample, with functions of full precision. With
 * L*a*b*, a tap needs nine functions of full precision instead of two. */
#define TAPS_OF_TAP 10
#define TAPS_OF_LAB_TAP 50

/* Returns -1 / (2 sigma²), which is finite even for the smallest sigma. */
static cl_float
get_exponent_scale (gdouble sigma)
{
  return MAX (-0.5 / sigma / sigma, -1e30);
}

static gboolean
ocl_bilateral_plain_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  const OclBilateralParams *params = run->params;
  const OclBilateralBorder color = ocl_bilateral_get_border (run);
  const OclBilateralColorMode color_mode =
      ocl_bilateral_get_color_mode (params, run->input->info.format);
  const OclGrid grid = {
    .width = ocl_run_get_width (run),.height = ocl_run_get_height (run),
    .n_taps = ocl_bilateral_get_n_taps (run)
        * (color_mode == OCL_BILATERAL_COLOR_LAB ? TAPS_OF_LAB_TAP
        : TAPS_OF_TAP),
  };

  return OCL_LAUNCH (self, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_BILATERAL_SIZE (run),
      OCL_FLOAT (get_exponent_scale (params->spatial_sigma)),
      OCL_FLOAT (get_exponent_scale (params->intensity_sigma)),
      OCL_INT (ocl_bilateral_get_radius (params)),
      OCL_INT (color_mode),
      OCL_INT (params->window == OCL_BILATERAL_WINDOW_DISC),
      OCL_BILATERAL_BORDER (params, color));
}

const OclVariant ocl_bilateral_plain = {
  .name = "plain",
  .source = "bilateral.cl",
  .kernels = OCL_NAMES ("bilateral"),
  .group_width = 16,
  .group_height = 16,
  .enqueue = ocl_bilateral_plain_enqueue,
};

static const OclVariant *const variants[] = {
  &ocl_bilateral_plain, &ocl_bilateral_rows, &ocl_bilateral_expanded,
  &ocl_bilateral_expanded_rgb, &ocl_bilateral_tiled, &ocl_bilateral_fast,
  &ocl_bilateral_fast_tiled, NULL,
};

static gboolean
ocl_bilateral_is_neutral (gconstpointer data)
{
  const OclBilateralParams *params = data;

  return params->spatial_sigma <= 0.0 || params->intensity_sigma <= 0.0
      || params->radius == 0
      || (params->radius < 0 && params->spatial_sigma < 0.5);
}

static gboolean
ocl_bilateral_check (gconstpointer data, const OclFormat * format,
    GError ** error)
{
  const OclBilateralParams *params = data;

  if (params->color_mode != OCL_BILATERAL_COLOR_LAB
      || format->model == OCL_MODEL_RGB)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NEEDS_RGB,
      "color-mode=lab needs red, green and blue, but the frames "
      "are %s.", format->name);
  return FALSE;
}

static guint
ocl_bilateral_get_passes (gconstpointer data, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  const OclBilateralParams *params = data;

  return ocl_passes_init (passes, format, params->planes,
      ocl_bilateral_get_color_mode (params, format)
      == OCL_BILATERAL_COLOR_INTENSITY);
}

static const OclVariant *
ocl_bilateral_choose (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format, const OclPass * pass,
    const OclDevice * device)
{
  const OclBilateralParams *params = data;
  const gint n_terms = ocl_bilateral_count_terms (params, pass);
  const gdouble radius = ocl_bilateral_get_radius (params) >> pass->x_shift;
  const gdouble n_taps = params->window == OCL_BILATERAL_WINDOW_DISC
      ? G_PI * radius * radius : (2.0 * radius + 1.0) * (2.0 * radius + 1.0);

  if (params->method == OCL_BILATERAL_METHOD_EXACT || n_terms == 0)
    return NULL;
  if (params->method == OCL_BILATERAL_METHOD_AUTO
      && (params->max_error > OCL_BILATERAL_FAST_PSNR
          || n_taps < TAPS_OF_TERM * n_terms))
    return NULL;
  return device->type & CL_DEVICE_TYPE_CPU
      ? &ocl_bilateral_fast : &ocl_bilateral_fast_tiled;
}

/* A variant may have one program for each colour mode and each window. The last
 * entry is for the approximation where a sample stands for two pixels. */
static gboolean
ocl_bilateral_get_warm_up (guint n, gpointer data)
{
  static const OclBilateralParams all[] = {
    {.color_mode = OCL_BILATERAL_COLOR_INTENSITY,.radius = WARM_UP_RADIUS},
    {.color_mode = OCL_BILATERAL_COLOR_INTENSITY,.radius = WARM_UP_RADIUS,
        .window = OCL_BILATERAL_WINDOW_DISC},
    {.color_mode = OCL_BILATERAL_COLOR_PER_CHANNEL,.radius = WARM_UP_RADIUS},
    {.color_mode = OCL_BILATERAL_COLOR_LAB,.radius = WARM_UP_RADIUS},
    {.color_mode = OCL_BILATERAL_COLOR_INTENSITY,.radius = 2 * WARM_UP_RADIUS},
  };
  OclBilateralParams *params = data;

  if (n >= G_N_ELEMENTS (all))
    return FALSE;
  params->color_mode = all[n].color_mode;
  params->radius = all[n].radius;
  params->window = all[n].window;
  params->spatial_sigma = params->radius / 2.0;
  params->intensity_sigma = 1.0;
  return TRUE;
}

const OclOperationClass ocl_bilateral_class = {
  .name = "bilateral",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_FUSES,
  .params_size = sizeof (OclBilateralParams),
  .params = params_table,
  .variants = variants,
  .is_neutral = ocl_bilateral_is_neutral,
  .check = ocl_bilateral_check,
  .get_passes = ocl_bilateral_get_passes,
  .get_reach = ocl_bilateral_get_radius,
  .choose = ocl_bilateral_choose,
  .get_warm_up = ocl_bilateral_get_warm_up,
};
