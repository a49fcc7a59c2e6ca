/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests operations whose variants cannot be built or run: another variant must
 * be the fallback, and the reason must be logged once. The variants are made up
 * and compute nothing. */

#include <string.h>

#include "opencl/graph/oclfilter.h"
#include "testcase.h"

TEST_CONTEXT ();
static GPtrArray *messages;     /* of g_info() of this library, compilation apart */
static guint n_tries;
static guint n_runs;
static guint n_warm_ups;        /* that were asked for */

static void
collect (G_GNUC_UNUSED const gchar * domain,
    G_GNUC_UNUSED GLogLevelFlags level, const gchar * message,
    G_GNUC_UNUSED gpointer data)
{
  if (!g_str_has_prefix (message, "compiling "))
    g_ptr_array_add (messages, g_strdup (message));
}

static gboolean
works_enqueue (G_GNUC_UNUSED OclKernels * kernels, const OclRun * run,
    G_GNUC_UNUSED GError ** error)
{
  g_assert_nonnull (run->input);
  n_runs++;
  return TRUE;
}

static gboolean
unbuilt_init (G_GNUC_UNUSED OclKernels * kernels, GError ** error)
{
  n_tries++;
  g_set_error (error, OCL_ERROR, OCL_ERROR_BUILD, "no compiler for it");
  return FALSE;
}

static gboolean
unsupported_init (G_GNUC_UNUSED OclKernels * kernels, GError ** error)
{
  n_tries++;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED, "not for plain");
  return FALSE;
}

static gboolean
fails_enqueue (G_GNUC_UNUSED OclKernels * kernels,
    G_GNUC_UNUSED const OclRun * run, GError ** error)
{
  n_tries++;
  g_set_error (error, OCL_ERROR, OCL_ERROR_FAILED, "no memory for it");
  return FALSE;
}

#define FOR_ALL (OCL_VARIANT_FOR_CPU | OCL_VARIANT_FOR_GPU)

static const OclVariant plain = {
  .name = "plain",.enqueue = works_enqueue,
};

static const OclVariant plain_unsupported = {
  .name = "plain",.init = unsupported_init,.enqueue = works_enqueue,
};

static const OclVariant suitable = {
  .name = "suitable",.flags = FOR_ALL,.enqueue = works_enqueue,
};

static const OclVariant unbuilt = {
  .name = "unbuilt",.flags = FOR_ALL,.init = unbuilt_init,
  .enqueue = works_enqueue,
};

static const OclVariant failing = {
  .name = "failing",.flags = FOR_ALL,.enqueue = fails_enqueue,
};

static const OclVariant *
choose_unbuilt (G_GNUC_UNUSED gconstpointer params,
    G_GNUC_UNUSED const OclFormat * format,
    G_GNUC_UNUSED const OclPass * pass, G_GNUC_UNUSED const OclDevice * device)
{
  return &unbuilt;
}

static gboolean
get_warm_up (guint n, G_GNUC_UNUSED gpointer params)
{
  n_warm_ups++;
  return n == 0;
}

/* An operation with up to three variants. */
#define CLASS(...) \
  {.name = "fake",.flags = OCL_OPERATION_FILTERS,.get_warm_up = get_warm_up, \
    .variants = (const OclVariant *const[4]) {__VA_ARGS__}}

static const OclOperationClass unbuilt_class = CLASS (&plain, &unbuilt);
static const OclOperationClass failing_class = CLASS (&plain, &failing);
static const OclOperationClass no_class = CLASS (&plain_unsupported, &unbuilt);
static const OclOperationClass one_class = CLASS (&plain_unsupported);

static OclFilter *
create_operation (const OclOperationClass * klass)
{
  g_ptr_array_set_size (messages, 0);
  n_tries = 0;
  n_runs = 0;
  return create_forced (context, klass, NULL, NULL);
}

static OclFrame
make_kind (void)
{
  const OclFrame frame = {.info = {.format = OCL_FORMAT_RGBA,.storage =
          OCL_STORAGE_BUFFER,.width = 5,.height = 3}
  };

  return frame;
}

/* @expected is used, and each rejected variant is logged once, with the
 * reason. */
static void
check_fallback (const OclOperationClass * klass, const OclVariant * expected,
    const gchar * left_out, const gchar * reason)
{
  const OclFrame kind = make_kind ();
  g_autoptr (OclFilter) operation = create_operation (klass);
  GError *error = NULL;

  for (gint i = 0; i < 2; i++) {
    const OclVariant *variant = find_variant (operation, &kind, NULL, &error);
    assert_ok (variant != NULL, error);
    g_assert_true (variant == expected);
    g_assert_cmpuint (n_tries, ==, 1);
    g_assert_cmpuint (n_runs, ==, 1);
    g_assert_cmpuint (messages->len, ==, 1);
  }
  g_assert_nonnull (strstr (messages->pdata[0], klass->name));
  g_assert_nonnull (strstr (messages->pdata[0], left_out));
  g_assert_nonnull (strstr (messages->pdata[0], reason));

  /* Where nothing is new, nothing is prepared for other parameters. */
  OclFrame larger = kind;
  larger.info.height *= 2;
  n_warm_ups = 0;
  g_assert_true (find_variant (operation, &larger, NULL, &error) == expected);
  g_assert_cmpuint (n_warm_ups, ==, 0);
  g_assert_cmpuint (n_tries, ==, 1);

  /* Frames get it, too. */
  g_autoptr (OclTimer) timer = ocl_timer_new ();

  g_auto (Picture) input = picture_new (OCL_FORMAT_RGBA, 5, 3);
  g_auto (Picture) output = picture_new (OCL_FORMAT_RGBA, 5, 3);
  g_auto (OclFrame) in = picture_create_frame (&input, context,
      OCL_STORAGE_BUFFER);
  g_auto (OclFrame) out = picture_create_frame (&output, context,
      OCL_STORAGE_BUFFER);
  const OclRun run = {.input = &in,.output = &out,.timer = timer };
  ASSERT_OK (run_operation (operation, &run, &error));
  g_assert_cmpuint (n_runs, ==, 2);
  g_assert_cmpuint (n_tries, ==, 1);
}

TEST (test_build)
{
  check_fallback (&unbuilt_class, &plain, "unbuilt", "no compiler for it");
}

/* A driver may compile, or fail, at the first enqueue only. */
TEST (test_warm_up)
{
  check_fallback (&failing_class, &plain, "failing", "no memory for it");
}

/* The chosen variant fails, and the variant for the device is used. */
TEST (test_choice)
{
  OclOperationClass klass = CLASS (&plain, &suitable, &unbuilt);

  klass.choose = choose_unbuilt;
  check_fallback (&klass, &suitable, "unbuilt", "no compiler for it");
}

/* The error is that of the plain one, each time. Rejected variants are tried
 * once. */
static void
check_none (const OclOperationClass * klass, guint n_left_out)
{
  const OclFrame kind = make_kind ();
  g_autoptr (OclFilter) operation = create_operation (klass);

  for (guint i = 1; i <= 2; i++) {
    g_autoptr (GError) error = NULL;

    g_assert_null (find_variant (operation, &kind, NULL, &error));
    g_assert_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED);
    g_assert_cmpstr (error->message, ==, "not for plain");
    g_assert_cmpuint (n_tries, ==, n_left_out + i);
    g_assert_cmpuint (messages->len, ==, n_left_out);
  }
}

TEST (test_none)
{
  check_none (&no_class, 1);
}

TEST (test_only_plain)
{
  check_none (&one_class, 0);
}

/* Images are copied for a variant that takes buffers only, but not if it cannot
 * be built. */
TEST (test_images)
{
  static const OclVariant for_buffers = {
    .name = "buffers",.flags = FOR_ALL | OCL_VARIANT_BUFFERS_ONLY,
    .enqueue = works_enqueue,
  };
  static const OclVariant unbuilt_for_buffers = {
    .name = "unbuilt",.flags = FOR_ALL | OCL_VARIANT_BUFFERS_ONLY,
    .init = unbuilt_init,.enqueue = works_enqueue,
  };
  static const OclVariant *const variants[][3] = {
    {&plain, &for_buffers, NULL}, {&plain, &unbuilt_for_buffers, NULL},
  };
  OclFrame kind = make_kind ();

  kind.info.storage = OCL_STORAGE_IMAGE;
  for (guint n = 0; n < G_N_ELEMENTS (variants); n++) {
    OclOperationClass klass = unbuilt_class;

    klass.variants = variants[n];
    g_autoptr (OclFilter) operation = create_operation (&klass);
    for (guint i = 0; i < 2; i++) {
      GError *error = NULL;
      g_autoptr (OclGraph) graph =
          get_graph (operation, &kind.info, NULL, &error);

      assert_ok (graph != NULL, error);
      g_assert_true (ocl_graph_get_variant (graph, 0) == variants[n][1 - n]);
      g_assert_cmpint (graph->copied, ==, n == 0);
      g_assert_cmpuint (n_tries, ==, n);
    }
  }
}

/* A forced variant has no fallback. */
TEST (test_forced)
{
  const OclFrame kind = make_kind ();
  g_autoptr (OclFilter) operation = create_operation (&unbuilt_class);
  g_autoptr (GError) error = NULL;

  ocl_filter_force (operation, 0, &unbuilt, NULL);
  g_assert_null (find_variant (operation, &kind, NULL, &error));
  g_assert_error (error, OCL_ERROR, OCL_ERROR_BUILD);
  g_assert_cmpuint (n_tries, ==, 1);
  g_assert_cmpuint (messages->len, ==, 0);
}

void
test_set_up (void)
{
  messages = g_ptr_array_new_with_free_func (g_free);
  /* A log writer does not get them, because newer GLib drops messages that are
   * not enabled. */
  g_log_set_handler ("glopencl", G_LOG_LEVEL_INFO, collect, NULL);
}

void
test_tear_down (void)
{
  g_ptr_array_unref (messages);
}
