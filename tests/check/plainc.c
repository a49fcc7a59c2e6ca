/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests plain C against the float64 reference: the outputs without and with
 * OpenMP must be equal to the byte, and within 1 of the reference. */

#include <math.h>
#include <string.h>

#include "opencl/histogram/oclhistogram.h"
#include "plainc.h"
#include "references.h"
#include "testcase.h"

typedef struct
{
  gint width;
  gint height;
} Size;

/* A single pixel, smaller than the window, odd ones, more rows than threads. */
static const Size sizes[] = { {1, 1}, {5, 3}, {33, 1}, {1, 17}, {37, 29} };

/* Returns a scene. */
static Picture
draw (const Size * size)
{
  return picture_new_scene (OCL_FORMAT_RGBA, size->width, size->height, 7);
}

/* Returns the pixels of an RGBA picture, packed. The caller frees them. */
static guint8 *
pack_pixels (const Picture * picture, const Size * size)
{
  const gsize row_bytes = (gsize) size->width * 4;
  guint8 *pixels = g_malloc (row_bytes * size->height);

  for (gint y = 0; y < size->height; y++)
    memcpy (pixels + y * row_bytes, picture_get_row (picture, 0, y), row_bytes);
  return pixels;
}

static void
assert_near_reference (const OclOperationClass * klass, gconstpointer params,
    const Size * size, const guint8 * input, const guint8 * output)
{
  const gsize n_pixels = (gsize) size->width * size->height;
  g_autofree gdouble *exact = g_new (gdouble, n_pixels * 3);

  reference_filter_rgba (reference_find (klass->name), params, input,
      size->width, size->height, exact);
  for (gsize i = 0; i < n_pixels * 4; i++) {
    if (i % 4 == 3)
      g_assert_cmpint (output[i], ==, input[i]);
    else
      g_assert_cmpint (ABS (output[i] - lround (exact[i / 4 * 3 + i % 4])), <=,
          1);
  }
}

static void
check_filter (const OclOperationClass * klass, gconstpointer params,
    const Size * size)
{
  const PlainC *plain = plain_c_find (klass->name);
  const gsize n_bytes = (gsize) size->width * size->height * 4;
  g_auto (Picture) picture = draw (size);
  g_autofree guint8 *input = pack_pixels (&picture, size);
  g_autofree guint8 *serial = g_malloc (n_bytes);
  g_autofree guint8 *openmp = g_malloc (n_bytes);

  memset (serial, 0x5a, n_bytes);
  memset (openmp, 0xa5, n_bytes);
  plain->run (params, FALSE, input, serial, size->width, size->height);
  plain->run (params, TRUE, input, openmp, size->width, size->height);
  g_assert_cmpmem (serial, n_bytes, openmp, n_bytes);
  assert_near_reference (klass, params, size, input, serial);
}

static void
test_bilateral (gconstpointer data)
{
  const OclBilateralColorMode color_mode = GPOINTER_TO_INT (data);
  static const gint radii[] = { 1, 4, 9 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    for (guint j = 0; j < 2 * G_N_ELEMENTS (radii); j++) {
      const gint radius = radii[j / 2];
      const OclBilateralParams params = {
        .spatial_sigma = radius / 2.0,.intensity_sigma = 0.1,
        .radius = radius,.color_mode = color_mode,
        .window = j % 2 ? OCL_BILATERAL_WINDOW_DISC
            : OCL_BILATERAL_WINDOW_SQUARE,
      };

      check_filter (&ocl_bilateral_class, &params, &sizes[i]);
    }
  }
}

/* Each filter with each value of its enumerations and with the benchmark values
 * of its table. */
static void
test_values (gconstpointer data)
{
  const OclOperationClass *klass = data;
  guint n_tried = 0;

  for (const OclParam * param = klass->params; param->name; param++) {
    g_auto (GStrv) texts = ocl_param_split (param->bench ? param->bench : "");
    g_autoptr (GPtrArray) values = g_ptr_array_new ();

    for (guint i = 0; param->bench && texts[i]; i++)
      g_ptr_array_add (values, texts[i]);
    for (guint i = 0; param->values && param->values->values[i].nick; i++)
      g_ptr_array_add (values, (gpointer) param->values->values[i].nick);
    for (guint i = 0; i < values->len; i++) {
      g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);

      g_assert_true (ocl_operation_class_parse (klass, param,
              values->pdata[i], params));
      if (ocl_operation_class_is_neutral (klass, params)
          || !plain_c_supports (klass, params))
        continue;
      for (guint j = 0; j < G_N_ELEMENTS (sizes); j++)
        check_filter (klass, params, &sizes[j]);
      n_tried++;
    }
  }
  g_assert_cmpuint (n_tried, >, 1);
}

TEST (test_histogram)
{
  const PlainC *plain = plain_c_find ("histogram");

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_auto (Picture) picture = draw (&sizes[i]);
    g_autofree guint8 *pixels = pack_pixels (&picture, &sizes[i]);
    OclHistogramCounts serial, openmp, expected;

    memset (&serial, 0xff, sizeof (serial));
    memset (&openmp, 0xff, sizeof (openmp));
    plain->run (NULL, FALSE, pixels, &serial, sizes[i].width, sizes[i].height);
    plain->run (NULL, TRUE, pixels, &openmp, sizes[i].width, sizes[i].height);
    reference_find ("histogram")->find (NULL, &picture, &expected);
    g_assert_cmpmem (&serial, sizeof (serial), &expected, sizeof (expected));
    g_assert_cmpmem (&openmp, sizeof (openmp), &expected, sizeof (expected));
  }
}

void
test_set_up (void)
{
  static const gchar *const modes[] = {
    [OCL_BILATERAL_COLOR_INTENSITY] = "intensity",
    [OCL_BILATERAL_COLOR_PER_CHANNEL] = "per-channel",
    [OCL_BILATERAL_COLOR_LAB] = "lab",
  };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    testcase_add_data (test_bilateral, GUINT_TO_POINTER (i), "%s", modes[i]);
  testcase_add_data (test_values, &ocl_sharpen_class, "sharpen");
  testcase_add_data (test_values, &ocl_multiresolution_class,
      "multiresolution");
}
