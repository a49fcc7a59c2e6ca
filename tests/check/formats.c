/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of the bilateral filter on every format, in buffers and
 * in the images that the device supports, against a float64 reference: windows,
 * colour modes, borders, planes, odd sizes.
 *
 * Required accuracy for exact variants: within 1 level of the reference rounded
 * to nearest for up to 12 bits, within 2 levels for 16 bits. Copies are
 * exact. */

#include <math.h>
#include <string.h>

#include "exhaustive.h"
#include "formatcheck.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "picture.h"

static OclContext *context;

static const gint sizes[][2] = { {1, 1}, {2, 3}, {5, 3}, {35, 9}, {70, 11} };

/* Takes the channels out of the picture, and filters them. */
static void
group_filter (FormatGroup * group, const OclBilateralParams * params,
    const FormatPicture * picture)
{
  const ReferenceBilateral reference = {
    .spatial_sigma = params->spatial_sigma,
    .intensity_sigma = params->intensity_sigma,
    .radius = ocl_bilateral_get_radius (params),
    .window = (ReferenceWindow) params->window,
    .border = (ReferenceBorder) params->border.mode,
  };

  format_group_take (group, picture, params->color_mode);
  reference_bilateral_planes (&reference, &group->planes, group->outputs);
}

static void
check_output (const OclBilateralParams * params, const FormatPicture * input,
    const FormatPicture * output, const gchar * what)
{
  const OclFormat *format = input->frame.format;
  FormatGroup groups[2];
  guint n_groups = format_get_groups (format, params->planes, groups);

  for (guint i = 0; i < n_groups; i++) {
    group_filter (&groups[i], params, input);
    format_group_assert_near (&groups[i], output, what);
    format_group_clear (&groups[i]);
  }
  format_groups_assert_rest (groups, n_groups, output, input);
}

static OclOperation *
create_operation (const OclVariant * variant)
{
  return format_create_operation (context, &ocl_bilateral_class, variant);
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
  format_picture_run (operation, params, &input, &output, storage);
  check_output (params, &input, &output, what);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

static OclBilateralParams
make_params (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.border.color = FORMAT_BORDER_COLOR;
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

/* Not what serves one channel only, see expanded.c. The kernels for GPUs take a
 * CPU's driver seconds to build each: none there, or one format of each kind
 * where all is to be tried; all elsewhere. */
static gboolean
is_built (const OclVariant * variant, const OclFormat * format)
{
  static const gchar *const names[] = { "GRAY8", "I420", "P010_10LE", NULL };

  return (!(variant->flags & OCL_VARIANT_FOR_GPU)
      || !(context->device->type & CL_DEVICE_TYPE_CPU)
      || (is_exhaustive () && g_strv_contains (names, format->name)))
      && can_run (context, &ocl_bilateral_class, variant);
}

static gboolean
is_tried (const OclVariant * variant, const OclFormat * format)
{
  return !(variant->flags & OCL_VARIANT_APPROXIMATE)
      && variant != &ocl_bilateral_expanded && is_built (variant, format);
}

/* Images differ by the components of a plane; what a format makes of these is
 * the same in buffers. */
static gboolean
has_tried_images (const OclFormat * format)
{
  static const gchar *const names[] = { "RGBA", "BGRA", "ARGB64", "GRAY8",
    "GRAY16_LE", "I420", "I420_10LE", "NV12", "P010_10LE", NULL
  };

  return !is_left_out (OCL_STORAGE_IMAGE)
      && g_strv_contains (names, format->name)
      && format_has_images (context, format);
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
    if (has_tried_images (format))
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
    format_picture_run (operation, &params, &input, &output,
        OCL_STORAGE_BUFFER);
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
  format_picture_run (operation, &params, input, output, OCL_STORAGE_BUFFER);
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

/* Row @field, @field + 2, ... of each plane of a picture as a picture. */
static void
init_field (FormatPicture * target, const FormatPicture * picture, guint field)
{
  const OclFrame *frame = &picture->frame;

  format_picture_init (target, frame->format, frame->width,
      (frame->height + 1 - field) / 2);
  target->frame.lacks_row = field == 1 && frame->height % 4 == 2;
  for (guint plane = 0; plane < frame->format->n_planes; plane++) {
    const gint height = ocl_frame_get_plane_height (&target->frame, plane);

    g_assert_cmpint (height, ==,
        (ocl_frame_get_plane_height (frame, plane) + 1 - field) / 2);
    for (gint y = 0; y < height; y++)
      memcpy (format_picture_get_row (target, plane, y),
          format_picture_get_row (picture, plane, 2 * y + field),
          ocl_frame_get_row_bytes (frame, plane));
  }
}

/* An interlaced frame of that height gives what its pictures give alone. */
static void
check_interlaced (OclOperation * operation, const OclBilateralParams * params,
    const OclFormat * format, gint height)
{
  g_autofree gchar *what = g_strdup_printf ("interlaced %s, height %d",
      format->name, height);
  FormatPicture input, output;

  format_picture_init (&input, format, 35, height);
  format_picture_init (&output, format, 35, height);
  format_picture_fill (&input, 9);
  input.frame.interlaced = TRUE;
  output.frame.interlaced = TRUE;
  format_picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
  for (guint field = 0; field < 2 && height > (gint) field; field++) {
    FormatPicture picture, found;

    init_field (&picture, &input, field);
    init_field (&found, &output, field);
    check_output (params, &picture, &found, what);
    format_picture_clear (&picture);
    format_picture_clear (&found);
  }
  format_picture_assert_margins (&output);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

/* Heights that give both pictures as many rows, of luma and of chroma, and
 * heights that do not. */
static void
test_interlaced (gconstpointer data)
{
  static const gint heights[] = { 1, 2, 3, 4, 5, 21, 22, 23, 24 };
  const OclFormat *format = data;
  OclBilateralParams params = make_params ();

  params.border.mode = OCL_BORDER_REFLECT;
  for (guint i = 0; ocl_bilateral_class.variants[i]; i++) {
    const OclVariant *variant = ocl_bilateral_class.variants[i];

    if (!is_tried (variant, format))
      continue;
    g_autoptr (OclOperation) operation = create_operation (variant);
    for (guint n = 0; n < G_N_ELEMENTS (heights); n++)
      check_interlaced (operation, &params, format, heights[n]);
  }
}

/* Alpha is carried through, by the variant that frames of the device get. */
static void
test_alpha (void)
{
  OclBilateralParams params = make_params ();

  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];
    g_autoptr (OclOperation) operation =
        ocl_operation_new (&ocl_bilateral_class, context);
    const OclFrame frame = {.format = format,.width = 70,.height = 3 };
    GError *error = NULL;

    if (!format->channels[OCL_CHANNEL_ALPHA].step)
      continue;
    const OclVariant *variant =
        find_variant (operation, &frame, &params, &error);
    assert_ok (variant != NULL, error);
    check_size (operation, variant, format, OCL_STORAGE_BUFFER, &params,
        frame.width, frame.height);
  }
}

/* Memory that is used again has what its new frame has. */
static void
test_ensure (void)
{
  const OclColorimetry colorimetry = { 0.2126, 0.0722, TRUE };
  OclFrame like = {.format = OCL_FORMAT_RGBA,.width = 4,.height = 4 };
  OclFrame frame = { NULL, };
  GError *error = NULL;

  gboolean ok =
      ocl_frame_ensure (&frame, context, OCL_STORAGE_BUFFER, &like, &error);
  assert_ok (ok, error);
  const cl_mem memory = frame.planes[0].memory;
  like.colorimetry = colorimetry;
  like.interlaced = TRUE;
  ok = ocl_frame_ensure (&frame, context, OCL_STORAGE_BUFFER, &like, &error);
  assert_ok (ok, error);
  g_assert_true (frame.planes[0].memory == memory);
  g_assert_true (frame.interlaced);
  g_assert_cmpmem (&frame.colorimetry, sizeof (colorimetry), &colorimetry,
      sizeof (colorimetry));
  ocl_frame_clear (&frame);
}

static gdouble
get_psnr (const FormatPicture * output, const FormatGroup * group)
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

static void
check_fast (OclOperation * operation, const OclBilateralParams * params,
    FormatPicture * input, const FormatGroup * groups, guint n_groups,
    OclStorage storage)
{
  OclFrame kind = input->frame;
  FormatPicture output;

  kind.storage = storage;

  format_picture_init (&output, input->frame.format, input->frame.width,
      input->frame.height);
  format_picture_run (operation, params, input, &output, storage);
  g_assert_cmpuint (find_variant (operation, &kind, params,
          NULL)->flags & OCL_VARIANT_APPROXIMATE, !=, 0);
  for (guint i = 0; i < n_groups; i++)
    g_assert_cmpfloat (get_psnr (&output, &groups[i]), >=, 40.0);
  format_picture_assert_margins (&output);
  format_picture_clear (&output);
}

static void
check_fast_variant (const OclVariant * variant,
    const OclBilateralParams * params, FormatPicture * input,
    const FormatGroup * groups, guint n_groups)
{
  g_autoptr (OclOperation) operation = create_operation (variant);

  check_fast (operation, params, input, groups, n_groups, OCL_STORAGE_BUFFER);
  if (!(variant->flags & OCL_VARIANT_BUFFERS_ONLY)
      && !is_left_out (OCL_STORAGE_IMAGE)
      && format_has_images (context, input->frame.format))
    check_fast (operation, params, input, groups, n_groups, OCL_STORAGE_IMAGE);
}

/* Whether it approximates all passes over @format. */
static gboolean
is_approximation (const OclVariant * variant,
    const OclBilateralParams * params, const OclFormat * format)
{
  OclPass passes[OCL_MAX_PASSES];
  guint n_passes = ocl_operation_class_get_passes (&ocl_bilateral_class,
      params, format, passes);

  if (!(variant->flags & OCL_VARIANT_APPROXIMATE)
      || !can_run (context, &ocl_bilateral_class, variant))
    return FALSE;
  for (guint i = 0; i < n_passes; i++) {
    if (!variant->can_serve (params, format, &passes[i]))
      return FALSE;
  }
  return TRUE;
}

/* The approximation serves planes as well, and is chosen for each. */
static void
test_fast (gconstpointer data)
{
  const OclFormat *format = data;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  const OclVariant *variant;
  OclBilateralParams params = make_params ();
  FormatPicture input;
  FormatGroup groups[2];

  params.method = OCL_BILATERAL_METHOD_FAST;
  params.spatial_sigma = 10.0;
  format_picture_init (&input, format, 83, 41);
  format_picture_fill (&input, 3);
  guint n_groups = format_get_groups (format, OCL_PLANES_ALL, groups);
  for (guint i = 0; i < n_groups; i++)
    group_filter (&groups[i], &params, &input);

  check_fast (operation, &params, &input, groups, n_groups, OCL_STORAGE_BUFFER);
  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    if (is_approximation (variant, &params, format)
        && is_built (variant, format))
      check_fast_variant (variant, &params, &input, groups, n_groups);
  }
  for (guint i = 0; i < n_groups; i++)
    format_group_clear (&groups[i]);
  format_picture_clear (&input);
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
  if (ocl_format_get_largest_difference (format)
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

  g_test_add_func ("/formats/alpha", test_alpha);
  g_test_add_func ("/formats/ensure", test_ensure);
  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
