/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations that sum up neighbours with fixed weights, on every format, by every
 * variant, in buffers and in the images that the device has, against a float64
 * reference: kernels, outputs, borders, planes, sizes from 1x1 on.
 *
 * Accuracy asked for: within 1 level of the reference rounded to nearest up to
 * 12 bits, within 2 at 16; copies are exact. */

#include <math.h>
#include <string.h>

#include "exhaustive.h"
#include "formatpicture.h"
#include "picture.h"
#include "references.h"

static OclContext *context;

static const gint sizes[][2] = { {1, 1}, {2, 3}, {5, 3}, {35, 9}, {130, 11} };

/* BT.709, full range, written out for the one colour of the tests. */
#define BORDER_COLOR 0xffc81e5a

static gdouble
get_border_level (const OclFormat * format, guint channel)
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

static gboolean
is_filtered (const OclSharpenParams * params, const OclFormat * format,
    guint channel)
{
  if (format->model == OCL_MODEL_RGB)
    return channel < 3;
  if (format->model == OCL_MODEL_GREY)
    return channel == 0;
  return channel == 0 ? (params->planes & OCL_PLANES_LUMA) != 0
      : channel < 3 && (params->planes & OCL_PLANES_CHROMA) != 0;
}

static void
check_channel (const OclSharpenParams * params, const FormatPicture * input,
    const FormatPicture * output, guint channel, const gchar * what)
{
  const OclFormat *format = input->frame.format;
  const gboolean subsampled = format->model == OCL_MODEL_YCBCR && channel > 0;
  const gint width = format_picture_get_width (input, channel);
  const gint height = format_picture_get_height (input, channel);
  const gdouble max_level = ocl_format_get_max_level (format);
  const ReferenceSharpen reference = get_reference_sharpen (params);
  g_autofree gdouble *levels = format_picture_get_levels (input, channel);
  g_autofree gdouble *wanted = g_new (gdouble, width * height);
  const ReferencePlane plane = {
    .width = width,.height = height,
    .x_pixels = subsampled ? 1 << format->chroma_x_shift : 1,
    .y_pixels = subsampled ? 1 << format->chroma_y_shift : 1,
    .levels = levels,.border_level = get_border_level (format, channel),
    .max_level = max_level,
  };

  reference_sharpen (&reference, &plane, wanted);
  for (gint n = 0; n < width * height; n++) {
    guint component = format_picture_get_component (output, channel, n % width,
        n / width);
    gdouble level = rint (CLAMP (wanted[n], 0.0, max_level));

    if (fabs ((component >> format->shift) - level)
        > (format->depth <= 12 ? 1.0 : 2.0))
      g_error ("%s: channel %u at %d,%d is %u, the reference %.4f", what,
          channel, n % width, n / width, component >> format->shift, wanted[n]);
    g_assert_cmpuint (component & ((1 << format->shift) - 1), ==, 0);
  }
}

/* To the last bit. */
static void
assert_copied (const FormatPicture * output, const FormatPicture * input,
    guint channel)
{
  const gint width = format_picture_get_width (output, channel);
  const gint height = format_picture_get_height (output, channel);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++)
      g_assert_cmpuint (format_picture_get_component (output, channel, x, y),
          ==, format_picture_get_component (input, channel, x, y));
  }
}

static void
run (OclOperation * operation, const OclSharpenParams * params,
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
  out.colorimetry = bt709;
  gboolean ok = ocl_operation_prepare (operation, &in, params, &error);
  assert_ok (ok, error);
  ok = ocl_operation_enqueue (operation, &run, &error);
  assert_ok (ok, error);
  format_picture_download (output, context, &out);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
}

static void
check_size (OclOperation * operation, const gchar * variant,
    const OclFormat * format, OclStorage storage,
    const OclSharpenParams * params, gint width, gint height)
{
  g_autofree gchar *what = g_strdup_printf ("%s, %s in %s, %dx%d, kernel %d, "
      "radius %d, output %d, border %d, planes %d", variant, format->name,
      storage == OCL_STORAGE_IMAGE ? "images" : "buffers", width, height,
      params->kernel, params->radius, params->output, params->border.mode,
      params->planes);
  FormatPicture input, output;

  format_picture_init (&input, format, width, height);
  format_picture_init (&output, format, width, height);
  format_picture_fill (&input, width * 100 + height);
  run (operation, params, &input, &output, storage);
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (!format->channels[i].step)
      continue;
    if (is_filtered (params, format, i))
      check_channel (params, &input, &output, i, what);
    else
      assert_copied (&output, &input, i);
  }
  format_picture_assert_margins (&output);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

/* Each size with other parameters, so that all meet. */
static OclSharpenParams
make_params (guint n)
{
  static const gint radii[] = { 1, 3, 2, 9, 5, 20, 4 };
  OclSharpenParams params;

  ocl_params_init (ocl_sharpen_class.params, &params);
  params.kernel = n % 3;
  params.radius = radii[n % G_N_ELEMENTS (radii)];
  params.sigma = 0.7 + n % 4;
  params.output = n / 2 % 3;
  params.planes = 1 + n % 3;
  params.gamma = n % 5 == 4 ? 0.1 : 0.0;
  params.border.mode = n % 5;
  params.border.color = BORDER_COLOR;
  return params;
}

static void
check_format (const OclVariant * variant, const OclFormat * format,
    OclStorage storage)
{
  const guint n_cases = 15;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_sharpen_class, context);

  ocl_operation_force (operation, variant, NULL);
  for (guint i = 0; i < n_cases; i++) {
    const gint *size = sizes[(i * 2 + i / 5) % G_N_ELEMENTS (sizes)];
    const OclSharpenParams params = make_params (i);

    check_size (operation, variant->name, format, storage, &params, size[0],
        size[1]);
  }
}

/* A CPU's driver takes seconds to build a kernel for GPUs. */
static gboolean
is_tried (const OclVariant * variant, const gchar * format)
{
  static const gchar *const few[] = { "RGBA", "GRAY16_LE", "I420", NULL };

  return variant->flags & OCL_VARIANT_FOR_GPU
      && context->device->type & CL_DEVICE_TYPE_CPU
      ? g_strv_contains (few, format) : is_format_tried (format);
}

static void
test_formats (gconstpointer data)
{
  const OclVariant *variant = data;

  for (guint i = 0; ocl_formats[i]; i++) {
    if (!is_tried (variant, ocl_formats[i]->name))
      continue;
    check_format (variant, ocl_formats[i], OCL_STORAGE_BUFFER);
    if (!is_left_out (OCL_STORAGE_IMAGE)
        && !(variant->flags & OCL_VARIANT_BUFFERS_ONLY)
        && format_has_images (context, ocl_formats[i]))
      check_format (variant, ocl_formats[i], OCL_STORAGE_IMAGE);
  }
}

/* Sums of large windows are as exact as those of small ones, with levels that
 * are as large as they can be. */
static void
test_large (gconstpointer data)
{
  const OclVariant *variant = data;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_sharpen_class, context);
  static const gchar *const names[] = { "GRAY8", "GRAY16_LE", "RGBA" };

  ocl_operation_force (operation, variant, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    OclSharpenParams params = make_params (0);

    params.kernel = i % 2 ? OCL_SHARPEN_GAUSSIAN : OCL_SHARPEN_AVERAGE;
    params.sigma = 25.0;
    params.radius = OCL_SHARPEN_MAX_RADIUS;
    params.border.mode = i % 5;
    check_size (operation, variant->name, ocl_format_find (names[i / 2]),
        OCL_STORAGE_BUFFER, &params, 90, 40);
  }
}

/* A preset sets what it is made of, and what is changed then makes it custom. */
static void
test_presets (void)
{
  const OclOperationClass *klass = &ocl_sharpen_class;
  const OclParam *preset = ocl_params_find (klass->params, "preset");
  const OclParam *radius = ocl_params_find (klass->params, "radius");
  OclSharpenParams params;

  ocl_params_init (klass->params, &params);
  params.planes = OCL_PLANES_CHROMA;
  for (const OclValue * value = preset->values->values; value->nick; value++) {
    if (value->value == OCL_SHARPEN_CUSTOM)
      continue;
    g_assert_true (ocl_operation_class_parse (klass, preset, value->nick,
            &params));
    g_assert_cmpint (params.preset, ==, value->value);
    g_assert_cmpint (params.planes, ==, OCL_PLANES_CHROMA);
    g_assert_true (ocl_operation_class_is_neutral (klass, &params)
        == (value->value == OCL_SHARPEN_PRESET_ORIGINAL));
  }
  g_assert_cmpint (params.radius, ==, 24);
  g_assert_true (ocl_operation_class_parse (klass, radius, "5", &params));
  g_assert_cmpint (params.preset, ==, OCL_SHARPEN_CUSTOM);
  g_assert_cmpint (params.radius, ==, 5);
  g_assert_cmpint (params.kernel, ==, OCL_SHARPEN_GAUSSIAN);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  g_test_add_func ("/stencils/presets", test_presets);
  for (guint i = 0; ocl_sharpen_class.variants[i]; i++) {
    const OclVariant *variant = ocl_sharpen_class.variants[i];
    g_autofree gchar *formats = g_strdup_printf ("/stencils/sharpen/%s/formats",
        variant->name);
    g_autofree gchar *large = g_strdup_printf ("/stencils/sharpen/%s/large",
        variant->name);

    if (!can_run (context, &ocl_sharpen_class, variant))
      continue;
    g_test_add_data_func (formats, variant, test_formats);
    g_test_add_data_func (large, variant, test_large);
  }

  int status = g_test_run ();
  ocl_context_unref (context);
  return status;
}
