/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every variant of every operation that filters, on formats of every kind,
 * in buffers and in the images that the device supports, against a float64
 * reference. This sweep knows no operation by name: it sets parameters to their
 * limits and values, at random. The bilateral filter, whose kernels read each
 * format as all others do, is tried on all formats. */

#include <string.h>

#include "exhaustive.h"
#include "formatcheck.h"
#include "opencl/bilateral/oclbilateral.h"
#include "opencl/ocloperations.h"
#include "paramnumbers.h"
#include "picture.h"
#include "testrandom.h"

/* Pixels beyond a pixel, at most: windows grow with the square. */
#define MAX_REACH 9

#define N_CASES 8

static OclContext *context;

static const gint sizes[][2] = {
  {1, 1}, {2, 3}, {5, 3}, {35, 9}, {70, 11}, {130, 22}
};

typedef struct
{
  const OclOperationClass *klass;
  const OclVariant *variant;
} Subject;

/* Returns whether the variant can serve @params, and changes frames. */
static gboolean
is_usable (const Subject * subject, gconstpointer params,
    const OclFormat * format)
{
  const OclOperationClass *klass = subject->klass;

  return !ocl_operation_class_is_neutral (klass, params)
      && ocl_operation_class_check (klass, params, format, NULL)
      && !(klass->get_reach && klass->get_reach (params) > MAX_REACH)
      && serves_all_passes (klass, subject->variant, params, format);
}

/* Sets a parameter to one of its limits or values, or to what is between its
 * default and them, as long as the variant can serve it. */
static void
set_at_random (const Subject * subject, const OclFormat * format,
    const OclParam * param, gpointer params, GRand * random)
{
  g_autoptr (GArray) numbers = get_numbers (param);
  const gdouble between = param->values || param->fixed ? 1.0
      : 0.25 * g_rand_int_range (random, 1, 5);

  if (numbers->len == 0 || g_rand_boolean (random))
    return;
  const gdouble before = get_number (param, params);
  gdouble number = g_array_index (numbers, gdouble,
      g_rand_int_range (random, 0, numbers->len));
  number = before + between * (number - before);
  set_number (param, params, number);
  while (!is_usable (subject, params, format)) {
    number = before + (number - before) / 2.0;
    set_number (param, params, number);
    if (param->values || get_number (param, params) == before
        || number == before) {
      set_number (param, params, before);
      return;
    }
  }
}

/* The defaults, or parameters of the warm-up, changed at random. NULL where the
 * variant serves none of them. */
static gpointer
create_params (const Subject * subject, const OclFormat * format, guint n)
{
  const OclOperationClass *klass = subject->klass;
  g_autofree gpointer params = ocl_operation_class_create_params (klass);
  g_autoptr (GRand) random = test_random_new (n + 1);

  for (guint i = 0; !is_usable (subject, params, format); i++) {
    if (!ocl_operation_class_get_warm_up (klass, i, params))
      return NULL;
  }
  for (const OclParam * param = klass->params; param->name; param++)
    set_at_random (subject, format, param, params, random);
  return g_steal_pointer (&params);
}

/* Of progressive and interlaced frames. */
static void
check_format (const Subject * subject, const OclFormat * format,
    OclStorage storage)
{
  const gboolean approximate =
      (subject->variant->flags & OCL_VARIANT_APPROXIMATE) != 0;
  g_autoptr (OclOperation) operation = format_create_operation (context,
      subject->klass, subject->variant);

  for (guint i = 0; i < (approximate ? 4 : N_CASES); i++) {
    const gint *size = sizes[approximate ? 5 : (i * 2 + i / 5)
        % G_N_ELEMENTS (sizes)];
    g_autofree gpointer params = create_params (subject, format, i);
    FormatPicture input;

    if (!params)
      continue;
    format_picture_init (&input, format, size[0], size[1] + i / 5);
    format_picture_fill (&input, i);
    input.frame.interlaced =
        i % 4 == 3 && storage == OCL_STORAGE_BUFFER && !approximate;
    input.frame.storage = storage;
    if (has_room (operation, subject->variant, &input.frame, params))
      format_check_picture (operation, params, &input, storage, approximate);
    format_picture_clear (&input);
  }
}

/* Programs that read several frames are large: formats of few layouts have them,
 * beside those of denoise.c. */
static gboolean
is_tried (const Subject * subject, const OclFormat * format)
{
  static const gchar *const few[] = { "RGBA", "GRAY16_LE", "I420", "NV12",
    "YUY2", NULL
  };

  return format_is_tried (context, subject->variant, format->name)
      && (!subject->klass->get_neighbours
      || g_strv_contains (few, format->name));
}

static void
test_formats (gconstpointer data)
{
  const Subject *subject = data;
  const OclVariant *variant = subject->variant;

  for (guint i = 0; ocl_formats[i]; i++) {
    if (!is_tried (subject, ocl_formats[i]))
      continue;
    check_format (subject, ocl_formats[i], OCL_STORAGE_BUFFER);
    if (!is_left_out (OCL_STORAGE_IMAGE)
        && !(variant->flags & OCL_VARIANT_BUFFERS_ONLY)
        && format_has_images (context, ocl_formats[i]))
      check_format (subject, ocl_formats[i], OCL_STORAGE_IMAGE);
  }
}

static OclBilateralParams
make_params (void)
{
  OclBilateralParams params;

  ocl_params_init (ocl_bilateral_class.params, &params);
  params.border.color = FORMAT_BORDER_COLOR;
  return params;
}

/* Returns whether the variant is one that filters frames of @format exactly, and
 * that is tried on it. The kernels for GPUs take a CPU's driver seconds to build
 * each. */
static gboolean
is_exact (const OclVariant * variant, const OclFormat * format,
    const OclBilateralParams * params)
{
  const Subject subject = { &ocl_bilateral_class, variant };
  const gboolean slow = variant->flags & OCL_VARIANT_FOR_GPU
      && context->device->type & CL_DEVICE_TYPE_CPU;

  return !(variant->flags & OCL_VARIANT_APPROXIMATE)
      && is_usable (&subject, params, format)
      && (!slow || format_is_tried (context, variant, format->name))
      && can_run (context, &ocl_bilateral_class, variant);
}

/* A filter that changes nothing changes no sample. */
static void
check_identity (const OclVariant * variant, const OclFormat * format)
{
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_bilateral_class, variant);
  OclBilateralParams params = make_params ();
  FormatPicture input, output;

  params.color_mode = OCL_BILATERAL_COLOR_PER_CHANNEL;
  params.intensity_sigma = 1e-6;
  if (!serves_all_passes (&ocl_bilateral_class, variant, &params, format))
    return;
  format_picture_init (&input, format, 37, 13);
  format_picture_init (&output, format, 37, 13);
  format_picture_fill (&input, 5);
  format_picture_run (operation, &params, &input, &output, OCL_STORAGE_BUFFER);
  for (guint channel = 0; channel < OCL_N_CHANNELS; channel++) {
    if (!format->channels[channel].step)
      continue;
    for (gint y = 0; y < format_picture_get_height (&input, channel); y++) {
      for (gint x = 0; x < format_picture_get_width (&input, channel); x++)
        g_assert_cmpuint (format_picture_get_level (&output, channel, x, y),
            ==, format_picture_get_level (&input, channel, x, y));
    }
  }
  format_picture_clear (&input);
  format_picture_clear (&output);
}

/* Heights that give both fields as many rows, of luma and of chroma, and heights
 * that do not. */
static void
check_interlaced (const OclVariant * variant, const OclFormat * format)
{
  static const gint heights[] = { 1, 2, 3, 4, 5, 21, 22, 23, 24 };
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_bilateral_class, variant);
  OclBilateralParams params = make_params ();

  params.border.mode = OCL_BORDER_REFLECT;
  for (guint n = 0; n < G_N_ELEMENTS (heights); n++) {
    FormatPicture input;

    format_picture_init (&input, format, 35, heights[n]);
    format_picture_fill (&input, 9);
    input.frame.interlaced = TRUE;
    format_check_picture (operation, &params, &input, OCL_STORAGE_BUFFER,
        FALSE);
    format_picture_clear (&input);
  }
}

static void
test_format (gconstpointer data)
{
  const OclFormat *format = data;
  const OclBilateralParams params = make_params ();
  const OclVariant *variant;

  for (guint i = 0; (variant = ocl_bilateral_class.variants[i]); i++) {
    const Subject subject = { &ocl_bilateral_class, variant };

    if (!is_exact (variant, format, &params))
      continue;
    check_identity (variant, format);
    /* A CPU takes another variant. This one reads and writes all formats by the
     * same code, which the sweep over operations tries with usual formats. */
    if (!(variant->flags & OCL_VARIANT_FOR_CPU)
        && context->device->type & CL_DEVICE_TYPE_CPU
        && !is_format_usual (format->name))
      continue;
    /* Else the sweep does. */
    if (!format_is_tried (context, variant, format->name))
      check_format (&subject, format, OCL_STORAGE_BUFFER);
    check_interlaced (variant, format);
  }
}

/* Runs @variant on @input, with the default parameters. */
static void
run_variant (const OclVariant * variant, FormatPicture * input,
    FormatPicture * output)
{
  g_autoptr (OclOperation) operation = format_create_operation (context,
      &ocl_bilateral_class, variant);
  OclBilateralParams params = make_params ();

  format_picture_init (output, input->frame.format, input->frame.width,
      input->frame.height);
  format_picture_run (operation, &params, input, output, OCL_STORAGE_BUFFER);
}

/* Bits above the level, which should be 0, take no other pixel with them, and
 * none of them is written. */
static void
test_bits_above (gconstpointer data)
{
  const OclFormat *format = data;
  const guint max_level = ocl_format_get_max_level (format);
  const OclBilateralParams params = make_params ();
  FormatPicture input, plain;

  format_picture_init (&input, format, 37, 13);
  format_picture_fill (&input, 5);
  guint16 *row = (guint16 *) format_picture_get_row (&input, 0, 6);
  row[11] = 0xffff;
  run_variant (ocl_bilateral_class.variants[0], &input, &plain);
  for (guint i = 1; ocl_bilateral_class.variants[i]; i++) {
    const OclVariant *variant = ocl_bilateral_class.variants[i];
    FormatPicture output;

    if (!is_exact (variant, format, &params))
      continue;
    run_variant (variant, &input, &output);
    for (guint channel = 0; channel < 3; channel++) {
      for (gint y = 0; y < format_picture_get_height (&input, channel); y++) {
        for (gint x = 0; x < format_picture_get_width (&input, channel); x++) {
          gint found = format_picture_get_component (&output, channel, x, y);
          gint wanted = format_picture_get_component (&plain, channel, x, y);

          g_assert_cmpint (found, <=, max_level);
          g_assert_cmpint (ABS (found - wanted), <=, 1);
        }
      }
    }
    format_picture_clear (&output);
  }
  format_picture_clear (&plain);
  format_picture_clear (&input);
}

/* Alpha is carried through, by the variant that frames of the device get. */
static void
test_alpha (void)
{
  const OclBilateralParams params = make_params ();

  for (guint i = 0; ocl_formats[i]; i++) {
    g_autoptr (OclOperation) operation =
        ocl_operation_new (&ocl_bilateral_class, context);

    if (ocl_formats[i]->channels[OCL_CHANNEL_ALPHA].step)
      format_check (operation, &params, ocl_formats[i], OCL_STORAGE_BUFFER, 70,
          3);
  }
}

/* Memory that is used again has what its new frame has. */
static void
test_ensure (void)
{
  const OclColorimetry colorimetry = { 0.2126, 0.0722, TRUE };
  OclFrame like = {.format = OCL_FORMAT_RGBA,.width = 4,.height = 4 };
  OclFrame frame = { NULL, };
  GError *error = NULL;

  gboolean ok =
      ocl_frame_ensure (&frame, context, OCL_STORAGE_BUFFER, &like, &error);
  assert_ok (ok, error);
  const cl_mem memory = frame.planes[0].memory;
  like.colorimetry = colorimetry;
  like.interlaced = TRUE;
  ok = ocl_frame_ensure (&frame, context, OCL_STORAGE_BUFFER, &like, &error);
  assert_ok (ok, error);
  g_assert_true (frame.planes[0].memory == memory);
  g_assert_true (frame.interlaced);
  g_assert_cmpmem (&frame.colorimetry, sizeof (colorimetry), &colorimetry,
      sizeof (colorimetry));
  ocl_frame_clear (&frame);
}

/* Returns the subjects, which tests keep pointers to. */
static GPtrArray *
add_tests (void)
{
  GPtrArray *subjects = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];

    if ((klass->flags & OCL_OPERATION_FILTERS) != OCL_OPERATION_FILTERS)
      continue;
    for (guint j = 0; klass->variants[j]; j++) {
      Subject *subject = g_new (Subject, 1);
      g_autofree gchar *name = g_strdup_printf ("/formats/%s/%s", klass->name,
          klass->variants[j]->name);

      subject->klass = klass;
      subject->variant = klass->variants[j];
      g_ptr_array_add (subjects, subject);
      if (can_run (context, klass, subject->variant))
        g_test_add_data_func (name, subject, test_formats);
    }
  }
  return subjects;
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  context = open_context ();
  GPtrArray *subjects = add_tests ();
  for (guint i = 0; ocl_formats[i]; i++) {
    g_autofree gchar *all =
        g_strdup_printf ("/formats/all/%s", ocl_formats[i]->name);
    g_autofree gchar *bits_above =
        g_strdup_printf ("/formats/bits-above/%s", ocl_formats[i]->name);

    g_test_add_data_func (all, ocl_formats[i], test_format);
    if (ocl_format_get_largest_difference (ocl_formats[i])
        > ocl_format_get_max_level (ocl_formats[i]))
      g_test_add_data_func (bits_above, ocl_formats[i], test_bits_above);
  }
  g_test_add_func ("/formats/alpha", test_alpha);
  g_test_add_func ("/formats/ensure", test_ensure);

  const int result = g_test_run ();
  g_ptr_array_unref (subjects);
  ocl_context_unref (context);
  return result;
}
