/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests what is particular to the operations that sum up neighbours with fixed
 * weights: matrices of every kind and size, large windows, which matrix is
 * separable, presets. */

#include <math.h>
#include <string.h>

#include "formatcheck.h"
#include "picture.h"
#include "references.h"
#include "testrandom.h"

static OclContext *context;

/* Dense ones, whose rows and columns are not alike; separable ones; boxes; such
 * as sum up to 0; rows and columns by themselves. */
static const gchar *const matrices[] = {
  "<<0,-1,0>,<-1,5,-1>,<0,-1,0>>",
  "<<1,2,1>,<2,4,2>,<1,2,1>>",
  "<<1,0,0>,<0,0,2>,<0.5,0,0>>",
  "<<1,1,1>,<1,1,1>,<1,1,1>>",
  "<<3,1,4,1,5>,<9,2,6,5,3>,<5,8,9,7,9>>",
  "<<-1,0,1>,<-2,0,2>,<-1,0,1>>",
  "<<1,2,3,4,5,6,7>>",
  "<<1>,<0>,<-3>,<0>,<1>>",
  "<<1,0,0,0,0,0,0>,<0,0,0,0,0,0,0>,<0,0,0,0,0,0,2>>",
  "<<0,0,-2>>",
  "<<1,-1,1>,<-1,1,-1>,<1,-1,2>>",
};

static OclConvolutionParams *
create_convolution (guint n)
{
  const OclOperationClass *klass = &ocl_convolution_class;
  OclConvolutionParams *params = ocl_operation_class_create_params (klass);

  g_assert_true (ocl_operation_class_parse (klass,
          ocl_params_find (klass->params, "matrix"),
          matrices[n % G_N_ELEMENTS (matrices)], params));
  params->divisor = n % 4 == 3 ? -3.5 : 0.0;
  params->bias = n % 3 == 2 ? 0.5 : 0.0;
  params->planes = 1 + n % 3;
  params->border.mode = n % 5;
  params->border.color = FORMAT_BORDER_COLOR;
  return params;
}

static void
test_matrices (gconstpointer data)
{
  static const gint sizes[][2] = { {1, 1}, {5, 3}, {35, 9}, {130, 11} };
  static const gchar *const names[] = { "GRAY8", "I420", "RGBA" };
  const OclVariant *variant = data;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i]);
    g_autoptr (OclOperation) operation = format_create_operation (context,
        &ocl_convolution_class, variant);

    for (guint n = 0; n < 2 * G_N_ELEMENTS (matrices); n++) {
      g_autofree OclConvolutionParams *params = create_convolution (n);
      const gint *size = sizes[n % G_N_ELEMENTS (sizes)];

      if (serves_all_passes (&ocl_convolution_class, variant, params, format))
        format_check (operation, params, format, OCL_STORAGE_BUFFER, size[0],
            size[1]);
    }
  }
}

/* Sums of large windows are as exact as those of small ones, with levels that
 * are as large as they can be. */
static void
test_large (gconstpointer data)
{
  static const gchar *const names[] = { "GRAY8", "GRAY16_LE", "RGBA" };
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_sharpen_class, data);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i / 2]);
    g_autofree OclSharpenParams *params =
        ocl_operation_class_create_params (&ocl_sharpen_class);

    params->border.color = FORMAT_BORDER_COLOR;
    params->kernel = i % 2 ? OCL_SHARPEN_GAUSSIAN : OCL_SHARPEN_AVERAGE;
    params->sigma = 25.0;
    params->radius = OCL_SHARPEN_MAX_RADIUS;
    params->border.mode = i % 5;
    if (serves_all_passes (&ocl_sharpen_class, data, params, format))
      format_check (operation, params, format, OCL_STORAGE_BUFFER, 90, 40);
  }
}

/* Windows of all sizes up to the largest, of random numbers, of which a third
 * is 0 and some are alike. */
static void
test_large_matrices (gconstpointer data)
{
  static const gint sides[][2] = { {63, 63}, {1, 63}, {63, 1}, {31, 17} };
  static const gchar *const names[] = { "GRAY8", "GRAY16_LE", "I420", "RGBA" };
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_convolution_class, data);
  g_autoptr (GRand) random = test_random_new (3);

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
    const OclFormat *format = ocl_format_find (names[i]);
    g_autofree OclConvolutionParams *params = create_convolution (0);

    params->matrix.width = sides[i][0];
    params->matrix.height = sides[i][1];
    for (gint n = 0; n < sides[i][0] * sides[i][1]; n++)
      params->matrix.numbers[n] = MAX (0, g_rand_int_range (random, -4, 9));
    params->planes = OCL_PLANES_ALL;
    params->border.mode = i;
    if (serves_all_passes (&ocl_convolution_class, data, params, format))
      format_check (operation, params, format, OCL_STORAGE_BUFFER, 45, 23);
  }
}

/* A constant, which a new picture is, stays what it is however small the
 * numbers of the matrix are. */
static void
test_small_numbers (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_convolution_class, context);
  g_autofree OclConvolutionParams *params = create_convolution (0);
  FormatPicture input, output;

  params->divisor = 0.0;
  params->bias = 0.0;
  for (gint i = 0; i < 9; i++)
    params->matrix.numbers[i] = 1e-12 * (1 + i * i);
  format_picture_init (&input, format, 20, 5);
  format_picture_init (&output, format, 20, 5);
  format_picture_fill (&output, 1);
  format_picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
  format_picture_assert_copied (&output, &input, 0);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

/* What is found to be separable, and what is not by little. */
static void
test_separable (void)
{
  const OclVariant *separable = ocl_operation_class_find_variant
      (&ocl_convolution_class, "separable-rows");
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (GRand) random = test_random_new (7);
  OclPass passes[OCL_MAX_PASSES];

  for (guint i = 0; i < 200; i++) {
    const gint width = 1 + 2 * g_rand_int_range (random, 2, 32);
    const gint height = 1 + 2 * g_rand_int_range (random, 2, 32);
    g_autofree OclConvolutionParams *params = create_convolution (0);
    gdouble columns[OCL_MATRIX_MAX_SIDE], rows[OCL_MATRIX_MAX_SIDE];
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
    params->matrix.width = width;
    params->matrix.height = height;
    for (gint n = 0; n < width * height; n++)
      params->matrix.numbers[n] = columns[n % width] * rows[n / width];
    ocl_operation_class_get_passes (&ocl_convolution_class, params, format,
        passes);
    g_assert_true (separable->can_serve (params, format, &passes[0]));

    /* The product of both norms is the only singular value, and what is added
     * to one number is off by what it has of both vectors. */
    const gint place = g_rand_int_range (random, 0, width * height);
    const gdouble x = columns[place % width], y = rows[place / width];
    const gdouble unit = sqrt (norm_x * norm_y
        / ((1.0 - x * x / norm_x) * (1.0 - y * y / norm_y)));
    gdouble *number = &params->matrix.numbers[place];
    const gdouble before = *number;
    *number = before + 0.98e-6 * unit;
    g_assert_true (separable->can_serve (params, format, &passes[0]));
    *number = before + 1.02e-6 * unit;
    g_assert_false (separable->can_serve (params, format, &passes[0]));
  }
}

/* A matrix of other columns, but of the same numbers, is another one. */
static void
test_same_numbers (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_convolution_class, context);
  g_autofree OclConvolutionParams *params = create_convolution (0);

  for (gint i = 0; i < 15; i++)
    params->matrix.numbers[i] = i * i % 11;
  for (gint i = 0; i < 3; i++) {
    params->matrix.width = i % 2 ? 3 : 5;
    params->matrix.height = i % 2 ? 5 : 3;
    format_check (operation, params, format, OCL_STORAGE_BUFFER, 45, 23);
  }
}

/* What is 0 but for the rounding of its numbers is 0. */
static void
test_divisor (void)
{
  g_autofree OclConvolutionParams *params = create_convolution (0);

  params->divisor = 0.0;
  ocl_matrix_parse (&params->matrix, "<<0.1,0.2,-0.3>>", NULL);
  g_assert_cmpfloat (ocl_convolution_get_divisor (params), ==, 1.0);
  ocl_matrix_parse (&params->matrix, "<<0.1,0.2,-0.3001>>", NULL);
  g_assert_cmpfloat (ocl_convolution_get_divisor (params), <, -0.00005);
}

/* A group that is too large for the device is not asked for. */
static void
test_group_size (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  const OclVariant *tiled = ocl_operation_class_find_variant
      (&ocl_convolution_class, "dense-tiled");
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_convolution_class, context);
  g_autofree OclConvolutionParams *params = create_convolution (0);
  const OclFrame frame = {.format = format,.width = 16,.height = 16 };
  g_autoptr (GError) error = NULL;
  OclTuning tuning;

  ocl_tuning_init (&tuning, tiled->tunables);
  for (guint i = 0; tiled->tunables[i].macro; i++) {
    if (g_str_has_prefix (tiled->tunables[i].macro, "GROUP_"))
      tuning.values[i] = 4096;
  }
  ocl_operation_force (operation, tiled, &tuning);
  g_assert_null (find_variant (operation, &frame, params, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
}

/* A preset sets what it is made of, and what is changed then makes it
 * custom. */
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

/* A colour cannot be shown in luma. */
static void
test_direction (void)
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

/* Adds a test of each variant of @klass. */
static void
add_tests (const OclOperationClass * klass, const gchar * name,
    GTestDataFunc test)
{
  for (guint i = 0; klass->variants[i]; i++) {
    g_autofree gchar *path = g_strdup_printf ("/stencils/%s/%s/%s",
        klass->name, klass->variants[i]->name, name);

    if (can_run (context, klass, klass->variants[i]))
      g_test_add_data_func (path, klass->variants[i], test);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  g_test_add_func ("/stencils/presets", test_presets);
  g_test_add_func ("/stencils/direction", test_direction);
  g_test_add_func ("/stencils/separable", test_separable);
  g_test_add_func ("/stencils/small-numbers", test_small_numbers);
  g_test_add_func ("/stencils/same-numbers", test_same_numbers);
  g_test_add_func ("/stencils/divisor", test_divisor);
  g_test_add_func ("/stencils/group-size", test_group_size);
  add_tests (&ocl_convolution_class, "matrices", test_matrices);
  add_tests (&ocl_convolution_class, "large", test_large_matrices);
  add_tests (&ocl_sharpen_class, "large", test_large);

  int status = g_test_run ();
  ocl_context_unref (context);
  return status;
}
