/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests operations on devices with little local memory, with work-groups of one
 * row, or with few formats of images. The test layer emulates each of these
 * devices, and ends the test if a launch exceeds its limits. */

#include "testcase.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/ocloperations.h"
#include "picture.h"
#include "references.h"

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OclDenoiseParams, ocl_params_free);

#define WIDTH 37
#define HEIGHT 22
TEST_CONTEXT ();

/* Returns the variant that filters luma with @n_earlier and @n_later frames. */
static const gchar *
find_denoiser (OclFilter * operation, guint n_earlier, guint n_later)
{
  const OclFrame like = {.info = {.format = ocl_format_find ("I420"),.storage =
          OCL_STORAGE_BUFFER,.width = WIDTH,.height = HEIGHT}
  };
  g_autoptr (OclDenoiseParams) params =
      ocl_operation_class_create_params (&ocl_denoise_class);
  GError *error = NULL;

  params->history = n_earlier;
  params->lookahead = n_later;
  const OclVariant *variant = find_variant (operation, &like, params, &error);
  assert_ok (variant != NULL, error);
  return variant->name;
}

/* The fast denoiser fits with few frames. With more frames, a warning says once
 * that it does not. */
TEST (test_local_memory)
{
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_denoise_class, NULL, NULL);

  g_assert_cmpuint (context->device->local_size, ==, 32768);
  g_assert_cmpstr (find_denoiser (operation, 2, 0), ==, "tiled");
  g_assert_cmpstr (find_denoiser (operation, 2, 2), ==, "tiled");
  g_assert_no_error (ocl_filter_take_warning (operation));
  g_assert_cmpstr (find_denoiser (operation, 4, 2), ==, "plain");
  g_autoptr (GError) warning = ocl_filter_take_warning (operation);
  g_assert_error (warning, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
  g_test_message ("%s", warning->message);
  g_assert_cmpstr (find_denoiser (operation, 3, 2), ==, "plain");
  g_assert_no_error (ocl_filter_take_warning (operation));
}

/* Each operation filters frames with the variants that the device can run. */
TEST (test_flat_groups)
{
  g_assert_cmpuint (context->device->max_group_height, ==, 1);
  for (guint i = 0; ocl_operations[i]; i++) {
    const OclOperationClass *klass = ocl_operations[i];
    g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
    g_autoptr (OclFilter) operation =
        create_forced (context, klass, NULL, NULL);

    if (!ocl_operation_class_filters (klass)
        || ocl_operation_class_is_neutral (klass, params))
      continue;
    g_auto (Picture) input =
        picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, i);
    g_auto (Picture) output = picture_new_like (&input);
    if (reference_find (klass->name)->filter
        && !ocl_operation_class_keeps_frames (klass, params))
      check_picture (operation, params, &input, OCL_STORAGE_BUFFER, FALSE);
    else
      picture_run (operation, params, &input, &output, OCL_STORAGE_BUFFER);
  }
}

/* Returns whether the first of two operations writes the wide format. */
static gboolean
is_wide (const OclFormat * format, gboolean exact)
{
  const OclFrame frame = {.info = {.format = format,.storage =
          OCL_STORAGE_IMAGE,.width = WIDTH,.height = HEIGHT}
  };
  g_auto (OclOperationList) list = { 0, };
  GError *error = NULL;

  ASSERT_OK (ocl_operation_list_parse (&list, "gradient ! sharpen", &error));
  list.exact = exact;
  g_autoptr (OclFilter) chain = ocl_filter_new (&list, context);
  g_autoptr (OclGraph) graph = ocl_filter_get_graph (chain, &frame.info, &list,
      &error);
  assert_ok (graph != NULL, error);
  return get_pass (graph, 0)->output_format == ocl_format_get_wide (format);
}

/* Frames between operations are wide images only if the device has them. */
TEST (test_rgba_shorts)
{
  const OclFormat *grey = ocl_format_find ("GRAY8");

  g_assert_true (is_wide (OCL_FORMAT_RGBA, FALSE));
  g_assert_false (is_wide (OCL_FORMAT_RGBA, TRUE));
  g_assert_false (is_wide (grey, FALSE));
}
