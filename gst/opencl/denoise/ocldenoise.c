/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ocldenoise.h"

#include "ocldenoisevariants.h"
#include "oclmotion.h"
#include "oclspectrum.h"

static const OclVariant *const variants[] = {
  &ocl_denoise_plain, &ocl_denoise_tiled, &ocl_denoise_rows, NULL,
};

static gboolean
ocl_denoise_is_neutral (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->noise == 0.0 || params->strength == 0.0
      || params->grain == 1.0;
}

static OclNeighbours
ocl_denoise_get_neighbours (gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const OclNeighbours neighbours = { params->history, params->lookahead };

  return neighbours;
}

static gboolean
needs_motion (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->history + params->lookahead > 0;
}

/* Cuts are found with the noise. */
static gboolean
needs_noise (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  return params->noise < 0.0 || needs_motion (params);
}

static void
set_noise_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  OclNoiseParams *noise = needed;

  noise->estimate = params->noise < 0.0;
  noise->curve = params->curve;
  noise->planes = params->planes | OCL_PLANES_LUMA;
}

static void
set_motion_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  OclMotionParams *motion = needed;

  motion->n_neighbours = params->history + params->lookahead;
  motion->search = params->motion;
  motion->noise = params->noise;
}

static void
set_spectrum_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  OclSpectrumParams *spectrum = needed;

  spectrum->estimate = params->noise < 0.0;
  spectrum->curve = params->curve;
  spectrum->planes = params->planes | OCL_PLANES_LUMA;
  spectrum->n_earlier = params->history;
  spectrum->n_later = params->lookahead;
  spectrum->noise = params->noise;
}

static guint
ocl_denoise_get_lead (gconstpointer data)
{
  const OclDenoiseParams *params = data;

  if (params->noise < 0.0)
    return params->history + OCL_SPECTRUM_MEMORY;
  /* The frame before the first one that is used shows a cut. */
  return params->history > 0 ? params->history + 1 : 0;
}

static const OclNeed needs[] = {
  {&ocl_noise_class, needs_noise, set_noise_params},
  {&ocl_motion_class, needs_motion, set_motion_params},
  {&ocl_spectrum_class, needs_motion, set_spectrum_params},
  {NULL},
};

const OclOperationClass ocl_denoise_class = {
  .name = "denoise",
  .flags = OCL_OPERATION_FILTERS,
  .params_size = sizeof (OclDenoiseParams),
  .params = ocl_denoise_params,
  .variants = variants,
  .is_neutral = ocl_denoise_is_neutral,
  .get_neighbours = ocl_denoise_get_neighbours,
  .get_lead = ocl_denoise_get_lead,
  .needs = needs,
};
