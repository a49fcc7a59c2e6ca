/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests matrices whose numbers cancel each other out, against the float64
 * reference: intermediate sums are far larger than the final sum.
 *
 * Required accuracy: within 1 level of the reference rounded to nearest for up
 * to 12 bits, within 2 levels for 16 bits. */

#include <math.h>
#include <string.h>

#include "formatcheck.h"
#include "opencl/convolution/oclconvolution.h"
#include "picture.h"
#include "testrandom.h"

#define WIDTH 210
#define HEIGHT 35

/* What numbers sum up to without their signs, as tap by tap is asked for. */
#define GAIN 1000.0

static OclContext *context;

static const gchar *const format_names[] = {
  "GRAY8", "P010_10LE", "GRAY16_LE"
};

typedef enum
{
  KIND_RANDOM,
  KIND_HALVES,                  /* one of them negative */
  KIND_ROWS,                    /* every second one negative */
  KIND_HEAVY,                   /* a few are far larger than the others */
  KIND_SUM_OF_ONE,
  KIND_SEPARABLE,
  KIND_EQUAL,                   /* but for their signs */
  N_KINDS,
} Kind;

static gdouble
draw_number (GRand * random, Kind kind, gint row, gint height)
{
  const gdouble number = g_rand_double_range (random, -1.0, 1.0);

  switch (kind) {
    case KIND_HALVES:
      return row < height / 2 ? fabs (number) : -fabs (number);
    case KIND_ROWS:
      return row % 2 ? fabs (number) : -fabs (number);
    case KIND_HEAVY:
      return pow (number, 9.0);
    default:
      return number;
  }
}

/* Numbers that sum up to 0, or to a thousandth of their sizes. */
static void
fill_matrix (OclMatrix * matrix, GRand * random, Kind kind, gint side)
{
  const gint n = side * side;
  gdouble sum = 0.0, size = 0.0;

  ocl_matrix_begin (matrix);
  matrix->width = matrix->height = side;
  for (gint i = 0; i < n; i++) {
    matrix->numbers[i] = draw_number (random, kind, i / side, side);
    sum += matrix->numbers[i];
  }
  for (gint i = 0; i < n; i++)
    matrix->numbers[i] -= sum / n;
  /* One after the other cancel each other, at random places of the sum. */
  for (gint i = 0; i < n && kind == KIND_EQUAL; i++)
    matrix->numbers[i] = i == n - 1 ? 0.0 : i % 2 ? -matrix->numbers[i - 1]
        : g_rand_boolean (random) ? 1.0 : -1.0;
  if (kind == KIND_SEPARABLE) {
    for (gint i = side; i < n; i++)
      matrix->numbers[i] = matrix->numbers[i % side] * (1.0 + i / side % 5);
  }
  for (gint i = 0; i < n; i++)
    size += fabs (matrix->numbers[i]);
  for (gint i = 0; i < n; i++)
    matrix->numbers[i] *= 0.998 * GAIN / size;
  matrix->numbers[n / 2] += kind == KIND_SUM_OF_ONE;
}

/* Gradients, edges and noise; what is nearly white, also at random; black and
 * white at random. */
static void
fill_picture (FormatPicture * picture, GRand * random)
{
  const OclFormat *format = picture->frame.format;
  const guint white = ocl_format_get_max_level (format);

  format_picture_fill (picture, 7);
  for (gint y = 0; y < HEIGHT; y++) {
    for (gint x = WIDTH / 3; x < WIDTH; x++) {
      const guint level = x < 2 * WIDTH / 3
          ? white - g_rand_int_range (random, 0, white / 16)
          : g_rand_boolean (random) ? white : 0;

      format_picture_set_component (picture, OCL_CHANNEL_LUMA, x, y,
          level << format->shift);
    }
  }
}

static void
free_operation (gpointer operation)
{
  if (operation)
    ocl_operation_free (operation);
}

/* One for each variant, or NULL where that cannot run. */
static GPtrArray *
create_operations (void)
{
  GPtrArray *operations = g_ptr_array_new_with_free_func (free_operation);
  const OclVariant *variant;

  for (guint i = 0; (variant = ocl_convolution_class.variants[i]); i++)
    g_ptr_array_add (operations, can_run (context, &ocl_convolution_class,
            variant) ? format_create_operation (context,
            &ocl_convolution_class, variant)
        : NULL);
  return operations;
}

/* By all variants that can serve; @operations are theirs. */
static void
check_picture (GPtrArray * operations, const OclConvolutionParams * params,
    FormatPicture * input)
{
  const OclFormat *format = input->frame.format;
  const OclVariant *variant;
  OclPass passes[OCL_MAX_PASSES];
  guint n_served = 0;

  ocl_operation_class_get_passes (&ocl_convolution_class, params, format,
      passes);
  for (guint i = 0; (variant = ocl_convolution_class.variants[i]); i++) {
    if (!operations->pdata[i]
        || !ocl_variant_can_serve (variant, params, format, &passes[0]))
      continue;
    format_check_picture (operations->pdata[i], params, input,
        OCL_STORAGE_BUFFER, FALSE);
    n_served++;
  }
  g_assert_cmpuint (n_served, >=, 1);
}

static void
check_matrix (GPtrArray * operations, const OclConvolutionParams * params,
    const OclFormat * format, GRand * random)
{
  FormatPicture input;

  format_picture_init (&input, format, WIDTH, HEIGHT);
  fill_picture (&input, random);
  check_picture (operations, params, &input);
  format_picture_clear (&input);
}

static OclConvolutionParams *
create_params (void)
{
  OclConvolutionParams *params =
      ocl_operation_class_create_params (&ocl_convolution_class);

  params->planes = OCL_PLANES_LUMA;
  params->bias = 0.5;
  params->divisor = 1.0;
  params->border.mode = OCL_BORDER_REFLECT;
  return params;
}

static void
test_large_sums (gconstpointer data)
{
  static const gint sides[] = { 3, 5, 15, 63 };
  const OclFormat *format = data;
  g_autoptr (GRand) random = test_random_new (11);
  g_autoptr (GPtrArray) operations = create_operations ();
  g_autofree OclConvolutionParams *params = create_params ();

  for (gint kind = 0; kind < N_KINDS; kind++) {
    for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
      fill_matrix (&params->matrix, random, kind, sides[i]);
      check_matrix (operations, params, format, random);
    }
  }
}

/* Kernels add up negative and positive weights in turns, from the top. Here the
 * weights below the middle are the negatives of those above, and in the middle
 * row of the picture, what is white above comes long before what is white below:
 * half of all is added up before the sum goes back to 0. */
static void
test_far_sums (void)
{
  const gint side = 63, height = side + 17;
  const OclFormat *format = ocl_format_find ("GRAY16_LE");
  const guint white = ocl_format_get_max_level (format);
  g_autoptr (GRand) random = test_random_new (13);
  g_autoptr (GPtrArray) operations = create_operations ();
  g_autofree OclConvolutionParams *params = create_params ();
  FormatPicture input;

  fill_matrix (&params->matrix, random, KIND_HALVES, side);
  for (gint i = 0; i < side * side; i++) {
    const gint row = i / side, opposite = side - 1 - row;

    if (row >= opposite)
      params->matrix.numbers[i] = row == opposite ? 0.0
          : -params->matrix.numbers[opposite * side + i % side];
  }
  format_picture_init (&input, format, WIDTH, height);
  format_picture_fill (&input, 7);
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < WIDTH; x++) {
      const guint noise = g_rand_int_range (random, 0, white / 16);
      const guint level =
          ABS (y - height / 2) <= side / 4 ? noise : white - noise;

      format_picture_set_component (&input, OCL_CHANNEL_LUMA, x, y,
          level << format->shift);
    }
  }
  check_picture (operations, params, &input);
  format_picture_clear (&input);
}

/* What is summed up tap by tap. */
static void
test_limits (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (GRand) random = test_random_new (5);
  g_autofree OclConvolutionParams *params = create_params ();
  OclPass passes[OCL_MAX_PASSES];
  const OclVariant *variant;

  ocl_operation_class_get_passes (&ocl_convolution_class, params, format,
      passes);
  fill_matrix (&params->matrix, random, KIND_RANDOM, 63);
  for (guint i = 1; (variant = ocl_convolution_class.variants[i]); i++) {
    const gboolean dense = g_str_equal (variant->name, "dense-rows")
        || g_str_equal (variant->name, "dense-tiled");

    params->divisor = 1.0;
    g_assert_true (ocl_variant_can_serve (variant, params, format, &passes[0])
        == dense);
    params->divisor = 0.99;
    g_assert_false (ocl_variant_can_serve (variant, params, format,
            &passes[0]));
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

/* Numbers as large as they can be that cancel each other. */
static void
test_cancelled (gconstpointer data)
{
  static const gchar *const settings[][2] = {
    {"<<0,1e9,-1e9>>", "1"},
    {"<<3,-2,-1>>", "1e-9"},
    {"<<123456.789,-999999.75,876542.961>>", "0.001"},
    {"<<1e6,0,-1e6>,<0,3,0>,<-1e6,0,1e6>>", "-3"},
  };
  const OclFormat *format = data;
  g_autoptr (GRand) random = test_random_new (3);
  g_autoptr (GPtrArray) operations = create_operations ();

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autofree OclConvolutionParams *params = create_params ();

    g_assert_true (parse (params, "matrix", settings[i][0], NULL));
    g_assert_true (parse (params, "divisor", settings[i][1], NULL));
    check_matrix (operations, params, format, random);
  }
}

/* What no pair of floats holds is refused, whichever is set last. */
static void
test_refused (void)
{
  g_autofree OclConvolutionParams *params = create_params ();
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (format_names); i++) {
    const OclFormat *format = ocl_format_find (format_names[i]);
    g_autofree gchar *sums =
        g_strdup_printf ("/precision/large-sums/%s", format->name);
    g_autofree gchar *cancelled =
        g_strdup_printf ("/precision/cancelled/%s", format->name);

    g_test_add_data_func (sums, format, test_large_sums);
    g_test_add_data_func (cancelled, format, test_cancelled);
  }
  g_test_add_func ("/precision/far-sums", test_far_sums);
  g_test_add_func ("/precision/limits", test_limits);
  g_test_add_func ("/precision/refused", test_refused);

  context = open_context ();
  int result = g_test_run ();
  ocl_context_unref (context);
  return result;
}
