/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of the operations that sum up neighbours with fixed
 * weights, on every format, in buffers and in the images that the device
 * supports, against a float64 reference: kernels, outputs, borders, planes,
 * sizes from 1x1 on.
 *
 * Required accuracy: within 1 level of the reference rounded to nearest for up
 * to 12 bits, within 2 levels for 16 bits. Copies are exact. */

#include <math.h>
#include <string.h>

#include "exhaustive.h"
#include "formatcheck.h"
#include "picture.h"
#include "references.h"

static OclContext *context;

static const gint sizes[][2] = { {1, 1}, {2, 3}, {5, 3}, {35, 9}, {130, 11} };

/* Parameters of a format. */
#define N_CASES 15

/* An operation of the family. */
typedef struct
{
  const OclOperationClass *klass;
  /* The @n-th parameters that are tried for that format; free them. */
    gpointer (*create_params) (guint n, const OclFormat * format);
    OclPlanes (*get_planes) (gconstpointer params);
  /* The levels that a channel is to have, not rounded; free them. */
  gdouble *(*get_wanted) (gconstpointer params, const FormatPicture * input,
      guint channel);
} Family;

typedef struct
{
  const Family *family;
  const OclVariant *variant;
} Subject;

static gint
get_pixels (const OclFormat * format, guint channel, guint shift)
{
  return format->model == OCL_MODEL_YCBCR && channel > 0 ? 1 << shift : 1;
}

/* A channel of @input; its levels are to be freed. */
static ReferencePlane
get_plane (const FormatPicture * input, guint channel)
{
  const OclFormat *format = input->frame.format;
  const ReferencePlane plane = {
    .width = format_picture_get_width (input, channel),
    .height = format_picture_get_height (input, channel),
    .x_pixels = get_pixels (format, channel, format->chroma_x_shift),
    .y_pixels = get_pixels (format, channel, format->chroma_y_shift),
    .levels = format_picture_get_levels (input, channel),
    .border_level = format_get_border_level (format, channel),
    .max_level = ocl_format_get_max_level (format),
  };

  return plane;
}

static gdouble *
get_wanted_sharpen (gconstpointer data, const FormatPicture * input,
    guint channel)
{
  const ReferenceSharpen reference = get_reference_sharpen (data);
  const ReferencePlane plane = get_plane (input, channel);
  gdouble *wanted = g_new (gdouble, plane.width * plane.height);

  reference_sharpen (&reference, &plane, wanted);
  g_free ((gpointer) plane.levels);
  return wanted;
}

static gdouble *
get_wanted_convolution (gconstpointer data, const FormatPicture * input,
    guint channel)
{
  const ReferenceConvolution reference = get_reference_convolution (data);
  const ReferencePlane plane = get_plane (input, channel);
  gdouble *wanted = g_new (gdouble, plane.width * plane.height);

  reference_convolution (&reference, &plane, wanted);
  g_free ((gpointer) plane.levels);
  return wanted;
}

static gdouble *
get_wanted_gradient (gconstpointer data, const FormatPicture * input,
    guint channel)
{
  const OclGradientParams *params = data;
  const OclFormat *format = input->frame.format;
  const gboolean rgb = format->model == OCL_MODEL_RGB;
  const guint first = rgb ? 0 : channel;
  const ReferenceGradient reference = get_reference_gradient (params);
  gdouble *levels[3] = { NULL, }, *outputs[3] = { NULL, };
  ReferenceChannels frame = {
    .width = format_picture_get_width (input, channel),
    .height = format_picture_get_height (input, channel),
    .x_pixels = get_pixels (format, channel, format->chroma_x_shift),
    .y_pixels = get_pixels (format, channel, format->chroma_y_shift),
    .n_channels = rgb ? 3 : 1,
    .max_level = ocl_format_get_max_level (format),
  };

  for (gint c = 0; c < frame.n_channels; c++) {
    levels[c] = format_picture_get_levels (input, first + c);
    outputs[c] = g_new (gdouble, frame.width * frame.height);
    frame.channels[c] = levels[c];
    frame.border_levels[c] = format_get_border_level (format, first + c);
  }
  reference_gradient (&reference, &frame, outputs);
  gdouble *wanted = g_steal_pointer (&outputs[channel - first]);
  for (gint c = 0; c < 3; c++) {
    g_free (levels[c]);
    g_free (outputs[c]);
  }
  return wanted;
}

static gboolean
is_filtered (OclPlanes planes, const OclFormat * format, guint channel)
{
  if (format->model == OCL_MODEL_RGB)
    return channel < 3;
  if (format->model == OCL_MODEL_GREY)
    return channel == 0;
  return channel == 0 ? (planes & OCL_PLANES_LUMA) != 0
      : channel < 3 && (planes & OCL_PLANES_CHROMA) != 0;
}

static void
check_channel (const FormatPicture * output, guint channel,
    const gdouble * wanted, const gchar * what)
{
  const OclFormat *format = output->frame.format;
  const gint width = format_picture_get_width (output, channel);
  const gint height = format_picture_get_height (output, channel);
  const gdouble max_level = ocl_format_get_max_level (format);

  for (gint n = 0; n < width * height; n++) {
    guint component = format_picture_get_component (output, channel, n % width,
        n / width);
    gdouble level = rint (CLAMP (wanted[n], 0.0, max_level));

    if (fabs ((component >> format->shift) - level)
        > (format->depth <= 12 ? 1.0 : 2.0))
      g_error ("%s: channel %u at %d,%d is %u, the reference %.4f", what,
          channel, n % width, n / width, component >> format->shift, wanted[n]);
    g_assert_cmpuint (component & ((1 << format->shift) - 1), ==, 0);
  }
}

static gchar *
describe (const Subject * subject, const OclFormat * format,
    OclStorage storage, gconstpointer params, gint width, gint height)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s %s, %s in %s, %dx%d", subject->family->klass->name,
      subject->variant->name, format->name,
      storage == OCL_STORAGE_IMAGE ? "images" : "buffers", width, height);
  for (const OclParam * param = subject->family->klass->params; param->name;
      param++) {
    g_autofree gchar *value = ocl_param_print (param, params);

    g_string_append_printf (text, " %s=%s", param->name, value);
  }
  return g_string_free (text, FALSE);
}

static void
check_size (const Subject * subject, OclOperation * operation,
    const OclFormat * format, OclStorage storage, gconstpointer params,
    gint width, gint height)
{
  g_autofree gchar *what = describe (subject, format, storage, params, width,
      height);
  const OclPlanes planes = subject->family->get_planes (params);
  FormatPicture input, output;

  format_picture_init (&input, format, width, height);
  format_picture_init (&output, format, width, height);
  format_picture_fill (&input, width * 100 + height);
  format_picture_run (operation, params, &input, &output, storage);
  for (guint i = 0; i < OCL_N_CHANNELS; i++) {
    if (!format->channels[i].step)
      continue;
    if (is_filtered (planes, format, i)) {
      g_autofree gdouble *wanted =
          subject->family->get_wanted (params, &input, i);

      check_channel (&output, i, wanted, what);
    } else {
      format_picture_assert_copied (&output, &input, i);
    }
  }
  format_picture_assert_margins (&output);
  format_picture_clear (&input);
  format_picture_clear (&output);
}

/* Each size with other parameters, so that all meet. */
static gpointer
create_sharpen (guint n, const OclFormat * format)
{
  static const gint radii[] = { 1, 3, 2, 9, 5, 20, 4 };
  OclSharpenParams *params =
      ocl_operation_class_create_params (&ocl_sharpen_class);

  (void) format;
  params->kernel = n % 3;
  params->radius = radii[n % G_N_ELEMENTS (radii)];
  params->sigma = 0.7 + n % 4;
  params->output = n / 2 % 3;
  params->planes = 1 + n % 3;
  params->gamma = n % 5 == 4 ? 0.1 : 0.0;
  params->border.mode = n % 5;
  params->border.color = FORMAT_BORDER_COLOR;
  return params;
}

static OclPlanes
get_planes_sharpen (gconstpointer data)
{
  const OclSharpenParams *params = data;

  return params->planes;
}

static gpointer
create_gradient (guint n, const OclFormat * format)
{
  OclGradientParams *params =
      ocl_operation_class_create_params (&ocl_gradient_class);

  params->size = 3 + n % 4 * 2;
  params->output = n / 2 % (format->model == OCL_MODEL_RGB ? 4 : 3);
  params->channels = n % 3 == 0;
  params->scale = n % 2 ? 1.0 : 2.5;
  params->planes = 1 + n % 3;
  params->border.mode = n % 5;
  params->border.color = FORMAT_BORDER_COLOR;
  return params;
}

static OclPlanes
get_planes_gradient (gconstpointer data)
{
  const OclGradientParams *params = data;

  return params->planes;
}

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

static gpointer
create_convolution (guint n, const OclFormat * format)
{
  const OclOperationClass *klass = &ocl_convolution_class;
  OclConvolutionParams *params = ocl_operation_class_create_params (klass);

  (void) format;
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

static OclPlanes
get_planes_convolution (gconstpointer data)
{
  const OclConvolutionParams *params = data;

  return params->planes;
}

static const Family families[] = {
  {&ocl_convolution_class, create_convolution, get_planes_convolution,
      get_wanted_convolution},
  {&ocl_sharpen_class, create_sharpen, get_planes_sharpen, get_wanted_sharpen},
  {&ocl_gradient_class, create_gradient, get_planes_gradient,
      get_wanted_gradient},
};

static OclOperation *
create_operation (const Subject * subject)
{
  return format_create_operation (context, subject->family->klass,
      subject->variant);
}

static gboolean
can_serve (const Subject * subject, gconstpointer params,
    const OclFormat * format)
{
  OclPass passes[OCL_MAX_PASSES];
  const guint n = ocl_operation_class_get_passes (subject->family->klass,
      params, format, passes);

  for (guint i = 0; i < n; i++) {
    if (subject->variant->can_serve
        && !subject->variant->can_serve (params, format, &passes[i]))
      return FALSE;
  }
  return TRUE;
}

static void
check_format (const Subject * subject, const OclFormat * format,
    OclStorage storage)
{
  g_autoptr (OclOperation) operation = create_operation (subject);

  for (guint i = 0; i < N_CASES; i++) {
    const gint *size = sizes[(i * 2 + i / 5) % G_N_ELEMENTS (sizes)];
    g_autofree gpointer params = subject->family->create_params (i, format);

    if (can_serve (subject, params, format))
      check_size (subject, operation, format, storage, params, size[0],
          size[1]);
  }
}

static void
test_formats (gconstpointer data)
{
  const Subject *subject = data;
  const OclVariant *variant = subject->variant;

  for (guint i = 0; ocl_formats[i]; i++) {
    if (!format_is_tried (context, variant, ocl_formats[i]->name))
      continue;
    check_format (subject, ocl_formats[i], OCL_STORAGE_BUFFER);
    if (!is_left_out (OCL_STORAGE_IMAGE)
        && !(variant->flags & OCL_VARIANT_BUFFERS_ONLY)
        && format_has_images (context, ocl_formats[i]))
      check_format (subject, ocl_formats[i], OCL_STORAGE_IMAGE);
  }
}

/* Sums of large windows are as exact as those of small ones, with levels that
 * are as large as they can be. */
static void
test_large (gconstpointer data)
{
  const Subject *subject = data;
  g_autoptr (OclOperation) operation = create_operation (subject);
  static const gchar *const names[] = { "GRAY8", "GRAY16_LE", "RGBA" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (names); i++) {
    const OclFormat *format = ocl_format_find (names[i / 2]);
    g_autofree OclSharpenParams *params = create_sharpen (0, format);

    params->kernel = i % 2 ? OCL_SHARPEN_GAUSSIAN : OCL_SHARPEN_AVERAGE;
    params->sigma = 25.0;
    params->radius = OCL_SHARPEN_MAX_RADIUS;
    params->border.mode = i % 5;
    check_size (subject, operation, format, OCL_STORAGE_BUFFER, params, 90, 40);
  }
}

/* Windows of all sizes up to the largest, of random numbers, of which a third
 * is 0 and some are alike. */
static void
test_large_matrices (gconstpointer data)
{
  static const gint sides[][2] = { {63, 63}, {1, 63}, {63, 1}, {31, 17} };
  const Subject *subject = data;
  g_autoptr (OclOperation) operation = create_operation (subject);
  static const gchar *const names[] = { "GRAY8", "GRAY16_LE", "I420", "RGBA" };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
    const OclFormat *format = ocl_format_find (names[i]);
    g_autofree OclConvolutionParams *params = create_convolution (0, format);

    params->matrix.width = sides[i][0];
    params->matrix.height = sides[i][1];
    for (gint n = 0; n < sides[i][0] * sides[i][1]; n++)
      params->matrix.numbers[n] = MAX (0, g_rand_int_range (random, -4, 9));
    params->planes = OCL_PLANES_ALL;
    params->border.mode = i;
    if (can_serve (subject, params, format))
      check_size (subject, operation, format, OCL_STORAGE_BUFFER, params, 45,
          23);
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
  g_autofree OclConvolutionParams *params = create_convolution (0, format);
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
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  OclPass passes[OCL_MAX_PASSES];

  for (guint i = 0; i < 200; i++) {
    const gint width = 1 + 2 * g_rand_int_range (random, 2, 32);
    const gint height = 1 + 2 * g_rand_int_range (random, 2, 32);
    g_autofree OclConvolutionParams *params = create_convolution (0, format);
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
  static const Subject subject = { &families[0], NULL };
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autoptr (OclOperation) operation =
      ocl_operation_new (&ocl_convolution_class, context);
  g_autofree OclConvolutionParams *params = create_convolution (0, format);
  Subject dense = subject;

  dense.variant = ocl_operation_class_find_variant (&ocl_convolution_class,
      "dense-rows");
  for (gint i = 0; i < 15; i++)
    params->matrix.numbers[i] = i * i % 11;
  for (gint i = 0; i < 3; i++) {
    params->matrix.width = i % 2 ? 3 : 5;
    params->matrix.height = i % 2 ? 5 : 3;
    check_size (&dense, operation, format, OCL_STORAGE_BUFFER, params, 45, 23);
  }
}

/* What is 0 but for the rounding of its numbers is 0. */
static void
test_divisor (void)
{
  const OclFormat *format = ocl_format_find ("GRAY8");
  g_autofree OclConvolutionParams *params = create_convolution (0, format);

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
  g_autofree OclConvolutionParams *params = create_convolution (0, format);
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

static void
add_tests (const Subject * subject)
{
  const gchar *operation = subject->family->klass->name;
  const gchar *variant = subject->variant->name;
  g_autofree gchar *formats = g_strdup_printf ("/stencils/%s/%s/formats",
      operation, variant);
  g_autofree gchar *large = g_strdup_printf ("/stencils/%s/%s/large", operation,
      variant);

  g_test_add_data_func (formats, subject, test_formats);
  if (subject->family->klass == &ocl_sharpen_class)
    g_test_add_data_func (large, subject, test_large);
  if (subject->family->klass == &ocl_convolution_class)
    g_test_add_data_func (large, subject, test_large_matrices);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) subjects = g_ptr_array_new_with_free_func (g_free);

  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  g_test_add_func ("/stencils/presets", test_presets);
  g_test_add_func ("/stencils/direction", test_direction);
  g_test_add_func ("/stencils/separable", test_separable);
  g_test_add_func ("/stencils/small-numbers", test_small_numbers);
  g_test_add_func ("/stencils/same-numbers", test_same_numbers);
  g_test_add_func ("/stencils/divisor", test_divisor);
  g_test_add_func ("/stencils/group-size", test_group_size);
  for (guint i = 0; i < G_N_ELEMENTS (families); i++) {
    const OclVariant *variant;

    for (guint j = 0; (variant = families[i].klass->variants[j]); j++) {
      const Subject subject = { &families[i], variant };

      if (!can_run (context, families[i].klass, variant))
        continue;
      g_ptr_array_add (subjects, g_memdup2 (&subject, sizeof (subject)));
      add_tests (subjects->pdata[subjects->len - 1]);
    }
  }

  int status = g_test_run ();
  ocl_context_unref (context);
  return status;
}
