/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter in whole pipelines: states, tees, several filters at
 * once. streams.c tests events of streams. */

#include <stdio.h>
#include <unistd.h>

#include <gst/base/gstbasetransform.h>
#include <gst/gl/gl.h>

#include "elementharness.h"

#define FILTER "glopenclfilter qos=false interop=INTEROP "

static void
assert_frames (GstElement * pipeline, const gchar * name, guint64 frames)
{
  g_autoptr (GstElement) filter = pipeline_get (pipeline, name);

  fail_unless_equals_uint64 (element_get_stat (filter, "frames"), frames);
}

static glong
get_resident_kibibytes (void)
{
  g_autofree gchar *text = NULL;
  glong size = 0, resident = 0;

  fail_unless (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  fail_unless (sscanf (text, "%ld %ld", &size, &resident) == 2);
  return resident * (sysconf (_SC_PAGESIZE) / 1024);
}

/* Starting and stopping gives everything back. */
TEST (test_state_cycles)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=RGBA,width=320,height=240 ! glupload "
      "! " FILTER "radius=1 ! gldownload ! fakesink");
  glong settled = 0;

  /* The runtimes settle in the first cycles. */
  for (guint i = 0; i < 140; i++) {
    pipeline_play_to_end (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    if (i == 79)
      settled = get_resident_kibibytes ();
  }
  fail_unless (settled > 0);
  /* One leaked frame a cycle would be 18 MiB. */
  glong growth = get_resident_kibibytes () - settled;
  fail_unless (growth < 10 * 1024 || g_getenv ("GLOPENCL_TEST_KEEPS_MEMORY"),
      "%ld KiB more after 60 cycles", growth);
  pipeline_stop (pipeline);
}

TEST (test_states_without_data)
{
  GstElement *pipeline =
      pipeline_new ("videotestsrc ! glupload ! " FILTER "! fakesink");

  for (guint i = 0; i < 10; i++) {
    gst_element_set_state (pipeline, GST_STATE_READY);
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    if (i % 2)
      gst_element_get_state (pipeline, NULL, NULL,
          harness_scale (60 * GST_SECOND));
    gst_element_set_state (pipeline, i % 3 ? GST_STATE_READY : GST_STATE_NULL);
  }
  pipeline_stop (pipeline);
}

/* After a tee the buffer is shared, and the other branch gets the unfiltered
 * input. */
TEST_CASES (test_tee, "few-pipelines", 2)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=5 "
      "pattern=checkers-1 ! video/x-raw,format=RGBA,width=64,height=64 "
      "! glupload ! tee name=tee "
      "tee. ! queue ! gldownload ! fakesink name=untouched sync=false "
      "tee. ! queue ! " FILTER "intensity-sigma=10 in-place=%d ! gldownload "
      "! fakesink name=filtered sync=false", __i__);
  static const gchar *const names[] = { "untouched", "filtered" };

  pipeline_play_to_end (pipeline);
  for (guint n = 0; n < 2; n++) {
    g_autoptr (GstElement) sink = pipeline_get (pipeline, names[n]);
    g_autoptr (GstSample) sample = NULL;
    GstMapInfo map;

    g_object_get (sink, "last-sample", &sample, NULL);
    fail_unless (gst_buffer_map (gst_sample_get_buffer (sample), &map,
            GST_MAP_READ));
    /* Checkers of one pixel have no grey. The filtered picture is all grey. */
    for (gsize i = 0; i < map.size; i += 4)
      fail_unless (n == (map.data[i] > 0 && map.data[i] < 255));
    gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
  }
  pipeline_stop (pipeline);
}

/* Two branches filter the same texture at the same time. */
TEST (test_two_branches)
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=40 "
      "! video/x-raw,format=RGBA,width=200,height=150 ! glupload ! tee name=tee "
      "tee. ! queue ! " FILTER "name=first ! gldownload ! fakesink sync=false "
      "tee. ! queue ! " FILTER "name=second color-mode=lab ! gldownload "
      "! fakesink sync=false");

  pipeline_play_to_end (pipeline);
  assert_frames (pipeline, "first", 40);
  assert_frames (pipeline, "second", 40);
  pipeline_stop (pipeline);
}

static void
set_display (GstElement * element, GstContext * context)
{
  gst_element_set_context (element, context);
  if (GST_IS_BASE_TRANSFORM (element))
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (element));
}

/* The application sets another GL display while frames flow, on the filter or
 * on its upstream element first. Textures of one display are none on the other:
 * an error is correct with interop=gl-sharing, a hang or crash is not. The same
 * pipeline works again afterwards. */
TEST_LOOP (test_display_replaced, 2)
{
  const gboolean upload_first = __i__;
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=150 "
      "! video/x-raw,format=RGBA,width=320,height=240 ! glupload name=upload "
      "! " FILTER "name=filter ! gldownload ! fakesink sync=false");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  g_autoptr (GstElement) upload = pipeline_get (pipeline, "upload");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
    g_autoptr (GstContext) context =
        gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);

    gst_context_set_gl_display (context, display);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    gst_element_get_state (pipeline, NULL, NULL,
        harness_scale (60 * GST_SECOND));
    g_usleep (i * 7000);
    if (upload_first) {
      set_display (upload, context);
      g_usleep (20000);
    }
    set_display (filter, context);
    g_autoptr (GstMessage) message =
        bus_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    fail_unless (message != NULL, "timeout");
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_bus_set_flushing (bus, TRUE);
    gst_bus_set_flushing (bus, FALSE);
  }
  pipeline_play_to_end (pipeline);
  assert_frames (pipeline, "filter", 150);
  pipeline_stop (pipeline);
}

/* Twice in a row: the second reads the texture that the first wrote. */
TEST_TAGGED (test_two_in_a_row, "few-pipelines")
{
  GstElement *pipeline = pipeline_new ("videotestsrc num-buffers=10 "
      "! video/x-raw,format=RGBA,width=100,height=60 ! glupload "
      "! " FILTER "name=first ! " FILTER "name=second color-mode=lab "
      "! gldownload ! fakesink");

  pipeline_play_to_end (pipeline);
  assert_frames (pipeline, "first", 10);
  assert_frames (pipeline, "second", 10);
  pipeline_stop (pipeline);
}

TEST (test_two_pipelines)
{
  GstElement *pipelines[2];

  for (guint i = 0; i < 2; i++) {
    pipelines[i] = pipeline_new ("videotestsrc num-buffers=40 "
        "! video/x-raw,format=RGBA,width=200,height=150 ! glupload "
        "! " FILTER "name=filter ! gldownload ! fakesink");
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < 2; i++) {
    pipeline_wait_for (pipelines[i], GST_MESSAGE_EOS);
    assert_frames (pipelines[i], "filter", 40);
    pipeline_stop (pipelines[i]);
  }
}

static gboolean
ignore_time (GstClock * clock, GstClockTime time, GstClockID id, gpointer data)
{
  (void) clock, (void) time, (void) id, (void) data;
  return TRUE;
}

/* The clock that announces a long wait for the compiler does not keep the
 * element alive. It keeps entries behind its next one until their time. */
TEST (test_freed)
{
  g_autoptr (GstClock) clock = gst_system_clock_obtain ();
  GstClockID next = gst_clock_new_single_shot_id (clock,
      gst_clock_get_time (clock) + 900 * GST_MSECOND);

  gst_clock_id_wait_async (next, ignore_time, NULL, NULL);
  Harness *h = harness_new ("format=RGBA,width=16,height=16",
      "glopenclfilter radius=1");
  GstElement *filter = h->filter;
  g_object_add_weak_pointer (G_OBJECT (filter), (gpointer *) & filter);
  g_bytes_unref (harness_filter (h, 0));
  harness_free (h);
  fail_unless (filter == NULL);
  gst_clock_id_unschedule (next);
  gst_clock_id_unref (next);
}
