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
  return ocl_denoise_params_get_neighbours (data);
}

static gboolean
needs_motion (gconstpointer data)
{
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);

  return neighbours.n_earlier + neighbours.n_later > 0;
}

/* The noise operation also finds cuts. */
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
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);
  OclMotionParams *motion = needed;

  motion->n_neighbours = neighbours.n_earlier + neighbours.n_later;
  motion->search = params->motion;
  motion->noise = params->noise;
}

static void
set_spectrum_params (gpointer needed, gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const OclNeighbours neighbours = ocl_denoise_params_get_neighbours (data);
  OclSpectrumParams *spectrum = needed;

  spectrum->estimate = params->noise < 0.0;
  spectrum->curve = params->curve;
  spectrum->planes = params->planes | OCL_PLANES_LUMA;
  spectrum->n_earlier = neighbours.n_earlier;
  spectrum->n_later = neighbours.n_later;
  spectrum->noise = params->noise;
}

static guint
ocl_denoise_get_lead (gconstpointer data)
{
  const OclDenoiseParams *params = data;
  const guint n_earlier = ocl_denoise_params_get_neighbours (data).n_earlier;

  if (params->noise < 0.0)
    return n_earlier + OCL_SPECTRUM_MEMORY;
  /* The frame before the first one that is used shows a cut. */
  return n_earlier > 0 ? n_earlier + 1 : 0;
}

static const OclNeed needs[] = {
  {&ocl_noise_class, needs_noise, set_noise_params},
  {&ocl_motion_class, needs_motion, set_motion_params},
  {&ocl_spectrum_class, needs_motion, set_spectrum_params},
  {NULL},
};

static const OclParam report_params[] = {
  {"noise-messages", "Post a message with the estimated noise of every "
        "frame. While " G_STRINGIFY (OCL_MAX_REPORT_MESSAGES)
        " messages are unread on the bus, further messages are dropped",
      OCL_PARAM_BOOLEAN, G_STRUCT_OFFSET (OclReportSettings, messages)},
  {NULL},
};

/* Returns the kind of the noise of a channel. Noise that varies between blocks
 * is encoded. Correlated noise has a third to a half of its level in the high
 * frequencies. Encoded noise that varies little has 0.7 to 0.9. */
static const gchar *
get_kind (const OclNoiseResult * noise, const OclSpectrumResult * spectrum,
    guint channel)
{
  const gfloat ratio = spectrum->ratio[channel];
  const gfloat slope = spectrum->slope[channel];

  if (spectrum->mean[channel] <= noise->sigma[channel]
      || (slope > 0.92f && ratio < 1.3f))
    return "white";
  return slope < 0.62f && ratio < 1.45f ? "correlated" : "encoded";
}

/* Reports the standard deviation of the estimated noise of each channel, in
 * levels of 8 bits, and the kind of the noise of the first of them: "white",
 * "correlated" (from demosaicing, scaling or film grain) or "encoded" (after an
 * encoder). For interlaced frames, it is the noise of the first field. */
static guint
describe_noise (gconstpointer const results[OCL_MAX_NEEDS],
    const OclFormat * format, OclReportField fields[OCL_MAX_REPORT_FIELDS])
{
  static const OclSpectrumResult none = { 0 };
  const OclNoiseResult *noise = results[0];
  const OclSpectrumResult *spectrum = results[1] ? results[1] : &none;
  guint n = 0;

  for (guint i = 0; i < OCL_NOISE_N_CHANNELS; i++) {
    const gchar *name = ocl_format_get_channel_name (format, i);

    if (!name || noise->n_estimates[i] == 0)
      continue;
    fields[n++] = (OclReportField) {
      .name = name,.number = MAX (noise->sigma[i], spectrum->mean[i])
    };
    if (n == 1)
      fields[n++] = (OclReportField) {
      .name = "kind",.text = get_kind (noise, spectrum, i)
      };
  }
  return n;
}

static const OclReport report = {
  .name = "noise",
  .remedy = "noise-messages to false",
  .params = report_params,
  .results = {
        {&ocl_noise_class, sizeof (OclNoiseResult)},
        {&ocl_spectrum_class, sizeof (OclSpectrumResult)},
      },
  .describe = describe_noise,
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
  .report = &report,
};
