/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopenclfilter with frames held back: pipeline-depth.
 *
 * Run once a way of interop, see meson.build. */

#include <string.h>

#include "filterharness.h"

#define FRAME_MS 40

static void
push (FilterHarness * h, guint n)
{
  GstBuffer *frame = filter_harness_create_frame (h, n, 0);

  GST_BUFFER_PTS (frame) = n * FRAME_MS * GST_MSECOND;
  GST_BUFFER_DURATION (frame) = FRAME_MS * GST_MSECOND;
  fail_unless_equals_int (gst_harness_push (h->harness, frame), GST_FLOW_OK);
}

/* The bytes of frame @n with @settings, and nothing held back. */
static GBytes *
get_expected (const gchar * settings, gint width, gint height, guint n)
{
  FilterHarness h;

  filter_harness_init (&h, settings);
  filter_harness_set_size (&h, width, height);
  GstBuffer *result = filter_harness_run (&h,
      filter_harness_create_frame (&h, n, 0));
  GBytes *bytes = filter_harness_get_bytes (&h, result);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
  return bytes;
}

/* The next frame out is @n, and right. */
static void
assert_next (FilterHarness * h, const gchar * settings, guint n)
{
  GstBuffer *result = gst_harness_try_pull (h->harness);

  fail_unless (result != NULL, "frame %u did not come out", n);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (result),
      n * FRAME_MS * GST_MSECOND);
  g_autoptr (GBytes) bytes = filter_harness_get_bytes (h, result);
  g_autoptr (GBytes) expected =
      get_expected (settings, h->info.width, h->info.height, n);
  fail_unless (g_bytes_equal (bytes, expected), "frame %u differs", n);
  gst_buffer_unref (result);
}

static void
assert_nothing (FilterHarness * h)
{
  fail_unless_equals_int (gst_harness_buffers_in_queue (h->harness), 0);
}

/* Frames come out late by the depth, in order, and all at the end. */
static void
check_depth (const gchar * settings, guint depth)
{
  g_autofree gchar *with = g_strdup_printf ("%s pipeline-depth=%u", settings,
      depth);
  FilterHarness h;
  guint next = 0;

  filter_harness_init (&h, with);
  filter_harness_set_size (&h, 37, 21);
  for (guint n = 0; n < 9; n++) {
    push (&h, n);
    if (n >= depth)
      assert_next (&h, settings, next++);
    assert_nothing (&h);
  }
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  while (next < 9)
    assert_next (&h, settings, next++);
  assert_nothing (&h);
  filter_harness_clear (&h);
}

GST_START_TEST (test_depths)
{
  for (guint depth = 0; depth <= 4; depth++)
    check_depth ("radius=2", depth);
  check_depth ("color-mode=lab in-place=true radius=1", 2);
  check_depth ("spatial-sigma=0", 3);
  check_depth ("spatial-sigma=0 histogram-overlay=true", 3);
}

GST_END_TEST;

/* Settings are those of the moment when the frame came in. */
GST_START_TEST (test_settings_change)
{
  static const gchar *const settings[] = { "spatial-sigma=1",
    "spatial-sigma=0", "spatial-sigma=3"
  };
  FilterHarness h;

  filter_harness_init (&h, "pipeline-depth=4");
  filter_harness_set_size (&h, 37, 21);
  for (guint n = 0; n < 6; n++) {
    const gchar *value = strchr (settings[n % 3], '=') + 1;

    gst_util_set_object_arg (G_OBJECT (h.filter), "spatial-sigma", value);
    push (&h, n);
  }
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  for (guint n = 0; n < 6; n++)
    assert_next (&h, settings[n % 3], n);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Another depth lets out what is held back, as pools are settled again. */
GST_START_TEST (test_depth_changes)
{
  FilterHarness h;

  filter_harness_init (&h, "pipeline-depth=3");
  filter_harness_set_size (&h, 37, 21);
  for (guint n = 0; n < 3; n++)
    push (&h, n);
  assert_nothing (&h);
  g_object_set (h.filter, "pipeline-depth", 1, NULL);
  push (&h, 3);
  for (guint n = 0; n < 3; n++)
    assert_next (&h, "", n);
  assert_nothing (&h);
  g_object_set (h.filter, "pipeline-depth", 2, NULL);
  push (&h, 4);
  assert_next (&h, "", 3);
  push (&h, 5);
  assert_nothing (&h);
  g_object_set (h.filter, "pipeline-depth", 0, NULL);
  push (&h, 6);
  for (guint n = 4; n < 7; n++)
    assert_next (&h, "", n);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* What is held back comes out before new caps, with those it had. */
GST_START_TEST (test_caps_change)
{
  FilterHarness h;

  filter_harness_init (&h, "pipeline-depth=2 radius=1");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  push (&h, 1);
  assert_nothing (&h);
  filter_harness_set_size (&h, 50, 40);
  h.info.width = 37;
  h.info.height = 21;
  assert_next (&h, "radius=1", 0);
  assert_next (&h, "radius=1", 1);
  filter_harness_set_size (&h, 50, 40);
  push (&h, 2);
  assert_nothing (&h);
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  assert_next (&h, "radius=1", 2);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A flush takes what is held back with it. */
GST_START_TEST (test_flush)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "pipeline-depth=2 radius=1");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  push (&h, 1);
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  assert_nothing (&h);
  push (&h, 2);
  push (&h, 3);
  push (&h, 4);
  assert_next (&h, "radius=1", 2);
  assert_nothing (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A new segment comes behind the frames of the old one. */
GST_START_TEST (test_segment)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "pipeline-depth=2 radius=1");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  push (&h, 1);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = GST_SECOND;
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  assert_next (&h, "radius=1", 0);
  assert_next (&h, "radius=1", 1);
  filter_harness_clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 37, 21);
  gst_harness_set_upstream_latency (h.harness, 100 * GST_MSECOND);
  push (&h, 0);
  for (guint depth = 0; depth <= 4; depth++) {
    g_object_set (h.filter, "pipeline-depth", depth, NULL);
    fail_unless_equals_uint64 (gst_harness_query_latency (h.harness),
        (100 + depth * FRAME_MS) * GST_MSECOND);
    if (depth > 0) {
      GstMessage *message = gst_bus_pop_filtered (h.bus, GST_MESSAGE_LATENCY);

      fail_unless (message != NULL);
      gst_message_unref (message);
    }
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The least number of buffers that upstream's pool has to have; 0 where no pool
 * is proposed. */
static guint
query_pool_minimum (FilterHarness * h)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h->filter, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  guint minimum = 0;

  fail_unless (gst_pad_query (pad, query));
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, &minimum, NULL);
  gst_query_unref (query);
  return minimum;
}

/* Frames that are held back are missing from upstream's pool. */
GST_START_TEST (test_pools)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  const guint minimum = query_pool_minimum (&h);
  g_object_set (h.filter, "pipeline-depth", 3, NULL);
  fail_unless_equals_int (query_pool_minimum (&h), minimum + 3);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Other caps have another latency, and say so. */
GST_START_TEST (test_latency_of_caps)
{
  FilterHarness h;

  filter_harness_init (&h, "pipeline-depth=2");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  GstMessage *message = gst_bus_pop_filtered (h.bus, GST_MESSAGE_LATENCY);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_harness_set_src_caps_str (h.harness,
      "video/x-raw,format=RGBA,width=37,height=21,framerate=10/1");
  push (&h, 1);
  message = gst_bus_pop_filtered (h.bus, GST_MESSAGE_LATENCY);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless_equals_uint64 (gst_harness_query_latency (h.harness),
      2 * 100 * GST_MSECOND);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* To stop with frames held back leaves nothing behind (the layer counts). */
GST_START_TEST (test_stop)
{
  for (guint i = 0; i < 5; i++) {
    FilterHarness h;

    filter_harness_init (&h, "pipeline-depth=4 histogram-emission=messages");
    filter_harness_set_size (&h, 64, 48);
    for (guint n = 0; n < i; n++)
      push (&h, n);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* A query that is in order with the frames does not overtake them. */
GST_START_TEST (test_serialized_query)
{
  FilterHarness h;

  filter_harness_init (&h, "radius=2 pipeline-depth=2");
  filter_harness_set_size (&h, 37, 21);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "sink");
  GstQuery *query = gst_query_new_drain ();
  push (&h, 0);
  push (&h, 1);
  assert_nothing (&h);
  gst_pad_query (pad, query);
  gst_query_unref (query);
  assert_next (&h, "radius=2", 0);
  assert_next (&h, "radius=2", 1);
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
depth_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-depth");
  TCase *tests = tcase_create ("depth");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_depths);
  tcase_add_test (tests, test_settings_change);
  tcase_add_test (tests, test_depth_changes);
  tcase_add_test (tests, test_caps_change);
  tcase_add_test (tests, test_flush);
  tcase_add_test (tests, test_segment);
  tcase_add_test (tests, test_latency);
  tcase_add_test (tests, test_pools);
  tcase_add_test (tests, test_latency_of_caps);
  tcase_add_test (tests, test_serialized_query);
  tcase_add_test (tests, test_stop);
  return suite;
}

GST_CHECK_MAIN (depth);
