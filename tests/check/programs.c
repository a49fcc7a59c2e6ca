/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests that a program of a context is built once, and shared by everybody who
 * uses it at the same time. */

/* For RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "opencl/core/oclprograms.h"
#include "opencl/ocloperations.h"
#include "opencl/graph/oclfilter.h"
#include "opencl/user/ocluser.h"
#include "opencl/user/oclusersource.h"
#include "testcase.h"

#define N_THREADS 4
#define SOURCE "histogram-overlay.cl"
#define KERNEL "histogram_overlay"

TEST_CONTEXT ();
static guint n_builds;          /* written by several threads */

static void
count (G_GNUC_UNUSED const gchar * domain, G_GNUC_UNUSED GLogLevelFlags level,
    const gchar * message, G_GNUC_UNUSED gpointer data)
{
  if (g_str_has_prefix (message, "build "))
    g_atomic_int_inc (&n_builds);
}

/* Programs that are not used by anybody else. */
static OclProgram *
get_program (const gchar * options, GError ** error)
{
  g_autofree gchar *all = g_strdup_printf ("-D MAX_LEVEL=255 -D SHIFT=0"
      " -D X_SHIFT=0 -D Y_SHIFT=0 -D CHANNELS=1 -D PLANE_0=0 -D OFFSET_0=0"
      " -D STEP_0=1 -D PLANES=1 %s", options);

  return ocl_program_get (context->programs, SOURCE, all, NULL, error);
}

/* The same source with the same options is one program, while it is used. */
TEST (test_shared)
{
  n_builds = 0;
  for (guint i = 1; i <= 2; i++) {
    OclProgram *a = get_program ("", NULL);
    OclProgram *b = get_program ("", NULL);
    OclProgram *other = get_program ("-D OTHER", NULL);

    g_assert_nonnull (a);
    g_assert_true (a == b);
    g_assert_true (a != other);
    ocl_program_unref (a);
    g_assert_true (get_program ("", NULL) == b);
    g_assert_cmpuint (n_builds, ==, 2 * i);
    ocl_program_unref (b);
    ocl_program_unref (b);
    ocl_program_unref (other);
  }
}

static gpointer
get_in_thread (gpointer data)
{
  gint *n_waiting = data;

  g_atomic_int_inc (n_waiting);
  while (g_atomic_int_get (n_waiting) < N_THREADS)
    g_thread_yield ();
  OclProgram *program = get_program ("-D IN_THREADS", NULL);

  g_assert_nonnull (program);
  cl_kernel kernel = ocl_program_create_kernel (program, KERNEL, NULL);
  g_assert_nonnull (kernel);
  clReleaseKernel (kernel);
  return program;
}

/* Who comes while it is built waits for it. */
TEST (test_threads)
{
  GThread *threads[N_THREADS];
  OclProgram *programs[N_THREADS];
  gint n_waiting = 0;

  n_builds = 0;
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("get", get_in_thread, &n_waiting);
  for (guint i = 0; i < N_THREADS; i++) {
    programs[i] = g_thread_join (threads[i]);
    g_assert_nonnull (programs[i]);
    g_assert_true (programs[i] == programs[0]);
  }
  g_assert_cmpuint (n_builds, ==, 1);
  for (guint i = 0; i < N_THREADS; i++)
    ocl_program_unref (programs[i]);
}

/* Failed programs are not kept. */
TEST (test_failure)
{
  n_builds = 0;
  for (guint i = 1; i <= 2; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (get_program ("-D PLANES=nothing(", &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_BUILD);
    g_assert_cmpuint (n_builds, ==, i);
  }
}

/* Two equal operations build their programs once, and kernels outlive the other
 * operation. */
TEST (test_operations)
{
  const OclFrame kind = {.info = {.format = OCL_FORMAT_RGBA,.width =
          16,.height = 16,.storage = OCL_STORAGE_BUFFER}
  };
  const OclOperationClass *klass = ocl_operations_find ("sharpen");
  g_autoptr (OclParams) params = ocl_operation_class_create_params (klass);
  OclFilter *operations[2];
  guint n_first = 0;

  n_builds = 0;
  for (guint i = 0; i < 2; i++) {
    GError *error = NULL;

    operations[i] = create_forced (context, klass, NULL, NULL);
    const OclVariant *variant =
        find_variant (operations[i], &kind, params, &error);
    assert_ok (variant != NULL, error);
    if (i == 0)
      n_first = n_builds;
  }
  g_assert_cmpuint (n_first, >, 0);
  g_assert_cmpuint (n_builds, ==, n_first);
  ocl_filter_unref (operations[0]);
  ocl_filter_unref (operations[1]);
}

/* The next builds do not end while this is set. */
static gint is_stuck;

CL_API_ENTRY cl_int CL_API_CALL
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program, void *), void *user_data)
{
  cl_int (*real) (cl_program, cl_uint, const cl_device_id *, const char *,
      void (CL_CALLBACK *) (cl_program, void *), void *) =
      dlsym (RTLD_NEXT, "clBuildProgram");

  while (g_atomic_int_get (&is_stuck))
    g_usleep (1000);
  return real (program, n_devices, devices, options, notify, user_data);
}

/* Builds the plain variant of the text that is @body, and releases it. Returns
 * the error, or NULL. */
static GError *
build_text (const gchar * body)
{
  g_autofree gchar *text =
      g_strdup_printf ("Pixel filter (FRAME)\n{\n%s\n}\n", body);
  GError *error = NULL;
  g_autoptr (OclLiteral) source =
      ocl_user_source_create_text ("k.cl", text, &error);
  OclBuild build = {.format = OCL_FORMAT_RGBA,.text = source,
    .pass = {.n_channels = 3}
  };
  OclKernels *kernels;

  g_assert_no_error (error);
  kernels =
      ocl_kernels_new (context, ocl_user_class.variants[0], &build, &error);
  g_assert_true ((kernels != NULL) == (error == NULL));
  ocl_kernels_unref (kernels);
  return error;
}

/* A compiler that does not end: the error comes, no other build waits for it,
 * and builds work again when it has ended. */
TEST (test_limit)
{
  g_autoptr (GTimer) timer = g_timer_new ();
  OclProgram *good = get_program ("", NULL);
  g_autoptr (GError) error = NULL;

  g_setenv ("GLOPENCL_BUILD_SECONDS", "1", TRUE);
  g_atomic_int_set (&is_stuck, TRUE);
  error = build_text ("return pixel (frame, 0, 1);");
  g_assert_error (error, OCL_ERROR, OCL_ERROR_KERNEL);
  g_assert_nonnull (strstr (error->message, "k.cl for 1 s without an end. "
          "Until it ends, no other kernel can be built."));
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), >=, 1.0);
  g_clear_error (&error);
  g_timer_start (timer);
  error = build_text ("return pixel (frame, 1, 0);");
  g_assert_error (error, OCL_ERROR, OCL_ERROR_KERNEL);
  g_assert_nonnull (strstr (error->message, "still compiles a kernel"));
  g_clear_error (&error);
  g_assert_null (get_program ("-D LATER", &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_KERNEL);
  g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 0.9);
  g_clear_error (&error);
  g_unsetenv ("GLOPENCL_BUILD_SECONDS");

  g_atomic_int_set (&is_stuck, FALSE);
  while ((error = build_text ("return pixel (frame, 1, 0);"))) {
    g_assert_cmpfloat (g_timer_elapsed (timer, NULL), <, 60.0);
    g_clear_error (&error);
    g_usleep (10000);
  }
  ocl_program_unref (good);
}

/* An error caused by a text is not attributed to the driver, even without a
 * line number. Other errors are. */
TEST (test_blame)
{
  static const gchar *const mistakes[] = {
    "return no_such_function (frame);", "return pixel (frame, 0, 0); {",
    "return pixel (frame, 0, 0); }\nkernel void user (int a)\n{",
    "return pixel (frame, 0, 0); }\nPixel glo_level (int a) { return 1;",
    ("}\nint undefined_function (int);\nPixel f (FRAME)\n{ "
        "return grey (undefined_function (1)); "),
  };

  guint n_refused = 0;

  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++) {
    g_autoptr (GError) error = build_text (mistakes[i]);

    /* NVIDIA's driver links programs with functions that are not there. */
    if (!error)
      continue;
    n_refused++;
    g_assert_error (error, OCL_ERROR, OCL_ERROR_KERNEL);
    g_assert_true (g_str_has_prefix (error->message,
            "The kernel k.cl cannot be built for "));
  }
  g_assert_cmpuint (n_refused, >=, 3);
}

void
test_set_up (void)
{
  g_log_set_handler ("glopencl", G_LOG_LEVEL_DEBUG, count, NULL);
}
