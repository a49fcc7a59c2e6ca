/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every exact variant of the bilateral filter, in images and in buffers,
 * against the float64 reference: windows, colour modes, borders, sigmas, sizes,
 * strides.
 *
 * Required accuracy: the output is the reference rounded to nearest, or within
 * 1 of it where the reference is within 0.001 of a tie.
 *
 * The environment variable GLOPENCL_TEST_STORAGE=buffer leaves out images, for
 * tools that run kernels on buffers only. */

#include <math.h>
#include <string.h>

#include "bilateralcheck.h"
#include "opencl/bilateral/oclbilateralvariants.h"
#include "references.h"

static OclContext *context;

static void
assert_accurate (const Picture * input, const Picture * output,
    const gdouble * expected)
{
  for (gint y = 0; y < input->height; y++) {
    for (gint x = 0; x < input->width; x++) {
      const guint8 *in = input->pixels + y * input->stride + 4 * x;
      const guint8 *out = output->pixels + y * output->stride + 4 * x;
      const gdouble *want = expected + (y * input->width + x) * 3;

      for (gint c = 0; c < 3; c++) {
        /* 0.5 + TIE away at most: within a tie, either neighbour is right. */
        if (fabs (out[c] - want[c]) > 0.5 + TIE)
          g_error ("pixel %d,%d channel %d is %d, the reference is %.6f", x, y,
              c, out[c], want[c]);
      }
      g_assert_cmpuint (out[3], ==, in[3]);
    }
  }
}

#define MAX_COMBINATIONS 16

/* Of the exact variants, first in buffers, then in the same order in images. */
static Combination combinations[MAX_COMBINATIONS];
static guint n_variants;

#define N_COMBINATIONS (n_variants * OCL_N_STORAGES)

/* Of an exact variant, in buffers; NULL and a skipped test where the device
 * cannot run it. */
static const Combination *
find_combination (const gchar * name)
{
  for (guint i = 0; i < n_variants; i++) {
    if (g_str_equal (combinations[i].variant->name, name))
      return &combinations[i];
  }
  g_assert_nonnull (ocl_operation_class_find_variant (&ocl_bilateral_class,
          name));
  g_test_skip ("the device cannot run it");
  return NULL;
}

/* All variants and storages, or only the variant @name, against the reference,
 * and images against buffers to the byte. */
static void
check_against_reference (const OclBilateralParams * params, Picture * input,
    const gchar * name)
{
  const ReferenceBilateral reference = get_reference_bilateral (params);
  g_autofree gdouble *expected =
      g_new (gdouble, input->width * input->height * 3);
  Picture outputs[MAX_COMBINATIONS];

  reference_bilateral (&reference, input->pixels, input->stride, input->width,
      input->height, expected);

  for (guint i = 0; i < N_COMBINATIONS; i++) {
    picture_init (&outputs[i], input->width, input->height);
    if (is_left_out (combinations[i].storage)
        || (name && !g_str_equal (combinations[i].variant->name, name)))
      continue;
    filter (&combinations[i], params, input, &outputs[i]);
    assert_accurate (input, &outputs[i], expected);
    if (combinations[i].storage == OCL_STORAGE_IMAGE)
      g_assert_cmpmem (outputs[i].bytes, picture_get_size (&outputs[i]),
          outputs[i - n_variants].bytes,
          picture_get_size (&outputs[i - n_variants]));
  }
  for (guint i = 0; i < N_COMBINATIONS; i++)
    picture_clear (&outputs[i]);
}

static void
check_picture (const OclBilateralParams * params, gint width, gint height,
    const gchar * name)
{
  Picture input;

  picture_init (&input, width, height);
  picture_fill (&input, width * 1000 + height);
  check_against_reference (params, &input, name);
  picture_clear (&input);
}

/* A window several times as large as the frame, for every border. For tools,
 * for the first and for the last. */
static void
test_large_window (void)
{
  const gint step = is_left_out (OCL_STORAGE_IMAGE) ? OCL_BORDER_CONSTANT : 1;

  for (gint border = 0; border <= OCL_BORDER_CONSTANT; border += step) {
    OclBilateralParams params = make_params (8.0, 0.3, 16,
        OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE, border);

    check_picture (&params, 5, 3, NULL);
    check_picture (&params, 2, 7, NULL);
  }
}

/* Sigmas so small that their squares vanish, and the largest there is. */
static void
test_extreme_sigmas (void)
{
  static const gdouble sigmas[] = { 1e-300, 1e-45, 1e-30, 1e-8, 1e-4,
    G_MAXFLOAT
  };
  Picture input;

  picture_init (&input, 33, 9);
  picture_fill (&input, 1);
  /* Colours are equal or far apart: floats do not tell what is between. */
  for (gint n = 0; n < 33 * 9; n++) {
    for (gint c = 0; c < 3; c++)
      picture_get_pixel (&input, n % 33, n / 33)[c] &= 0xc0;
  }
  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
      OclBilateralParams params = make_params (1.0, sigmas[i], 2, mode,
          OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_WRAP);

      check_against_reference (&params, &input, NULL);
      params.intensity_sigma = 0.2;
      params.spatial_sigma = MIN (sigmas[i], OCL_BILATERAL_MAX_SPATIAL_SIGMA);
      check_against_reference (&params, &input, NULL);
    }
  }
  picture_clear (&input);
}

/* A window of 40401 taps. */
static void
test_largest_window (void)
{
  for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
    OclBilateralParams params = make_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA,
        0.25, -1, mode, OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_REFLECT);

    check_picture (&params, 19, 5, NULL);
  }

  /* More taps than the plain kernel takes in one launch. */
  OclBilateralParams params = make_params (OCL_BILATERAL_MAX_SPATIAL_SIGMA,
      0.25, -1, OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_REFLECT);
  check_picture (&params, 37, 83, "plain");
}

/* Colours whose luma is the same to the last bit are no edge, however small the
 * sigma: 0.3 * 59 = 0.59 * 30. */
static void
test_equal_luma (void)
{
  static const guint8 colors[][4] = { {59, 0, 0, 9}, {0, 30, 0, 8},
  {4, 28, 0, 7}
  };
  const OclBilateralParams params = make_params (1.5, 1e-6, -1,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  Picture input;

  picture_init (&input, 31, 10);
  for (gint y = 0; y < input.height; y++) {
    for (gint x = 0; x < input.width; x++)
      memcpy (input.pixels + y * input.stride + 4 * x,
          colors[(x * 7 + y * 5) % 3], 4);
  }
  check_against_reference (&params, &input, NULL);
  picture_clear (&input);
}

/* A frame that is filtered in several strips or launches gives what its parts
 * give, which are filtered in one. */
static void
check_strips (const Combination * combination,
    const OclBilateralParams * params, gint width, gint height)
{
  const gint part_height = 64, radius = params->radius;
  Picture whole, whole_output;

  picture_init (&whole, width, height);
  picture_init (&whole_output, width, height);
  picture_fill (&whole, 3);
  filter (combination, params, &whole, &whole_output);

  for (gint y = 0; y + part_height <= height; y += part_height - 2 * radius) {
    Picture part = whole;
    Picture part_output;

    part.height = part_height;
    part.pixels = whole.pixels + whole.stride * (gsize) y;
    picture_init (&part_output, width, part_height);
    filter (combination, params, &part, &part_output);
    for (gint row = radius; row < part_height - radius; row++)
      g_assert_cmpmem (part_output.pixels + row * part_output.stride,
          width * 4, whole_output.pixels + (gsize) (y + row)
          * whole_output.stride, width * 4);
    picture_clear (&part_output);
  }
  picture_clear (&whole);
  picture_clear (&whole_output);
}

static void
test_strips_of_rows (void)
{
  const OclBilateralParams params = make_params (1.0, 0.2, 2,
      OCL_BILATERAL_COLOR_LAB, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  const Combination *rows = find_combination ("rows");

  if (rows)
    check_strips (rows, &params, 4096, 1600);
}

/* A launch of the tiled kernel has up to 10^8 taps for each compute unit. */
static void
test_strips_of_tiled (void)
{
  const OclBilateralParams params = make_params (5.0, 0.2, 10,
      OCL_BILATERAL_COLOR_INTENSITY, OCL_BILATERAL_WINDOW_SQUARE,
      OCL_BORDER_CLAMP_TO_EDGE);
  const Combination *tiled = find_combination ("tiled");
  const gint width = 4096;
  cl_uint n_units;

  if (!tiled)
    return;
  g_assert_cmpint (clGetDeviceInfo (context->device->id,
          CL_DEVICE_MAX_COMPUTE_UNITS, sizeof (n_units), &n_units, NULL), ==,
      CL_SUCCESS);
  check_strips (tiled, &params, width,
      n_units * 100000000.0 / (21 * 21 * width) + 64);
}

/* One colour stays that colour. */
static void
test_constant (void)
{
  OclBilateralParams params = make_params (5.0, 0.25, -1, 0,
      OCL_BILATERAL_WINDOW_SQUARE, OCL_BORDER_CLAMP_TO_EDGE);

  for (guint i = 0; i < N_COMBINATIONS; i++) {
    if (is_left_out (combinations[i].storage))
      continue;
    for (gint mode = 0; mode <= OCL_BILATERAL_COLOR_LAB; mode++) {
      params.color_mode = mode;
      check_constant (&combinations[i], &params);
    }
  }
}

static gboolean
is_neutral (const OclBilateralParams * params)
{
  return ocl_operation_class_is_neutral (&ocl_bilateral_class, params);
}

static void
test_neutral (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  g_assert_false (is_neutral (&params));
  params.spatial_sigma = 0.0;
  g_assert_true (is_neutral (&params));
  params.radius = 3;
  g_assert_true (is_neutral (&params));
  params.spatial_sigma = 0.3;
  g_assert_false (is_neutral (&params));
  params.radius = -1;
  g_assert_true (is_neutral (&params));
  params.spatial_sigma = 2.0;
  params.intensity_sigma = 0.0;
  g_assert_true (is_neutral (&params));
}

static void
open_device (void)
{
  const OclVariant *variants[MAX_COMBINATIONS / OCL_N_STORAGES];
  const OclVariant *variant;

  context = open_context ();
  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    /* expanded.c has what serves some formats only. */
    if (variant->flags & OCL_VARIANT_APPROXIMATE
        || variant == &ocl_bilateral_expanded
        || variant == &ocl_bilateral_expanded_rgb
        || !can_run (context, &ocl_bilateral_class, variant))
      continue;
    g_assert_cmpuint (n_variants, <, G_N_ELEMENTS (variants));
    variants[n_variants++] = variant;
  }
  for (guint i = 0; i < N_COMBINATIONS; i++)
    combination_init (&combinations[i], context, variants[i % n_variants],
        (OclStorage) (i / n_variants));
}

static void
close_device (void)
{
  for (guint i = 0; i < N_COMBINATIONS; i++)
    combination_clear (&combinations[i]);
  ocl_context_unref (context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bilateral/neutral", test_neutral);
  g_test_add_func ("/bilateral/constant", test_constant);
  g_test_add_func ("/bilateral/large-window", test_large_window);
  g_test_add_func ("/bilateral/extreme-sigmas", test_extreme_sigmas);
  g_test_add_func ("/bilateral/largest-window", test_largest_window);
  g_test_add_func ("/bilateral/equal-luma", test_equal_luma);
  g_test_add_func ("/bilateral/strips-of-rows", test_strips_of_rows);
  g_test_add_func ("/bilateral/strips-of-tiled", test_strips_of_tiled);

  open_device ();
  int result = g_test_run ();
  close_device ();
  return result;
}
