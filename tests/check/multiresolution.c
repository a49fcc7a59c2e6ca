/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests specific to the multiresolution filter: the number of pyramid levels,
 * and that pyramids reconstruct the frame from which they were made. */

#include <string.h>

#include "testcase.h"
#include "opencl/pyramid/oclmultiresolution.h"
#include "opencl/pyramid/oclpyramid.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclMultiresolutionParams, ocl_params_free);

TEST_CONTEXT ();

static void
set (OclMultiresolutionParams * params, const gchar * name, const gchar * text)
{
  const OclOperationClass *klass = &ocl_multiresolution_class;

  g_assert_true (ocl_operation_class_parse (klass,
          ocl_params_find (klass->params, name), text, params));
}

/* Bits above the level, which should be 0, take no weight below where weights
 * vanish: the result equals that of the plain variant. */
TEST_VARIANTS (&ocl_multiresolution_class, test_bits_above)
{
  const OclVariant *variants[] =
      { ocl_multiresolution_class.variants[0], variant };
  const OclFormat *format = ocl_format_find ("I420_10LE");
  g_autoptr (OclMultiresolutionParams) params =
      ocl_operation_class_create_params (&ocl_multiresolution_class);
  Picture outputs[2];

  params->intensity_sigma = 0.3;
  g_auto (Picture) input = picture_new_scene (format, 37, 13, 5);
  guint16 *row = (guint16 *) picture_get_row (&input, 0, 6);
  row[11] = 0xffff;
  for (guint i = 0; i < 2; i++) {
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_multiresolution_class, variants[i], NULL);

    outputs[i] = picture_new (format, 37, 13);
    picture_run (operation, params, &input, &outputs[i], OCL_STORAGE_BUFFER);
  }
  for (gint n = 0; n < 37 * 13; n++) {
    const gint wanted = picture_get_component (&outputs[0], 0, n % 37, n / 37);
    const gint found = picture_get_component (&outputs[1], 0, n % 37, n / 37);

    g_assert_cmpint (found, <=, 1023);
    g_assert_cmpint (ABS (found - wanted), <=, 1);
  }
  picture_clear (&outputs[0]);
  picture_clear (&outputs[1]);
}

/* Memory that is kept between frames grows with them, also where planes are
 * smaller than the frame. */
TEST_VARIANTS (&ocl_multiresolution_class, test_larger_frames)
{
  g_autoptr (OclMultiresolutionParams) params =
      ocl_operation_class_create_params (&ocl_multiresolution_class);
  g_autoptr (OclFilter) operation = create_forced (context,
      &ocl_multiresolution_class, variant, NULL);

  params->planes = OCL_PLANES_CHROMA;
  set (params, "gains", "<3,2>");
  for (gint width = 50; width <= 90; width += 40)
    check_scene (operation, params, ocl_format_find ("I420"),
        OCL_STORAGE_BUFFER, width, 20);
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

/* Decomposes and reconstructs. The output equals the input, to the last bit. */
static void
check_pyramid (OclPyramid * pyramid, const OclFormat * format,
    const OclPass * pass, gint width, gint height)
{
  static const gdouble ones[] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
  const OclBorder border = {.mode = (width + height) % 5,
    .color = HARNESS_BORDER_COLOR
  };
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  g_auto (Picture) input =
      picture_new_scene (format, width, height, width * 100 + height);
  g_auto (Picture) output = picture_new_like (&input);

  g_auto (OclFrame) in = picture_create_frame (&input, context,
      OCL_STORAGE_BUFFER);
  g_auto (OclFrame) out = picture_create_frame (&output, context,
      OCL_STORAGE_BUFFER);
  const guint n_levels = MIN (OCL_PYRAMID_MAX_LEVELS,
      ocl_pyramid_count_levels (ocl_pass_get_width (pass, &in.info),
          ocl_pass_get_height (pass, &in.info)));
  ASSERT_OK (ocl_pyramid_enqueue_decompose (pyramid, &in, n_levels, &border,
          timer, &error)
      && ocl_pyramid_enqueue_reconstruct (pyramid, &in, &out, ones, 0.0,
          &border, timer, &error));
  picture_download (&output, context, &out);
  for (guint i = 0; i < pass->n_channels; i++)
    picture_assert_copied (&output, &input, pass->first_channel + i);
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

/* As many as halve the longer side to one pixel, and at least one. */
TEST (test_levels)
{
  OclMultiresolutionParams params = {.n_levels = 5 };

  g_assert_cmpuint (ocl_pyramid_count_levels (1, 1), ==, 1);
  g_assert_cmpuint (ocl_pyramid_count_levels (2, 1), ==, 1);
  g_assert_cmpuint (ocl_pyramid_count_levels (3, 1), ==, 2);
  g_assert_cmpuint (ocl_pyramid_count_levels (64, 65), ==, 7);
  g_assert_cmpuint (ocl_multiresolution_get_n_levels (&params, 1280, 720), ==,
      5);
  g_assert_cmpuint (ocl_multiresolution_get_n_levels (&params, 4, 1), ==, 2);
}

/* Neutral settings, and each reason why settings are not neutral. */
TEST (test_neutral)
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
  /* Values after the last band have no effect. */
  ocl_params_init (klass->params, &params);
  params.radius = 0;
  params.n_levels = 2;
  set (&params, "gains", "<1,1,1,5>");
  g_assert_true (ocl_operation_class_is_neutral (klass, &params));
}

void
test_set_up (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    testcase_add_data (test_reconstruction, &ways[i], "pyramid/%s",
        ways[i].name);
}
