/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests interop=external-memory where it is not available, and the files that
 * are still open after it was used. Each case runs in the environments of its
 * tags, with and without the test layer, see meson.build. */

#include <string.h>

#include "elementharness.h"

/* Frames of three planes. */
static GstElement *
launch (const gchar * interop)
{
  return pipeline_new_filter ("format=I420,width=48,height=32",
      "glopenclfilter interop=%s", interop);
}

/* Asserts that a pipeline plays in this interop. */
static void
assert_active (GstElement * pipeline, const gchar * interop)
{
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");

  pipeline_play_to_end (pipeline);
  element_assert_value (filter, "active-interop", interop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Asserts that there are not more files than before, and no objects. Drivers
 * open some files once, and may close them. */
static void
assert_nothing_left (guint * files)
{
  fail_unless_equals_int (count_objects (), 0);
  if (*files == 0)
    *files = count_files ();
  fail_unless (count_files () <= *files);
}

/* If it is unavailable, requesting it is an error with a remedy, and auto works
 * without it. */
static const gchar *const reasons[][2] = {
  /* PoCL has no external memory, or this build has not. */
  {"no-external-memory", "external"},
  {"external-memory-old", "older than 4.3"},
  {"external-memory-gles2", "older than 4.3"},
  /* Frames do not come back as they were written. */
  {"external-memory-corrupt", "did not come back"},
};

TEST_TAGGED (test_refused, "no-external-memory external-memory-old "
    "external-memory-gles2 external-memory-corrupt")
{
  g_autoptr (GstElement) asked = launch ("external-memory");
  g_autoptr (GstElement) automatic = launch ("auto");
  g_autofree gchar *words = NULL;
  guint files = 0;

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++) {
    if (g_strcmp0 (reasons[i][0], g_getenv ("CK_INCLUDE_TAGS")) == 0)
      words = g_strdup_printf ("interop=external-memory is not available|%s"
          "|interop=auto", reasons[i][1]);
  }
  for (guint i = 0; i < 3; i++) {
    pipeline_play_badly (asked, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_FOUND, words);
    assert_active (automatic, "host-copy");
    assert_nothing_left (&files);
  }
}

/* Each call that is made before there are frames fails. */
TEST_TAGGED (test_failing_calls, "external-memory external-memory-semaphores")
{
  static const gchar *const faults[][2] = {
    {"clCreateImageWithProperties", "cannot import memory"},
    {"clEnqueueAcquireExternalMemObjectsKHR", "Acquire"},
    {"clEnqueueReleaseExternalMemObjectsKHR", "Release"},
    {"clGetExtensionFunctionAddressForPlatform", "lacks functions"},
    {"clFinish", "clFinish"},
  };
  g_autoptr (GstElement) pipeline = launch ("external-memory");
  guint files = 0;

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    g_autofree gchar *words = g_strconcat (faults[i][1], "|interop=auto", NULL);

    pipeline_play_well (pipeline);
    assert_nothing_left (&files);
    layer.set_fault (faults[i][0], 1, -5);
    pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_FOUND, words);
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    assert_nothing_left (&files);
  }
}

/* auto takes it where there is no gl-sharing, and nothing stays open. */
TEST_TAGGED (test_automatic, "external-memory external-memory-semaphores "
    "external-memory-compatibility")
{
  g_autoptr (GstElement) pipeline = launch ("auto");
  guint files = 0;

  for (guint i = 0; i < 4; i++) {
    assert_active (pipeline, "external-memory");
    assert_nothing_left (&files);
  }
}

/* Where there is gl-sharing as well, auto takes that, unless the source is
 * live. */
TEST_TAGGED (test_sharing_first, "external-memory-after-sharing")
{
  g_autoptr (GstElement) pipeline = launch ("auto");
  g_autoptr (GstElement) source = pipeline_get (pipeline, "source");

  assert_active (pipeline, "gl-sharing");
  g_object_set (source, "is-live", TRUE, NULL);
  assert_active (pipeline, "external-memory");
}

/* Memory of frames of another size is let go. */
TEST_TAGGED (test_resized, "external-memory external-memory-semaphores "
    "external-memory-compatibility")
{
  g_autoptr (Harness) h =
      harness_new (NULL, "glopenclfilter interop=external-memory");
  guint files = 0;

  for (guint i = 0; i < 12; i++) {
    harness_set_size (h, 20 + 7 * (i % 3), 30 - 4 * (i % 2));
    g_bytes_unref (harness_filter (h, i));
    if (i == 5)
      files = count_files ();
  }
  fail_unless (count_files () <= files);
}

/* With semaphores each frame takes one of each, and a trial as well. After a
 * command that failed, semaphores are made anew. */
TEST_TAGGED (test_semaphores, "external-memory-semaphores")
{
  static const gchar *const functions[] = {
    "clEnqueueWaitSemaphoresKHR", "clEnqueueSignalSemaphoresKHR",
  };
  g_autoptr (GstElement) pipeline = launch ("external-memory");
  guint files = 0;

  pipeline_play_well (pipeline);
  assert_nothing_left (&files);
  layer.reset_counts ();
  pipeline_play_well (pipeline);
  fail_unless_equals_int (layer.calls ("clCreateSemaphoreWithPropertiesKHR"),
      2);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    /* Two trials of RGBA and of one component, and two frames. */
    fail_unless_equals_int (layer.calls (functions[i]), 6);

  for (guint i = 0; i < 2 * 6; i++) {
    layer.set_fault (functions[i / 6], 1 + i % 6, -5);
    g_autoptr (GError) error = pipeline_play (pipeline);
    fail_unless (error && strstr (error->message, functions[i / 6]));
    layer.set_fault ("*", 0, 0);
    assert_nothing_left (&files);
    pipeline_play_well (pipeline);
  }
}

/* Semaphores that cannot be imported are done without. */
static void
check_without_semaphores (GstElement * pipeline, guint * files)
{
  layer.reset_counts ();
  pipeline_play_well (pipeline);
  fail_unless_equals_int (layer.calls ("clEnqueueWaitSemaphoresKHR"), 0);
  assert_nothing_left (files);
}

TEST_TAGGED (test_no_semaphores, "external-memory-semaphores")
{
  g_autoptr (GstElement) pipeline = launch ("external-memory");
  guint files = 0;

  pipeline_play_well (pipeline);
  for (guint nth = 1; nth <= 2; nth++) {
    layer.set_fault ("clCreateSemaphoreWithPropertiesKHR", nth, -5);
    check_without_semaphores (pipeline, &files);
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
  }
  g_setenv ("GLOPENCL_TEST_BREAK_SEMAPHORES", "1", TRUE);
  check_without_semaphores (pipeline, &files);
  g_unsetenv ("GLOPENCL_TEST_BREAK_SEMAPHORES");
}
