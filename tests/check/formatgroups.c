/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "formatgroups.h"

#include <math.h>

guint
format_count_channels (const OclFormat * format)
{
  return format->model == OCL_MODEL_GREY ? 1 : 3;
}

gdouble
format_get_border_level (const OclFormat * format, guint channel, guint color)
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

guint
format_get_groups (const OclFormat * format, OclPlanes planes,
    FormatGroup groups[2])
{
  const FormatGroup rgb = {.n = 3,.x_pixels = 1,.y_pixels = 1 };
  const FormatGroup luma = {.n = 1,.x_pixels = 1,.y_pixels = 1 };
  const FormatGroup differences = {
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
get_mean_luma (const FormatPicture * picture, const FormatGroup * group,
    gint x, gint y)
{
  gdouble sum = 0.0;
  gint n = 0;

  for (gint j = y * group->y_pixels; j < (y + 1) * group->y_pixels; j++) {
    for (gint i = x * group->x_pixels; i < (x + 1) * group->x_pixels; i++) {
      if (i < picture->frame.width && j < picture->frame.height) {
        sum += format_picture_get_level (picture, OCL_CHANNEL_LUMA, i, j);
        n++;
      }
    }
  }
  return sum / n;
}

static gdouble
get_rgb_luma (const gdouble rgb[3])
{
  return 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
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
    const FormatGroup * group, const gdouble levels[3], gdouble mean_luma,
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
    guides[0] = get_rgb_luma (rgb);
    return 1;
  }
  get_lab (rgb, guides);
  for (gint i = 0; i < 3; i++)
    guides[i] /= 100.0;
  return 3;
}

static void
take_guides (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode, guint border_color)
{
  ReferencePlanes *planes = &group->planes;
  const OclFormat *format = picture->frame.format;

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
      format_get_border_level (format, 0, border_color), planes->border_guides);
}

void
format_group_take (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode, guint border_color)
{
  const OclFormat *format = picture->frame.format;
  const ReferencePlanes planes = {
    .width = format_picture_get_width (picture, group->first),
    .height = format_picture_get_height (picture, group->first),
    .x_pixels = group->x_pixels,.y_pixels = group->y_pixels,
    .n_channels = group->n,.unit = ocl_format_get_max_level (format),
  };
  const gint n_samples = planes.width * planes.height;

  group->planes = planes;
  for (guint i = 0; i < 3; i++) {
    group->planes.channels[i] = i < group->n
        ? format_picture_get_levels (picture, group->first + i) : NULL;
    group->planes.border_channels[i] = i < group->n
        ? format_get_border_level (format, group->first + i, border_color)
        : 0.0;
    group->planes.guides[i] = g_new0 (gdouble, n_samples);
  }
  take_guides (group, picture, color_mode, border_color);
}

void
format_group_clear (FormatGroup * group)
{
  for (guint i = 0; i < 3; i++) {
    g_free ((gpointer) group->planes.channels[i]);
    g_free ((gpointer) group->planes.guides[i]);
  }
}
