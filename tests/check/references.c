/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "references.h"

#include "opencl/histogram/oclhistogram.h"

ReferenceBilateral
get_reference_bilateral (const OclBilateralParams * params)
{
  const guint color = params->border.color;

  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = params->radius,
    .color_mode = (ReferenceColorMode) params->color_mode,
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
    .border_color = {color >> 16, color >> 8, color, color >> 24},
  };

  return reference;
}

static void
filter_bilateral (gconstpointer params, const Picture * input, gdouble * levels)
{
  const ReferenceBilateral bilateral = get_reference_bilateral (params);

  reference_bilateral (&bilateral, input->pixels, input->stride, input->width,
      input->height, levels);
}

ReferenceGradient
get_reference_gradient (const OclGradientParams * params)
{
  const ReferenceGradient reference = {
    .size = params->size,
    .output = (ReferenceGradientOutput) params->output,
    .luma = params->channels == OCL_GRADIENT_LUMA,
    .scale = params->scale,
    .border = (ReferenceBorder) params->border.mode,
  };

  return reference;
}

static void
filter_gradient (gconstpointer data, const Picture * input, gdouble * levels)
{
  const OclGradientParams *params = data;
  const ReferenceGradient gradient = get_reference_gradient (params);
  const gint n_samples = input->width * input->height;
  g_autofree gdouble *samples = g_new (gdouble, 6 * n_samples);
  gdouble *outputs[3];
  ReferenceChannels frame = {
    .width = input->width,.height = input->height,.x_pixels = 1,.y_pixels = 1,
    .n_channels = 3,.max_level = 255.0,
  };

  for (gint c = 0; c < 3; c++) {
    gdouble *channel = samples + c * n_samples;

    frame.border_levels[c] = params->border.color >> (16 - 8 * c) & 0xff;
    frame.channels[c] = channel;
    outputs[c] = samples + (3 + c) * n_samples;
    for (gint n = 0; n < n_samples; n++)
      channel[n] = picture_get_pixel ((Picture *) input, n % input->width,
          n / input->width)[c];
  }
  reference_gradient (&gradient, &frame, outputs);
  for (gint n = 0; n < 3 * n_samples; n++)
    levels[n] = outputs[n % 3][n / 3];
}

ReferenceSharpen
get_reference_sharpen (const OclSharpenParams * params)
{
  const ReferenceSharpen reference = {
    .kernel = (ReferenceSharpenKernel) params->kernel,
    .radius = params->radius,
    .sigma = params->sigma,
    .alpha = params->alpha,
    .beta = params->beta,
    .gamma = params->gamma,
    .output = (ReferenceSharpenOutput) params->output,
    .border = (ReferenceBorder) params->border.mode,
  };

  return reference;
}

typedef void (*FilterPlane) (gconstpointer reference,
    const ReferencePlane * plane, gdouble * output);

/* Each channel by itself. Of bytes: what is out of their range becomes the
 * nearest. */
static void
filter_planes (FilterPlane filter, gconstpointer reference, guint border_color,
    const Picture * input, gdouble * levels)
{
  const gint n_samples = input->width * input->height;
  g_autofree gdouble *channel = g_new (gdouble, n_samples);
  g_autofree gdouble *output = g_new (gdouble, n_samples);

  for (gint c = 0; c < 3; c++) {
    const ReferencePlane plane = {
      .width = input->width,.height = input->height,
      .x_pixels = 1,.y_pixels = 1,.levels = channel,.max_level = 255.0,
      .border_level = border_color >> (16 - 8 * c) & 0xff,
    };

    for (gint n = 0; n < n_samples; n++)
      channel[n] = picture_get_pixel ((Picture *) input, n % input->width,
          n / input->width)[c];
    filter (reference, &plane, output);
    for (gint n = 0; n < n_samples; n++)
      levels[n * 3 + c] = CLAMP (output[n], 0.0, 255.0);
  }
}

static void
filter_sharpen_plane (gconstpointer reference, const ReferencePlane * plane,
    gdouble * output)
{
  reference_sharpen (reference, plane, output);
}

static void
filter_sharpen (gconstpointer data, const Picture * input, gdouble * levels)
{
  const OclSharpenParams *params = data;
  const ReferenceSharpen sharpen = get_reference_sharpen (params);

  filter_planes (filter_sharpen_plane, &sharpen, params->border.color, input,
      levels);
}

ReferenceConvolution
get_reference_convolution (const OclConvolutionParams * params)
{
  const ReferenceConvolution reference = {
    .width = params->matrix.width,
    .height = params->matrix.height,
    .matrix = params->matrix.numbers,
    .divisor = params->divisor,
    .bias = params->bias,
    .border = (ReferenceBorder) params->border.mode,
  };

  return reference;
}

static void
filter_convolution_plane (gconstpointer reference,
    const ReferencePlane * plane, gdouble * output)
{
  reference_convolution (reference, plane, output);
}

static void
filter_convolution (gconstpointer data, const Picture * input, gdouble * levels)
{
  const OclConvolutionParams *params = data;
  const ReferenceConvolution convolution = get_reference_convolution (params);

  filter_planes (filter_convolution_plane, &convolution, params->border.color,
      input, levels);
}

ReferenceMultiresolution
get_reference_multiresolution (const OclMultiresolutionParams * params)
{
  ReferenceMultiresolution reference = {
    .levels = params->n_octaves,
    .radius = params->radius,
    .show_band = params->show_band,
    .border = (ReferenceBorder) params->border.mode,
  };

  for (gint k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++) {
    reference.spatial_sigmas[k] = k < params->spatial_sigmas.n
        ? params->spatial_sigmas.numbers[k] : params->spatial_sigma;
    reference.intensity_sigmas[k] = k < params->intensity_sigmas.n
        ? params->intensity_sigmas.numbers[k] : params->intensity_sigma;
    reference.gains[k] = k < params->gains.n ? params->gains.numbers[k] : 1.0;
  }
  return reference;
}

static gdouble
get_luma (const gdouble rgb[3])
{
  return (0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]) / 255.0;
}

static void
filter_multiresolution (gconstpointer data, const Picture * input,
    gdouble * levels)
{
  const OclMultiresolutionParams *params = data;
  const ReferenceMultiresolution multiresolution =
      get_reference_multiresolution (params);
  const gint n_samples = input->width * input->height;
  g_autofree gdouble *samples = g_new (gdouble, 7 * n_samples);
  gdouble *guide = samples + 6 * n_samples;
  gdouble *outputs[3];
  ReferencePlanes planes = {
    .width = input->width,.height = input->height,.x_pixels = 1,.y_pixels = 1,
    .n_channels = 3,.guides = {guide},.unit = 255.0,
    .n_guides = params->color_mode == OCL_BILATERAL_COLOR_INTENSITY,
  };

  for (gint c = 0; c < 3; c++) {
    planes.border_channels[c] = params->border.color >> (16 - 8 * c) & 0xff;
    planes.channels[c] = samples + c * n_samples;
    outputs[c] = samples + (3 + c) * n_samples;
  }
  planes.border_guides[0] = get_luma (planes.border_channels);
  for (gint n = 0; n < n_samples; n++) {
    const guint8 *pixel = picture_get_pixel ((Picture *) input,
        n % input->width, n / input->width);
    const gdouble rgb[3] = { pixel[0], pixel[1], pixel[2] };

    for (gint c = 0; c < 3; c++)
      samples[c * n_samples + n] = rgb[c];
    guide[n] = get_luma (rgb);
  }
  reference_multiresolution (&multiresolution, &planes, 255.0, outputs);
  for (gint n = 0; n < 3 * n_samples; n++)
    levels[n] = CLAMP (outputs[n % 3][n / 3], 0.0, 255.0);
}

ReferenceDenoise
get_reference_denoise (const OclDenoiseParams * params)
{
  const ReferenceDenoise reference = {
    .noise = params->noise,
    .strength = params->strength,
    .chroma_strength = params->chroma_strength,
    .curve = params->curve,
    .grain = params->grain,
    .history = params->history,
    .lookahead = params->lookahead,
    .motion = params->motion,
    .border = (ReferenceBorder) params->border.mode,
  };

  return reference;
}

/* Filters a frame that has none before it. */
static void
filter_denoise (gconstpointer data, const Picture * input, gdouble * levels)
{
  const OclDenoiseParams *params = data;
  ReferenceDenoise denoise = get_reference_denoise (params);
  const gint n_samples = input->width * input->height;
  g_autofree gdouble *samples = g_new (gdouble, 6 * n_samples);
  ReferenceDenoiseFrame frame = {
    .width = input->width,.height = input->height,.is_rgb = TRUE,
    .n_channels = 3,.max_level = 255.0,
  };
  gdouble *outputs[3];

  for (gint c = 0; c < 3; c++) {
    denoise.border_levels[c] = params->border.color >> (16 - 8 * c) & 0xff;
    frame.channels[c] = samples + c * n_samples;
    outputs[c] = samples + (3 + c) * n_samples;
    for (gint n = 0; n < n_samples; n++)
      frame.channels[c][n] = picture_get_pixel ((Picture *) input,
          n % input->width, n / input->width)[c];
  }
  reference_denoise (&denoise, &frame, 1, 0, outputs);
  for (gint n = 0; n < 3 * n_samples; n++)
    levels[n] = CLAMP (outputs[n % 3][n / 3], 0.0, 255.0);
}

static void
find_histogram (G_GNUC_UNUSED gconstpointer params, const Picture * input,
    gpointer result)
{
  OclHistogramCounts *counts = result;

  reference_histogram (input->pixels, input->stride, input->width,
      input->height, counts->counts);
}

static void
draw_histogram_overlay (G_GNUC_UNUSED gconstpointer params,
    gconstpointer result, Picture * picture)
{
  const OclHistogramCounts *counts = result;

  reference_histogram_overlay (picture->pixels, picture->stride,
      picture->width, picture->height, counts->counts);
}

static const Reference references[] = {
  {"bilateral",.filter = filter_bilateral},
  {"convolution",.filter = filter_convolution},
  /* The noise is counted in bins, not sorted. */
  {"denoise",.filter = filter_denoise,.tolerance = 0.25},
  {"gradient",.filter = filter_gradient},
  {"multiresolution",.filter = filter_multiresolution},
  {"sharpen",.filter = filter_sharpen},
  {"histogram",.find = find_histogram},
  {"histogram-overlay",.draw = draw_histogram_overlay},
};

const Reference *
reference_find (const gchar * operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (references); i++) {
    if (g_str_equal (references[i].operation, operation))
      return &references[i];
  }
  g_error ("%s has no float64 reference: add one to references.c", operation);
}
