/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "references.h"

#include <math.h>
#include <string.h>

#include "opencl/histogram/oclhistogram.h"

gdouble
reference_get_border_level (const OclFormat * format, guint channel,
    guint color)
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble rgb[3] = { (color >> 16 & 0xff) / 255.0,
    (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0
  };
  const gdouble luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const gdouble middle = 1 << (format->depth - 1);

  if (format->model == OCL_MODEL_RGB)
    return rint (rgb[channel] * max_level);
  switch (channel) {
    case OCL_CHANNEL_LUMA:
      return rint (luma * max_level);
    case 1:
      return rint (CLAMP (middle + (rgb[2] - luma) / 1.8556 * max_level, 0.0,
              max_level));
    default:
      return rint (CLAMP (middle + (rgb[0] - luma) / 1.5748 * max_level, 0.0,
              max_level));
  }
}

/* The channels of a format that are filtered together: @n channels from @first
 * on, whose samples stand for @x_pixels across and @y_pixels down. @planes is
 * the input of the reference after group_take(). */
typedef struct
{
  guint first;
  guint n;
  gint x_pixels;
  gint y_pixels;
  ReferencePlanes planes;
} Group;

/* Sets @groups to the groups of @format that @planes selects for filtering.
 * Returns their number. */
static guint
get_groups (const OclFormat * format, OclPlanes planes, Group groups[2])
{
  const Group rgb = {.n = 3,.x_pixels = 1,.y_pixels = 1 };
  const Group luma = {.n = 1,.x_pixels = 1,.y_pixels = 1 };
  const Group differences = {
    .first = 1,.n = 2,.x_pixels = 1 << format->chroma_x_shift,
    .y_pixels = 1 << format->chroma_y_shift,
  };
  guint n = 0;

  if (format->model == OCL_MODEL_RGB) {
    groups[n++] = rgb;
    return n;
  }
  if (planes & OCL_PLANES_LUMA || format->model == OCL_MODEL_GREY)
    groups[n++] = luma;
  if (planes & OCL_PLANES_CHROMA && format->model == OCL_MODEL_YCBCR)
    groups[n++] = differences;
  return n;
}

/* The mean of the luma levels that a sample stands for. */
static gdouble
get_mean_luma (const Picture * picture, const Group * group, gint x, gint y)
{
  gdouble sum = 0.0;
  gint n = 0;

  for (gint j = y * group->y_pixels; j < (y + 1) * group->y_pixels; j++) {
    for (gint i = x * group->x_pixels; i < (x + 1) * group->x_pixels; i++) {
      if (i < picture->frame.info.width && j < picture->frame.info.height) {
        sum += picture_get_level (picture, OCL_CHANNEL_LUMA, i, j);
        n++;
      }
    }
  }
  return sum / n;
}

/* IEC 61966-2-1 and CIE 15, for components in [0, 1]. */
static void
get_lab (const gdouble rgb[3], gdouble lab[3])
{
  static const gdouble matrix[3][3] = {
    {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750},
    {0.0193339, 0.1191920, 0.9503041}
  };
  static const gdouble white[3] = { 0.95047, 1.0, 1.08883 };
  gdouble linear[3], f[3];

  for (gint i = 0; i < 3; i++)
    linear[i] = rgb[i] <= 0.04045 ? rgb[i] / 12.92
        : pow ((rgb[i] + 0.055) / 1.055, 2.4);
  for (gint i = 0; i < 3; i++) {
    gdouble t = (matrix[i][0] * linear[0] + matrix[i][1] * linear[1]
        + matrix[i][2] * linear[2]) / white[i];

    f[i] = t > 216.0 / 24389.0 ? cbrt (t)
        : (24389.0 / 27.0 * t + 16.0) / 116.0;
  }
  lab[0] = 116.0 * f[1] - 16.0;
  lab[1] = 500.0 * (f[0] - f[1]);
  lab[2] = 200.0 * (f[1] - f[2]);
}

/* The guides, in units of Δ, of channels in levels. Returns how many. */
static gint
get_guides (OclBilateralColorMode color_mode, const OclFormat * format,
    const Group * group, const gdouble levels[3], gdouble mean_luma,
    gdouble guides[3])
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble rgb[3] = { levels[0] / max_level, levels[1] / max_level,
    levels[2] / max_level
  };

  if (color_mode == OCL_BILATERAL_COLOR_PER_CHANNEL)
    return 0;
  if (format->model != OCL_MODEL_RGB) {
    guides[0] = (group->first == 0 ? levels[0] : mean_luma) / max_level;
    return 1;
  }
  if (color_mode == OCL_BILATERAL_COLOR_INTENSITY) {
    /* Sums of integers: colours of the same luma are equal to the last bit. */
    guides[0] = (30.0 * levels[0] + 59.0 * levels[1] + 11.0 * levels[2])
        / (100.0 * max_level);
    return 1;
  }
  get_lab (rgb, guides);
  for (gint i = 0; i < 3; i++)
    guides[i] /= 100.0;
  return 3;
}

static void
take_guides (Group * group, const Picture * picture,
    OclBilateralColorMode color_mode, guint border_color)
{
  ReferencePlanes *planes = &group->planes;
  const OclFormat *format = picture->frame.info.format;

  for (gint n = 0; n < planes->width * planes->height; n++) {
    gdouble levels[3] = { 0.0, }, guides[3] = { 0.0, };

    for (guint i = 0; i < group->n; i++)
      levels[i] = planes->channels[i][n];
    planes->n_guides = get_guides (color_mode, format, group, levels,
        group->first == 0 ? 0.0 : get_mean_luma (picture, group,
            n % planes->width, n / planes->width), guides);
    for (guint i = 0; i < 3; i++)
      ((gdouble *) planes->guides[i])[n] = guides[i];
  }
  get_guides (color_mode, format, group, planes->border_channels,
      reference_get_border_level (format, 0, border_color),
      planes->border_guides);
}

/* Copies the channels of @group from @picture, and computes the guides. */
static void
group_take (Group * group, const Picture * picture,
    OclBilateralColorMode color_mode, guint border_color)
{
  const OclFormat *format = picture->frame.info.format;
  const ReferencePlanes planes = {
    .width = picture_get_width (picture, group->first),
    .height = picture_get_height (picture, group->first),
    .x_pixels = group->x_pixels,.y_pixels = group->y_pixels,
    .n_channels = group->n,.unit = ocl_format_get_max_level (format),
  };
  const gint n_samples = planes.width * planes.height;

  group->planes = planes;
  for (guint i = 0; i < 3; i++) {
    group->planes.channels[i] = i < group->n
        ? picture_get_levels (picture, group->first + i) : NULL;
    group->planes.border_channels[i] = i < group->n
        ? reference_get_border_level (format, group->first + i, border_color)
        : 0.0;
    group->planes.guides[i] = g_new0 (gdouble, n_samples);
  }
  take_guides (group, picture, color_mode, border_color);
}

static void
group_clear (Group * group)
{
  for (guint i = 0; i < 3; i++) {
    g_free ((gpointer) group->planes.channels[i]);
    g_free ((gpointer) group->planes.guides[i]);
  }
}

static void
filter_bilateral (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclBilateralParams *params = data;
  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = ocl_bilateral_get_radius (params),
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
  };
  Group groups[2];
  const guint n = get_groups (input->frame.info.format, params->planes, groups);

  for (guint i = 0; i < n; i++) {
    group_take (&groups[i], input, params->color_mode, params->border.color);
    reference_bilateral_planes (&reference, &groups[i].planes,
        levels + groups[i].first);
    group_clear (&groups[i]);
  }
}

/* Returns how many pixels across or down a sample of a channel stands for. */
static gint
get_pixels (const OclFormat * format, guint channel, guint shift)
{
  return format->model == OCL_MODEL_YCBCR && channel > 0 ? 1 << shift : 1;
}

/* Channels @first to @first + @n - 1. Their levels are to be freed. */
static ReferenceChannels
take_channels (const Picture * input, guint first, guint n, guint border_color)
{
  const OclFormat *format = input->frame.info.format;
  ReferenceChannels frame = {
    .width = picture_get_width (input, first),
    .height = picture_get_height (input, first),
    .x_pixels = get_pixels (format, first, format->chroma_x_shift),
    .y_pixels = get_pixels (format, first, format->chroma_y_shift),
    .n_channels = n,.max_level = ocl_format_get_max_level (format),
  };

  for (guint i = 0; i < n; i++) {
    frame.channels[i] = picture_get_levels (input, first + i);
    frame.border_levels[i] =
        reference_get_border_level (format, first + i, border_color);
  }
  return frame;
}

static void
filter_gradient (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclGradientParams *params = data;
  const OclFormat *format = input->frame.info.format;
  const ReferenceGradient gradient = {
    .size = params->size,
    .output = (ReferenceGradientOutput) params->output,
    .luma = params->channels == OCL_GRADIENT_LUMA,
    .scale = params->scale,
    .border = (ReferenceBorder) params->border.mode,
  };
  const guint n = format->model == OCL_MODEL_RGB ? 3 : 1;

  for (guint first = 0; first < picture_count_channels (format); first += n) {
    const ReferenceChannels frame = take_channels (input, first, n,
        params->border.color);

    if (frame.height > 0)
      reference_gradient (&gradient, &frame, levels + first);
    for (guint i = 0; i < n; i++)
      g_free ((gpointer) frame.channels[i]);
  }
}

typedef void (*FilterPlane) (gconstpointer reference,
    const ReferencePlane * plane, gdouble * output);

/* Each channel by itself. */
static void
filter_planes (FilterPlane filter, gconstpointer reference, guint border_color,
    const Picture * input, gdouble * const levels[3])
{
  const OclFormat *format = input->frame.info.format;

  for (guint c = 0; c < picture_count_channels (format); c++) {
    const ReferencePlane plane = {
      .width = picture_get_width (input, c),
      .height = picture_get_height (input, c),
      .x_pixels = get_pixels (format, c, format->chroma_x_shift),
      .y_pixels = get_pixels (format, c, format->chroma_y_shift),
      .levels = picture_get_levels (input, c),
      .border_level = reference_get_border_level (format, c, border_color),
      .max_level = ocl_format_get_max_level (format),
    };

    /* A field may have no row of chroma. */
    if (plane.height > 0)
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
filter_sharpen (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclSharpenParams *params = data;
  const ReferenceSharpen sharpen = {
    .kernel = (ReferenceSharpenKernel) params->kernel,
    .radius = params->radius,
    .sigma = params->sigma,
    .alpha = params->alpha,
    .beta = params->beta,
    .gamma = params->gamma,
    .output = (ReferenceSharpenOutput) params->output,
    .border = (ReferenceBorder) params->border.mode,
  };

  filter_planes (filter_sharpen_plane, &sharpen, params->border.color, input,
      levels);
}

static void
filter_convolution_plane (gconstpointer reference,
    const ReferencePlane * plane, gdouble * output)
{
  reference_convolution (reference, plane, output);
}

static void
filter_convolution (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclConvolutionParams *params = data;
  const ReferenceConvolution convolution = {
    .width = params->matrix->width,
    .height = params->matrix->height,
    .matrix = params->matrix->numbers,
    .divisor = params->divisor,
    .bias = params->bias,
    .border = (ReferenceBorder) params->border.mode,
  };

  filter_planes (filter_convolution_plane, &convolution, params->border.color,
      input, levels);
}

static void
filter_multiresolution (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclMultiresolutionParams *params = data;
  const OclFormat *format = input->frame.info.format;
  ReferenceMultiresolution reference = {
    .levels = params->n_levels,
    .radius = params->radius,
    .show_band = params->show_band,
    .border = (ReferenceBorder) params->border.mode,
  };
  Group groups[2];
  const guint n = get_groups (format, params->planes, groups);

  for (gint k = 0; k < REFERENCE_MULTIRESOLUTION_MAX_BANDS; k++) {
    reference.spatial_sigmas[k] =
        ocl_list_get (params->spatial_sigmas, k, params->spatial_sigma);
    reference.intensity_sigmas[k] =
        ocl_list_get (params->intensity_sigmas, k, params->intensity_sigma);
    reference.gains[k] = ocl_list_get (params->gains, k, 1.0);
  }
  for (guint i = 0; i < n; i++) {
    group_take (&groups[i], input, params->color_mode, params->border.color);
    if (groups[i].planes.height > 0)
      reference_multiresolution (&reference, &groups[i].planes,
          ocl_format_get_max_level (format), levels + groups[i].first);
    group_clear (&groups[i]);
  }
}

ReferenceDenoise
get_reference_denoise (const OclDenoiseParams * params)
{
  const gboolean is_best = params->effort == OCL_DENOISE_EFFORT_BEST;
  const ReferenceDenoise reference = {
    .noise = params->noise,
    .strength = params->strength,
    .chroma_strength = params->chroma_strength,
    .curve = params->curve,
    .grain = params->grain,
    .fast = params->effort == OCL_DENOISE_EFFORT_FAST,
    .history = is_best ? REFERENCE_MAX_HISTORY : params->history,
    .lookahead = is_best ? REFERENCE_MAX_LOOKAHEAD : params->lookahead,
    .motion = params->motion,
    .border = (ReferenceBorder) params->border.mode,
  };

  return reference;
}

ReferenceDenoiseFrame
take_denoise_frame (const Picture * picture)
{
  const OclFormat *format = picture->frame.info.format;
  ReferenceDenoiseFrame frame = {
    .width = picture->frame.info.width,.height = picture->frame.info.height,
    .is_rgb = format->model == OCL_MODEL_RGB,
    .n_channels = picture_count_channels (format),
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift,
    .lacks_row = picture->frame.info.lacks_row,
    .max_level = ocl_format_get_max_level (format),
  };

  /* A field may have no row of chroma. */
  if (picture_get_height (picture, frame.n_channels - 1) == 0)
    frame.n_channels = 1;
  for (gint c = 0; c < frame.n_channels; c++)
    frame.channels[c] = picture_get_levels (picture, c);
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
filter_denoise (gconstpointer data, const Picture * input,
    gdouble * const levels[3])
{
  const OclDenoiseParams *params = data;
  ReferenceDenoise denoise = get_reference_denoise (params);
  ReferenceDenoiseFrame frame = take_denoise_frame (input);

  for (gint c = 0; c < frame.n_channels; c++)
    denoise.border_levels[c] =
        reference_get_border_level (input->frame.info.format, c,
        params->border.color);
  reference_denoise (&denoise, &frame, 1, 0, (gdouble **) levels);
  denoise_frame_clear (&frame);
}

static void
filter_nothing (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const Picture * input,
    G_GNUC_UNUSED gdouble * const levels[3])
{
}

/* Sets @frame to the channels of @picture. The caller frees them. */
static void
take_frame (const Picture * picture, ReferenceFrame * reference)
{
  const OclFrame *frame = &picture->frame;
  const OclFormat *format = frame->info.format;
  const ReferenceFrame taken = {.model = (ReferenceModel) format->model,
    .depth = format->depth,.shift = format->shift,
    .full_range = frame->info.colorimetry.full_range,
    .width = frame->info.width,.height = frame->info.height,
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift
  };

  *reference = taken;
  for (guint c = 0; c < picture_count_channels (format); c++) {
    const gint width = picture_get_width (picture, c);
    const gint height = picture_get_height (picture, c);

    reference->channels[c] = g_new (guint16, width * height);
    for (gint i = 0; i < width * height; i++)
      reference->channels[c][i] =
          picture_get_component (picture, c, i % width, i / width);
  }
}

static void
find_histogram (G_GNUC_UNUSED gconstpointer params, const Picture * input,
    gpointer result)
{
  OclHistogramCounts *counts = result;
  ReferenceFrame frame;

  take_frame (input, &frame);
  reference_histogram_frame (&frame, counts->counts);
  for (guint c = 0; c < G_N_ELEMENTS (frame.channels); c++)
    g_free (frame.channels[c]);
}

static void
draw_histogram_overlay (G_GNUC_UNUSED gconstpointer params,
    gconstpointer result, Picture * picture)
{
  const OclHistogramCounts *counts = result;
  ReferenceFrame frame;

  take_frame (picture, &frame);
  reference_histogram_overlay_frame (&frame, counts->counts);
  for (guint c = 0; c < picture_count_channels (picture->frame.info.format);
      c++) {
    const gint width = picture_get_width (picture, c);

    for (gint i = 0; i < width * picture_get_height (picture, c); i++)
      picture_set_component (picture, c, i % width, i / width,
          frame.channels[c][i]);
    g_free (frame.channels[c]);
  }
}

static const Reference references[] = {
  {"bilateral",.filter = filter_bilateral},
  /* Sums of large numbers that cancel each other. */
  {"convolution",.filter = filter_convolution,.tolerance = 0.02},
  /* The noise is counted in bins, not sorted. */
  {"denoise",.filter = filter_denoise,.tolerance = 0.25},
  {"gradient",.filter = filter_gradient},
  /* The reference of a kernel is its text, see userkernels.c. Without a text
   * nothing is filtered. */
  {"kernel",.filter = filter_nothing},
  {"multiresolution",.filter = filter_multiresolution},
  {"sharpen",.filter = filter_sharpen,.tolerance = 0.02},
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
reference_filter_rgba (const Reference * reference, gconstpointer params,
    const guint8 * pixels, gint width, gint height, gdouble * levels)
{
  const gint n = width * height;
  g_autofree gdouble *samples = g_new (gdouble, 3 * n);
  gdouble *const channels[3] = { samples, samples + n, samples + 2 * n };
  g_auto (Picture) picture = picture_new (OCL_FORMAT_RGBA, width, height);

  for (gint y = 0; y < height; y++)
    memcpy (picture_get_row (&picture, 0, y), pixels + 4 * width * y,
        4 * width);
  reference->filter (params, &picture, channels);
  for (gint i = 0; i < 3 * n; i++)
    levels[i] = CLAMP (channels[i % 3][i / 3], 0.0, 255.0);
}
