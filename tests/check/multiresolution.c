/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests what is particular to the multiresolution filter: sigmas and gains of
 * each band, how many octaves there are, and that pyramids reconstruct the frame
 * from which they were made. */

#include <string.h>

#include "formatcheck.h"
#include "opencl/pyramid/oclmultiresolution.h"
#include "opencl/pyramid/oclpyramid.h"
#include "picture.h"
#include "testrandom.h"

static OclContext *context;

static const gint sizes[][2] = { {1, 1}, {2, 3}, {5, 3}, {35, 9}, {70, 51} };

/* Parameters of a format. */
#define N_CASES 15

#define N_NUMBERS 3

static const gchar *const sigmas[N_NUMBERS] =
    { "<>", "<0.3,0,0.05>", "<0.02>" };
static const gchar *const gains[N_NUMBERS] = {
  "<>", "<1.5,0.5,1,-1>", "<0,2,1,1,0.8,0.9>"
};

static void
set (OclMultiresolutionParams * params, const gchar * name, const gchar * text)
{
  const OclOperationClass *klass = &ocl_multiresolution_class;

  g_assert_true (ocl_operation_class_parse (klass,
          ocl_params_find (klass->params, name), text, params));
}

/* Each case with others, so that all meet. */
static OclMultiresolutionParams *
create_params (guint n)
{
  OclMultiresolutionParams *params =
      ocl_operation_class_create_params (&ocl_multiresolution_class);

  params->n_octaves = 1 + n * 3 % OCL_MULTIRESOLUTION_MAX_OCTAVES;
  params->radius = n % 5 == 4 ? -1 : 1 + (gint) (n % 3);
  params->spatial_sigma = 0.8 + n % 4 * 0.7;
  params->intensity_sigma = n % 4 == 1 ? 0.02 : 0.3;
  set (params, "spatial-sigmas", n % 7 == 3 ? "<3,1>" : "<>");
  set (params, "intensity-sigmas", sigmas[n % N_NUMBERS]);
  set (params, "gains", gains[n / 2 % N_NUMBERS]);
  params->color_mode = n / 3 % 2;
  params->show_band = n % 6 == 5 ? (gint) (n % 4) : -1;
  params->planes = 1 + n % 3;
  params->border.mode = n % 5;
  params->border.color = FORMAT_BORDER_COLOR;
  return params;
}

/* Bands with sigmas and gains of their own. */
static void
test_bands (gconstpointer data)
{
  static const gchar *const names[] = { "GRAY8", "I420", "GRAY16_LE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i]);
    g_autoptr (OclOperation) operation = format_create_operation (context,
        &ocl_multiresolution_class, data);

    for (guint n = 0; n < N_CASES; n++) {
      const gint *size = sizes[(n * 2 + n / 5) % G_N_ELEMENTS (sizes)];
      g_autofree OclMultiresolutionParams *params = create_params (n);

      format_check (operation, params, format, OCL_STORAGE_BUFFER, size[0],
          size[1]);
    }
  }
}

/* A constant stays what it is, but for gains of the last band. */
static void
test_constant (gconstpointer data)
{
  const OclVariant *variant = data;
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_multiresolution_class, variant);

  for (guint i = 0; i < 2 * OCL_BORDER_CONSTANT; i++) {
    g_autofree OclMultiresolutionParams *params = create_params (i);
    FormatPicture input, output;

    params->n_octaves = 1 + i;
    params->border.mode = i % OCL_BORDER_CONSTANT;
    params->show_band = -1;
    set (params, "gains", "<3>");
    format_picture_init (&input, format, 37, 20);
    format_picture_init (&output, format, 37, 20);
    for (gint n = 0; n < 37 * 20; n++)
      format_picture_set_component (&input, 0, n % 37, n / 37, 201);
    format_picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
    format_picture_assert_copied (&output, &input, 0);
    format_picture_clear (&input);
    format_picture_clear (&output);
  }
}

/* Differences of bands are up to twice as large as those of frames, and take
 * weights to where they vanish. */
static void
test_contrast (gconstpointer data)
{
  const OclVariant *variant = data;
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_multiresolution_class, variant);
  g_autofree OclMultiresolutionParams *params = create_params (0);
  g_autoptr (GRand) random = test_random_new (1);
  FormatPicture input;

  params->n_octaves = 2;
  params->spatial_sigma = 0.3;
  params->intensity_sigma = 0.107;
  params->radius = 3;
  params->show_band = -1;
  params->color_mode = OCL_BILATERAL_COLOR_INTENSITY;
  set (params, "spatial-sigmas", "<>");
  set (params, "intensity-sigmas", "<>");
  set (params, "gains", "<>");
  format_picture_init (&input, format, 64, 40);
  for (gint n = 0; n < 64 * 40; n++)
    format_picture_set_component (&input, 0, n % 64, n / 64,
        g_rand_boolean (random) ? 255 : 0);
  format_check_picture (operation, params, &input, OCL_STORAGE_BUFFER, FALSE);
  format_picture_clear (&input);
}

/* Bits above the level, which should be 0, take no weight below where weights
 * vanish: what comes out is what the plain variant makes of it. */
static void
test_bits_above (gconstpointer data)
{
  const OclVariant *variants[] =
      { ocl_multiresolution_class.variants[0], data };
  const OclFormat *format = ocl_format_find ("I420_10LE");
  g_autofree OclMultiresolutionParams *params =
      ocl_operation_class_create_params (&ocl_multiresolution_class);
  FormatPicture input, outputs[2];

  params->intensity_sigma = 0.3;
  format_picture_init (&input, format, 37, 13);
  format_picture_fill (&input, 5);
  guint16 *row = (guint16 *) format_picture_get_row (&input, 0, 6);
  row[11] = 0xffff;
  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclOperation) operation = format_create_operation (context,
        &ocl_multiresolution_class, variants[i]);

    format_picture_init (&outputs[i], format, 37, 13);
    format_picture_run (operation, params, &input, &outputs[i],
        OCL_STORAGE_BUFFER);
  }
  for (gint n = 0; n < 37 * 13; n++) {
    const gint wanted = format_picture_get_component (&outputs[0], 0, n % 37,
        n / 37);
    const gint found = format_picture_get_component (&outputs[1], 0, n % 37,
        n / 37);

    g_assert_cmpint (found, <=, 1023);
    g_assert_cmpint (ABS (found - wanted), <=, 1);
  }
  format_picture_clear (&input);
  format_picture_clear (&outputs[0]);
  format_picture_clear (&outputs[1]);
}

/* Pyramids by themselves. */

typedef struct
{
  const gchar *name;
  const OclVariant *variant;
  OclStorage storage;
  gboolean for_cpu;
} Way;

static const Way ways[] = {
  {"plain", &ocl_pyramid_plain, OCL_STORAGE_BUFFER, FALSE},
  {"rows", &ocl_pyramid_rows, OCL_STORAGE_BUFFER, TRUE},
  {"tiled-buffer", &ocl_pyramid_tiled, OCL_STORAGE_BUFFER, FALSE},
  {"tiled-image", &ocl_pyramid_tiled, OCL_STORAGE_IMAGE, FALSE},
  {"tiled-image-array", &ocl_pyramid_tiled, OCL_STORAGE_IMAGE_ARRAY, FALSE},
  {"tiled-image-buffer", &ocl_pyramid_tiled, OCL_STORAGE_IMAGE_BUFFER, FALSE},
};

/* NULL where the device cannot have it. */
static OclPyramid *
create_pyramid (const Way * way, const OclBuild * build)
{
  g_autoptr (GError) error = NULL;
  OclPyramid *pyramid = ocl_pyramid_new (context, way->variant, build,
      way->storage, &error);

  if (!pyramid)
    g_test_message ("%s: %s", way->name, error->message);
  return pyramid;
}

/* Takes apart and puts together; what comes out is what went in, to the last
 * bit. */
static void
check_pyramid (OclPyramid * pyramid, const OclFormat * format,
    const OclPass * pass, gint width, gint height)
{
  static const gdouble ones[] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
  const OclBorder border = {.mode = (width + height) % 5,
    .color = FORMAT_BORDER_COLOR
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  FormatPicture input, output;
  GError *error = NULL;

  format_picture_init (&input, format, width, height);
  format_picture_init (&output, format, width, height);
  format_picture_fill (&input, width * 100 + height);
  OclFrame in = format_picture_create_frame (&input, context,
      OCL_STORAGE_BUFFER);
  OclFrame out = format_picture_create_frame (&output, context,
      OCL_STORAGE_BUFFER);
  const guint n_octaves = MIN (OCL_PYRAMID_MAX_OCTAVES,
      ocl_pyramid_count_octaves (ocl_pass_get_width (pass, &in),
          ocl_pass_get_height (pass, &in)));
  gboolean ok = ocl_pyramid_enqueue_decompose (pyramid, &in, n_octaves, &border,
      timer, &error)
      && ocl_pyramid_enqueue_reconstruct (pyramid, &in, &out, ones, 0.0,
      &border, timer, &error);
  assert_ok (ok, error);
  format_picture_download (&output, context, &out);
  for (guint i = 0; i < pass->n_channels; i++)
    format_picture_assert_copied (&output, &input, pass->first_channel + i);
  ocl_frame_clear (&in);
  ocl_frame_clear (&out);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

static void
check_reconstruction (const Way * way, const gchar * name, OclPlanes planes,
    gint most, gint step)
{
  const OclFormat *format = ocl_format_find (name);
  OclBuild build = {.format = format,.storage = OCL_STORAGE_BUFFER };
  OclPass passes[OCL_MAX_PASSES];

  g_assert_cmpuint (ocl_passes_init (passes, format, planes, TRUE), ==, 1);
  build.pass = passes[0];
  ocl_tuning_init (&build.tuning, way->variant->tunables);
  g_autoptr (OclPyramid) pyramid = create_pyramid (way, &build);
  if (!pyramid) {
    g_test_skip ("the device cannot run it");
    return;
  }
  for (gint height = 1; height <= most; height += step) {
    for (gint width = 1; width <= most; width += step)
      check_pyramid (pyramid, format, &passes[0], width, height);
  }
  if (!is_left_out (OCL_STORAGE_IMAGE)) {
    check_pyramid (pyramid, format, &passes[0], 1283, 719);
    check_pyramid (pyramid, format, &passes[0], 4, 2049);
  }
}

/* A CPU's driver takes long for pixels one at a time. */
static void
test_reconstruction (gconstpointer data)
{
  const Way *way = data;
  const gboolean slow = context->device->type & CL_DEVICE_TYPE_CPU
      && !way->for_cpu;
  const gint most = is_left_out (OCL_STORAGE_IMAGE) ? 9 : 70;

  check_reconstruction (way, "GRAY8", OCL_PLANES_ALL, most, 1);
  check_reconstruction (way, "RGBA", OCL_PLANES_ALL, most, slow ? 23 : 5);
  if (slow)
    return;
  check_reconstruction (way, "I420", OCL_PLANES_CHROMA, most, 7);
  check_reconstruction (way, "GRAY16_LE", OCL_PLANES_ALL, most, 9);
  check_reconstruction (way, "ARGB64", OCL_PLANES_ALL, most, 11);
}

/* As many as halve the longer side to one pixel; one at least. */
static void
test_octaves (void)
{
  OclMultiresolutionParams params = {.n_octaves = 5 };

  g_assert_cmpuint (ocl_pyramid_count_octaves (1, 1), ==, 1);
  g_assert_cmpuint (ocl_pyramid_count_octaves (2, 1), ==, 1);
  g_assert_cmpuint (ocl_pyramid_count_octaves (3, 1), ==, 2);
  g_assert_cmpuint (ocl_pyramid_count_octaves (64, 65), ==, 7);
  g_assert_cmpuint (ocl_multiresolution_get_n_octaves (&params, 1280, 720), ==,
      5);
  g_assert_cmpuint (ocl_multiresolution_get_n_octaves (&params, 4, 1), ==, 2);
}

/* Nothing to do, and what there is to do for each reason. */
static void
test_neutral (void)
{
  static const gchar *const changes[][2] = {
    {"intensity-sigma", "0.1"}, {"intensity-sigmas", "<0,0,0.1>"},
    {"gains", "<1,1,1,1,1,0.5>"}, {"show-band", "2"},
  };
  const OclOperationClass *klass = &ocl_multiresolution_class;
  OclMultiresolutionParams params;

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    ocl_params_init (klass->params, &params);
    g_assert_false (ocl_operation_class_is_neutral (klass, &params));
    params.intensity_sigma = 0.0;
    g_assert_true (ocl_operation_class_is_neutral (klass, &params));
    set (&params, changes[i][0], changes[i][1]);
    g_assert_false (ocl_operation_class_is_neutral (klass, &params));
  }
  /* What is beyond the last band has no effect. */
  ocl_params_init (klass->params, &params);
  params.radius = 0;
  params.n_octaves = 2;
  set (&params, "gains", "<1,1,1,5>");
  g_assert_true (ocl_operation_class_is_neutral (klass, &params));
}

static void
add_tests (const OclVariant * variant)
{
  g_autofree gchar *bands =
      g_strdup_printf ("/multiresolution/%s/bands", variant->name);
  g_autofree gchar *constant =
      g_strdup_printf ("/multiresolution/%s/constant", variant->name);
  g_autofree gchar *contrast =
      g_strdup_printf ("/multiresolution/%s/contrast", variant->name);
  g_autofree gchar *bits_above =
      g_strdup_printf ("/multiresolution/%s/bits-above", variant->name);

  g_test_add_data_func (bands, variant, test_bands);
  g_test_add_data_func (constant, variant, test_constant);
  g_test_add_data_func (contrast, variant, test_contrast);
  g_test_add_data_func (bits_above, variant, test_bits_above);
}

int
main (int argc, char **argv)
{
  const OclOperationClass *klass = &ocl_multiresolution_class;

  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  g_test_add_func ("/multiresolution/octaves", test_octaves);
  g_test_add_func ("/multiresolution/neutral", test_neutral);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autofree gchar *name = g_strdup_printf ("/multiresolution/pyramid/%s",
        ways[i].name);

    g_test_add_data_func (name, &ways[i], test_reconstruction);
  }
  for (guint i = 0; klass->variants[i]; i++) {
    if (can_run (context, klass, klass->variants[i]))
      add_tests (klass->variants[i]);
  }

  int status = g_test_run ();
  ocl_context_unref (context);
  return status;
}
