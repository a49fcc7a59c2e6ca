/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the variant of the bilateral filter for one channel, in images and in
 * buffers, against the float64 reference. Only the code is tested that this
 * variant does not share with the variants that are tested with all settings.
 *
 * Required accuracy: that of all exact variants, see bilateral.c and
 * formats.c. */

#include "exhaustive.h"
#include "formatcheck.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "picture.h"

#define LARGEST_SPECIAL 4       /* radius */
#define N_RADII 4

static OclContext *context;

static gboolean
is_served (const OclBilateralParams * params, const OclFormat * format)
{
  return serves_all_passes (&ocl_bilateral_class, &ocl_bilateral_expanded,
      params, format);
}

/* Sigmas and radii at the limits and between them, the largest of which needs
 * several tiles; frames that are smaller than a group, and larger. The first
 * @n_radii, in windows up to @last_window. */
static void
check_storage (const OclFormat * format, OclStorage storage,
    const OclTuning * tuning, guint n_radii, OclBilateralWindow last_window)
{
  static const gdouble intensity_sigmas[] = { 0.04, 0.25, 1e6 };
  static const gint radii[N_RADII] = { 2, 5, 8, 40 };
  static const gint sizes[][2] = { {1, 1}, {3, 29}, {35, 27}, {70, 5} };
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  OclBilateralParams params;
  guint n = 0;

  ocl_operation_force (operation, &ocl_bilateral_expanded, tuning);
  ocl_params_init (ocl_bilateral_class.params, &params);
  params.planes = OCL_PLANES_LUMA;
  params.border.color = FORMAT_BORDER_COLOR;
  for (gint window = 0; window <= (gint) last_window; window++) {
    for (guint i = 0; i < n_radii; i++) {
      params.window = window;
      params.radius = radii[i];
      if (!is_served (&params, format))
        continue;
      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++, n++) {
        params.spatial_sigma = n % 2 ? radii[i] / 2.0 : 1.5;
        params.intensity_sigma =
            intensity_sigmas[n % G_N_ELEMENTS (intensity_sigmas)];
        params.border.mode = n % (OCL_BORDER_CONSTANT + 1);
        params.color_mode = n % 2;
        format_check (operation, &params, format, storage, sizes[j][0],
            sizes[j][1]);
      }
    }
  }
  g_assert_cmpuint (n, >=, 3 * G_N_ELEMENTS (sizes));
}

static void
test_format (gconstpointer data)
{
  const OclFormat *format = ocl_format_find (data);

  if (!can_run (context, &ocl_bilateral_class, &ocl_bilateral_expanded)) {
    g_test_skip ("the device cannot run it");
    return;
  }
  check_storage (format, OCL_STORAGE_BUFFER, NULL, N_RADII,
      OCL_BILATERAL_WINDOW_DISC);
  if (is_exhaustive () && !is_left_out (OCL_STORAGE_IMAGE)
      && format_has_images (context, format))
    check_storage (format, OCL_STORAGE_IMAGE, NULL, N_RADII,
        OCL_BILATERAL_WINDOW_SQUARE);
}

/* The bytes that @variant makes of noise. */
static void
run_variant (const OclVariant * variant, const OclBilateralParams * params,
    FormatPicture * output)
{
  const OclFrame *frame = &output->frame;
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  FormatPicture input;

  ocl_operation_force (operation, variant, NULL);
  format_picture_init (&input, frame->format, frame->width, frame->height);
  format_picture_fill (&input, params->radius);
  format_picture_run (operation, params, &input, output, OCL_STORAGE_BUFFER);
  format_picture_clear (&input);
}

/* The one that serves all radii. */
static guint
get_general_form (gconstpointer params, const OclFormat * format,
    guint forms[OCL_MAX_FORMS])
{
  guint all[OCL_MAX_FORMS];
  const guint n = ocl_bilateral_expanded.get_forms (params, format, all);

  forms[0] = all[n - 1];
  return 1;
}

static guint
count_forms (gconstpointer params, const OclFormat * format)
{
  guint forms[OCL_MAX_FORMS];

  return ocl_bilateral_expanded.get_forms (params, format, forms);
}

/* A program for one radius changes no byte of what the one for all makes, which
 * serves until it is there. */
static void
test_special (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  OclVariant general = ocl_bilateral_expanded;
  OclBilateralParams params;

  if (!can_run (context, &ocl_bilateral_class, &ocl_bilateral_expanded)) {
    g_test_skip ("the device cannot run it");
    return;
  }
  general.get_forms = get_general_form;
  ocl_params_init (ocl_bilateral_class.params, &params);
  for (params.radius = 2; params.radius <= LARGEST_SPECIAL; params.radius++) {
    FormatPicture special_output, general_output;

    g_assert_cmpuint (count_forms (&params, format), ==, 2);
    params.spatial_sigma = params.radius / 2.0;
    format_picture_init (&special_output, format, 70, 29);
    format_picture_init (&general_output, format, 70, 29);
    run_variant (&ocl_bilateral_expanded, &params, &special_output);
    run_variant (&general, &params, &general_output);
    format_picture_assert_equal (&special_output, &general_output, "special");
    format_picture_clear (&special_output);
    format_picture_clear (&general_output);
  }
  g_assert_cmpuint (count_forms (&params, format), ==, 1);
}

/* For tools that run kernels slowly. */
static void
test_small (void)
{
  if (!can_run (context, &ocl_bilateral_class, &ocl_bilateral_expanded)) {
    g_test_skip ("the device cannot run it");
    return;
  }
  check_storage (ocl_format_find ("GRAY8"), OCL_STORAGE_BUFFER, NULL, 3,
      OCL_BILATERAL_WINDOW_DISC);
}

/* All that may vary at its least, and at its most. */
static void
test_tunables (void)
{
  const OclTunable *table = ocl_bilateral_expanded.tunables;

  if (!can_run (context, &ocl_bilateral_class, &ocl_bilateral_expanded)) {
    g_test_skip ("the device cannot run it");
    return;
  }
  for (guint most = 0; most < 2; most++) {
    OclTuning tuning;

    for (guint i = 0; table[i].macro; i++) {
      const gint *value = table[i].values;

      while (most && value[1])
        value++;
      tuning.values[i] = *value;
    }
    check_storage (ocl_format_find ("GRAY8"), OCL_STORAGE_BUFFER, &tuning,
        N_RADII, OCL_BILATERAL_WINDOW_SQUARE);
  }
}

/* What it is not for. */
static void
test_limits (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.radius = 2;
  g_assert_true (is_served (&params, ocl_format_find ("GRAY8")));
  g_assert_false (is_served (&params, OCL_FORMAT_RGBA));
  params.radius = 1;
  g_assert_false (is_served (&params, ocl_format_find ("GRAY8")));
  params.radius = 7;
  params.window = OCL_BILATERAL_WINDOW_DISC;
  g_assert_false (is_served (&params, ocl_format_find ("GRAY8")));
  params.radius = 8;
  g_assert_true (is_served (&params, ocl_format_find ("GRAY8")));
  params.intensity_sigma = 0.039;
  g_assert_false (is_served (&params, ocl_format_find ("GRAY8")));
  params.intensity_sigma = 1e7;
  g_assert_false (is_served (&params, ocl_format_find ("GRAY8")));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/expanded/limits", test_limits);
  g_test_add_func ("/expanded/small", test_small);
  g_test_add_func ("/expanded/special", test_special);
  g_test_add_data_func ("/expanded/GRAY8", "GRAY8", test_format);
  if (is_exhaustive ()) {
    g_test_add_func ("/expanded/tunables", test_tunables);
    g_test_add_data_func ("/expanded/GRAY16_LE", "GRAY16_LE", test_format);
    g_test_add_data_func ("/expanded/NV12", "NV12", test_format);
  }
  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
