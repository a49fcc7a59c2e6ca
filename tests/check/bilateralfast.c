/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the approximation of the bilateral filter: each of its variants, in
 * images and in buffers, must have the PSNR against the float64 reference that
 * the header of the approximation promises. Also tests when the approximation
 * is chosen.
 *
 * The environment variable GLOPENCL_TEST_STORAGE=buffer leaves out images, for
 * tools that run kernels on buffers only. */

#include <math.h>
#include <string.h>

#include "bilateralcheck.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "references.h"
#include "testrandom.h"

static OclContext *context;

#define MAX_VARIANTS 2

/* Approximations that the device can run, in every storage. */
static Combination combinations[MAX_VARIANTS][OCL_N_STORAGES];
static guint n_variants;

/* That of the device. */
static const OclVariant *
get_suitable (void)
{
  return context->device->type & CL_DEVICE_TYPE_CPU
      ? &ocl_bilateral_fast : &ocl_bilateral_fast_tiled;
}

/* A soft gradient, hard edges and thin lines, with noise of that sigma. */
static void
picture_fill_noisy (Picture * picture, gdouble noise)
{
  g_autoptr (GRand) random = test_random_new (picture->width);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      guint8 *pixel = picture->pixels + y * picture->stride + 4 * x;
      gdouble level = 60.0 + 50.0 * sin (x * 0.05) * cos (y * 0.03)
          + (x / 23 + y / 17) % 2 * 90 + ((x + 2 * y) % 31 == 0 ? 50 : 0);

      for (gint c = 0; c < 3; c++) {
        /* By the central limit theorem, with a variance of 1. */
        gdouble normal = -6.0;
        for (gint i = 0; i < 12; i++)
          normal += g_rand_double (random);
        pixel[c] = CLAMP (rint (level * (1.0 - 0.2 * c) + noise * normal), 0,
            255);
      }
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
}

static gdouble
get_psnr (const Picture * picture, const gdouble * expected)
{
  gdouble sum = 0.0;

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++) {
      for (gint c = 0; c < 3; c++) {
        gdouble difference = picture->pixels[y * picture->stride + 4 * x + c]
            - expected[(y * picture->width + x) * 3 + c];

        sum += difference * difference;
      }
    }
  }
  return 10.0 * log10 (255.0 * 255.0 * 3 * picture->width * picture->height
      / sum);
}

static void
assert_same_alpha (const Picture * input, const Picture * output)
{
  for (gint y = 0; y < input->height; y++) {
    for (gint x = 0; x < input->width; x++)
      g_assert_cmpuint (output->pixels[y * output->stride + 4 * x + 3], ==,
          input->pixels[y * input->stride + 4 * x + 3]);
  }
}

/* A variant in both storages: to the byte the same, and as close to what is
 * expected as promised. */
static void
check_variant (const Combination * variant, const OclBilateralParams * params,
    Picture * input, const gdouble * expected)
{
  Picture buffer, image;

  picture_init (&buffer, input->width, input->height);
  picture_init (&image, input->width, input->height);
  filter (&variant[OCL_STORAGE_BUFFER], params, input, &buffer);
  gdouble psnr = get_psnr (&buffer, expected);
  g_test_message ("%s, %dx%d, sigmas %g and %g, radius %d, border %d: %.1f dB",
      variant->variant->name, input->width, input->height,
      params->spatial_sigma, params->intensity_sigma, params->radius,
      params->border.mode, psnr);
  g_assert_cmpfloat (psnr, >=, OCL_BILATERAL_FAST_PSNR);
  assert_same_alpha (input, &buffer);
  if (!is_left_out (OCL_STORAGE_IMAGE)) {
    filter (&variant[OCL_STORAGE_IMAGE], params, input, &image);
    g_assert_cmpmem (image.bytes, picture_get_size (&image), buffer.bytes,
        picture_get_size (&buffer));
  }
  picture_clear (&buffer);
  picture_clear (&image);
}

/* What the float64 reference gives; free it. */
static gdouble *
create_expected (const OclBilateralParams * params, const Picture * input)
{
  const ReferenceBilateral reference = get_reference_bilateral (params);
  gdouble *expected = g_new (gdouble, input->width * input->height * 3);

  reference_bilateral (&reference, input->pixels, input->stride, input->width,
      input->height, expected);
  return expected;
}

static void
check_fast (const OclBilateralParams * params, Picture * input)
{
  g_autofree gdouble *expected = create_expected (params, input);

  for (guint i = 0; i < n_variants; i++)
    check_variant (combinations[i], params, input, expected);
}

static void
check_fast_picture (const OclBilateralParams * params, gint width, gint height,
    gdouble noise)
{
  Picture input;

  picture_init (&input, width, height);
  picture_fill_noisy (&input, noise);
  check_fast (params, &input);
  picture_clear (&input);
}

static OclBilateralParams
make_fast_params (gdouble spatial_sigma, gdouble intensity_sigma, gint radius)
{
  OclBilateralParams params = make_params (spatial_sigma, intensity_sigma,
      radius, OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_DISC,
      OCL_BORDER_CLAMP_TO_EDGE);

  params.method = OCL_BILATERAL_METHOD_FAST;
  return params;
}

/* Whether the approximation is chosen; NULL is for what suits the device. */
static gboolean
is_fast_chosen (const OclBilateralParams * params)
{
  OclPass passes[OCL_MAX_PASSES];

  ocl_operation_class_get_passes (&ocl_bilateral_class, params,
      OCL_FORMAT_RGBA, passes);
  const OclVariant *variant = ocl_bilateral_class.choose (params,
      OCL_FORMAT_RGBA, &passes[0], context->device);

  g_assert_true (variant == NULL || variant == get_suitable ());
  return variant != NULL;
}

static void
test_methods (void)
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

/* What the approximation cannot serve, or on a CPU not faster. */
static void
test_methods_range (void)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
    OclBilateralColorMode color_mode;
    gboolean fast_gets, auto_gets;
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
    g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].fast_gets);
    params.method = OCL_BILATERAL_METHOD_AUTO;
    if (context->device->type & CL_DEVICE_TYPE_CPU)
      g_assert_cmpint (is_fast_chosen (&params), ==, cases[i].auto_gets);
  }
}

static void
test_constant (void)
{
  static const gdouble spatial_sigmas[] = { 5.0, 16.0, 50.0 };
  static const gdouble intensity_sigmas[] = { 0.0221, 0.25, G_MAXFLOAT };

  for (guint i = 0; i < G_N_ELEMENTS (spatial_sigmas); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (intensity_sigmas); j++) {
      OclBilateralParams params = make_fast_params (spatial_sigmas[i],
          intensity_sigmas[j], -1);

      g_assert_true (is_fast_chosen (&params));
      for (guint n = 0; n < n_variants; n++)
        check_constant (&combinations[n][OCL_STORAGE_BUFFER], &params);
    }
  }
}

/* Each layout of the nodes once, in little time: for tools. */
static void
test_small (void)
{
  for (gdouble sigma = 5.0; sigma <= 40.0; sigma *= 2.0) {
    OclBilateralParams params = make_fast_params (sigma, 1.0, -1);

    params.border.mode = OCL_BORDER_WRAP;
    check_fast_picture (&params, 35, 9, 10.0);
  }
}

/* Every step between nodes, few cosines and many, windows that end early and
 * late, without noise and with much. */
static void
test_sigmas (void)
{
  static const struct
  {
    gdouble spatial_sigma, intensity_sigma;
    gint radius;
  } settings[] = {
    {5.0, 0.05, -1}, {9.9, 0.1, -1}, {10.0, 0.25, -1}, {9.9, 0.03, 60},
    {10.0, 0.25, 10}, {16.0, 0.25, -1}, {16.0, 0.05, 16}, {24.5, 0.1, -1},
    {32.0, 0.5, -1}, {50.0, 0.25, -1}, {50.0, 0.1, 31}, {12.0, 10.0, -1},
    {5.0, G_MAXFLOAT, 100},
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    for (gdouble noise = 0.0; noise <= 25.0; noise += 12.5) {
      OclBilateralParams params = make_fast_params (settings[i].spatial_sigma,
          settings[i].intensity_sigma, settings[i].radius);

      params.window = i % 2;
      check_fast_picture (&params, 75, 43, noise);
    }
  }
}

/* A pixel unlike all around it stays, in the largest window, whose weight
 * multiplies the error of the cosines: that must not outweigh the pixel. */
static void
test_outliers (void)
{
  static const gdouble sigmas[] = { 0.03, 0.1, 0.25 };
  Picture input;

  picture_init (&input, 81, 67);
  for (gint y = 0; y < input.height; y++) {
    for (gint x = 0; x < input.width; x++)
      memset (input.pixels + y * input.stride + 4 * x,
          x == 37 && y == 35 ? 255 : 0, 4);
  }
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    OclBilateralParams params =
        make_fast_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA, sigmas[i], -1);

    check_fast (&params, &input);
  }
  picture_clear (&input);
}

/* Of every tunable the first value, or the last. */
static void
combination_init_tuned (Combination * combination, const OclVariant * variant,
    OclStorage storage, gboolean last)
{
  const OclTunable *tunable = variant->tunables;
  OclTuning tuning = { {0,} };

  for (guint i = 0; tunable && tunable[i].macro; i++) {
    const gint *value = tunable[i].values;

    while (last && value[1])
      value++;
    tuning.values[i] = *value;
  }
  combination_init (combination, context, variant, storage);
  ocl_operation_force (combination->operation, variant, &tuning);
}

/* A frame that is filtered in several strips gives what its parts give: rows
 * further from a part's ends than what nodes reach, in parts that begin at a
 * node. */
static void
check_strips (const Combination * combination)
{
  const OclBilateralParams params = make_fast_params (5.0, 0.03, -1);
  const gint width = 640, height = 480, part_height = 96, part_y = 32;
  const gint margin = (3 + 2) * 4;
  Picture whole, whole_output;

  picture_init (&whole, width, height);
  picture_init (&whole_output, width, height);
  picture_fill_noisy (&whole, 10.0);
  filter (combination, &params, &whole, &whole_output);

  for (gint y = 0; y + part_height <= height; y += part_y) {
    Picture part = whole;
    Picture part_output;

    part.height = part_height;
    part.pixels = whole.pixels + whole.stride * (gsize) y;
    picture_init (&part_output, width, part_height);
    filter (combination, &params, &part, &part_output);
    for (gint row = margin; row < part_height - margin; row++)
      g_assert_cmpmem (part_output.pixels + row * part_output.stride,
          width * 4, whole_output.pixels + (gsize) (y + row)
          * whole_output.stride, width * 4);
    picture_clear (&part_output);
  }
  picture_clear (&whole);
  picture_clear (&whole_output);
}

/* Bands are smallest with the first value of every tunable. */
static void
test_strips (void)
{
  for (guint i = 0; i < n_variants; i++) {
    Combination combination;

    combination_init_tuned (&combination, combinations[i]->variant,
        OCL_STORAGE_BUFFER, FALSE);
    check_strips (&combination);
    combination_clear (&combination);
  }
}

static void
open_device (void)
{
  const OclVariant *variant;

  context = open_context ();
  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    if (!(variant->flags & OCL_VARIANT_APPROXIMATE)
        || !can_run (context, &ocl_bilateral_class, variant))
      continue;
    g_assert_cmpuint (n_variants, <, MAX_VARIANTS);
    for (gint storage = 0; storage < OCL_N_STORAGES; storage++)
      combination_init (&combinations[n_variants][storage], context, variant,
          storage);
    n_variants++;
  }
}

static void
close_device (void)
{
  for (guint i = 0; i < n_variants; i++) {
    for (gint storage = 0; storage < OCL_N_STORAGES; storage++)
      combination_clear (&combinations[i][storage]);
  }
  ocl_context_unref (context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bilateral-fast/methods", test_methods);
  g_test_add_func ("/bilateral-fast/methods-range", test_methods_range);
  g_test_add_func ("/bilateral-fast/constant", test_constant);
  g_test_add_func ("/bilateral-fast/small", test_small);
  g_test_add_func ("/bilateral-fast/sigmas", test_sigmas);
  g_test_add_func ("/bilateral-fast/outliers", test_outliers);
  g_test_add_func ("/bilateral-fast/strips", test_strips);

  open_device ();
  int result = g_test_run ();
  close_device ();
  return result;
}
