/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter on every format, by every variant, in buffers and in the
 * images that the device has, against a float64 reference: windows, colour
 * modes, borders, planes, odd sizes.
 *
 * Accuracy asked for: within 1 level of the reference rounded to nearest up to
 * 12 bits, within 2 at 16, for exact variants; copies are exact. */

#include <math.h>
#include <string.h>

#include "exhaustive.h"
#include "formatpicture.h"
#include "opencl/bilateral/oclbilateral.h"
#include "picture.h"
#include "referenceplanes.h"

static OclContext *context;

static const gint sizes[][2] = { {1, 1}, {2, 3}, {5, 3}, {35, 9}, {70, 11} };

/* The channels of a format that are filtered together. */
typedef struct
{
  guint first;
  guint n;
  gint x_pixels;
  gint y_pixels;
  gdouble *levels[3];
  gdouble *guides[3];
  gdouble *outputs[3];
} Group;

static void
group_clear (Group * group)
{
  for (guint i = 0; i < 3; i++) {
    g_free (group->levels[i]);
    g_free (group->guides[i]);
    g_free (group->outputs[i]);
  }
}

/* The mean of the luma levels that a sample stands for. */
static gdouble
get_mean_luma (const FormatPicture * picture, const Group * group, gint x,
    gint y)
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
get_guides (const OclBilateralParams * params, const OclFormat * format,
    const Group * group, const gdouble levels[3], gdouble mean_luma,
    gdouble guides[3])
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble rgb[3] = { levels[0] / max_level, levels[1] / max_level,
    levels[2] / max_level
  };

  if (params->color_mode == OCL_BILATERAL_COLOR_PER_CHANNEL)
    return 0;
  if (format->model != OCL_MODEL_RGB) {
    guides[0] = (group->first == 0 ? levels[0] : mean_luma) / max_level;
    return 1;
  }
  if (params->color_mode == OCL_BILATERAL_COLOR_INTENSITY) {
    guides[0] = get_rgb_luma (rgb);
    return 1;
  }
  get_lab (rgb, guides);
  for (gint i = 0; i < 3; i++)
    guides[i] /= 100.0;
  return 3;
}

/* BT.709, full range, written out for the one colour of the tests. */
static void
get_border_levels (const OclFormat * format, gdouble levels[3])
{
  const gdouble max_level = ocl_format_get_max_level (format);
  const gdouble r = 200 / 255.0, g = 30 / 255.0, b = 90 / 255.0;
  const gdouble luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const gdouble middle = 1 << (format->depth - 1);

  levels[0] = format->model == OCL_MODEL_RGB ? r * max_level : luma * max_level;
  levels[1] = format->model == OCL_MODEL_RGB ? g * max_level
      : middle + (b - luma) / 1.8556 * max_level;
  levels[2] = format->model == OCL_MODEL_RGB ? b * max_level
      : middle + (r - luma) / 1.5748 * max_level;
  for (gint i = 0; i < 3; i++)
    levels[i] = rint (levels[i]);
}

/* Takes the channels out of the picture, and filters them. */
static void
group_filter (Group * group, const OclBilateralParams * params,
    const FormatPicture * picture)
{
  const OclFormat *format = picture->frame.format;
  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = ocl_bilateral_get_radius (params),
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
  };
  ReferencePlanes planes = {
    .width = format_picture_get_width (picture, group->first),
    .height = format_picture_get_height (picture, group->first),
    .x_pixels = group->x_pixels,.y_pixels = group->y_pixels,
    .n_channels = group->n,.unit = ocl_format_get_max_level (format),
  };
  const gint n_samples = planes.width * planes.height;
  gdouble border[3];

  get_border_levels (format, border);
  for (guint i = 0; i < 3; i++) {
    group->levels[i] = i < group->n
        ? format_picture_get_levels (picture, group->first + i) : NULL;
    group->guides[i] = g_new0 (gdouble, n_samples);
    group->outputs[i] = g_new0 (gdouble, n_samples);
    planes.channels[i] = group->levels[i];
    planes.guides[i] = group->guides[i];
    planes.border_channels[i] = i < group->n ? border[group->first + i] : 0.0;
  }
  for (gint n = 0; n < n_samples; n++) {
    gdouble levels[3] = { 0.0, }, guides[3] = { 0.0, };

    for (guint i = 0; i < group->n; i++)
      levels[i] = group->levels[i][n];
    planes.n_guides = get_guides (params, format, group, levels,
        group->first == 0 ? 0.0 : get_mean_luma (picture, group,
            n % planes.width, n / planes.width), guides);
    for (guint i = 0; i < 3; i++)
      group->guides[i][n] = guides[i];
  }
  get_guides (params, format, group, planes.border_channels, border[0],
      planes.border_guides);
  reference_bilateral_planes (&reference, &planes, group->outputs);
}

static void
assert_near (const FormatPicture * output, const Group * group,
    const gchar * what)
{
  const OclFormat *format = output->frame.format;
  const gint width = format_picture_get_width (output, group->first);
  const gint height = format_picture_get_height (output, group->first);
  const gdouble tolerance = format->depth <= 12 ? 1.0 : 2.0;

  for (guint i = 0; i < group->n; i++) {
    for (gint n = 0; n < width * height; n++) {
      guint component = format_picture_get_component (output,
          group->first + i, n % width, n / width);
      gdouble wanted = group->outputs[i][n];

      if (fabs ((component >> format->shift) - rint (wanted)) > tolerance)
        g_error ("%s: channel %u at %d,%d is %u, the reference %.4f", what,
            group->first + i, n % width, n / width,
            component >> format->shift, wanted);
      g_assert_cmpuint (component & ((1 << format->shift) - 1), ==, 0);
    }
  }
}

/* The groups of @format that @planes filters; returns how many. */
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

static void
check_output (const OclBilateralParams * params, const FormatPicture * input,
    const FormatPicture * output, const gchar * what)
{
  const OclFormat *format = input->frame.format;
  gboolean filtered[OCL_N_CHANNELS] = { FALSE, };
  Group groups[2];
  guint n_groups = get_groups (format, params->planes, groups);

  for (guint i = 0; i < n_groups; i++) {
    group_filter (&groups[i], params, input);
    assert_near (output, &groups[i], what);
    for (guint j = 0; j < groups[i].n; j++)
      filtered[groups[i].first + j] = TRUE;
    group_clear (&groups[i]);
  }
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (format->channels[i].step && !filtered[i])
      format_picture_assert_copied (output, input, i);
  }
  format_picture_assert_margins (output);
}

/* An operation with a variant that is forced. */
static OclOperation *
create_operation (const OclVariant * variant)
{
  OclOperation *operation = ocl_operation_new (&ocl_bilateral_class, context);

  ocl_operation_force (operation, variant, NULL);
  return operation;
}

static void
run (OclOperation * operation, const OclBilateralParams * params,
    FormatPicture * input, FormatPicture * output, OclStorage storage)
{
  const OclColorimetry bt709 = { 0.2126, 0.0722, TRUE };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame in = format_picture_create_frame (input, context, storage);
  OclFrame out = format_picture_create_frame (output, context, storage);
  const OclRun run = {.params = params,.input = &in,.output = &out,
    .timer = timer
  };
  GError *error = NULL;

  in.colorimetry = bt709;
  out.colorimetry = in.colorimetry;
  gboolean ok = ocl_operation_prepare (operation, &in, params, &error);
  assert_ok (ok, error);
  ok = ocl_operation_enqueue (operation, &run, &error);
  assert_ok (ok, error);
  format_picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

static void
check_size (OclOperation * operation, const OclVariant * variant,
    const OclFormat * format, OclStorage storage,
    const OclBilateralParams * params, gint width, gint height)
{
  g_autofree gchar *what = g_strdup_printf ("%s, %s in %s, %dx%d, mode %d, "
      "window %d, border %d, planes %d", variant->name, format->name,
      storage == OCL_STORAGE_IMAGE ? "images" : "buffers", width, height,
      params->color_mode, params->window, params->border.mode,
      params->planes);
  FormatPicture input, output;

  format_picture_init (&input, format, width, height);
  format_picture_init (&output, format, width, height);
  format_picture_fill (&input, width * 100 + height);
  run (operation, params, &input, &output, storage);
  check_output (params, &input, &output, what);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

static OclBilateralParams
make_params (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.border.color = 0xffc81e5a;
  return params;
}

/* All settings once, each with a size, and all sizes with each setting in
 * turn. */
static void
check_variant (const OclVariant * variant, const OclFormat * format,
    OclStorage storage)
{
  g_autoptr (OclOperation) operation = create_operation (variant);
  OclBilateralParams params = make_params ();
  guint n = 0;

  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    if (mode == OCL_BILATERAL_COLOR_LAB && format->model != OCL_MODEL_RGB)
      continue;
    for (gint border = 0; border <= OCL_BORDER_CONSTANT; border++) {
      for (guint size = 0; size < G_N_ELEMENTS (sizes); size++, n++) {
        params.color_mode = mode;
        params.border.mode = border;
        params.window = n % 2;
        params.radius = 1 + n % 5;
        params.intensity_sigma = n % 3 == 0 ? 0.05 : 0.3;
        params.planes = format->model == OCL_MODEL_YCBCR && n % 4 == 3
            ? 1 + n / 4 % 2 : OCL_PLANES_ALL;
        check_size (operation, variant, format, storage, &params,
            sizes[size][0], sizes[size][1]);
      }
    }
  }
}

/* The kernels for GPUs take a CPU's driver seconds to build each: none there,
 * or one format of each kind where all is to be tried; all elsewhere. */
static gboolean
is_tried (const OclVariant * variant, const OclFormat * format)
{
  static const gchar *const names[] = { "GRAY8", "I420", "P010_10LE", NULL };

  return !(variant->flags & OCL_VARIANT_APPROXIMATE)
      && (!(variant->flags & OCL_VARIANT_FOR_GPU)
      || !(context->device->type & CL_DEVICE_TYPE_CPU)
      || (is_exhaustive () && g_strv_contains (names, format->name)))
      && can_run (context, &ocl_bilateral_class, variant);
}

static void
test_format (gconstpointer data)
{
  const OclFormat *format = data;

  for (guint i = 0; ocl_bilateral_class.variants[i]; i++) {
    const OclVariant *variant = ocl_bilateral_class.variants[i];

    if (!is_tried (variant, format))
      continue;
    check_variant (variant, format, OCL_STORAGE_BUFFER);
    if (!is_left_out (OCL_STORAGE_IMAGE) && format_has_images (context, format))
      check_variant (variant, format, OCL_STORAGE_IMAGE);
  }
}

/* A filter that changes nothing changes no sample. */
static void
test_identity (gconstpointer data)
{
  const OclFormat *format = data;
  OclBilateralParams params = make_params ();

  params.color_mode = OCL_BILATERAL_COLOR_PER_CHANNEL;
  params.intensity_sigma = 1e-6;
  for (guint i = 0; ocl_bilateral_class.variants[i]; i++) {
    const OclVariant *variant = ocl_bilateral_class.variants[i];
    FormatPicture input, output;

    if (!is_tried (variant, format))
      continue;
    g_autoptr (OclOperation) operation = create_operation (variant);
    format_picture_init (&input, format, 37, 13);
    format_picture_init (&output, format, 37, 13);
    format_picture_fill (&input, 5);
    run (operation, &params, &input, &output, OCL_STORAGE_BUFFER);
    for (guint channel = 0; channel < OCL_N_CHANNELS; channel++) {
      if (!format->channels[channel].step)
        continue;
      for (gint y = 0; y < format_picture_get_height (&input, channel); y++) {
        for (gint x = 0; x < format_picture_get_width (&input, channel); x++)
          g_assert_cmpuint (format_picture_get_level (&output, channel, x, y),
              ==, format_picture_get_level (&input, channel, x, y));
      }
    }
    format_picture_clear (&input);
    format_picture_clear (&output);
  }
}

/* Runs @variant on @input, with the default parameters. */
static void
run_variant (const OclVariant * variant, FormatPicture * input,
    FormatPicture * output)
{
  g_autoptr (OclOperation) operation = create_operation (variant);
  OclBilateralParams params = make_params ();

  format_picture_init (output, input->frame.format, input->frame.width,
      input->frame.height);
  run (operation, &params, input, output, OCL_STORAGE_BUFFER);
}

/* Bits above the level, which should be 0, take no other pixel with them, and
 * none of them is written. */
static void
test_bits_above (gconstpointer data)
{
  const OclFormat *format = data;
  const guint max_level = ocl_format_get_max_level (format);
  FormatPicture input, plain;

  format_picture_init (&input, format, 37, 13);
  format_picture_fill (&input, 5);
  guint16 *row = (guint16 *) format_picture_get_row (&input, 0, 6);
  row[11] = 0xffff;
  run_variant (ocl_bilateral_class.variants[0], &input, &plain);
  for (guint i = 1; ocl_bilateral_class.variants[i]; i++) {
    const OclVariant *variant = ocl_bilateral_class.variants[i];
    FormatPicture output;

    if (!is_tried (variant, format))
      continue;
    run_variant (variant, &input, &output);
    for (guint channel = 0; channel < 3; channel++) {
      for (gint y = 0; y < format_picture_get_height (&input, channel); y++) {
        for (gint x = 0; x < format_picture_get_width (&input, channel); x++) {
          gint found = format_picture_get_component (&output, channel, x, y);
          gint wanted = format_picture_get_component (&plain, channel, x, y);

          g_assert_cmpint (found, <=, max_level);
          g_assert_cmpint (ABS (found - wanted), <=, 1);
        }
      }
    }
    format_picture_clear (&output);
  }
  format_picture_clear (&plain);
  format_picture_clear (&input);
}

/* Row @field, @field + 2, ... of a picture as a picture. */
static void
copy_field (const FormatPicture * picture, guint field, FormatPicture * target)
{
  const OclFrame *frame = &picture->frame;

  format_picture_init (target, frame->format, frame->width, frame->height / 2);
  for (guint plane = 0; plane < frame->format->n_planes; plane++) {
    for (gint y = 0; y < ocl_frame_get_plane_height (&target->frame, plane);
        y++)
      memcpy (format_picture_get_row (target, plane, y),
          format_picture_get_row (picture, plane, 2 * y + field),
          ocl_frame_get_row_bytes (frame, plane));
  }
}

/* An interlaced frame gives what its pictures give alone. */
static void
test_interlaced (gconstpointer data)
{
  const OclFormat *format = data;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  OclBilateralParams params = make_params ();
  FormatPicture input, output;

  params.border.mode = OCL_BORDER_REFLECT;
  format_picture_init (&input, format, 35, 24);
  format_picture_init (&output, format, 35, 24);
  format_picture_fill (&input, 9);
  input.frame.interlaced = TRUE;
  output.frame.interlaced = TRUE;
  run (operation, &params, &input, &output, OCL_STORAGE_BUFFER);
  for (guint field = 0; field < 2; field++) {
    FormatPicture picture, alone, found;

    copy_field (&input, field, &picture);
    copy_field (&output, field, &found);
    format_picture_init (&alone, format, 35, 12);
    run (operation, &params, &picture, &alone, OCL_STORAGE_BUFFER);
    for (guint plane = 0; plane < format->n_planes; plane++)
      g_assert_cmpmem (found.planes[plane], found.sizes[plane],
          alone.planes[plane], alone.sizes[plane]);
    format_picture_clear (&picture);
    format_picture_clear (&alone);
    format_picture_clear (&found);
  }
  format_picture_assert_margins (&output);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

static gdouble
get_psnr (const FormatPicture * output, const Group * group)
{
  const gint width = format_picture_get_width (output, group->first);
  const gint height = format_picture_get_height (output, group->first);
  const gdouble max_level = ocl_format_get_max_level (output->frame.format);
  gdouble sum = 0.0;

  for (guint i = 0; i < group->n; i++) {
    for (gint n = 0; n < width * height; n++) {
      gdouble difference = (format_picture_get_level (output, group->first + i,
              n % width, n / width) - group->outputs[i][n]) / max_level;

      sum += difference * difference;
    }
  }
  return -10.0 * log10 (sum / (group->n * width * height) + 1e-12);
}

/* The approximation serves planes as well, and chooses for each. */
static void
test_fast (gconstpointer data)
{
  const OclFormat *format = data;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  OclBilateralParams params = make_params ();
  FormatPicture input, output;
  Group groups[2];

  params.method = OCL_BILATERAL_METHOD_FAST;
  params.spatial_sigma = 10.0;
  format_picture_init (&input, format, 83, 41);
  format_picture_init (&output, format, 83, 41);
  format_picture_fill (&input, 3);
  run (operation, &params, &input, &output, OCL_STORAGE_BUFFER);
  g_assert_cmpstr (ocl_operation_get_variant (operation, &input.frame,
          &params)->name, ==, "fast");
  guint n_groups = get_groups (format, OCL_PLANES_ALL, groups);
  for (guint i = 0; i < n_groups; i++) {
    group_filter (&groups[i], &params, &input);
    g_assert_cmpfloat (get_psnr (&output, &groups[i]), >=, 40.0);
    group_clear (&groups[i]);
  }
  format_picture_assert_margins (&output);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

static void
add_tests (const OclFormat * format)
{
  g_autofree gchar *variants =
      g_strdup_printf ("/formats/variants/%s", format->name);
  g_autofree gchar *identity =
      g_strdup_printf ("/formats/identity/%s", format->name);
  g_autofree gchar *interlaced =
      g_strdup_printf ("/formats/interlaced/%s", format->name);
  g_autofree gchar *fast = g_strdup_printf ("/formats/fast/%s", format->name);
  g_autofree gchar *bits_above =
      g_strdup_printf ("/formats/bits-above/%s", format->name);

  g_test_add_data_func (variants, format, test_format);
  g_test_add_data_func (identity, format, test_identity);
  g_test_add_data_func (interlaced, format, test_interlaced);
  g_test_add_data_func (fast, format, test_fast);
  if (ocl_format_get_largest_component (format)
      > ocl_format_get_max_level (format))
    g_test_add_data_func (bits_above, format, test_bits_above);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; ocl_formats[i]; i++) {
    if (is_format_tried (ocl_formats[i]->name))
      add_tests (ocl_formats[i]);
  }

  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
