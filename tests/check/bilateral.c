/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests specific to the bilateral filter: frames that take several launches,
 * samples above the largest level, and its approximation, whose variants must
 * have the PSNR against the float64 reference that oclbilateral.h promises. */

#include <math.h>
#include <string.h>

#include "testcase.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "references.h"
#include "testrandom.h"

TEST_CONTEXT ();

static OclBilateralParams
make_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.spatial_sigma = spatial_sigma;
  params.intensity_sigma = intensity_sigma;
  params.radius = radius;
  params.color_mode = OCL_BILATERAL_COLOR_INTENSITY;
  params.border.color = HARNESS_BORDER_COLOR;
  return params;
}

static OclBilateralParams
make_fast_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius)
{
  OclBilateralParams params = make_params (spatial_sigma, intensity_sigma,
      radius);

  params.window = OCL_BILATERAL_WINDOW_DISC;
  params.method = OCL_BILATERAL_METHOD_FAST;
  return params;
}

/* Returns an operation with the variant @name, or skips the test. */
static OclFilter *
create_operation (const gchar * name, const OclTuning * tuning)
{
  const OclVariant *variant = ocl_operation_class_find_variant
      (&ocl_bilateral_class, name);

  g_assert_nonnull (variant);
  if (can_run (context, &ocl_bilateral_class, variant))
    return create_forced (context, &ocl_bilateral_class, variant, tuning);
  g_test_skip ("the device cannot run it");
  return NULL;
}

TEST (test_neutral)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
    gboolean neutral;
  } cases[] = {
    {2.0, 0.25, -1, FALSE}, {0.0, 0.25, -1, TRUE}, {0.0, 0.25, 3, TRUE},
    {0.3, 0.25, 3, FALSE}, {0.3, 0.25, -1, TRUE}, {2.0, 0.0, -1, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const OclBilateralParams params = make_params (cases[i].spatial_sigma,
        cases[i].intensity_sigma, cases[i].radius);

    g_assert_cmpint (ocl_operation_class_is_neutral (&ocl_bilateral_class,
            &params), ==, cases[i].neutral);
  }
}

/* The expanded variants are for windows that are large enough, for sigmas of
 * which floats have the exponentials, and for their formats and colour modes. */
TEST (test_expanded_limits)
{
  static const struct
  {
    gint radius;
    gdouble spatial_sigma, intensity_sigma;
    OclBilateralWindow window;
    gboolean served;
  } cases[] = {
    {2, 2.0, 0.25, OCL_BILATERAL_WINDOW_SQUARE, TRUE},
    {1, 2.0, 0.25, OCL_BILATERAL_WINDOW_SQUARE, FALSE},
    {7, 2.0, 0.25, OCL_BILATERAL_WINDOW_DISC, FALSE},
    {8, 2.0, 0.25, OCL_BILATERAL_WINDOW_DISC, TRUE},
    {8, 2.0, 0.039, OCL_BILATERAL_WINDOW_DISC, FALSE},
    {8, 2.0, 1e7, OCL_BILATERAL_WINDOW_DISC, FALSE},
    {8, 8.0 / 6.6, 0.1, OCL_BILATERAL_WINDOW_SQUARE, TRUE},
    {8, 8.0 / 6.7, 0.1, OCL_BILATERAL_WINDOW_SQUARE, FALSE},
  };
  const OclVariant *variants[] = { &ocl_bilateral_expanded,
    &ocl_bilateral_expanded_rgb
  };
  const OclFormat *formats[] = { ocl_format_find ("GRAY8"), OCL_FORMAT_RGBA };

  for (guint n = 0; n < 2; n++) {
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
      OclBilateralParams params = make_params (cases[i].spatial_sigma,
          cases[i].intensity_sigma, cases[i].radius);

      params.window = cases[i].window;
      g_assert_cmpint (can_run_all_passes (&ocl_bilateral_class, variants[n],
              &params, formats[n]), ==, cases[i].served);
      g_assert_false (can_run_all_passes (&ocl_bilateral_class, variants[n],
              &params, formats[1 - n]));
      for (gint mode = 0; cases[i].served && mode <= OCL_BILATERAL_COLOR_LAB;
          mode++) {
        params.color_mode = mode;
        g_assert_cmpint (can_run_all_passes (&ocl_bilateral_class, variants[n],
                &params, formats[n]), ==,
            n == 0 || mode == OCL_BILATERAL_COLOR_INTENSITY);
      }
    }
  }
}

/* Asserts that all rows but the first and last @margin of parts of a frame are
 * the rows of the whole frame. Parts start every @step rows. */
static void
check_strips (OclFilter * operation, const OclBilateralParams * params,
    Picture * whole, gint part_height, gint step, gint margin)
{
  const OclFrame *frame = &whole->frame;
  const gsize row_bytes = ocl_frame_info_get_row_bytes (&frame->info, 0);
  g_auto (Picture) output =
      picture_new (frame->info.format, frame->info.width, frame->info.height);

  picture_run (operation, params, whole, &output, OCL_STORAGE_BUFFER);
  for (gint y = 0; y + part_height <= frame->info.height; y += step) {
    g_auto (Picture) part =
        picture_new (frame->info.format, frame->info.width, part_height);
    g_auto (Picture) part_output =
        picture_new (frame->info.format, frame->info.width, part_height);

    for (gint i = 0; i < part_height; i++)
      memcpy (picture_get_row (&part, 0, i), picture_get_row (whole, 0, y + i),
          row_bytes);
    picture_run (operation, params, &part, &part_output, OCL_STORAGE_BUFFER);
    for (gint i = margin; i < part_height - margin; i++)
      g_assert_cmpmem (picture_get_row (&part_output, 0, i), row_bytes,
          picture_get_row (&output, 0, y + i), row_bytes);
  }
}

static void
check_exact_strips (const gchar * variant, const OclBilateralParams * params,
    gint height)
{
  g_autoptr (OclFilter) operation = create_operation (variant, NULL);

  if (!operation)
    return;
  g_auto (Picture) whole = picture_new_scene (OCL_FORMAT_RGBA, 4096, height, 3);
  check_strips (operation, params, &whole, 64, 64 - 2 * params->radius,
      params->radius);
}

TEST (test_strips_of_rows)
{
  OclBilateralParams params = make_params (1.0, 0.2, 2);

  params.color_mode = OCL_BILATERAL_COLOR_LAB;
  check_exact_strips ("rows", &params, 1600);
}

/* A launch of the tiled kernel has up to 10^8 taps for each compute unit. */
TEST (test_strips_of_tiled)
{
  const OclBilateralParams params = make_params (5.0, 0.2, 10);
  const gdouble n_rows = context->device->n_units * 1e8 / (21 * 21 * 4096);

  check_exact_strips ("tiled", &params, n_rows + 64);
}

/* Samples above the largest level, which are invalid, change no other sample by
 * more than a level, and none is written. */
TEST (test_bits_above)
{
  const OclBilateralParams params = make_params (2.0, 0.25, -1);

  for (guint i = 0; ocl_formats[i]; i++) {
    const OclFormat *format = ocl_formats[i];
    const gint max_level = ocl_format_get_max_level (format);
    const OclVariant *variant;
    g_auto (Picture) first = { 0, };

    if (ocl_format_get_largest_difference (format) <= (guint) max_level)
      continue;
    g_auto (Picture) input = picture_new_scene (format, 37, 13, 5);
    ((guint16 *) picture_get_row (&input, 0, 6))[11] = 0xffff;
    for (guint n = 0; (variant = ocl_bilateral_class.variants[n]); n++) {
      g_autoptr (OclFilter) operation = create_forced (context,
          &ocl_bilateral_class, variant, NULL);

      if (variant->flags & OCL_VARIANT_APPROXIMATE
          || (n > 0 && !(variant->flags & OCL_VARIANT_FOR_CPU)
              && !g_str_equal (format->name, "I420_10LE"))
          || !can_run_all_passes (&ocl_bilateral_class, variant, &params,
              format)
          || !can_run (context, &ocl_bilateral_class, variant))
        continue;
      Picture output = picture_filter (operation, &params, &input,
          OCL_STORAGE_BUFFER);
      if (n == 0)
        first = output;
      for (guint c = 0; c < picture_count_channels (format); c++) {
        const gint width = picture_get_width (&output, c);

        for (gint k = 0; k < width * picture_get_height (&output, c); k++) {
          const gint found = picture_get_component (&output, c, k % width,
              k / width);
          const gint wanted = picture_get_component (&first, c, k % width,
              k / width);

          g_assert_cmpint (found >> format->shift, <=, max_level);
          g_assert_cmpint (ABS (found - wanted), <=, 1 << format->shift);
        }
      }
      if (n > 0)
        picture_clear (&output);
    }
  }
}

/* Returns whether the approximation is chosen. */
static gboolean
is_fast_chosen (const OclBilateralParams * params)
{
  OclPass passes[OCL_MAX_PASSES];

  ocl_operation_class_get_passes (&ocl_bilateral_class, params,
      OCL_FORMAT_RGBA, passes);
  const OclVariant *variant = ocl_bilateral_class.choose (params,
      OCL_FORMAT_RGBA, &passes[0], context->device);

  g_assert_true (variant == NULL || variant
      == (context->device->type & CL_DEVICE_TYPE_CPU ? &ocl_bilateral_fast
          : &ocl_bilateral_fast_tiled));
  return variant != NULL;
}

TEST (test_methods)
{
  OclBilateralParams params = make_fast_params (16.0, 0.25, -1);

  params.method = OCL_BILATERAL_METHOD_EXACT;
  g_assert_false (is_fast_chosen (&params));
  params.method = OCL_BILATERAL_METHOD_AUTO;
  params.max_error = 40.0;
  g_assert_true (is_fast_chosen (&params));
  params.max_error = OCL_BILATERAL_FAST_PSNR + 0.1;
  g_assert_false (is_fast_chosen (&params));
  params.method = OCL_BILATERAL_METHOD_FAST;
  g_assert_true (is_fast_chosen (&params));
}

/* Parameters for which there is no approximation, or for which it is slower on
 * a CPU. */
TEST (test_methods_range)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
    OclBilateralColorMode color_mode;
    gboolean fast, automatic;
  } cases[] = {
    {16.0, 0.25, -1, OCL_BILATERAL_COLOR_PER_CHANNEL, FALSE, FALSE},
    {16.0, 0.25, -1, OCL_BILATERAL_COLOR_LAB, FALSE, FALSE},
    {4.9, 0.25, 20, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 0.25, 9, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 0.02, -1, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {16.0, 1e-300, -1, OCL_BILATERAL_COLOR_INTENSITY, FALSE, FALSE},
    {5.0, 0.25, -1, OCL_BILATERAL_COLOR_INTENSITY, TRUE, TRUE},
    /* 16 cosines, 800 taps: 15² π = 707, 16² π = 804 */
    {16.0, 0.05, 15, OCL_BILATERAL_COLOR_INTENSITY, TRUE, FALSE},
    {16.0, 0.05, 16, OCL_BILATERAL_COLOR_INTENSITY, TRUE, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    OclBilateralParams params = make_fast_params (cases[i].spatial_sigma,
        cases[i].intensity_sigma, cases[i].radius);

    params.color_mode = cases[i].color_mode;
    g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].fast);
    params.method = OCL_BILATERAL_METHOD_AUTO;
    if (context->device->type & CL_DEVICE_TYPE_CPU)
      g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].automatic);
  }
}

/* Returns a picture with a soft gradient, hard edges and thin lines, and noise of
 * this sigma. */
static Picture
draw_noisy (gint width, gint height, gdouble noise)
{
  Picture picture = picture_new_scene (OCL_FORMAT_RGBA, width, height, 1);
  g_autoptr (GRand) random = test_random_new (width);

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      const gdouble level = 60.0 + 50.0 * sin (x * 0.05) * cos (y * 0.03)
          + (x / 23 + y / 17) % 2 * 90 + ((x + 2 * y) % 31 == 0 ? 50 : 0);

      for (guint c = 0; c < 3; c++)
        picture_set_level (&picture, c, x, y, CLAMP (rint (level
                    * (1.0 - 0.2 * c) + noise * test_random_normal (random)),
                0, 255));
    }
  }
  return picture;
}

/* Asserts that each approximation has the promised PSNR, in buffers, and gives
 * the same bytes in images. */
static void
check_fast (const OclBilateralParams * params, Picture * input)
{
  const OclFrame *frame = &input->frame;
  const gsize n_samples = (gsize) frame->info.width * frame->info.height;
  g_autofree gdouble *samples = g_new (gdouble, 3 * n_samples);
  gdouble *const levels[3] = {
    samples, samples + n_samples, samples + 2 * n_samples
  };
  const OclVariant *variant;

  if (!is_left_out (OCL_STORAGE_IMAGE))
    reference_find ("bilateral")->filter (params, input, levels);
  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_bilateral_class, variant, NULL);
    Accuracy accuracy = { 0.0, };
    Picture outputs[OCL_N_STORAGES];
    g_autofree gchar *fault = NULL;

    if (!(variant->flags & OCL_VARIANT_APPROXIMATE)
        || !can_run (context, &ocl_bilateral_class, variant))
      continue;
    for (guint n = 0; n < OCL_N_STORAGES; n++) {
      outputs[n] = picture_new (frame->info.format, frame->info.width,
          frame->info.height);
      if (!is_left_out (n))
        picture_run (operation, params, input, &outputs[n], n);
    }
    if (!is_left_out (OCL_STORAGE_IMAGE)) {
      fault = harness_compare (&ocl_bilateral_class, params, input, &outputs[0],
          levels, TRUE, &accuracy);
      g_assert_cmpstr (fault, ==, NULL);
      g_test_message ("%s, sigmas %g and %g, radius %d: %.1f dB",
          variant->name, params->spatial_sigma, params->intensity_sigma,
          params->radius, accuracy.psnr);
      g_assert_cmpfloat (accuracy.psnr, >=, OCL_BILATERAL_FAST_PSNR);
      picture_assert_equal (&outputs[1], &outputs[0], "images");
    }
    for (guint n = 0; n < OCL_N_STORAGES; n++)
      picture_clear (&outputs[n]);
  }
}

static void
check_fast_picture (const OclBilateralParams * params, gint width, gint height,
    gdouble noise)
{
  g_auto (Picture) input = draw_noisy (width, height, noise);

  check_fast (params, &input);
}

/* A flat picture stays, to the last bit. */
TEST (test_fast_flat)
{
  static const gdouble sigmas[][2] = { {5.0, 0.0221}, {16.0, 0.25}, {50.0, 10.0}
  };
  const OclVariant *variant;

  g_auto (Picture) input = picture_new (OCL_FORMAT_RGBA, 33, 12);
  g_auto (Picture) output = picture_new (OCL_FORMAT_RGBA, 33, 12);
  picture_fill_with (&input, PICTURE_FLAT, 1);
  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    if (!(variant->flags & OCL_VARIANT_APPROXIMATE)
        || !can_run (context, &ocl_bilateral_class, variant))
      continue;
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_bilateral_class, variant, NULL);
    for (guint n = 0; n < G_N_ELEMENTS (sigmas); n++) {
      const OclBilateralParams params = make_fast_params (sigmas[n][0],
          sigmas[n][1], -1);

      g_assert_true (is_fast_chosen (&params));
      picture_run (operation, &params, &input, &output, OCL_STORAGE_BUFFER);
      picture_assert_equal (&output, &input, variant->name);
    }
  }
}

/* Each layout of the nodes once, in little time: for tools. */
TEST (test_fast_small)
{
  for (gdouble sigma = 5.0; sigma <= 40.0; sigma *= 2.0) {
    OclBilateralParams params = make_fast_params (sigma, 1.0, -1);

    params.border.mode = OCL_BORDER_WRAP;
    check_fast_picture (&params, 35, 9, 10.0);
  }
}

/* Every step between nodes, few cosines and many, windows that end early and
 * late, without noise and with strong noise. */
TEST (test_fast_sigmas)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
  } settings[] = {
    {5.0, 0.05, -1}, {9.9, 0.1, -1}, {10.0, 0.25, -1}, {9.9, 0.03, 60},
    {10.0, 0.25, 10}, {16.0, 0.25, -1}, {16.0, 0.05, 16}, {24.5, 0.1, -1},
    {32.0, 0.5, -1}, {50.0, 0.25, -1}, {50.0, 0.1, 31}, {12.0, 10.0, -1},
    {5.0, 10.0, 100},
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    OclBilateralParams params = make_fast_params (settings[i].spatial_sigma,
        settings[i].intensity_sigma, settings[i].radius);

    params.window = i % 2;
    check_fast_picture (&params, 61, 33, i % 3 * 12.5);
  }
}

/* In the largest window, whose weight multiplies the error of the cosines, a
 * white pixel on black stays. */
TEST (test_fast_outlier)
{
  static const gdouble sigmas[] = { 0.03, 0.1, 0.25 };
  g_auto (Picture) input = picture_new (OCL_FORMAT_RGBA, 81, 67);

  for (gint y = 0; y < 67; y++)
    memset (picture_get_row (&input, 0, y), 0, 4 * 81);
  memset (picture_get_row (&input, 0, 35) + 4 * 37, 255, 4);
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    const OclBilateralParams params =
        make_fast_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA, sigmas[i], -1);

    check_fast (&params, &input);
  }
}

/* Rows further from the ends of a part than the nodes reach, in parts that start
 * at a node. Strips are smallest with the first value of every tunable. */
TEST (test_fast_strips)
{
  const OclBilateralParams params = make_fast_params (5.0, 0.03, -1);
  const OclVariant *variant;
  g_auto (Picture) whole = draw_noisy (640, 480, 10.0);

  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    OclTuning tuning = { {0,}
    };

    if (!(variant->flags & OCL_VARIANT_APPROXIMATE)
        || !can_run (context, &ocl_bilateral_class, variant))
      continue;
    for (guint n = 0; variant->tunables && variant->tunables[n].macro; n++)
      tuning.values[n] = variant->tunables[n].values[0];
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_bilateral_class, variant, &tuning);
    check_strips (operation, &params, &whole, 96, 32, (3 + 2) * 4);
  }
}
