/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmultiresolution.h"

#include "bilateral/oclbilateral.h"
#include "bilateral/oclbilateralvariants.h"
#include "oclpyramid.h"

G_STATIC_ASSERT (OCL_MULTIRESOLUTION_MAX_LEVELS == OCL_PYRAMID_MAX_LEVELS);
G_STATIC_ASSERT (OCL_MULTIRESOLUTION_MAX_BANDS == OCL_MAX_NUMBERS);

#define OFFSET(member) G_STRUCT_OFFSET (OclMultiresolutionParams, member)

static const OclValue color_modes[] = {
  {OCL_BILATERAL_COLOR_INTENSITY, "intensity",
      "Luma difference, with one weight for all channels"},
  {OCL_BILATERAL_COLOR_PER_CHANNEL, "per-channel",
      "Difference of each channel, with separate weights"},
  {0, NULL, NULL},
};

static const OclValues color_mode_values = {
  "multiresolution-color-mode", color_modes
};

static const OclParam params_table[] = {
  {"levels", "Number of pyramid levels, each half the size. Small frames "
        "have fewer, down to one pixel",
        OCL_PARAM_INT, OFFSET (n_levels),
        .minimum = 1,.maximum = OCL_MULTIRESOLUTION_MAX_LEVELS,
      .default_value = 5,.fixed = TRUE},
  {"spatial-sigma",
        "Standard deviation of the weight by distance, in pixels of "
        "each band. 0 filters no band", OCL_PARAM_DOUBLE,
        OFFSET (spatial_sigma),
      .maximum = OCL_BILATERAL_MAX_SPATIAL_SIGMA,.default_value = 2.0},
  {"intensity-sigma",
        "Standard deviation of the weight by difference, where black "
        "to white is 1. Stronger structure is kept. 0 filters no band. "
        "Noise is weaker in coarse bands: see intensity-sigmas",
        OCL_PARAM_DOUBLE,
        OFFSET (intensity_sigma),
      .maximum = 10.0,.default_value = 0.02},
  {"spatial-sigmas", "Values for the first bands, finest first, instead of "
        "spatial-sigma, such as <2,2,1>",
        OCL_PARAM_NUMBERS, OFFSET (spatial_sigmas),
      .maximum = OCL_BILATERAL_MAX_SPATIAL_SIGMA,.fixed = TRUE},
  {"intensity-sigmas", "Values for the first bands, finest first, instead of "
        "intensity-sigma, such as <0.1,0.03,0.01,0>. Against noise, "
        "each value is a third of the previous one",
        OCL_PARAM_NUMBERS, OFFSET (intensity_sigmas),
      .maximum = 10.0,.fixed = TRUE},
  {"gains", "Gains of the first bands, finest first: 1 keeps a band, more "
        "makes its details stronger. The band after the last level is "
        "the rest of the frame",
        OCL_PARAM_NUMBERS, OFFSET (gains),
      .minimum = -100.0,.maximum = 100.0,.fixed = TRUE},
  {"radius", "Radius of the window in pixels of each band, excluding the "
        "centre. -1 uses twice the spatial sigma, rounded down. 0 "
        "filters no band",
        OCL_PARAM_INT, OFFSET (radius),
      .minimum = -1,.maximum = OCL_BILATERAL_MAX_RADIUS,.default_value = 2},
  {"color-mode", "Difference of two pixels that determines their weight",
      OCL_PARAM_ENUM, OFFSET (color_mode),.values =
        &color_mode_values,.decides = TRUE},
  {"show-band",
        "Output only this band, with details around grey. 0 is the "
        "finest band, -1 outputs the result",
        OCL_PARAM_INT, OFFSET (show_band),
        .minimum = -1,.maximum = OCL_MULTIRESOLUTION_MAX_LEVELS,
      .default_value = -1},
  OCL_PLANES_PARAM (OclMultiresolutionParams, planes, OCL_PLANES_LUMA),
  OCL_BORDER_PARAMS (OclMultiresolutionParams, border),
  {NULL},
};

guint
ocl_multiresolution_get_n_levels (const OclMultiresolutionParams * params,
    gint width, gint height)
{
  return MIN ((guint) params->n_levels, ocl_pyramid_count_levels (width,
          height));
}

OclBilateralParams
ocl_multiresolution_get_bilateral (const OclMultiresolutionParams * params,
    guint band)
{
  const OclBilateralParams bilateral = {
    .spatial_sigma = ocl_list_get (params->spatial_sigmas, band,
        params->spatial_sigma),
    .intensity_sigma = ocl_list_get (params->intensity_sigmas, band,
        params->intensity_sigma),
    .radius = params->radius,
    .color_mode = params->color_mode,
    .window = OCL_BILATERAL_WINDOW_SQUARE,
    .border = params->border,
    .method = OCL_BILATERAL_METHOD_EXACT,
    .planes = params->planes,
  };

  return bilateral;
}

static gboolean
is_shown_alone (const OclMultiresolutionParams * params, guint band,
    guint n_levels)
{
  return params->show_band >= 0
      && MIN ((guint) params->show_band, n_levels) == band;
}

gdouble
ocl_multiresolution_get_gain (const OclMultiresolutionParams * params,
    guint band, guint n_levels)
{
  if (params->show_band >= 0 && !is_shown_alone (params, band, n_levels))
    return 0.0;
  return ocl_list_get (params->gains, band, 1.0);
}

gdouble
ocl_multiresolution_get_offset (const OclMultiresolutionParams * params,
    guint n_levels)
{
  return params->show_band >= 0 && !is_shown_alone (params, n_levels, n_levels)
      ? 0.5 : 0.0;
}

/* Variants of the pyramid and of the filter for one variant of this
 * operation. */
typedef struct
{
  const OclVariant *pyramid;
  const OclVariant *filter;
} Family;

/* State that is kept between frames. */
typedef struct
{
  OclPyramid *pyramid;
  OclKernels *filter;
} State;

static void
ocl_multiresolution_clear (gpointer data)
{
  State *state = data;

  /* The filter uses the format of the bands, which the pyramid owns, so it is
   * freed first. */
  ocl_kernels_unref (state->filter);
  g_clear_pointer (&state->pyramid, ocl_pyramid_free);
}

static gboolean
ocl_multiresolution_init (OclKernels * self, GError ** error)
{
  State *state = self->state;
  const Family *family = self->variant->family;
  const OclStorage storage = family->pyramid == &ocl_pyramid_tiled
      ? ocl_pyramid_tiled_get_storage (&self->build.tuning)
      : OCL_STORAGE_BUFFER;

  state->pyramid = ocl_pyramid_new (self->context, family->pyramid,
      &self->build, storage, error);
  if (!state->pyramid)
    return FALSE;

  OclBuild build = ocl_pyramid_get_build (state->pyramid);
  build.specialization = self->build.specialization;
  ocl_tuning_init (&build.tuning, family->filter->tunables);
  state->filter = ocl_kernels_new (self->context, family->filter, &build,
      error);
  return state->filter != NULL;
}

static gboolean
ocl_multiresolution_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const OclMultiresolutionParams *params = run->params;
  const guint n_levels = ocl_multiresolution_get_n_levels (params,
      ocl_run_get_width (run), ocl_run_get_height (run));
  const gdouble offset = ocl_multiresolution_get_offset (params, n_levels)
      * ocl_format_get_max_level (run->input->info.format);
  gdouble gains[OCL_MULTIRESOLUTION_MAX_BANDS];

  if (!ocl_pyramid_enqueue_decompose (state->pyramid, run->input, n_levels,
          &params->border, run->timer, error))
    return FALSE;
  for (guint band = 0; band <= n_levels; band++) {
    const OclBilateralParams bilateral =
        ocl_multiresolution_get_bilateral (params, band);
    const OclRun band_run = {
      .params = &bilateral,.pass = run->pass,.timer = run->timer,
      .input = ocl_pyramid_get_band (state->pyramid, band),
      .output = ocl_pyramid_get_free (state->pyramid, band),
    };

    gains[band] = ocl_multiresolution_get_gain (params, band, n_levels);
    /* A band with gain 0 is not visible and need not be filtered. */
    if (gains[band] == 0.0
        || ocl_operation_class_is_neutral (&ocl_bilateral_class, &bilateral))
      continue;
    if (!ocl_kernels_enqueue (state->filter, &band_run, error))
      return FALSE;
    ocl_pyramid_exchange (state->pyramid, band);
  }
  return ocl_pyramid_enqueue_reconstruct (state->pyramid, run->input,
      run->output, gains, offset, &params->border, run->timer, error);
}

#define OPERATION \
    .state_size = sizeof (State), .init = ocl_multiresolution_init, \
    .clear = ocl_multiresolution_clear, .enqueue = ocl_multiresolution_enqueue

static const OclVariant plain = {
  .name = "plain",
  .family = &(const Family) {&ocl_pyramid_plain, &ocl_bilateral_plain},
  OPERATION,
};

static const OclVariant rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .family = &(const Family) {&ocl_pyramid_rows, &ocl_bilateral_rows},
  OPERATION,
};

/* The filter of the bands has the same specializations: one for each colour
 * mode. */
static guint
ocl_multiresolution_tiled_get_specializations (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format,
    guint specializations[OCL_MAX_SPECIALIZATIONS])
{
  const OclMultiresolutionParams *params = data;

  specializations[0] = params->color_mode;
  return 1;
}

static const OclVariant tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = ocl_pyramid_tiled_tunables,
  .family = &(const Family) {&ocl_pyramid_tiled, &ocl_bilateral_tiled},
  .get_specializations = ocl_multiresolution_tiled_get_specializations,
  OPERATION,
};

static const OclVariant *const variants[] = { &plain, &rows, &tiled, NULL };

static gboolean
ocl_multiresolution_is_neutral (gconstpointer data)
{
  const OclMultiresolutionParams *params = data;

  if (params->show_band >= 0)
    return FALSE;
  for (gint band = 0; band <= params->n_levels; band++) {
    const OclBilateralParams bilateral =
        ocl_multiresolution_get_bilateral (params, band);

    if (!ocl_operation_class_is_neutral (&ocl_bilateral_class, &bilateral)
        || ocl_list_get (params->gains, band, 1.0) != 1.0)
      return FALSE;
  }
  return TRUE;
}

static guint
ocl_multiresolution_get_passes (gconstpointer data, const OclFormat * format,
    OclPass passes[OCL_MAX_PASSES])
{
  const OclMultiresolutionParams *params = data;

  return ocl_passes_init (passes, format, params->planes,
      params->color_mode == OCL_BILATERAL_COLOR_INTENSITY);
}

static gint
ocl_multiresolution_get_reach (gconstpointer data)
{
  const OclMultiresolutionParams *params = data;
  gint reach = 0;

  for (gint band = 0; band <= params->n_levels; band++) {
    const OclBilateralParams bilateral =
        ocl_multiresolution_get_bilateral (params, band);

    reach = MAX (reach, ocl_bilateral_get_radius (&bilateral));
  }
  return reach;
}

/* Warms up both colour modes: a variant may have a kernel for each. */
static gboolean
ocl_multiresolution_get_warm_up (guint n, gpointer data)
{
  OclMultiresolutionParams *params = data;

  params->color_mode = n;
  return n <= OCL_BILATERAL_COLOR_PER_CHANNEL;
}

const OclOperationClass ocl_multiresolution_class = {
  .name = "multiresolution",
  .flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (OclMultiresolutionParams),
  .params = params_table,
  .variants = variants,
  .is_neutral = ocl_multiresolution_is_neutral,
  .get_passes = ocl_multiresolution_get_passes,
  .get_reach = ocl_multiresolution_get_reach,
  .get_warm_up = ocl_multiresolution_get_warm_up,
};
