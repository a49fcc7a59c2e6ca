/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests when glopenclfilter emits histograms as messages and metas: settings,
 * times, intervals. emissioncounts.c tests the counts in the histograms,
 * emissionstreams.c tests histograms in whole pipelines. */

#include <string.h>

#include "elementharness.h"

#define MAX_MESSAGES 1000

/* Pushes a frame of that time, and asserts how many messages and metas come. */
static void
check_emitted (Harness * h, GstClockTime time, guint n_messages, guint n_metas)
{
  GstBuffer *frame = harness_create_frame (h, 0);

  GST_BUFFER_PTS (frame) = time;
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  fail_unless_equals_int (bus_drop_histograms (h->bus), n_messages);
  fail_unless_equals_int (buffer_find_histogram (result, NULL) != NULL,
      n_metas);
}

/* Nothing is emitted unless it was asked for. */
TEST (test_off)
{
  g_autoptr (Harness) h = harness_new (RGBA (32, 32), "glopenclfilter");

  check_emitted (h, 0, 0, 0);
}

TEST (test_message_times)
{
  static const struct
  {
    const gchar *field;
    guint seconds;
  } times[] = {
    {"timestamp", 5}, {"stream-time", 10}, {"running-time", 14},
    {"duration", 3},
  };
  g_autoptr (Harness) h = harness_new (RGBA (16, 16),
      "glopenclfilter histogram-emission=messages");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 2 * GST_SECOND;
  segment.time = 7 * GST_SECOND;
  segment.base = 11 * GST_SECOND;
  harness_push_event (h, gst_event_new_segment (&segment));
  GstBuffer *frame = harness_create_frame (h, 0);
  GST_BUFFER_PTS (frame) = 5 * GST_SECOND;
  GST_BUFFER_DURATION (frame) = 3 * GST_SECOND;
  gst_buffer_unref (harness_filter_frame (h, frame));

  g_autoptr (GstMessage) message = bus_pop_histogram (h->bus);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h->filter));
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    fail_unless_equals_uint64 (structure_get_time (gst_message_get_structure
            (message), times[i].field), times[i].seconds * GST_SECOND);
}

/* A frame without a time is emitted with any interval. */
TEST (test_no_times)
{
  g_autoptr (Harness) h = harness_new (RGBA (16, 16), "glopenclfilter "
      "histogram-emission=messages histogram-interval=1000000000");

  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = harness_create_frame (h, 0);

    GST_BUFFER_PTS (frame) = GST_CLOCK_TIME_NONE;
    gst_buffer_unref (harness_filter_frame (h, frame));
    g_autoptr (GstMessage) message = bus_pop_histogram (h->bus);
    fail_unless (message != NULL);
    fail_unless_equals_uint64 (structure_get_time (gst_message_get_structure
            (message), "running-time"), GST_CLOCK_TIME_NONE);
  }
}

/* 25 frames a second and 100 ms: the first of each tenth of a second, also
 * where time goes back. */
TEST (test_interval)
{
  static const guint times[][2] = {
    {0, 1}, {40, 0}, {80, 0}, {120, 1}, {160, 0}, {200, 1}, {240, 0}, {280, 0},
    {320, 1}, {40, 1}, {60, 0}, {400, 1},
  };
  g_autoptr (Harness) h = harness_new (RGBA (16, 16), "glopenclfilter "
      "histogram-emission=messages+meta histogram-interval=100000000");

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    check_emitted (h, times[i][0] * GST_MSECOND, times[i][1], times[i][1]);
}

/* A late frame that is dropped emits nothing, and the next one does. */
TEST (test_interval_and_qos)
{
  g_autoptr (Harness) h = harness_new (RGBA (16, 16), "glopenclfilter qos=true "
      "histogram-emission=messages histogram-interval=1000000000");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->filter, "src");

  fail_unless (gst_pad_send_event (pad, gst_event_new_qos
          (GST_QOS_TYPE_UNDERFLOW, 1.5, 0, 50 * GST_MSECOND)));
  for (guint i = 0; i < 3; i++) {
    harness_push_nth (h, i);
    fail_unless_equals_int (bus_drop_histograms (h->bus), i == 2);
  }
}

/* A new request, or the first frame after a flush, is emitted immediately. */
TEST (test_interval_starts_anew)
{
  g_autoptr (Harness) h = harness_new (RGBA (16, 16), "glopenclfilter "
      "histogram-emission=messages histogram-interval=1000000000");

  for (guint i = 0; i < 3; i++) {
    check_emitted (h, 0, 1, i == 2);
    check_emitted (h, 0, 0, 0);
    if (i == 0) {
      harness_flush (h);
    } else {
      harness_set (h, "histogram-emission", "none");
      check_emitted (h, 0, 0, 0);
      harness_set (h, "histogram-emission", "messages+meta");
    }
  }
}

/* Every change takes effect on the next frame, and only there. */
TEST (test_switching)
{
  g_autoptr (Harness) h = harness_new (RGBA (32, 24), "glopenclfilter");

  for (guint i = 0; i < 16; i++) {
    g_object_set (h->filter, "histogram-emission", i % 4,
        "spatial-sigma", i / 4 % 2 ? 0.0 : 1.0, "histogram-overlay", i / 8,
        "histogram-bins", i % 3 ? 256 : 64, NULL);
    check_emitted (h, 0, i % 2, i / 2 % 2);
  }
}

/* A number of bins that there is not is refused. */
TEST (test_bins)
{
  g_autoptr (GError) error = NULL;
  GstElement *element =
      gst_parse_launch ("glopenclfilter histogram-bins=100", &error);

  gst_clear_object (&element);
  fail_unless (error != NULL && strstr (error->message, "histogram-bins"));
}

/* An unread bus holds the maximum number of messages and one warning. Frames
 * continue, and messages resume when it was read. */
TEST (test_unread_bus)
{
  g_autoptr (Harness) h = harness_new (RGBA (2, 2), "glopenclfilter "
      "histogram-emission=messages spatial-sigma=0 histogram-bins=64");

  for (guint round = 0; round < 2; round++) {
    guint n_histograms = 0, n_warnings = 0;
    GstMessage *message;

    for (guint i = 0; i < MAX_MESSAGES + 50; i++)
      gst_buffer_unref (harness_filter_frame (h, harness_create_frame (h, 0)));
    while ((message = gst_bus_pop (h->bus))) {
      n_histograms += gst_message_has_name (message, HISTOGRAM_MESSAGE);
      n_warnings += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
      gst_message_unref (message);
    }
    fail_unless_equals_int (n_histograms, MAX_MESSAGES);
    fail_unless_equals_int (n_warnings, round == 0);
  }
}
