/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmultiresolutionvariants.h"

#include "bilateral/oclbilateralplain.h"
#include "bilateral/oclbilateralrows.h"
#include "bilateral/oclbilateraltiled.h"
#include "oclpyramid.h"

typedef struct
{
  OclPyramid *pyramid;
  const OclVariant *filter;
  gpointer filter_object;
} OclMultiresolution;

static void
ocl_multiresolution_free (gpointer object)
{
  OclMultiresolution *self = object;

  if (self->filter_object)
    self->filter->free (self->filter_object);
  g_clear_pointer (&self->pyramid, ocl_pyramid_free);
  g_free (self);
}

/* Of a pyramid made by @kernels in @storage, and a variant of the filter. */
static gpointer
ocl_multiresolution_new (OclContext * context, const OclBuild * build,
    const OclPyramidKernels * kernels, OclStorage storage,
    const OclVariant * filter, GError ** error)
{
  OclMultiresolution *self = g_new0 (OclMultiresolution, 1);

  self->filter = filter;
  self->pyramid = ocl_pyramid_new (context, kernels, build, storage, error);
  if (self->pyramid) {
    OclBuild filter_build = ocl_pyramid_get_build (self->pyramid);

    filter_build.form = build->form;
    filter_build.programs = build->programs;
    filter_build.tunables = filter->tunables;
    ocl_tuning_init (&filter_build.tuning, filter->tunables);
    self->filter_object = filter->new (context, &filter_build, error);
  }
  if (!self->filter_object)
    g_clear_pointer (&self, ocl_multiresolution_free);
  return self;
}

static gboolean
ocl_multiresolution_enqueue_filter (OclMultiresolution * self,
    const OclRun * run, guint band, GError ** error)
{
  const OclBilateralParams params =
      ocl_multiresolution_get_bilateral (run->params, band);
  const OclRun band_run = {
    .params = &params,.pass = run->pass,
    .input = ocl_pyramid_get_band (self->pyramid, band),
    .output = ocl_pyramid_get_free (self->pyramid, band),.timer = run->timer,
  };

  if (ocl_operation_class_is_neutral (&ocl_bilateral_class, &params))
    return TRUE;
  if (!self->filter->enqueue (self->filter_object, &band_run, error))
    return FALSE;
  ocl_pyramid_exchange (self->pyramid, band);
  return TRUE;
}

static gboolean
ocl_multiresolution_enqueue (gpointer object, const OclRun * run,
    GError ** error)
{
  OclMultiresolution *self = object;
  const OclMultiresolutionParams *params = run->params;
  const guint n_levels = ocl_multiresolution_get_levels (params,
      ocl_pass_get_width (run->pass, run->input),
      ocl_pass_get_height (run->pass, run->input));
  const gdouble offset = ocl_multiresolution_get_offset (params, n_levels)
      * ocl_format_get_max_level (run->input->format);
  gdouble gains[OCL_MULTIRESOLUTION_MAX_BANDS];

  if (!ocl_pyramid_enqueue_decompose (self->pyramid, run->input, n_levels,
          &params->border, run->timer, error))
    return FALSE;
  for (guint band = 0; band <= n_levels; band++) {
    gains[band] = ocl_multiresolution_get_gain (params, band, n_levels);
    /* What is not seen need not be filtered. */
    if (gains[band] != 0.0
        && !ocl_multiresolution_enqueue_filter (self, run, band, error))
      return FALSE;
  }
  return ocl_pyramid_enqueue_reconstruct (self->pyramid, run->input,
      run->output, gains, offset, &params->border, run->timer, error);
}

static gpointer
ocl_multiresolution_plain_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  return ocl_multiresolution_new (context, build, &ocl_pyramid_plain,
      OCL_STORAGE_BUFFER, &ocl_bilateral_plain, error);
}

const OclVariant ocl_multiresolution_plain = {
  .name = "plain",
  .new = ocl_multiresolution_plain_new,
  .enqueue = ocl_multiresolution_enqueue,
  .free = ocl_multiresolution_free,
};

static gpointer
ocl_multiresolution_rows_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  return ocl_multiresolution_new (context, build, &ocl_pyramid_rows,
      OCL_STORAGE_BUFFER, &ocl_bilateral_rows, error);
}

const OclVariant ocl_multiresolution_rows = {
  .name = "rows",
  .flags = OCL_VARIANT_FOR_CPU | OCL_VARIANT_BUFFERS_ONLY,
  .new = ocl_multiresolution_rows_new,
  .enqueue = ocl_multiresolution_enqueue,
  .free = ocl_multiresolution_free,
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

static gpointer
ocl_multiresolution_tiled_new (OclContext * context, const OclBuild * build,
    GError ** error)
{
  return ocl_multiresolution_new (context, build, &ocl_pyramid_tiled,
      ocl_pyramid_tiled_get_storage (&build->tuning), &ocl_bilateral_tiled,
      error);
}

const OclVariant ocl_multiresolution_tiled = {
  .name = "tiled",
  .flags = OCL_VARIANT_FOR_GPU,
  .tunables = ocl_pyramid_tiled_tunables,
  .get_forms = ocl_multiresolution_tiled_get_forms,
  .new = ocl_multiresolution_tiled_new,
  .enqueue = ocl_multiresolution_enqueue,
  .free = ocl_multiresolution_free,
};
