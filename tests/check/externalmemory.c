/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests interop=external-memory where it is not available, and the files that
 * are still open after it was used. The test runs with and without the test
 * layer, see meson.build. */

#include <string.h>

#include "player.h"

/* Frames of three planes. */
static GstElement *
launch (const gchar * interop)
{
  g_autofree gchar *settings = g_strdup_printf ("interop=%s", interop);

  return player_launch_format ("I420", "width=48,height=32", settings);
}

static gchar *
play_and_get_active (GstElement * pipeline)
{
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GValue value = G_VALUE_INIT;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message =
      filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_object_get_property (G_OBJECT (filter), "active-interop", &value);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gchar *active = gst_value_serialize (&value);
  g_value_unset (&value);
  return active;
}

/* Where it cannot be had, asking for it is an error with what to do, and auto
 * does without. */
static void
check_refused (const gchar * reason)
{
  const gchar *const words[] = { "interop=external-memory is not available",
    reason, "interop=auto", NULL
  };
  GstElement *asked = launch ("external-memory");
  GstElement *automatic = launch ("auto");
  guint files = 0;

  for (guint i = 0; i < 3; i++) {
    player_play_badly (asked, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        words);
    g_autofree gchar *active = play_and_get_active (automatic);
    fail_unless_equals_string (active, "host-copy");
    /* Drivers open some files once, and may close them. */
    if (i == 0)
      files = player_count_files ();
    fail_unless (player_count_files () <= files);
  }
  gst_object_unref (asked);
  gst_object_unref (automatic);
}

/* Without the layer: PoCL has no external memory, or this build has not. */
GST_START_TEST (test_not_there)
{
  check_refused ("external");
}

GST_END_TEST;

/* OpenGL that is too old, or OpenGL ES. */
GST_START_TEST (test_old_opengl)
{
  check_refused ("older than 4.3");
}

GST_END_TEST;

/* Frames do not come back as they were written. */
GST_START_TEST (test_corrupt)
{
  check_refused ("did not come back");
}

GST_END_TEST;

/* Each call that is made before there are frames fails. */
GST_START_TEST (test_failing_calls)
{
  static const struct
  {
    const gchar *function;
    guint nth;
    const gchar *reason;
  } faults[] = {
    {"clCreateImageWithProperties", 1, "cannot import memory"},
    {"clEnqueueAcquireExternalMemObjectsKHR", 1, "Acquire"},
    {"clEnqueueReleaseExternalMemObjectsKHR", 1, "Release"},
    {"clGetExtensionFunctionAddressForPlatform", 1, "lacks functions"},
    {"clFinish", 1, "clFinish"},
  };
  GstElement *pipeline = launch ("external-memory");
  guint files = 0;

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++) {
    const gchar *const words[] = { faults[i].reason, "interop=auto", NULL };

    player_play_well (pipeline);
    /* Drivers open some files once, and may close them. */
    if (i == 0)
      files = player_count_files ();
    layer.set_fault (faults[i].function, faults[i].nth, -5);
    player_play_badly (pipeline, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_FOUND, words);
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    fail_unless_equals_int (layer.live_objects (), 0);
    fail_unless (player_count_files () <= files);
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* auto takes it where there is no gl-sharing, and nothing stays open. */
GST_START_TEST (test_automatic)
{
  GstElement *pipeline = launch ("auto");
  guint files = 0;

  for (guint i = 0; i < 4; i++) {
    g_autofree gchar *active = play_and_get_active (pipeline);

    fail_unless_equals_string (active, "external-memory");
    fail_unless_equals_int (layer.live_objects (), 0);
    if (i == 0)
      files = player_count_files ();
    fail_unless (player_count_files () <= files);
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Where there is gl-sharing as well, auto takes that, unless the source is
 * live. */
GST_START_TEST (test_sharing_first)
{
  GstElement *pipeline = launch ("auto");
  g_autoptr (GstElement) source =
      gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autofree gchar *active = play_and_get_active (pipeline);

  fail_unless_equals_string (active, "gl-sharing");
  g_object_set (source, "is-live", TRUE, NULL);
  g_autofree gchar *live = play_and_get_active (pipeline);
  fail_unless_equals_string (live, "external-memory");
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Memory of frames of another size is let go. */
GST_START_TEST (test_resized)
{
  FilterHarness h;
  guint files = 0;

  filter_harness_init (&h, "interop=external-memory");
  for (guint i = 0; i < 12; i++) {
    filter_harness_set_size (&h, 20 + 7 * (i % 3), 30 - 4 * (i % 2));
    gst_buffer_unref (filter_harness_run (&h,
            filter_harness_create_frame (&h, i, 0)));
    if (i == 5)
      files = player_count_files ();
  }
  fail_unless (player_count_files () <= files);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* With semaphores each frame takes one of each, and a trial as well. */
GST_START_TEST (test_semaphores)
{
  GstElement *pipeline = launch ("external-memory");

  player_play_well (pipeline);
  const guint files = player_count_files ();
  layer.reset_counts ();
  player_play_well (pipeline);
  /* Two trials of RGBA and of one component, and two frames. */
  fail_unless_equals_int (layer.calls ("clEnqueueWaitSemaphoresKHR"), 6);
  fail_unless_equals_int (layer.calls ("clEnqueueSignalSemaphoresKHR"), 6);
  fail_unless_equals_int (layer.calls ("clCreateSemaphoreWithPropertiesKHR"),
      2);
  fail_unless (player_count_files () <= files);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* After a command that failed, semaphores are made anew. */
GST_START_TEST (test_failing_semaphores)
{
  static const gchar *const functions[] = {
    "clEnqueueWaitSemaphoresKHR", "clEnqueueSignalSemaphoresKHR",
  };
  GstElement *pipeline = launch ("external-memory");

  player_play_well (pipeline);
  const guint files = player_count_files ();
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    for (guint nth = 1; nth <= 6; nth++) {
      layer.set_fault (functions[i], nth, -5);
      g_autoptr (GError) error = player_play (pipeline);
      fail_unless (error != NULL && strstr (error->message, functions[i]));
      layer.set_fault ("*", 0, 0);
      fail_unless_equals_int (layer.live_objects (), 0);
      fail_unless (player_count_files () <= files);
      player_play_well (pipeline);
    }
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Semaphores that cannot be imported are done without. */
static void
check_without_semaphores (GstElement * pipeline)
{
  layer.reset_counts ();
  player_play_well (pipeline);
  fail_unless_equals_int (layer.calls ("clEnqueueWaitSemaphoresKHR"), 0);
  fail_unless_equals_int (layer.live_objects (), 0);
}

GST_START_TEST (test_no_semaphores)
{
  GstElement *pipeline = launch ("external-memory");

  player_play_well (pipeline);
  const guint files = player_count_files ();
  for (guint nth = 1; nth <= 2; nth++) {
    layer.set_fault ("clCreateSemaphoreWithPropertiesKHR", nth, -5);
    check_without_semaphores (pipeline);
    fail_unless (layer.fault_hit ());
    layer.set_fault ("*", 0, 0);
    fail_unless (player_count_files () <= files);
  }
  g_setenv ("GLOPENCL_TEST_BREAK_SEMAPHORES", "1", TRUE);
  check_without_semaphores (pipeline);
  fail_unless (player_count_files () <= files);
  g_unsetenv ("GLOPENCL_TEST_BREAK_SEMAPHORES");
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
external_memory_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-external-memory");

  player_open_layer ();
  ADD_TAGGED (suite, "no-external-memory", test_not_there);
  ADD_TAGGED (suite, "external-memory-old external-memory-gles2",
      test_old_opengl);
  ADD_TAGGED (suite, "external-memory-corrupt", test_corrupt);
  ADD_TAGGED (suite, "external-memory external-memory-semaphores",
      test_failing_calls);
  ADD_TAGGED (suite,
      "external-memory external-memory-semaphores external-memory-compatibility",
      test_automatic);
  ADD_TAGGED (suite, "external-memory-after-sharing", test_sharing_first);
  ADD_TAGGED (suite,
      "external-memory external-memory-semaphores external-memory-compatibility",
      test_resized);
  ADD_TAGGED (suite, "external-memory-semaphores", test_semaphores);
  ADD_TAGGED (suite, "external-memory-semaphores", test_failing_semaphores);
  ADD_TAGGED (suite, "external-memory-semaphores", test_no_semaphores);
  return suite;
}

FILTER_HARNESS_MAIN (external_memory);
