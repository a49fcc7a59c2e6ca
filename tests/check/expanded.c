/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the variants of the bilateral filter with an expanded square, for one
 * channel and for red, green and blue, in images and in buffers, against the
 * float64 reference. Only the code is tested that these variants do not share
 * with the variants that are tested with all settings.
 *
 * Required accuracy: that of all exact variants, see bilateral.c and
 * formats.c. */

#include "formatcheck.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "picture.h"

#define LARGEST_SPECIAL 4       /* radius */
/* Radii of which all tools run kernels fast enough, and of all. */
#define N_SMALL_RADII 3
#define N_RADII 4
#define GROUP_WIDTH 0           /* the first tunable */
/* The most spatial sigmas that a radius may have. */
#define LARGEST_WINDOW 6.6

typedef struct
{
  const OclVariant *variant;
  const gchar *format;
  gboolean takes_long;
} Case;

static const Case cases[] = {
  {&ocl_bilateral_expanded, "GRAY8"},
  {&ocl_bilateral_expanded, "GRAY16_LE", TRUE},
  {&ocl_bilateral_expanded, "NV12", TRUE},
  {&ocl_bilateral_expanded_rgb, "RGBA"},
  {&ocl_bilateral_expanded_rgb, "ARGB64", TRUE},
  {&ocl_bilateral_expanded_rgb, "RGB", TRUE},
};

static OclContext *context;

/* The variant of a case serves its luma or its colours. */
static gboolean
is_served (const Case * item, const OclBilateralParams * params)
{
  return serves_all_passes (&ocl_bilateral_class, item->variant, params,
      ocl_format_find (item->format));
}

/* Skips the test where it returns FALSE. */
static gboolean
can_run_case (const Case * item)
{
  const gboolean ok = can_run (context, &ocl_bilateral_class, item->variant);

  if (!ok)
    g_test_skip ("the device cannot run it");
  return ok;
}

/* Sigmas and radii at the limits and between them, the largest of which needs
 * several tiles; frames that are smaller than a group, and larger. Radii from
 * number @first on, before number @end, in windows up to @last_window. */
static void
check_storage (const Case * item, OclStorage storage, const OclTuning * tuning,
    guint first, guint end, OclBilateralWindow last_window)
{
  static const gdouble intensity_sigmas[] = { 0.04, 0.25, 1e6 };
  static const gint radii[N_RADII] = { 2, 5, 8, 40 };
  static const gint sizes[][2] = { {1, 1}, {3, 29}, {35, 27}, {70, 5} };
  const OclFormat *format = ocl_format_find (item->format);
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_bilateral_class, context);
  OclBilateralParams params;
  guint n = 0;

  ocl_operation_force (operation, item->variant, tuning);
  ocl_params_init (ocl_bilateral_class.params, &params);
  params.planes = OCL_PLANES_LUMA;
  params.border.color = FORMAT_BORDER_COLOR;
  for (gint window = 0; window <= (gint) last_window; window++) {
    for (guint i = first; i < end; i++) {
      params.window = window;
      params.radius = radii[i];
      params.spatial_sigma = radii[i] / 2.0;
      if (!is_served (item, &params))
        continue;
      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++, n++) {
        params.spatial_sigma = radii[i] / (n % 2 ? 2.0 : LARGEST_WINDOW);
        params.intensity_sigma =
            intensity_sigmas[n % G_N_ELEMENTS (intensity_sigmas)];
        params.border.mode = n % (OCL_BORDER_CONSTANT + 1);
        /* One channel is its own guide in all modes. */
        params.color_mode = item->variant == &ocl_bilateral_expanded && n % 2;
        g_assert_true (is_served (item, &params));
        format_check (operation, &params, format, storage, sizes[j][0],
            sizes[j][1]);
      }
    }
  }
  g_assert_cmpuint (n, >=, (end - first) * G_N_ELEMENTS (sizes));
}

static void
check_radii (const Case * item, guint first, guint end)
{
  if (!can_run_case (item))
    return;
  check_storage (item, OCL_STORAGE_BUFFER, NULL, first, end,
      OCL_BILATERAL_WINDOW_DISC);
  if (!is_left_out (OCL_STORAGE_IMAGE)
      && format_has_images (context, ocl_format_find (item->format)))
    check_storage (item, OCL_STORAGE_IMAGE, NULL, first, end,
        OCL_BILATERAL_WINDOW_SQUARE);
}

static void
test_small (gconstpointer data)
{
  check_radii (data, 0, N_SMALL_RADII);
}

static void
test_large (gconstpointer data)
{
  check_radii (data, N_SMALL_RADII, N_RADII);
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
test_special (gconstpointer data)
{
  const Case *item = data;
  const OclFormat *format = ocl_format_find (item->format);
  OclVariant general = *item->variant;
  OclBilateralParams params;

  if (!can_run_case (item))
    return;
  general.get_forms = get_general_form;
  ocl_params_init (ocl_bilateral_class.params, &params);
  for (params.radius = 2; params.radius <= LARGEST_SPECIAL; params.radius++) {
    FormatPicture special_output, general_output;

    g_assert_cmpuint (count_forms (&params, format), ==, 2);
    params.spatial_sigma = params.radius / 2.0;
    format_picture_init (&special_output, format, 70, 29);
    format_picture_init (&general_output, format, 70, 29);
    run_variant (item->variant, &params, &special_output);
    run_variant (&general, &params, &general_output);
    format_picture_assert_equal (&special_output, &general_output, "special");
    format_picture_clear (&special_output);
    format_picture_clear (&general_output);
  }
  g_assert_cmpuint (count_forms (&params, format), ==, 1);
}

/* All that may vary at its least, and at its most. Groups that are both wide
 * and high have more work-items than some devices take. */
static void
test_tunables (gconstpointer data)
{
  const Case *item = data;
  const OclTunable *table = item->variant->tunables;

  if (!can_run_case (item))
    return;
  for (guint most = 0; most < 2; most++) {
    OclTuning tuning;

    for (guint i = 0; table[i].macro; i++) {
      const gint *value = table[i].values;

      while (value[1] && (i == GROUP_WIDTH ? !most : most))
        value++;
      tuning.values[i] = *value;
    }
    check_storage (item, OCL_STORAGE_BUFFER, &tuning, 0, N_RADII,
        OCL_BILATERAL_WINDOW_SQUARE);
  }
}

/* A variant serves no other formats and modes, no window that is too small for
 * it, and no sigmas for which floats have no room. */
static void
test_limits (gconstpointer data)
{
  const Case *item = data;
  const gboolean is_rgb = item->variant == &ocl_bilateral_expanded_rgb;
  const Case other = { item->variant, is_rgb ? "GRAY8" : "RGBA" };
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.radius = 2;
  g_assert_true (is_served (item, &params));
  g_assert_false (is_served (&other, &params));
  params.radius = 1;
  g_assert_false (is_served (item, &params));
  params.radius = 7;
  params.window = OCL_BILATERAL_WINDOW_DISC;
  g_assert_false (is_served (item, &params));
  params.radius = 8;
  g_assert_true (is_served (item, &params));
  params.intensity_sigma = 0.039;
  g_assert_false (is_served (item, &params));
  params.intensity_sigma = 1e7;
  g_assert_false (is_served (item, &params));
  params.intensity_sigma = 0.1;
  params.spatial_sigma = 8.0 / LARGEST_WINDOW;
  g_assert_true (is_served (item, &params));
  params.spatial_sigma = 8.0 / (LARGEST_WINDOW + 0.1);
  g_assert_false (is_served (item, &params));
  params.spatial_sigma = 4.0;
  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    params.color_mode = mode;
    g_assert_cmpint (is_served (item, &params), ==,
        !is_rgb || mode == OCL_BILATERAL_COLOR_INTENSITY);
  }
}

static void
add_test (const gchar * name, const Case * item, GTestDataFunc function)
{
  g_autofree gchar *path =
      g_strdup_printf ("/expanded/%s/%s", name, item->format);

  g_test_add_data_func (path, item, function);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *item = &cases[i];

    add_test ("small", item, test_small);
    if (item->takes_long)
      continue;
    add_test ("large", item, test_large);
    add_test ("limits", item, test_limits);
    add_test ("special", item, test_special);
    add_test ("tunables", item, test_tunables);
  }
  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
