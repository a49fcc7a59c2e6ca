/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter in whole pipelines: states, tees, several filters at
 * once. What streams do is in streams.c.
 *
 * The test runs once per way of interop, see meson.build. */

#include <stdio.h>
#include <unistd.h>

#include <gst/base/gstbasetransform.h>
#include <gst/check/gstcheck.h>
#include <gst/gl/gl.h>
#include <gst/video/video.h>

#include "pipeline.h"

static GstElement *
launch (const gchar * line)
{
  return pipeline_launch ("glopenclfilter", line);
}

static guint64
get_frames (GstElement * pipeline, const gchar * name)
{
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  GstStructure *stats = NULL;
  guint64 frames = 0;

  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_free (stats);
  return frames;
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
GST_START_TEST (test_state_cycles)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=2 "
      "! video/x-raw,format=RGBA,width=320,height=240 ! glupload "
      "! FILTER radius=1 ! gldownload ! fakesink");
  glong settled = 0;

  /* The runtimes settle in the first hundred cycles. */
  for (guint i = 0; i < 200; i++) {
    pipeline_play_to_end (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    if (i == 99)
      settled = get_resident_kibibytes ();
  }
  fail_unless (settled > 0);
#ifndef KEEPS_FREED_MEMORY
  /* One leaked frame a cycle would be 30 MiB. */
  glong growth = get_resident_kibibytes () - settled;
  fail_unless (growth < 10 * 1024, "%ld KiB more after 100 cycles", growth);
#endif
  pipeline_stop (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_states_without_data)
{
  GstElement *pipeline = launch ("videotestsrc ! glupload ! FILTER ! fakesink");

  for (guint i = 0; i < 10; i++) {
    gst_element_set_state (pipeline, GST_STATE_READY);
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    if (i % 2)
      gst_element_get_state (pipeline, NULL, NULL, PIPELINE_TIMEOUT);
    gst_element_set_state (pipeline, i % 3 ? GST_STATE_READY : GST_STATE_NULL);
  }
  pipeline_stop (pipeline);
}

GST_END_TEST;

/* Behind a tee the buffer is shared: the other branch sees what came in. */
static void
check_tee (const gchar * filter)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=5 "
      "pattern=checkers-1 ! video/x-raw,format=RGBA,width=64,height=64 "
      "! glupload ! tee name=tee "
      "tee. ! queue ! gldownload ! fakesink name=untouched sync=false "
      "tee. ! queue ! %s ! gldownload ! fakesink name=filtered sync=false",
      filter);
  GstElement *pipeline = launch (description);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "untouched");
  g_autoptr (GstElement) filtered_sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "filtered");
  GstSample *untouched = NULL, *filtered = NULL;

  pipeline_play_to_end (pipeline);
  g_object_get (sink, "last-sample", &untouched, NULL);
  g_object_get (filtered_sink, "last-sample", &filtered, NULL);
  GstMapInfo map;
  fail_unless (gst_buffer_map (gst_sample_get_buffer (untouched), &map,
          GST_MAP_READ));
  /* Checkers of one pixel have no grey; the filtered picture is all grey. */
  for (gsize i = 0; i < map.size; i += 4)
    fail_unless (map.data[i] == 0 || map.data[i] == 255);
  gst_buffer_unmap (gst_sample_get_buffer (untouched), &map);
  fail_unless (gst_buffer_map (gst_sample_get_buffer (filtered), &map,
          GST_MAP_READ));
  fail_unless (map.data[64 * 4 * 32] > 0 && map.data[64 * 4 * 32] < 255);
  gst_buffer_unmap (gst_sample_get_buffer (filtered), &map);
  gst_sample_unref (untouched);
  gst_sample_unref (filtered);
  pipeline_stop (pipeline);
}

GST_START_TEST (test_tee)
{
  check_tee ("FILTER intensity-sigma=10");
  check_tee ("FILTER intensity-sigma=10 in-place=true");
}

GST_END_TEST;

/* Two branches filter the same texture at the same time. */
GST_START_TEST (test_two_branches)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=40 "
      "! video/x-raw,format=RGBA,width=200,height=150 ! glupload ! tee name=tee "
      "tee. ! queue ! FILTER name=first ! gldownload ! fakesink sync=false "
      "tee. ! queue ! FILTER name=second color-mode=lab ! gldownload "
      "! fakesink sync=false");

  pipeline_play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "first"), 40);
  fail_unless_equals_uint64 (get_frames (pipeline, "second"), 40);
  pipeline_stop (pipeline);
}

GST_END_TEST;

static void
set_display (GstElement * element, GstContext * context)
{
  gst_element_set_context (element, context);
  if (GST_IS_BASE_TRANSFORM (element))
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (element));
}

/* The application sets another GL display while frames flow, on the filter or
 * on what is before it first. Textures of one display are none on the other: to
 * end with an error is right where interop=gl-sharing is asked for, to hang or
 * crash is not; the same pipeline works again afterwards. */
static void
check_display_replaced (gboolean upload_first)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=150 "
      "! video/x-raw,format=RGBA,width=320,height=240 ! glupload name=upload "
      "! FILTER name=filter ! gldownload ! fakesink sync=false");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstElement) upload =
      gst_bin_get_by_name (GST_BIN (pipeline), "upload");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
    g_autoptr (GstContext) context =
        gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);

    gst_context_set_gl_display (context, display);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    gst_element_get_state (pipeline, NULL, NULL, PIPELINE_TIMEOUT);
    g_usleep (i * 7000);
    if (upload_first) {
      set_display (upload, context);
      g_usleep (20000);
    }
    set_display (filter, context);
    GstMessage *message =
        filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    fail_unless (message != NULL, "timeout");
    gst_message_unref (message);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_bus_set_flushing (bus, TRUE);
    gst_bus_set_flushing (bus, FALSE);
  }
  pipeline_play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "filter"), 150);
  pipeline_stop (pipeline);
}

GST_START_TEST (test_display_replaced)
{
  check_display_replaced (FALSE);
  check_display_replaced (TRUE);
}

GST_END_TEST;

/* Twice in a row: the second reads the texture that the first wrote. */
GST_START_TEST (test_two_in_a_row)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=10 "
      "! video/x-raw,format=RGBA,width=100,height=60 ! glupload "
      "! FILTER name=first ! FILTER name=second color-mode=lab "
      "! gldownload ! fakesink");

  pipeline_play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "first"), 10);
  fail_unless_equals_uint64 (get_frames (pipeline, "second"), 10);
  pipeline_stop (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_two_pipelines)
{
  GstElement *pipelines[2];

  for (guint i = 0; i < 2; i++) {
    pipelines[i] = launch ("videotestsrc num-buffers=40 "
        "! video/x-raw,format=RGBA,width=200,height=150 ! glupload "
        "! FILTER name=filter ! gldownload ! fakesink");
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < 2; i++) {
    pipeline_wait_for (pipelines[i], GST_MESSAGE_EOS);
    fail_unless_equals_uint64 (get_frames (pipelines[i], "filter"), 40);
    pipeline_stop (pipelines[i]);
  }
}

GST_END_TEST;

static Suite *
pipelines_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-pipelines");
  TCase *tests = tcase_create ("pipelines");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  tcase_add_test (tests, test_state_cycles);
  tcase_add_test (tests, test_states_without_data);
  ADD_TAGGED (suite, "few-pipelines", test_tee);
  tcase_add_test (tests, test_two_branches);
  tcase_add_test (tests, test_display_replaced);
  ADD_TAGGED (suite, "few-pipelines", test_two_in_a_row);
  tcase_add_test (tests, test_two_pipelines);
  return suite;
}

FILTER_HARNESS_MAIN (pipelines);
