/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oclmultiresolutionparams.h"

#include "oclpyramid.h"

G_STATIC_ASSERT (OCL_MULTIRESOLUTION_MAX_BANDS == OCL_MAX_NUMBERS);

guint
ocl_multiresolution_get_n_octaves (const OclMultiresolutionParams * params,
    gint width, gint height)
{
  return MIN ((guint) params->n_octaves, ocl_pyramid_count_octaves (width,
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
    guint n_octaves)
{
  return params->show_band >= 0
      && MIN ((guint) params->show_band, n_octaves) == band;
}

gdouble
ocl_multiresolution_get_gain (const OclMultiresolutionParams * params,
    guint band, guint n_octaves)
{
  if (params->show_band >= 0 && !is_shown_alone (params, band, n_octaves))
    return 0.0;
  return ocl_list_get (params->gains, band, 1.0);
}

gdouble
ocl_multiresolution_get_offset (const OclMultiresolutionParams * params,
    guint n_octaves)
{
  return params->show_band >= 0
      && !is_shown_alone (params, n_octaves, n_octaves)
      ? 0.5 : 0.0;
}
