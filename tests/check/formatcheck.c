/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "formatcheck.h"

#include <math.h>

#include "exhaustive.h"
#include "picture.h"

gdouble
format_get_border_level (const OclFormat * format, guint channel)
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble rgb[3] = { 200 / 255.0, 30 / 255.0, 90 / 255.0 };
  const gdouble luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
  const gdouble middle = 1 << (format->depth - 1);

  if (format->model == OCL_MODEL_RGB)
    return rint (rgb[channel] * max_level);
  switch (channel) {
    case OCL_CHANNEL_LUMA:
      return rint (luma * max_level);
    case 1:
      return rint (middle + (rgb[2] - luma) / 1.8556 * max_level);
    default:
      return rint (middle + (rgb[0] - luma) / 1.5748 * max_level);
  }
}

OclOperation *
format_create_operation (OclContext * context, const OclOperationClass * klass,
    const OclVariant * variant)
{
  OclOperation *operation = ocl_operation_new (klass, context);

  ocl_operation_force (operation, variant, NULL);
  return operation;
}

void
format_picture_run (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, OclStorage storage)
{
  format_picture_run_kept (operation, params, input, output, 0, storage);
}

/* The frame of a picture on the device, or a frame of zeros for none. The
 * caller clears it. */
static OclFrame
create_frame (FormatPicture * picture, OclContext * context, OclStorage storage)
{
  const OclColorimetry bt709 = { 0.2126, 0.0722, TRUE };
  OclFrame frame = { 0, };

  if (picture)
    frame = format_picture_create_frame (picture, context, storage);
  frame.colorimetry = bt709;
  return frame;
}

void
format_picture_run_kept (OclOperation * operation, gconstpointer params,
    FormatPicture * input, FormatPicture * output, guint age,
    OclStorage storage)
{
  OclContext *context = ocl_operation_get_context (operation);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = create_frame (input, context, storage);
  OclFrame out = create_frame (output, context, storage);
  const OclRun run = {.params = params,.input = input ? &in : NULL,
    .output = output ? &out : NULL,.age = age,.timer = timer
  };
  GError *error = NULL;

  gboolean ok = run_operation (operation, &run, &error)
      && ocl_timer_wait (timer, &error);
  assert_ok (ok, error);
  if (output)
    format_picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

gboolean
format_is_tried (OclContext * context, const OclVariant * variant,
    const gchar * name)
{
  static const gchar *const few[] = { "GRAY16_LE", "I420", NULL };
  static const gchar *const further[] = { "BGRA", "ARGB64", "GRAY16_LE",
    "I420_10LE", "Y42B", "NV21", NULL
  };
  const gboolean slow = context->device->type & CL_DEVICE_TYPE_CPU
      && !(variant->flags & OCL_VARIANT_FOR_CPU);

  if (slow)
    return g_strv_contains (few, name);
  return is_format_usual (name)
      || (is_exhaustive () && g_strv_contains (further, name));
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
    OclBilateralColorMode color_mode)
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
      format_get_border_level (format, 0), planes->border_guides);
}

void
format_group_take (FormatGroup * group, const FormatPicture * picture,
    OclBilateralColorMode color_mode)
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
        ? format_get_border_level (format, group->first + i) : 0.0;
    group->planes.guides[i] = g_new0 (gdouble, n_samples);
    group->outputs[i] = g_new0 (gdouble, n_samples);
  }
  take_guides (group, picture, color_mode);
}

void
format_group_clear (FormatGroup * group)
{
  for (guint i = 0; i < 3; i++) {
    g_free ((gpointer) group->planes.channels[i]);
    g_free ((gpointer) group->planes.guides[i]);
    g_free (group->outputs[i]);
  }
}

void
format_group_assert_near (const FormatGroup * group,
    const FormatPicture * output, const gchar * what)
{
  const OclFormat *format = output->frame.format;
  const gint width = format_picture_get_width (output, group->first);
  const gint height = format_picture_get_height (output, group->first);
  const gdouble tolerance = format->depth <= 12 ? 1.0 : 2.0;
  const gdouble max_level = ocl_format_get_max_level (format);

  for (guint i = 0; i < group->n; i++) {
    for (gint n = 0; n < width * height; n++) {
      const guint component = format_picture_get_component (output,
          group->first + i, n % width, n / width);
      const gdouble wanted = group->outputs[i][n];
      const gdouble level = rint (CLAMP (wanted, 0.0, max_level));

      if (fabs ((component >> format->shift) - level) > tolerance)
        g_error ("%s: channel %u at %d,%d is %u, the reference %.4f", what,
            group->first + i, n % width, n / width,
            component >> format->shift, wanted);
      g_assert_cmpuint (component & ((1 << format->shift) - 1), ==, 0);
    }
  }
}

void
format_groups_assert_rest (const FormatGroup * groups, guint n,
    const FormatPicture * output, const FormatPicture * input)
{
  gboolean filtered[OCL_N_CHANNELS] = { FALSE, };

  for (guint i = 0; i < n; i++) {
    for (guint j = 0; j < groups[i].n; j++)
      filtered[groups[i].first + j] = TRUE;
  }
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (input->frame.format->channels[i].step && !filtered[i])
      format_picture_assert_copied (output, input, i);
  }
  format_picture_assert_margins (output);
}
