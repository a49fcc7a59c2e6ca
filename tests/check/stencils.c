/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests specific to the operations that sum up neighbours with fixed weights:
 * which matrix is separable, sums that cancel each other, presets. */

#include <math.h>
#include <string.h>

#include "testcase.h"
#include "opencl/convolution/oclconvolution.h"
#include "opencl/convolution/oclgradient.h"
#include "opencl/convolution/oclsharpen.h"
#include "testrandom.h"

TEST_CONTEXT ();

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclConvolutionParams, ocl_params_free);

static OclConvolutionParams *
create_convolution (const gchar * matrix)
{
  const OclOperationClass *klass = &ocl_convolution_class;
  OclConvolutionParams *params = ocl_operation_class_create_params (klass);

  g_assert_true (ocl_operation_class_parse (klass,
          ocl_params_find (klass->params, "matrix"), matrix, params));
  params->border.color = HARNESS_BORDER_COLOR;
  return params;
}

static void
set_matrix (OclConvolutionParams * params, gint width, gint height,
    const gdouble * numbers)
{
  ocl_literal_take (&params->matrix, ocl_matrix_new (width, height, numbers));
}

/* A constant picture is unchanged, even with very small coefficients. */
TEST (test_small_numbers)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_convolution_class, NULL, NULL);
  g_autoptr (OclConvolutionParams) params =
      create_convolution ("<<0,-1,0>,<-1,5,-1>,<0,-1,0>>");
  gdouble numbers[9];

  params->divisor = 0.0;
  params->bias = 0.0;
  for (gint i = 0; i < 9; i++)
    numbers[i] = 1e-12 * (1 + i * i);
  set_matrix (params, 3, 3, numbers);
  g_auto (Picture) input = picture_new (format, 20, 5);
  g_auto (Picture) output = picture_new_scene (format, 20, 5, 1);
  picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
  picture_assert_copied (&output, &input, 0);
}

/* Matrices that are separable, and ones that are almost. */
TEST (test_separable)
{
  const OclVariant *separable = ocl_operation_class_find_variant
      (&ocl_convolution_class, "separable-rows");
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (GRand) random = test_random_new (7);
  OclPass passes[OCL_MAX_PASSES];

  for (guint i = 0; i < 200; i++) {
    const gint width = 1 + 2 * g_rand_int_range (random, 2, 32);
    const gint height = 1 + 2 * g_rand_int_range (random, 2, 32);
    g_autoptr (OclConvolutionParams) params =
        create_convolution ("<<0,-1,0>,<-1,5,-1>,<0,-1,0>>");
    gdouble columns[OCL_MATRIX_MAX_SIDE], rows[OCL_MATRIX_MAX_SIDE];
    gdouble numbers[OCL_MATRIX_MAX_SIDE * OCL_MATRIX_MAX_SIDE];
    gdouble norm_x = 0.0, norm_y = 0.0;

    for (gint x = 0; x < width; x++) {
      columns[x] = g_rand_double_range (random, -1.0, 1.0);
      norm_x += columns[x] * columns[x];
    }
    for (gint y = 0; y < height; y++) {
      rows[y] = g_rand_double_range (random, -1.0, 1.0);
      norm_y += rows[y] * rows[y];
    }
    params->divisor = 1.0;
    for (gint n = 0; n < width * height; n++)
      numbers[n] = columns[n % width] * rows[n / width];
    set_matrix (params, width, height, numbers);
    ocl_operation_class_get_passes (&ocl_convolution_class, params, format,
        passes);
    g_assert_true (separable->supports (params, format, &passes[0]));

    /* The product of both norms is the only singular value, and a change of one
     * number is off by its share of both vectors. */
    const gint place = g_rand_int_range (random, 0, width * height);
    const gdouble x = columns[place % width], y = rows[place / width];
    const gdouble unit = sqrt (norm_x * norm_y
        / ((1.0 - x * x / norm_x) * (1.0 - y * y / norm_y)));
    const gdouble before = numbers[place];
    numbers[place] = before + 0.98e-6 * unit;
    set_matrix (params, width, height, numbers);
    g_assert_true (separable->supports (params, format, &passes[0]));
    numbers[place] = before + 1.02e-6 * unit;
    set_matrix (params, width, height, numbers);
    g_assert_false (separable->supports (params, format, &passes[0]));
  }
}

/* A matrix of other columns, but of the same numbers, is another one. */
TEST (test_same_numbers)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_convolution_class, NULL, NULL);
  g_autoptr (OclConvolutionParams) params =
      create_convolution ("<<0,-1,0>,<-1,5,-1>,<0,-1,0>>");
  gdouble numbers[15];

  for (gint i = 0; i < 15; i++)
    numbers[i] = i * i % 11;
  for (gint i = 0; i < 3; i++) {
    set_matrix (params, i % 2 ? 3 : 5, i % 2 ? 5 : 3, numbers);
    check_scene (operation, params, format, OCL_STORAGE_BUFFER, 45, 23);
  }
}

/* A value that differs from 0 only by rounding is 0. */
TEST (test_divisor)
{
  g_autoptr (OclConvolutionParams) params =
      create_convolution ("<<0,-1,0>,<-1,5,-1>,<0,-1,0>>");

  params->divisor = 0.0;
  set_matrix (params, 3, 1, (const gdouble[]) { 0.1, 0.2, -0.3 });
  g_assert_cmpfloat (ocl_convolution_get_divisor (params), ==, 1.0);
  set_matrix (params, 3, 1, (const gdouble[]) { 0.1, 0.2, -0.3001 });
  g_assert_cmpfloat (ocl_convolution_get_divisor (params), <, -0.00005);
}

/* A group that is too large for the device is not asked for. */
TEST (test_group_size)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  const OclVariant *tiled = ocl_operation_class_find_variant
      (&ocl_convolution_class, "dense-tiled");
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_convolution_class, NULL, NULL);
  g_autoptr (OclConvolutionParams) params =
      create_convolution ("<<0,-1,0>,<-1,5,-1>,<0,-1,0>>");
  const OclFrame frame = {.info = {.format = format,.width = 16,.height = 16} };
  g_autoptr (GError) error = NULL;
  OclTuning tuning;

  ocl_tuning_init (&tuning, tiled->tunables);
  for (guint i = 0; tiled->tunables[i].macro; i++) {
    if (g_str_has_prefix (tiled->tunables[i].macro, "GROUP_"))
      tuning.values[i] = 4096;
  }
  ocl_filter_force (operation, 0, tiled, &tuning);
  g_assert_null (find_variant (operation, &frame, params, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
}

/* Kernels add up negative and positive weights in turns, from the top. Here the
 * weights below the middle are the negatives of the weights above it, and in the
 * middle row of the picture the white above comes long before the white below:
 * half of the sum is added up before it returns to 0. All variants that can run
 * must be as exact as usual. */
TEST (test_far_sums)
{
  const gint side = 63, width = 210, height = side + 17;
  const OclFormat *format = ocl_format_find ("GRAY16_LE");
  const guint white = ocl_format_get_max_level (format);
  g_autoptr (GRand) random = test_random_new (13);
  g_autoptr (OclConvolutionParams) params = create_convolution ("<<1>>");
  const OclVariant *variant;
  gdouble numbers[63 * 63], size = 0.0;
  guint n_run = 0;

  params->divisor = 1.0;
  params->bias = 0.5;
  for (gint i = 0; i < side * side; i++) {
    const gint row = i / side, opposite = side - 1 - row;

    numbers[i] = row < opposite
        ? g_rand_double_range (random, 0.0, 1.0) : row == opposite ? 0.0
        : -numbers[opposite * side + i % side];
    size += fabs (numbers[i]);
  }
  for (gint i = 0; i < side * side; i++)
    numbers[i] *= 998.0 / size;
  set_matrix (params, side, side, numbers);
  g_auto (Picture) input = picture_new (format, width, height);
  for (gint i = 0; i < width * height; i++) {
    const guint noise = g_rand_int_range (random, 0, white / 16);

    picture_set_level (&input, OCL_CHANNEL_LUMA, i % width, i / width,
        ABS (i / width - height / 2) <= side / 4 ? noise : white - noise);
  }
  for (guint i = 0; (variant = ocl_convolution_class.variants[i]); i++) {
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_convolution_class, variant, NULL);

    if (can_run_all_passes (&ocl_convolution_class, variant, params, format)
        && can_run (context, &ocl_convolution_class, variant)) {
      check_picture (operation, params, &input, OCL_STORAGE_BUFFER, FALSE);
      n_run++;
    }
  }
  g_assert_cmpuint (n_run, >=, 1);
}

/* Matrices whose numbers add up to more than 1000 without their signs are for
 * other variants than those that add up tap by tap. */
TEST (test_limits)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (GRand) random = test_random_new (5);
  g_autoptr (OclConvolutionParams) params = create_convolution ("<<1>>");
  const OclVariant *variant;
  gdouble numbers[63 * 63], size = 0.0;

  for (gint i = 0; i < 63 * 63; i++) {
    numbers[i] = g_rand_double_range (random, -1.0, 1.0);
    size += fabs (numbers[i]);
  }
  set_matrix (params, 63, 63, numbers);
  for (guint i = 1; (variant = ocl_convolution_class.variants[i]); i++) {
    const gboolean dense = g_str_equal (variant->name, "dense-rows")
        || g_str_equal (variant->name, "dense-tiled");

    params->divisor = size / 998.0;
    g_assert_true (can_run_all_passes (&ocl_convolution_class, variant, params,
            format) == dense);
    params->divisor = size / 1008.0;
    g_assert_false (can_run_all_passes (&ocl_convolution_class, variant, params,
            format));
  }
}

static gboolean
parse (OclConvolutionParams * params, const gchar * name, const gchar * text,
    GError ** error)
{
  const OclOperationClass *klass = &ocl_convolution_class;
  const OclParam *param = ocl_params_find (klass->params, name);

  g_assert_true (ocl_param_parse (param, text, params));
  return ocl_operation_class_changed (klass, params, param, error);
}

/* Quotients beyond the range of a pair of floats are refused, in either order. */
TEST (test_refused)
{
  g_autoptr (OclConvolutionParams) params = create_convolution ("<<1>>");
  g_autoptr (GError) error = NULL;

  g_assert_true (parse (params, "matrix", "<<1,2,3>,<4,5,-9e8>,<0,0,0>>",
          NULL));
  g_assert_false (parse (params, "divisor", "0.001", &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  g_assert_nonnull (strstr (error->message, "row 2, column 3"));
  g_clear_error (&error);
  g_assert_false (parse (params, "matrix", "<<1,2,3>,<4,5,-9e8>,<0,0,0>>",
          &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_SETTINGS);
  g_clear_error (&error);
  g_assert_false (parse (params, "divisor", "1e-300", &error));
}

/* A look sets its properties, and changing one of them makes it custom. */
TEST (test_presets)
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

/* A colour cannot be shown in luma. */
TEST (test_direction)
{
  OclGradientParams params;
  GError *error = NULL;

  ocl_params_init (ocl_gradient_class.params, &params);
  for (guint i = 0; ocl_formats[i]; i++) {
    params.output = OCL_GRADIENT_MAGNITUDE;
    g_assert_true (ocl_operation_class_check (&ocl_gradient_class, &params,
            ocl_formats[i], NULL));
    params.output = OCL_GRADIENT_DIRECTION;
    gboolean shown = ocl_operation_class_check (&ocl_gradient_class, &params,
        ocl_formats[i], &error);
    g_assert_true (shown == (ocl_formats[i]->model == OCL_MODEL_RGB));
    g_assert_true (shown == (error == NULL));
    g_clear_error (&error);
  }
}
