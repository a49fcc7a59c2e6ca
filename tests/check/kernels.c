/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the programs built from the table of a variant, and the launches of its
 * kernels. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "opencl/convolution/oclgradient.h"
#include "opencl/operation/oclkernels.h"
#include "testcase.h"

#define WIDTH 40
#define HEIGHT 100
#define MAX_LAUNCHES HEIGHT

TEST_CONTEXT ();

/* The launches since the last reset. */
static guint n_launches;
static size_t first_rows[MAX_LAUNCHES];
static size_t group_sizes[MAX_LAUNCHES][2];

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel (cl_command_queue queue, cl_kernel kernel,
    cl_uint n_dimensions, const size_t *offset, const size_t *global,
    const size_t *local, cl_uint n_events, const cl_event * events,
    cl_event * event)
{
  cl_int (*real) (cl_command_queue, cl_kernel, cl_uint, const size_t *,
      const size_t *, const size_t *, cl_uint, const cl_event *, cl_event *);

  g_assert_cmpuint (n_launches, <, MAX_LAUNCHES);
  first_rows[n_launches] = offset[1];
  memcpy (group_sizes[n_launches++], local, sizeof (group_sizes[0]));
  *(void **) &real = dlsym (RTLD_NEXT, "clEnqueueNDRangeKernel");
  return real (queue, kernel, n_dimensions, offset, global, local, n_events,
      events, event);
}

/* The plain variant of the gradient, with launches that are cut as often as
 * this asks for. */
static guint64 n_taps;

static gboolean
enqueue_cut (OclKernels * kernels, const OclRun * run, GError ** error)
{
  const OclGradientParams *params = run->params;
  const OclGrid grid = {.width = ocl_run_get_width (run),
    .height = ocl_run_get_height (run),.n_taps = n_taps
  };

  return OCL_LAUNCH (kernels, run, grid, error, OCL_INPUT, OCL_OUTPUT,
      OCL_INT (grid.width), OCL_INT (grid.height), OCL_INT (1), OCL_INT (1),
      OCL_INT (params->output), OCL_INT (FALSE),
      OCL_FLOAT (1.0f / 16 / 255), OCL_INT (params->border.mode),
      OCL_FLOAT4 (ocl_pass_get_color (run->pass, &run->input->info,
              params->border.color)));
}

static const OclVariant cut = {
  .name = "cut",.source = "gradient.cl",.kernels = OCL_NAMES ("gradient"),
  .group_width = 16,.group_height = 16,.enqueue = enqueue_cut,
};

static OclBuild
make_build (const OclFormat * format)
{
  OclBuild build = {.format = format,.storage = OCL_STORAGE_BUFFER };
  OclPass passes[OCL_MAX_PASSES];

  ocl_passes_init (passes, format, OCL_PLANES_ALL, FALSE);
  build.pass = passes[0];
  return build;
}

static OclKernels *
create (const OclVariant * variant, const OclFormat * format)
{
  const OclBuild build = make_build (format);
  GError *error = NULL;
  OclKernels *kernels = ocl_kernels_new (context, variant, &build, &error);

  assert_ok (kernels != NULL, error);
  return kernels;
}

/* Runs @kernels and returns the output. */
static Picture
run (OclKernels * kernels, const Picture * source)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclGradientParams params;

  ocl_params_init (ocl_gradient_class.params, &params);
  g_auto (Picture) input = picture_copy (source);
  Picture output = picture_new (OCL_FORMAT_RGBA, WIDTH, HEIGHT);
  g_auto (OclFrame) in = picture_create_frame (&input, context,
      OCL_STORAGE_BUFFER);
  g_auto (OclFrame) out = picture_create_frame (&output, context,
      OCL_STORAGE_BUFFER);
  const OclRun all = {.params = &params,.pass = &kernels->build.pass,
    .input = &in,.output = &out,.timer = timer
  };
  n_launches = 0;
  ASSERT_OK (ocl_kernels_enqueue (kernels, &all, &error));
  picture_download (&output, context, &out);
  return output;
}

/* A launch is split into whole groups if its taps take long, and the output is
 * equal. */
TEST (test_cut)
{
  OclKernels *kernels = create (&cut, OCL_FORMAT_RGBA);
  g_auto (Picture) source =
      picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, 1);

  n_taps = 0;
  g_auto (Picture) whole = run (kernels, &source);
  g_assert_cmpuint (n_launches, ==, 1);
  n_taps = G_MAXUINT32;
  g_auto (Picture) parts = run (kernels, &source);
  const gsize rows = kernels->group_height;
  g_assert_cmpuint (n_launches, ==, (HEIGHT + rows - 1) / rows);
  for (guint i = 0; i < n_launches; i++)
    g_assert_cmpuint (first_rows[i], ==, i * rows);
  picture_assert_equal (&parts, &whole, "in parts");
  ocl_kernels_unref (kernels);
}

/* Groups are halved until kernels can have them. */
TEST (test_groups)
{
  OclVariant large = cut;

  large.group_width = 1 << 20;
  large.group_height = 1 << 10;
  OclKernels *kernels = create (&large, OCL_FORMAT_RGBA);
  const gsize size = kernels->group_width * kernels->group_height;
  g_assert_cmpuint (size, >=, 1);
  g_assert_cmpuint (size & (size - 1), ==, 0);
  g_auto (Picture) source =
      picture_new_scene (OCL_FORMAT_RGBA, WIDTH, HEIGHT, 2);
  n_taps = 0;
  picture_discard (run (kernels, &source));
  g_assert_cmpuint (group_sizes[0][0], ==, kernels->group_width);
  g_assert_cmpuint (group_sizes[0][1], ==, kernels->group_height);
  ocl_kernels_unref (kernels);
}

static const OclTunable tunables[] = {
  {"ROWS", 1, OCL_CHOICES (1)},
  {"GROUP_HEIGHT", 2, OCL_CHOICES (2)},
  {"GROUP_WIDTH", 8, OCL_CHOICES (8)},
  {NULL},
};

/* Groups that the kernels are built for are as the tuning says, or not at
 * all. */
TEST (test_tuned_groups)
{
  g_autoptr (GError) error = NULL;
  OclVariant tuned = cut;
  OclBuild build = make_build (OCL_FORMAT_RGBA);

  tuned.tunables = tunables;
  ocl_tuning_init (&build.tuning, tunables);
  OclKernels *kernels = ocl_kernels_new (context, &tuned, &build, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kernels->group_width, ==, 8);
  g_assert_cmpuint (kernels->group_height, ==, 2);
  g_assert_cmpint (ocl_kernels_get_tuning (kernels, 1), ==, 2);
  ocl_kernels_unref (kernels);

  build.tuning.values[2] = 1 << 24;
  g_assert_null (ocl_kernels_new (context, &tuned, &build, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
}

/* Some kernels are in programs for red, green and blue only. */
TEST (test_rgb_kernels)
{
  const OclVariant *variant = NULL;

  for (guint i = 0; ocl_gradient_class.variants[i]; i++) {
    if (ocl_gradient_class.variants[i]->rgb_kernels)
      variant = ocl_gradient_class.variants[i];
  }
  g_assert_nonnull (variant);

  OclBuild build = make_build (OCL_FORMAT_RGBA);
  g_autoptr (GError) error = NULL;

  ocl_tuning_init (&build.tuning, variant->tunables);
  OclKernels *rgb = ocl_kernels_new (context, variant, &build, &error);
  if (!rgb) {
    g_test_skip (error->message);
    return;
  }
  build = make_build (ocl_format_find ("GRAY8"));
  ocl_tuning_init (&build.tuning, variant->tunables);
  OclKernels *grey = ocl_kernels_new (context, variant, &build, &error);
  g_assert_no_error (error);
  g_assert_nonnull (rgb->kernels[0]);
  g_assert_nonnull (rgb->kernels[1]);
  g_assert_nonnull (grey->kernels[0]);
  g_assert_null (grey->kernels[1]);
  ocl_kernels_unref (rgb);
  ocl_kernels_unref (grey);
}

/* The state of a variant starts as zeros, and is cleared once, also where it
 * could not be prepared, or where there are no kernels. */
static guint n_cleared;

static gboolean
fail (OclKernels * kernels, GError ** error)
{
  const guint8 *state = kernels->state;

  for (guint i = 0; i < kernels->variant->state_size; i++)
    g_assert_cmpuint (state[i], ==, 0);
  g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED, "no");
  return FALSE;
}

static void
clear (gpointer state)
{
  g_assert_nonnull (state);
  n_cleared++;
}

TEST (test_state)
{
  const OclBuild build = make_build (OCL_FORMAT_RGBA);
  OclVariant failing = cut;
  g_autoptr (GError) error = NULL;

  failing.state_size = 100;
  failing.init = fail;
  failing.clear = clear;
  n_cleared = 0;
  g_assert_null (ocl_kernels_new (context, &failing, &build, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_FAILED);
  g_assert_cmpuint (n_cleared, ==, 1);
  failing.source = NULL;
  failing.init = NULL;
  ocl_kernels_unref (create (&failing, OCL_FORMAT_RGBA));
  g_assert_cmpuint (n_cleared, ==, 2);
  ocl_kernels_unref (NULL);
}
