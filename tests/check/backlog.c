/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter with a backlog of frames: pipeline-depth.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include <gst/base/gstbasetransform.h>

#include "filterharness.h"

#define FRAME_MS 40

static void
push_lasting (FilterHarness * h, guint n, GstClockTime duration)
{
  GstBuffer *frame = filter_harness_create_frame (h, n, 0);

  GST_BUFFER_PTS (frame) = n * FRAME_MS * GST_MSECOND;
  GST_BUFFER_DURATION (frame) = duration;
  fail_unless_equals_int (gst_harness_push (h->harness, frame), GST_FLOW_OK);
}

static void
push (FilterHarness * h, guint n)
{
  push_lasting (h, n, FRAME_MS * GST_MSECOND);
}

/* Frames wait for the next ones as long as the test likes: the element's thread
 * pushes none meanwhile. */
static void
init (FilterHarness * h, const gchar * settings)
{
  filter_harness_init (h, settings);
  GST_PAD_STREAM_LOCK (GST_BASE_TRANSFORM_SINK_PAD (h->filter));
}

static void
clear (FilterHarness * h)
{
  GST_PAD_STREAM_UNLOCK (GST_BASE_TRANSFORM_SINK_PAD (h->filter));
  filter_harness_clear (h);
}

/* Holds nothing back; kept for the frames of one test that have its settings. */
static struct
{
  FilterHarness harness;
  gchar *settings;              /* or NULL */
} alone;

static void
clear_alone (void)
{
  if (alone.settings)
    filter_harness_clear (&alone.harness);
  g_clear_pointer (&alone.settings, g_free);
}

/* The bytes of frame @n with @settings, and nothing held back. */
static GBytes *
get_expected (const gchar * settings, gint width, gint height, guint n)
{
  FilterHarness *h = &alone.harness;

  if (g_strcmp0 (alone.settings, settings) != 0) {
    clear_alone ();
    filter_harness_init (h, settings);
    alone.settings = g_strdup (settings);
  }
  if (h->info.width != width || h->info.height != height)
    filter_harness_set_size (h, width, height);
  GstBuffer *result = filter_harness_run (h,
      filter_harness_create_frame (h, n, 0));
  GBytes *bytes = filter_harness_get_bytes (h, result);
  gst_buffer_unref (result);
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

  init (&h, with);
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
  clear (&h);
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

  init (&h, "pipeline-depth=4");
  filter_harness_set_size (&h, 37, 21);
  for (guint n = 0; n < 6; n++) {
    const gchar *value = strchr (settings[n % 3], '=') + 1;

    gst_util_set_object_arg (G_OBJECT (h.filter), "spatial-sigma", value);
    push (&h, n);
  }
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  for (guint n = 0; n < 6; n++)
    assert_next (&h, settings[n % 3], n);
  clear (&h);
}

GST_END_TEST;

/* Another depth lets out what is held back, as pools are settled again. */
GST_START_TEST (test_depth_changes)
{
  FilterHarness h;

  init (&h, "pipeline-depth=3");
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
  clear (&h);
}

GST_END_TEST;

/* What is held back comes out before new caps, with those it had. */
GST_START_TEST (test_caps_change)
{
  FilterHarness h;

  init (&h, "pipeline-depth=2 radius=1");
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
  clear (&h);
}

GST_END_TEST;

/* A flush takes what is held back with it. */
GST_START_TEST (test_flush)
{
  FilterHarness h;
  GstSegment segment;

  init (&h, "pipeline-depth=2 radius=1");
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
  clear (&h);
}

GST_END_TEST;

/* A new segment comes behind the frames of the old one. */
GST_START_TEST (test_segment)
{
  FilterHarness h;
  GstSegment segment;

  init (&h, "pipeline-depth=2 radius=1");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  push (&h, 1);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.base = GST_SECOND;
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  assert_next (&h, "radius=1", 0);
  assert_next (&h, "radius=1", 1);
  clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  FilterHarness h;

  init (&h, "");
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
  clear (&h);
}

GST_END_TEST;

/* Asks for an allocation; FALSE where the element does not answer. Sets @minimum
 * to the least number of buffers that upstream's pool has to have, 0 where no
 * pool is proposed. */
static gboolean
ask_for_allocation (FilterHarness * h, guint * minimum)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string
      ("video/x-raw(memory:GLMemory),format=RGBA,width=37,height=21");
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  gboolean answered = gst_pad_query (GST_BASE_TRANSFORM_SINK_PAD (h->filter),
      query);

  *minimum = 0;
  if (answered && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, minimum, NULL);
  gst_query_unref (query);
  return answered;
}

/* Frames that are held back are missing from upstream's pool. */
GST_START_TEST (test_pools)
{
  FilterHarness h;
  guint minimum, deeper;

  init (&h, "");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  fail_unless (ask_for_allocation (&h, &minimum));
  g_object_set (h.filter, "pipeline-depth", 3, NULL);
  fail_unless (ask_for_allocation (&h, &deeper));
  fail_unless_equals_int (deeper, minimum + 3);
  clear (&h);
}

GST_END_TEST;

/* Other caps have another latency, and say so. */
GST_START_TEST (test_latency_of_caps)
{
  FilterHarness h;

  init (&h, "pipeline-depth=2");
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
  clear (&h);
}

GST_END_TEST;

/* To stop with frames held back leaves nothing behind (the layer counts). */
GST_START_TEST (test_stop)
{
  for (guint i = 0; i < 5; i++) {
    FilterHarness h;

    init (&h, "pipeline-depth=4 histogram-emission=messages");
    filter_harness_set_size (&h, 64, 48);
    for (guint n = 0; n < i; n++)
      push (&h, n);
    clear (&h);
  }
}

GST_END_TEST;

/* A query that is in order with the frames does not overtake them. */
GST_START_TEST (test_serialized_query)
{
  FilterHarness h;

  init (&h, "radius=2 pipeline-depth=2");
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
  clear (&h);
}

GST_END_TEST;

/* A frame that no other one follows comes out all the same, and so do those
 * before it; with frames that follow it is not held up. */
GST_START_TEST (test_no_next_frame)
{
  FilterHarness h;
  guint n = 0;

  filter_harness_init (&h, "radius=2 pipeline-depth=3");
  filter_harness_set_size (&h, 37, 21);
  push (&h, n++);
  gst_buffer_unref (gst_harness_pull (h.harness));
  for (guint held = 1; held <= 3; held++) {
    const gint64 start = g_get_monotonic_time ();
    const guint begin = n;

    for (guint i = 0; i < held; i++)
      push (&h, n++);
    for (guint i = 0; i < held; i++) {
      GstBuffer *result = gst_harness_pull (h.harness);

      fail_unless_equals_uint64 (GST_BUFFER_PTS (result),
          (begin + i) * FRAME_MS * GST_MSECOND);
      gst_buffer_unref (result);
    }
    fail_unless ((guint64) (g_get_monotonic_time () - start)
        < filter_harness_scale (GST_SECOND) / GST_USECOND);
  }
  /* A short one waits for its own duration only; the thread may have to wait for
   * a processor, but not each time. */
  gint64 shortest = G_MAXINT64;
  for (guint i = 0; i < 100 && shortest >= FRAME_MS / 2 * 1000; i++) {
    const gint64 start = g_get_monotonic_time ();

    push_lasting (&h, n++, FRAME_MS / 8 * GST_MSECOND);
    gst_buffer_unref (gst_harness_pull (h.harness));
    shortest = MIN (shortest, g_get_monotonic_time () - start);
  }
  fail_unless (shortest < FRAME_MS / 2 * 1000);
  assert_nothing (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A frame that comes while the element's thread waits for the stream lock puts
 * the others off. */
GST_START_TEST (test_next_frame_in_time)
{
  FilterHarness h;

  init (&h, "radius=2 pipeline-depth=3");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  g_usleep (2 * FRAME_MS * 1000);
  push (&h, 1);
  const gint64 start = g_get_monotonic_time ();
  GST_PAD_STREAM_UNLOCK (GST_BASE_TRANSFORM_SINK_PAD (h.filter));
  g_usleep (FRAME_MS / 4 * 1000);
  const guint n = gst_harness_buffers_in_queue (h.harness);
  /* This thread may have slept longer. */
  if (g_get_monotonic_time () - start < FRAME_MS * 1000)
    fail_unless_equals_int (n, 0);
  gst_buffer_unref (gst_harness_pull (h.harness));
  gst_buffer_unref (gst_harness_pull (h.harness));
  filter_harness_clear (&h);
}

GST_END_TEST;

static GstFlowReturn
refuse (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  (void) pad;
  (void) parent;
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

/* What downstream says to a frame that comes out late, upstream gets to
 * know. */
GST_START_TEST (test_late_flow)
{
  FilterHarness h;

  filter_harness_init (&h, "radius=2 pipeline-depth=3");
  filter_harness_set_size (&h, 37, 21);
  gst_pad_set_chain_function (h.harness->sinkpad, refuse);
  push (&h, 0);
  GstFlowReturn flow = GST_FLOW_OK;
  for (guint n = 1; n < 100 && flow == GST_FLOW_OK; n++) {
    g_usleep (300 * 1000);
    flow = gst_harness_push (h.harness, filter_harness_create_frame (&h, n, 0));
  }
  fail_unless_equals_int (flow, GST_FLOW_EOS);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* How many threads of this process wait for late frames. */
static guint
count_waiting_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  guint n = 0;

  fail_unless (tasks != NULL);
  while ((task = g_dir_read_name (tasks))) {
    g_autofree gchar *path = g_build_filename ("/proc/self/task", task, "comm",
        NULL);
    g_autofree gchar *name = NULL;

    n += g_file_get_contents (path, &name, NULL, NULL)
        && g_str_has_prefix (name, "glopencl-late");
  }
  return n;
}

/* Waits until there are @n of them: a thread gets its name when it first runs,
 * and is listed a little longer than it runs. */
static void
wait_for_threads (guint n)
{
  for (guint i = 0; i < 1000 && count_waiting_threads () != n; i++)
    g_usleep (10 * 1000);
  fail_unless_equals_int (count_waiting_threads (), n);
}

/* The element stops and flushes while frames come out late, and its thread ends
 * with it. */
GST_START_TEST (test_stop_beside_late_frames)
{
  for (guint i = 0; i < 6; i++) {
    FilterHarness h;

    filter_harness_init (&h, "radius=2 pipeline-depth=3");
    filter_harness_set_size (&h, 37, 21);
    push (&h, 0);
    g_usleep ((FRAME_MS - 1) * 1000 + i * 400);
    if (i % 2) {
      gst_harness_push_event (h.harness, gst_event_new_flush_start ());
      gst_harness_push_event (h.harness, gst_event_new_flush_stop (TRUE));
      g_usleep (2 * FRAME_MS * 1000);
      fail_unless (gst_harness_buffers_in_queue (h.harness) <= 1);
    }
    wait_for_threads (1);
    filter_harness_clear (&h);
    wait_for_threads (0);
  }
}

GST_END_TEST;

static GstPadProbeReturn
set_maximum (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  gboolean live;
  GstClockTime minimum;

  (void) pad;
  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    gst_query_parse_latency (query, &live, &minimum, NULL);
    gst_query_set_latency (query, live, minimum, *(GstClockTime *) data);
  }
  return GST_PAD_PROBE_OK;
}

/* The latency that can be buffered at most, as the element answers. */
static GstClockTime
query_maximum (FilterHarness * h)
{
  GstQuery *query = gst_query_new_latency ();
  GstClockTime maximum;

  fail_unless (gst_pad_query (GST_BASE_TRANSFORM_SRC_PAD (h->filter), query));
  gst_query_parse_latency (query, NULL, NULL, &maximum);
  gst_query_unref (query);
  return maximum;
}

/* What can be buffered grows with what is held back. */
GST_START_TEST (test_maximum_latency)
{
  FilterHarness h;
  GstClockTime maximum = 300 * GST_MSECOND;

  init (&h, "");
  filter_harness_set_size (&h, 37, 21);
  g_autoptr (GstPad) before =
      gst_pad_get_peer (GST_BASE_TRANSFORM_SINK_PAD (h.filter));
  gst_pad_add_probe (before, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM
      | GST_PAD_PROBE_TYPE_PULL, set_maximum, &maximum, NULL);
  push (&h, 0);
  for (guint depth = 0; depth <= 4; depth++) {
    g_object_set (h.filter, "pipeline-depth", depth, NULL);
    fail_unless_equals_uint64 (query_maximum (&h),
        maximum + depth * FRAME_MS * GST_MSECOND);
  }
  maximum = GST_CLOCK_TIME_NONE;
  fail_unless_equals_uint64 (query_maximum (&h), GST_CLOCK_TIME_NONE);
  clear (&h);
}

GST_END_TEST;

static gpointer
ask_until_stopped (gpointer data)
{
  FilterHarness *h = data;
  guint minimum;

  while (GST_STATE (h->filter) != GST_STATE_NULL)
    ask_for_allocation (h, &minimum);
  return NULL;
}

/* A query on another thread finds the element open or closed. */
GST_START_TEST (test_query_beside_stop)
{
  for (guint i = 0; i < 10; i++) {
    FilterHarness h;

    filter_harness_init (&h, "radius=1 pipeline-depth=2");
    filter_harness_set_size (&h, 37, 21);
    push (&h, 0);
    GThread *thread = g_thread_new ("allocation", ask_until_stopped, &h);
    g_usleep (i * 300);
    gst_element_set_state (h.harness->element, GST_STATE_NULL);
    g_thread_join (thread);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

static gpointer
stop_element (gpointer element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  return NULL;
}

static gboolean
is_flushing (GstPad * pad)
{
  GST_OBJECT_LOCK (pad);
  gboolean flushing = GST_PAD_IS_FLUSHING (pad);
  GST_OBJECT_UNLOCK (pad);
  return flushing;
}

/* A query that comes after the pad has begun to flush is refused. */
GST_START_TEST (test_query_while_stopping)
{
  FilterHarness h;
  guint minimum;

  init (&h, "radius=1 pipeline-depth=2");
  filter_harness_set_size (&h, 37, 21);
  push (&h, 0);
  fail_unless (ask_for_allocation (&h, &minimum));
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (h.filter);
  GThread *thread = g_thread_new ("stop", stop_element, h.filter);
  for (guint i = 0; i < 10000 && !is_flushing (pad); i++)
    g_usleep (1000);
  const gboolean flushing = is_flushing (pad);
  const gboolean answered = ask_for_allocation (&h, &minimum);
  GST_PAD_STREAM_UNLOCK (pad);
  g_thread_join (thread);
  filter_harness_clear (&h);
  fail_unless (flushing);
  fail_if (answered);
}

GST_END_TEST;

static Suite *
depth_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-depth");
  TCase *tests = tcase_create ("depth");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_checked_fixture (tests, NULL, clear_alone);
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
  tcase_add_test (tests, test_no_next_frame);
  tcase_add_test (tests, test_next_frame_in_time);
  tcase_add_test (tests, test_late_flow);
  tcase_add_test (tests, test_stop_beside_late_frames);
  tcase_add_test (tests, test_maximum_latency);
  tcase_add_test (tests, test_query_beside_stop);
  tcase_add_test (tests, test_query_while_stopping);
  return suite;
}

FILTER_HARNESS_MAIN (depth);
