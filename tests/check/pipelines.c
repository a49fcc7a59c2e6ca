/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter in whole pipelines: states, seeks, tees, several filters
 * at once, properties set from another thread.
 *
 * The test runs once per way of interop, see meson.build. */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gst/base/gstbasetransform.h>
#include <gst/check/gstcheck.h>
#include <gst/gl/gl.h>
#include <gst/video/video.h>

#include "filterharness.h"

#define TIMEOUT (30 * GST_SECOND)

static GstElement *
launch (const gchar * format)
{
  g_autofree gchar *filter = g_strdup_printf ("glopenclfilter qos=false "
      "interop=%s", filter_harness_get_interop ());
  g_auto (GStrv) parts = g_strsplit (format, "FILTER", -1);
  g_autofree gchar *description = g_strjoinv (filter, parts);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  return pipeline;
}

static void
wait_for (GstElement * pipeline, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      type | GST_MESSAGE_ERROR);

  fail_unless (message != NULL, "timeout");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;
    gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fail ("%s: %s", error->message, debug);
  }
  gst_message_unref (message);
}

static void
play_to_end (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for (pipeline, GST_MESSAGE_EOS);
}

static void
stop (GstElement * pipeline)
{
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
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
    play_to_end (pipeline);
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
  stop (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_states_without_data)
{
  GstElement *pipeline = launch ("videotestsrc ! glupload ! FILTER ! fakesink");

  for (guint i = 0; i < 10; i++) {
    gst_element_set_state (pipeline, GST_STATE_READY);
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    if (i % 2)
      gst_element_get_state (pipeline, NULL, NULL, TIMEOUT);
    gst_element_set_state (pipeline, i % 3 ? GST_STATE_READY : GST_STATE_NULL);
  }
  stop (pipeline);
}

GST_END_TEST;

/* At the end no frame is missing. */
GST_START_TEST (test_end_of_stream)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=50 "
      "! video/x-raw,format=RGBA,width=64,height=48 ! glupload "
      "! FILTER name=filter ! gldownload ! fakesink name=sink");

  play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "filter"), 50);
  stop (pipeline);
}

GST_END_TEST;

/* Flushing seeks, also while frames are in flight. */
GST_START_TEST (test_seeks)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=100000 "
      "! video/x-raw,format=RGBA,width=160,height=120 ! glupload "
      "! FILTER name=filter ! gldownload ! fakesink sync=false");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  for (guint i = 0; i < 20; i++) {
    g_usleep (i * 500);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, (i * 7 % 20) * GST_SECOND));
    wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  }
  stop (pipeline);
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

  play_to_end (pipeline);
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
  stop (pipeline);
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

  play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "first"), 40);
  fail_unless_equals_uint64 (get_frames (pipeline, "second"), 40);
  stop (pipeline);
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
    gst_element_get_state (pipeline, NULL, NULL, TIMEOUT);
    g_usleep (i * 7000);
    if (upload_first) {
      set_display (upload, context);
      g_usleep (20000);
    }
    set_display (filter, context);
    GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    fail_unless (message != NULL, "timeout");
    gst_message_unref (message);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_bus_set_flushing (bus, TRUE);
    gst_bus_set_flushing (bus, FALSE);
  }
  play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "filter"), 150);
  stop (pipeline);
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

  play_to_end (pipeline);
  fail_unless_equals_uint64 (get_frames (pipeline, "first"), 10);
  fail_unless_equals_uint64 (get_frames (pipeline, "second"), 10);
  stop (pipeline);
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
    wait_for (pipelines[i], GST_MESSAGE_EOS);
    fail_unless_equals_uint64 (get_frames (pipelines[i], "filter"), 40);
    stop (pipelines[i]);
  }
}

GST_END_TEST;

typedef struct
{
  GstElement *filter;
  gint stop;
} Hammer;

/* Sets everything that may be set while playing, as fast as it can. */
static gpointer
hammer_properties (gpointer data)
{
  Hammer *hammer = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  while (!g_atomic_int_get (&hammer->stop)) {
    GstStructure *stats = NULL;
    gchar *device = NULL;

    g_object_set (hammer->filter,
        "spatial-sigma", g_rand_int_range (random, 0, 7) / 2.0,
        "intensity-sigma", g_rand_int_range (random, 0, 5) / 10.0,
        "radius", g_rand_int_range (random, -1, 5),
        "color-mode", g_rand_int_range (random, 0, 3),
        "window", g_rand_int_range (random, 0, 2),
        "border", g_rand_int_range (random, 0, 5),
        "border-color", g_rand_int (random),
        "in-place", g_rand_boolean (random),
        "pipeline-depth", g_rand_int_range (random, 0, 5),
        "histogram-emission", g_rand_int_range (random, 0, 4),
        "histogram-bins", g_rand_boolean (random) ? 64 : 256,
        "histogram-source", g_rand_int_range (random, 0, 2),
        "histogram-interval",
        g_rand_int_range (random, 0, 3) * 50 * GST_MSECOND,
        "histogram-overlay", g_rand_boolean (random), NULL);
    g_object_get (hammer->filter, "stats", &stats, "active-device", &device,
        NULL);
    gst_structure_free (stats);
    g_free (device);
  }
  return NULL;
}

static GstPadProbeReturn
count_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  (void) pad;
  (void) info;
  (*(guint *) user_data)++;
  return GST_PAD_PROBE_OK;
}

/* No frame is dropped, whatever is set when. */
GST_START_TEST (test_property_storm)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=300 "
      "! video/x-raw,format=RGBA,width=64,height=48 ! glupload "
      "! FILTER name=filter ! gldownload ! fakesink name=sink");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  guint frames = 0;
  Hammer hammer = { gst_bin_get_by_name (GST_BIN (pipeline), "filter"), 0 };

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, &frames,
      NULL);
  GThread *thread = g_thread_new ("hammer", hammer_properties, &hammer);
  play_to_end (pipeline);
  g_atomic_int_set (&hammer.stop, 1);
  g_thread_join (thread);
  fail_unless_equals_int (frames, 300);
  gst_object_unref (hammer.filter);
  stop (pipeline);
}

GST_END_TEST;

/* A source whose size changes while it plays. */
GST_START_TEST (test_caps_change)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=60 "
      "! capsfilter name=size caps-change-mode=delayed "
      "caps=video/x-raw,format=RGBA,width=64,height=48 "
      "! glupload ! FILTER name=filter ! gldownload ! fakesink sync=true");
  g_autoptr (GstElement) size = gst_bin_get_by_name (GST_BIN (pipeline),
      "size");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (gint i = 0; i < 6; i++) {
    g_autoptr (GstCaps) caps = gst_caps_new_simple ("video/x-raw", "format",
        G_TYPE_STRING, "RGBA", "width", G_TYPE_INT, 33 + 50 * i, "height",
        G_TYPE_INT, 200 - 31 * i, NULL);

    g_object_set (size, "caps", caps, NULL);
    g_usleep (200 * 1000);
  }
  wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_uint64 (get_frames (pipeline, "filter"), 60);
  stop (pipeline);
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
  tcase_add_test (tests, test_end_of_stream);
  tcase_add_test (tests, test_seeks);
  tcase_add_test (tests, test_tee);
  tcase_add_test (tests, test_two_branches);
  tcase_add_test (tests, test_display_replaced);
  tcase_add_test (tests, test_two_in_a_row);
  tcase_add_test (tests, test_two_pipelines);
  tcase_add_test (tests, test_property_storm);
  tcase_add_test (tests, test_caps_change);
  return suite;
}

GST_CHECK_MAIN (pipelines);
