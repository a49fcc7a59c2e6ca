/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "references.h"

#include <math.h>
#include <string.h>

#include "formatgroups.h"
#include "opencl/histogram/oclhistogram.h"

ReferenceBilateral
get_reference_bilateral (const OclBilateralParams * params)
{
  const guint color = params->border.color;

  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = ocl_bilateral_get_radius (params),
    .color_mode = (ReferenceColorMode) params->color_mode,
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
    .border_color = {color >> 16, color >> 8, color, color >> 24},
  };

  return reference;
}

static void
filter_bilateral (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
{
  const OclBilateralParams *params = data;
  const ReferenceBilateral reference = get_reference_bilateral (params);
  FormatGroup groups[2];
  const guint n = format_get_groups (input->frame.format, params->planes,
      groups);

  for (guint i = 0; i < n; i++) {
    format_group_take (&groups[i], input, params->color_mode,
        params->border.color);
    reference_bilateral_planes (&reference, &groups[i].planes,
        levels + groups[i].first);
    format_group_clear (&groups[i]);
  }
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

/* Returns how many pixels across or down a sample of a channel stands for. */
static gint
get_pixels (const OclFormat * format, guint channel, guint shift)
{
  return format->model == OCL_MODEL_YCBCR && channel > 0 ? 1 << shift : 1;
}

/* Channels @first to @first + @n - 1; their levels are to be freed. */
static ReferenceChannels
take_channels (const FormatPicture * input, guint first, guint n,
    guint border_color)
{
  const OclFormat *format = input->frame.format;
  ReferenceChannels frame = {
    .width = format_picture_get_width (input, first),
    .height = format_picture_get_height (input, first),
    .x_pixels = get_pixels (format, first, format->chroma_x_shift),
    .y_pixels = get_pixels (format, first, format->chroma_y_shift),
    .n_channels = n,.max_level = ocl_format_get_max_level (format),
  };

  for (guint i = 0; i < n; i++) {
    frame.channels[i] = format_picture_get_levels (input, first + i);
    frame.border_levels[i] =
        format_get_border_level (format, first + i, border_color);
  }
  return frame;
}

static void
filter_gradient (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
{
  const OclGradientParams *params = data;
  const OclFormat *format = input->frame.format;
  const ReferenceGradient gradient = get_reference_gradient (params);
  const guint n = format->model == OCL_MODEL_RGB ? 3 : 1;

  for (guint first = 0; first < format_count_channels (format); first += n) {
    const ReferenceChannels frame = take_channels (input, first, n,
        params->border.color);

    reference_gradient (&gradient, &frame, levels + first);
    for (guint i = 0; i < n; i++)
      g_free ((gpointer) frame.channels[i]);
  }
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

/* Each channel by itself. */
static void
filter_planes (FilterPlane filter, gconstpointer reference, guint border_color,
    const FormatPicture * input, gdouble * const levels[3])
{
  const OclFormat *format = input->frame.format;

  for (guint c = 0; c < format_count_channels (format); c++) {
    const ReferencePlane plane = {
      .width = format_picture_get_width (input, c),
      .height = format_picture_get_height (input, c),
      .x_pixels = get_pixels (format, c, format->chroma_x_shift),
      .y_pixels = get_pixels (format, c, format->chroma_y_shift),
      .levels = format_picture_get_levels (input, c),
      .border_level = format_get_border_level (format, c, border_color),
      .max_level = ocl_format_get_max_level (format),
    };

    filter (reference, &plane, levels[c]);
    g_free ((gpointer) plane.levels);
  }
}

static void
filter_sharpen_plane (gconstpointer reference, const ReferencePlane * plane,
    gdouble * output)
{
  reference_sharpen (reference, plane, output);
}

static void
filter_sharpen (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
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
filter_convolution (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
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

static void
filter_multiresolution (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
{
  const OclMultiresolutionParams *params = data;
  const OclFormat *format = input->frame.format;
  const ReferenceMultiresolution reference =
      get_reference_multiresolution (params);
  FormatGroup groups[2];
  const guint n = format_get_groups (format, params->planes, groups);

  for (guint i = 0; i < n; i++) {
    format_group_take (&groups[i], input, params->color_mode,
        params->border.color);
    reference_multiresolution (&reference, &groups[i].planes,
        ocl_format_get_max_level (format), levels + groups[i].first);
    format_group_clear (&groups[i]);
  }
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

ReferenceDenoiseFrame
take_denoise_frame (const FormatPicture * picture)
{
  const OclFormat *format = picture->frame.format;
  ReferenceDenoiseFrame frame = {
    .width = picture->frame.width,.height = picture->frame.height,
    .is_rgb = format->model == OCL_MODEL_RGB,
    .n_channels = format_count_channels (format),
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift,
    .lacks_row = picture->frame.lacks_row,
    .max_level = ocl_format_get_max_level (format),
  };

  for (gint c = 0; c < frame.n_channels; c++)
    frame.channels[c] = format_picture_get_levels (picture, c);
  return frame;
}

void
denoise_frame_clear (ReferenceDenoiseFrame * frame)
{
  for (gint c = 0; c < frame->n_channels; c++)
    g_free (frame->channels[c]);
}

/* Filters a frame that has none before it. */
static void
filter_denoise (gconstpointer data, const FormatPicture * input,
    gdouble * const levels[3])
{
  const OclDenoiseParams *params = data;
  ReferenceDenoise denoise = get_reference_denoise (params);
  ReferenceDenoiseFrame frame = take_denoise_frame (input);

  for (gint c = 0; c < frame.n_channels; c++)
    denoise.border_levels[c] = format_get_border_level (input->frame.format,
        c, params->border.color);
  reference_denoise (&denoise, &frame, 1, 0, (gdouble **) levels);
  denoise_frame_clear (&frame);
}

static void
filter_nothing (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const FormatPicture * input,
    G_GNUC_UNUSED gdouble * const levels[3])
{
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
  /* The text of a kernel is its reference, see userkernels.c. Without a text
   * nothing is filtered. */
  {"kernel",.filter = filter_nothing},
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

void
reference_filter_bytes (const Reference * reference, gconstpointer params,
    const Picture * input, gdouble * levels)
{
  const gint n_samples = input->width * input->height;
  gdouble *samples = g_new (gdouble, 3 * n_samples);
  gdouble *const channels[3] = {
    samples, samples + n_samples, samples + 2 * n_samples
  };
  FormatPicture picture;

  format_picture_init (&picture, OCL_FORMAT_RGBA, input->width, input->height);
  for (gint y = 0; y < input->height; y++)
    memcpy (format_picture_get_row (&picture, 0, y),
        picture_get_pixel (input, 0, y), 4 * input->width);
  reference->filter (params, &picture, channels);
  for (gint n = 0; n < 3 * n_samples; n++)
    levels[n] = CLAMP (channels[n % 3][n / 3], 0.0, 255.0);
  format_picture_clear (&picture);
  g_free (samples);
}
