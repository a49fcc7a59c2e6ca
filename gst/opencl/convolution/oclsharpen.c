/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclsharpen.h"

#include <math.h>
#include <string.h>

#include "oclstencil.h"

#define OFFSET(member) G_STRUCT_OFFSET (OclSharpenParams, member)

static const OclValue kernels[] = {
  {OCL_SHARPEN_AVERAGE, "average", "The mean of the window"},
  {OCL_SHARPEN_GAUSSIAN, "gaussian", "Gaussian weights with a sum of 1"},
  {OCL_SHARPEN_GAUSSIAN_RAW, "gaussian-raw",
      "Gaussian weights that are not normalized, for strong effects"},
  {0, NULL, NULL},
};

static const OclValue outputs[] = {
  {OCL_SHARPEN_SHARP, "sharp",
      "alpha times the frame plus beta times its blur plus gamma"},
  {OCL_SHARPEN_BLUR, "blur", "The blur alone"},
  {OCL_SHARPEN_DELTA, "delta", "The frame minus its blur, on grey"},
  {0, NULL, NULL},
};

static const OclValue presets[] = {
  {OCL_SHARPEN_CUSTOM, "custom", "The values of the other properties"},
  {OCL_SHARPEN_PRESET_ORIGINAL, "original", "Unchanged: alpha=1 beta=0"},
  {OCL_SHARPEN_PRESET_SHARP, "sharp", "Crisp: average, radius=3 alpha=1.5 "
        "beta=-0.5"},
  {OCL_SHARPEN_PRESET_BLUR, "blur", "Out of focus: gaussian, radius=9 sigma=4 "
        "output=blur"},
  {OCL_SHARPEN_PRESET_EDGES, "edges", "Bright edges on black: average, "
        "radius=2 alpha=5 beta=-5"},
  {OCL_SHARPEN_PRESET_OLD_PHOTO, "old-photo", "Pale and soft: gaussian, "
        "radius=4 sigma=1.5 alpha=0.2 beta=0.5 gamma=0.2"},
  {OCL_SHARPEN_PRESET_EMBOSS, "emboss", "Relief on grey: average, radius=1 "
        "alpha=3 beta=-3 gamma=0.5"},
  {OCL_SHARPEN_PRESET_NEGATIVE, "negative",
      "Inverted: alpha=-1 beta=0 gamma=1"},
  {OCL_SHARPEN_PRESET_GLOW, "glow",
      "Soft glow: gaussian, radius=24 sigma=10 alpha=0.8 beta=0.6 "
        "gamma=-0.05"},
  {0, NULL, NULL},
};

static const OclValues kernel_values = {
  "sharpen-kernel", kernels
};

static const OclValues output_values = {
  "sharpen-output", outputs
};

static const OclValues preset_values = {
  "sharpen-preset", presets
};

static const OclParam params_table[] = {
  {"kernel", "Weights of the blur",
      OCL_PARAM_ENUM, OFFSET (kernel),.values = &kernel_values},
  {"radius", "Radius of the blur in pixels, excluding the centre",
        OCL_PARAM_INT, OFFSET (radius),
        .minimum = 1,.maximum = OCL_SHARPEN_MAX_RADIUS,.default_value = 3,
      .bench = "3,15",.decides = TRUE},
  {"sigma", "Standard deviation of a Gaussian blur in pixels",
        OCL_PARAM_DOUBLE, OFFSET (sigma),
      .minimum = 0.01,.maximum = 1000.0,.default_value = 1.0},
  {"alpha",
        "Factor of the frame. If alpha + beta = 1, flat areas keep "
        "their colour", OCL_PARAM_DOUBLE, OFFSET (alpha),
      .minimum = -100.0,.maximum = 100.0,.default_value = 1.5},
  {"beta", "Factor of the blurred frame. Values below 0 sharpen",
        OCL_PARAM_DOUBLE, OFFSET (beta),
      .minimum = -100.0,.maximum = 100.0,.default_value = -0.5},
  {"gamma", "Offset added to the result, where black to white is 1",
        OCL_PARAM_DOUBLE, OFFSET (gamma),
      .minimum = -100.0,.maximum = 100.0,.default_value = 0.0},
  {"output", "Image to output", OCL_PARAM_ENUM, OFFSET (output),
      .values = &output_values},
  {"preset",
        "Look that sets kernel, radius, sigma, alpha, beta, gamma and "
        "output. Changing one of these sets the preset to custom",
        OCL_PARAM_ENUM, OFFSET (preset),.values = &preset_values,
      .fixed = TRUE},
  OCL_PLANES_PARAM (OclSharpenParams, planes, OCL_PLANES_LUMA),
  OCL_BORDER_PARAMS (OclSharpenParams, border),
  {NULL},
};

/* kernel, radius, sigma, alpha, beta, gamma, output */
static const OclSharpenParams looks[] = {
  [OCL_SHARPEN_PRESET_ORIGINAL] = {OCL_SHARPEN_AVERAGE, 3, 1.0, 1.0, 0.0, 0.0,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_SHARP] = {OCL_SHARPEN_AVERAGE, 3, 1.0, 1.5, -0.5, 0.0,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_BLUR] = {OCL_SHARPEN_GAUSSIAN, 9, 4.0, 1.5, -0.5, 0.0,
      OCL_SHARPEN_BLUR},
  [OCL_SHARPEN_PRESET_EDGES] = {OCL_SHARPEN_AVERAGE, 2, 1.0, 5.0, -5.0, 0.0,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_OLD_PHOTO] = {OCL_SHARPEN_GAUSSIAN, 4, 1.5, 0.2, 0.5, 0.2,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_EMBOSS] = {OCL_SHARPEN_AVERAGE, 1, 1.0, 3.0, -3.0, 0.5,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_NEGATIVE] = {OCL_SHARPEN_AVERAGE, 1, 1.0, -1.0, 0.0, 1.0,
      OCL_SHARPEN_SHARP},
  [OCL_SHARPEN_PRESET_GLOW] = {OCL_SHARPEN_GAUSSIAN, 24, 10.0, 0.8, 0.6, -0.05,
      OCL_SHARPEN_SHARP},
};

static gboolean
ocl_sharpen_changed (gpointer data, const OclParam * param,
    G_GNUC_UNUSED GError ** error)
{
  OclSharpenParams *params = data;

  if (param->offset > OFFSET (preset))
    return TRUE;
  if (param->offset < OFFSET (preset)) {
    params->preset = OCL_SHARPEN_CUSTOM;
  } else if (params->preset != OCL_SHARPEN_CUSTOM) {
    /* Copies the members that precede the preset. */
    memcpy (params, &looks[params->preset], OFFSET (preset));
  }
  return TRUE;
}

/* Sets @weights to the weights of 2 @n + 1 taps that are @pixels apart. The
 * weights sum to 1. */
static void
ocl_sharpen_fill (gdouble * weights, gint n, gint pixels, gdouble sigma)
{
  gdouble sum = 0.0;

  for (gint i = 0; i < 2 * n + 1; i++) {
    const gdouble distance = (i - n) * pixels / sigma;
    weights[i] = exp (-0.5 * distance * distance);
    sum += weights[i];
  }
  for (gint i = 0; i < 2 * n + 1; i++)
    weights[i] /= sum;
}

static void
ocl_sharpen_init_stencil (OclStencil * stencil, const OclRun * run)
{
  const OclSharpenParams *params = run->params;
  const OclPass *pass = run->pass;
  gdouble sum = 1.0;

  stencil->radius_x = params->radius >> pass->x_shift;
  stencil->radius_y = params->radius >> pass->y_shift;
  stencil->border = params->border;
  if (params->kernel == OCL_SHARPEN_AVERAGE) {
    ocl_stencil_set_box (stencil);
    sum /= ocl_stencil_get_n_taps (stencil);
  } else {
    stencil->kind = OCL_STENCIL_SEPARABLE;
    ocl_sharpen_fill (stencil->columns, stencil->radius_x, 1 << pass->x_shift,
        params->sigma);
    ocl_sharpen_fill (stencil->rows, stencil->radius_y, 1 << pass->y_shift,
        params->sigma);
  }
  if (params->kernel == OCL_SHARPEN_GAUSSIAN_RAW) {
    const gint side = 2 * params->radius + 1;
    gdouble raw_sum = 0.0;      /* of a row */

    for (gint i = -params->radius; i <= params->radius; i++)
      raw_sum += exp (-0.5 * (i / params->sigma) * (i / params->sigma));
    sum = raw_sum * raw_sum / (params->sigma * sqrt (2.0 * G_PI)) / side / side;
  }

  switch (params->output) {
    case OCL_SHARPEN_BLUR:
      stencil->centre = 0.0;
      stencil->scale = sum;
      stencil->offset = 0.0;
      break;
    case OCL_SHARPEN_DELTA:
      stencil->centre = 1.0;
      stencil->scale = -sum;
      stencil->offset = 0.5;
      break;
    default:
      stencil->centre = params->alpha;
      stencil->scale = params->beta * sum;
      stencil->offset = params->gamma;
      break;
  }
}

static gboolean
ocl_sharpen_is_small (gconstpointer params, const OclFormat * format,
    const OclPass * pass)
{
  const OclRun run = {.params = params,.pass = pass };
  OclStencil stencil;

  ocl_sharpen_init_stencil (&stencil, &run);
  return ocl_stencil_blocked_supports (&stencil, format, pass,
      ((const OclSharpenParams *) params)->radius);
}

static guint
ocl_sharpen_get_block_specializations (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  return ocl_stencil_blocked_get_specializations (((const OclSharpenParams *)
          params)->radius, specializations);
}

static guint
ocl_sharpen_get_tile_specializations (gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  return ocl_stencil_tiled_get_specializations (((const OclSharpenParams *)
          params)->radius, specializations);
}

static const OclStencilFamily family = { ocl_sharpen_init_stencil };

static const OclVariant plain = {
  .name = "plain",
  .family = &family,
  OCL_STENCIL_PLAIN,
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .family = &family,
  OCL_STENCIL_ROWS,
};

static const OclVariant blocked = {
  .name = "blocked",
  .flags = OCL_VARIANT_FOR_GPU | OCL_VARIANT_SLOW_IN_IMAGES,
  .family = &family,
  .supports = ocl_sharpen_is_small,
  .get_specializations = ocl_sharpen_get_block_specializations,
  OCL_STENCIL_BLOCKED,
};

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .family = &family,
  .get_specializations = ocl_sharpen_get_tile_specializations,
  OCL_STENCIL_TILED,
};

static const OclVariant *const variants[] = {
  &plain, &rows, &blocked, &tiled, NULL,
};

static gboolean
ocl_sharpen_is_neutral (gconstpointer data)
{
  const OclSharpenParams *params = data;

  return params->output == OCL_SHARPEN_SHARP && params->alpha == 1.0
      && params->beta == 0.0 && params->gamma == 0.0;
}

static gint
ocl_sharpen_get_reach (gconstpointer data)
{
  const OclSharpenParams *params = data;

  return params->radius;
}

/* On GPUs small windows have a program for each radius. */
static gboolean
ocl_sharpen_get_warm_up (guint n, gpointer data)
{
  static const gint radii[] = { 3, 2, 1, OCL_SHARPEN_MAX_RADIUS };
  OclSharpenParams *params = data;

  if (n >= G_N_ELEMENTS (radii))
    return FALSE;
  params->radius = radii[n];
  return TRUE;
}

const OclOperationClass ocl_sharpen_class = {
  .name = "sharpen",
  .flags = OCL_OPERATION_FILTERS | OCL_OPERATION_FUSES,
  .params_size = sizeof (OclSharpenParams),
  .params = params_table,
  .variants = variants,
  .changed = ocl_sharpen_changed,
  .is_neutral = ocl_sharpen_is_neutral,
  .get_reach = ocl_sharpen_get_reach,
  .get_warm_up = ocl_sharpen_get_warm_up,
};
