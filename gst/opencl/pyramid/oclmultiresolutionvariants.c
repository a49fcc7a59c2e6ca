/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmultiresolutionvariants.h"

#include "bilateral/oclbilateralvariants.h"
#include "oclpyramid.h"

/* The variants that do the work of one. */
typedef struct
{
  const OclVariant *pyramid;
  const OclVariant *filter;
} Family;

/* What is kept between frames. */
typedef struct
{
  OclPyramid *pyramid;
  OclKernels *filter;
} State;

static void
ocl_multiresolution_clear (gpointer data)
{
  State *state = data;

  /* The filter has the format of the pyramid's bands. */
  ocl_kernels_free (state->filter);
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
  build.form = self->build.form;
  ocl_tuning_init (&build.tuning, family->filter->tunables);
  state->filter = ocl_kernels_new (self->context, family->filter, &build,
      error);
  return state->filter != NULL;
}

static gboolean
ocl_multiresolution_enqueue_filter (State * state, const OclRun * run,
    guint band, GError ** error)
{
  const OclBilateralParams params =
      ocl_multiresolution_get_bilateral (run->params, band);
  const OclRun band_run = {
    .params = &params,.pass = run->pass,
    .input = ocl_pyramid_get_band (state->pyramid, band),
    .output = ocl_pyramid_get_free (state->pyramid, band),.timer = run->timer,
  };

  if (ocl_operation_class_is_neutral (&ocl_bilateral_class, &params))
    return TRUE;
  if (!ocl_kernels_enqueue (state->filter, &band_run, error))
    return FALSE;
  ocl_pyramid_exchange (state->pyramid, band);
  return TRUE;
}

static gboolean
ocl_multiresolution_enqueue (OclKernels * self, const OclRun * run,
    GError ** error)
{
  State *state = self->state;
  const OclMultiresolutionParams *params = run->params;
  const guint n_octaves = ocl_multiresolution_get_n_octaves (params,
      ocl_run_get_width (run), ocl_run_get_height (run));
  const gdouble offset = ocl_multiresolution_get_offset (params, n_octaves)
      * ocl_format_get_max_level (run->input->format);
  gdouble gains[OCL_MULTIRESOLUTION_MAX_BANDS];

  if (!ocl_pyramid_enqueue_decompose (state->pyramid, run->input, n_octaves,
          &params->border, run->timer, error))
    return FALSE;
  for (guint band = 0; band <= n_octaves; band++) {
    gains[band] = ocl_multiresolution_get_gain (params, band, n_octaves);
    /* What is not seen need not be filtered. */
    if (gains[band] != 0.0
        && !ocl_multiresolution_enqueue_filter (state, run, band, error))
      return FALSE;
  }
  return ocl_pyramid_enqueue_reconstruct (state->pyramid, run->input,
      run->output, gains, offset, &params->border, run->timer, error);
}

#define OPERATION \
    .state_size = sizeof (State), .init = ocl_multiresolution_init, \
    .clear = ocl_multiresolution_clear, .enqueue = ocl_multiresolution_enqueue

const OclVariant ocl_multiresolution_plain = {
  .name = "plain",
  .family = &(const Family) {&ocl_pyramid_plain, &ocl_bilateral_plain},
  OPERATION,
};

const OclVariant ocl_multiresolution_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .family = &(const Family) {&ocl_pyramid_rows, &ocl_bilateral_rows},
  OPERATION,
};

/* The filter of the bands has the same. */
static guint
ocl_multiresolution_tiled_get_forms (gconstpointer data,
    G_GNUC_UNUSED const OclFormat * format, guint forms[OCL_MAX_FORMS])
{
  const OclMultiresolutionParams *params = data;

  forms[0] = params->color_mode;
  return 1;
}

const OclVariant ocl_multiresolution_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = ocl_pyramid_tiled_tunables,
  .family = &(const Family) {&ocl_pyramid_tiled, &ocl_bilateral_tiled},
  .get_forms = ocl_multiresolution_tiled_get_forms,
  OPERATION,
};
