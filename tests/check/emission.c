/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests when glopenclfilter emits histograms as messages and metas: settings,
 * times, intervals. emissioncounts.c tests the counts in the histograms,
 * emissionstreams.c tests histograms in whole pipelines.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "emitted.h"
#include "filterharness.h"

#define MAX_MESSAGES 1000

/* Nothing is emitted unless it was asked for. */
GST_START_TEST (test_off)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 32);
  GstBuffer *result = filter_harness_run (&h,
      filter_harness_create_frame (&h, 0, 0));
  fail_unless (emitted_pop_message (h.bus) == NULL);
  fail_unless (emitted_find_meta (result, NULL) == NULL);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_message_times)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "histogram-emission=messages");
  filter_harness_set_size (&h, 16, 16);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 2 * GST_SECOND;
  segment.time = 7 * GST_SECOND;
  segment.base = 11 * GST_SECOND;
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);
  GST_BUFFER_PTS (frame) = 5 * GST_SECOND;
  GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
  gst_buffer_unref (filter_harness_run (&h, frame));

  GstMessage *message = emitted_pop_message (h.bus);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h.filter));
  fail_unless_equals_uint64 (emitted_get_time (structure, "timestamp"),
      5 * GST_SECOND);
  fail_unless_equals_uint64 (emitted_get_time (structure, "stream-time"),
      10 * GST_SECOND);
  fail_unless_equals_uint64 (emitted_get_time (structure, "running-time"),
      14 * GST_SECOND);
  fail_unless_equals_uint64 (emitted_get_time (structure, "duration"),
      40 * GST_MSECOND);
  gst_message_unref (message);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A frame without a time is emitted with any interval. */
GST_START_TEST (test_no_times)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = GST_CLOCK_TIME_NONE;
    gst_buffer_unref (filter_harness_run (&h, frame));
    GstMessage *message = emitted_pop_message (h.bus);
    fail_unless (message != NULL);
    fail_unless_equals_uint64 (emitted_get_time (gst_message_get_structure
            (message), "running-time"), GST_CLOCK_TIME_NONE);
    gst_message_unref (message);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* 25 frames a second and 100 ms: the first of each tenth of a second, also
 * where time goes back. */
GST_START_TEST (test_interval)
{
  static const guint times[] = { 0, 40, 80, 120, 160, 200, 240, 280, 320, 40,
    60, 400
  };
  static const gboolean due[] = { 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1 };
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages+meta "
      "histogram-interval=100000000");
  filter_harness_set_size (&h, 16, 16);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = times[i] * GST_MSECOND;
    GstBuffer *result = filter_harness_run (&h, frame);
    fail_unless_equals_int (emitted_drop_messages (h.bus), due[i]);
    fail_unless_equals_int (emitted_find_meta (result, NULL) != NULL, due[i]);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A frame that is dropped because it is late emits nothing; the next does. */
GST_START_TEST (test_interval_and_qos)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages qos=true "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "src");
  fail_unless (gst_pad_send_event (pad, gst_event_new_qos
          (GST_QOS_TYPE_UNDERFLOW, 1.5, 0, 50 * GST_MSECOND)));
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = i * 40 * GST_MSECOND;
    fail_unless_equals_int (gst_harness_push (h.harness, frame), GST_FLOW_OK);
    fail_unless_equals_int (emitted_drop_messages (h.bus), i == 2);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* What is asked for anew, or after a flush, is emitted at once. */
GST_START_TEST (test_interval_starts_anew)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "histogram-emission=messages "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 3; i++) {
    for (guint n = 0; n < 2; n++) {
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
      fail_unless_equals_int (emitted_drop_messages (h.bus), n == 0);
    }
    if (i == 0) {
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_flush_start ()));
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_flush_stop (TRUE)));
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_segment (&segment)));
    } else {
      gst_util_set_object_arg (G_OBJECT (h.filter), "histogram-emission",
          "none");
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
      fail_unless_equals_int (emitted_drop_messages (h.bus), 0);
      gst_util_set_object_arg (G_OBJECT (h.filter), "histogram-emission",
          "messages+meta");
    }
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Every change takes effect on the next frame, and only there. */
GST_START_TEST (test_switching)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 24);
  for (guint i = 0; i < 16; i++) {
    gboolean messages = i % 2, meta = i / 2 % 2, off = i / 4 % 2;
    gboolean overlay = i / 8 % 2;

    g_object_set (h.filter, "histogram-emission", messages | meta << 1,
        "spatial-sigma", off ? 0.0 : 1.0, "histogram-overlay", overlay,
        "histogram-bins", i % 3 ? 256 : 64, NULL);
    GstBuffer *result = filter_harness_run (&h,
        filter_harness_create_frame (&h, i, 0));
    fail_unless_equals_int (emitted_drop_messages (h.bus), messages);
    fail_unless_equals_int (emitted_find_meta (result, NULL) != NULL, meta);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A number of bins that there is not is refused. */
GST_START_TEST (test_bins)
{
  GError *error = NULL;
  GstElement *element = gst_parse_launch ("glopenclfilter histogram-bins=100",
      &error);
  fail_unless (error != NULL && strstr (error->message, "histogram-bins"));
  g_clear_error (&error);
  g_clear_pointer (&element, gst_object_unref);
}

GST_END_TEST;

/* A bus that nobody reads holds so many messages and one warning; frames go on,
 * and messages come again when it was read. */
GST_START_TEST (test_unread_bus)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages spatial-sigma=0 "
      "histogram-bins=64");
  filter_harness_set_size (&h, 2, 2);
  for (guint round = 0; round < 2; round++) {
    guint n_histograms = 0, n_warnings = 0;
    GstMessage *message;

    for (guint i = 0; i < MAX_MESSAGES + 50; i++)
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
    while ((message = gst_bus_pop (h.bus))) {
      n_histograms += gst_message_has_name (message, EMITTED_MESSAGE);
      n_warnings += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
      gst_message_unref (message);
    }
    fail_unless_equals_int (n_histograms, MAX_MESSAGES);
    fail_unless_equals_int (n_warnings, round == 0);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
emission_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-emission");
  TCase *tests = tcase_create ("emission");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_off);
  tcase_add_test (tests, test_message_times);
  tcase_add_test (tests, test_no_times);
  tcase_add_test (tests, test_interval);
  tcase_add_test (tests, test_interval_and_qos);
  tcase_add_test (tests, test_interval_starts_anew);
  tcase_add_test (tests, test_switching);
  tcase_add_test (tests, test_bins);
  tcase_add_test (tests, test_unread_bus);
  return suite;
}

FILTER_HARNESS_MAIN (emission);
