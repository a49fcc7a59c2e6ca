/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter with a backlog of frames: pipeline-depth. */

#include <string.h>

#include <gst/base/gstbasetransform.h>

#include "elementharness.h"

#define SIZE RGBA (37, 21)

/* Frames wait for the next ones as long as the test likes: the element's thread
 * pushes none meanwhile. */
static Harness *
start_held (const gchar * settings)
{
  Harness *h = harness_new (SIZE, "glopenclfilter %s", settings);

  GST_PAD_STREAM_LOCK (GST_BASE_TRANSFORM_SINK_PAD (h->filter));
  return h;
}

static void
end_held (Harness * h)
{
  GST_PAD_STREAM_UNLOCK (GST_BASE_TRANSFORM_SINK_PAD (h->filter));
  harness_free (h);
}

/* Holds nothing back. Kept for the frames that have its settings. */
static struct
{
  Harness *harness;
  gchar *settings;
} alone;

void
test_tear_down (void)
{
  g_clear_pointer (&alone.harness, harness_free);
  g_clear_pointer (&alone.settings, g_free);
}

/* The next frame out is @n, as it is with @settings and nothing held back. */
static void
assert_next (Harness * h, const gchar * settings, guint n)
{
  g_autoptr (GBytes) bytes = harness_pull_samples (h, n);

  if (g_strcmp0 (alone.settings, settings) != 0) {
    test_tear_down ();
    alone.harness = harness_new (NULL, "glopenclfilter %s", settings);
    alone.settings = g_strdup (settings);
  }
  if (alone.harness->info.width != h->info.width)
    harness_set_size (alone.harness, h->info.width, h->info.height);
  g_autoptr (GBytes) expected = harness_filter (alone.harness, n);
  assert_same_bytes (bytes, expected, "frame %u with %s", n, settings);
}

static void
assert_nothing (Harness * h)
{
  fail_unless_equals_int (gst_harness_buffers_in_queue (h->harness), 0);
}

/* Frames come out late by the depth, in order, and all at the end. */
TEST (test_depths)
{
  static const struct
  {
    const gchar *settings;
    guint depth;
  } cases[] = {
    {"radius=2", 0}, {"radius=2", 1}, {"radius=2", 2}, {"radius=2", 3},
    {"radius=2", 4}, {"color-mode=lab in-place=true radius=1", 2},
    {"spatial-sigma=0", 3}, {"spatial-sigma=0 histogram-overlay=true", 3},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Harness *h = start_held (cases[i].settings);
    guint next = 0;

    g_object_set (h->filter, "pipeline-depth", cases[i].depth, NULL);
    for (guint n = 0; n < 6; n++) {
      harness_push_nth (h, n);
      if (n >= cases[i].depth)
        assert_next (h, cases[i].settings, next++);
      assert_nothing (h);
    }
    harness_end (h);
    while (next < 6)
      assert_next (h, cases[i].settings, next++);
    assert_nothing (h);
    end_held (h);
  }
}

/* Settings are those of the moment when the frame came in. */
TEST (test_settings_change)
{
  static const gchar *const settings[] = { "spatial-sigma=1",
    "spatial-sigma=0", "spatial-sigma=3"
  };
  Harness *h = start_held ("pipeline-depth=4");

  for (guint n = 0; n < 6; n++) {
    harness_set (h, "spatial-sigma", strchr (settings[n % 3], '=') + 1);
    harness_push_nth (h, n);
  }
  harness_end (h);
  for (guint n = 0; n < 6; n++)
    assert_next (h, settings[n % 3], n);
  end_held (h);
}

/* Frames that are held back come out at the end, or before another item: all
 * these steps are from frame 0 on, with a depth of 2. p is the next frame into
 * the element, o the next one out, and n means that none comes out. */
static void
check_steps (Harness * h, const gchar * steps)
{
  guint n_in = 0, n_out = 0;

  for (; *steps; steps++) {
    if (*steps == 'p')
      harness_push_nth (h, n_in++);
    else if (*steps == 'o')
      assert_next (h, "radius=1", n_out++);
    else if (*steps == 'n')
      assert_nothing (h);
    else if (g_ascii_isdigit (*steps))
      g_object_set (h->filter, "pipeline-depth", *steps - '0', NULL);
    else if (*steps == 's')
      harness_push_segment (h);
    else if (*steps == 'e')
      harness_end (h);
    else if (*steps == 'f') {
      harness_flush (h);
      n_out = n_in;
    } else if (*steps == 'q') {
      g_autoptr (GstQuery) query = gst_query_new_drain ();

      gst_pad_query (GST_BASE_TRANSFORM_SINK_PAD (h->filter), query);
    }
  }
}

TEST (test_steps)
{
  static const gchar *const steps[] = {
    /* Another depth releases the frames that are held back, because pools are
     * negotiated again. */
    "3pppn1pooon2popn0pooo",
    /* A flush drops the frames that are held back. */
    "2ppfnpppon",
    /* A new segment comes after the frames of the old one. */
    "2ppsoo",
    /* A query that is in order with the frames does not overtake them. */
    "2ppnqoo",
  };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    Harness *h = start_held ("radius=1");

    check_steps (h, steps[i]);
    end_held (h);
  }
}

/* Frames that are held back come out before new caps, with their previous
 * caps. */
TEST (test_caps_change)
{
  Harness *h = start_held ("pipeline-depth=2 radius=1");
  const GstVideoInfo info = h->info;

  check_steps (h, "ppn");
  harness_set_size (h, 50, 40);
  h->info = info;
  assert_next (h, "radius=1", 0);
  assert_next (h, "radius=1", 1);
  harness_set_size (h, 50, 40);
  check_steps (h, "pne");
  assert_next (h, "radius=1", 0);
  end_held (h);
}

static void
assert_latency (Harness * h, guint milliseconds, gboolean is_new)
{
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (h->bus, GST_MESSAGE_LATENCY);

  fail_unless_equals_uint64 (gst_harness_query_latency (h->harness),
      milliseconds * GST_MSECOND);
  fail_unless (message != NULL || !is_new);
}

/* Another depth, and other caps, have another latency, and say so. */
TEST (test_latency)
{
  Harness *h = start_held ("");

  gst_harness_set_upstream_latency (h->harness, 100 * GST_MSECOND);
  harness_push_nth (h, 0);
  for (guint depth = 0; depth <= 4; depth++) {
    g_object_set (h->filter, "pipeline-depth", depth, NULL);
    assert_latency (h, 100 + depth * FRAME_MS, depth > 0);
  }
  gst_harness_set_src_caps_str (h->harness,
      "video/x-raw,format=RGBA,width=37,height=21,framerate=10/1");
  harness_push_nth (h, 1);
  assert_latency (h, 100 + 4 * 100, TRUE);
  end_held (h);
}

/* Queries an allocation. Returns FALSE if the element does not answer. Sets
 * @minimum to the least number of buffers that upstream's pool has to have, 0
 * where no pool is proposed. */
static gboolean
ask_for_allocation (Harness * h, guint * minimum)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string
      ("video/x-raw(memory:GLMemory),format=RGBA,width=37,height=21");
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  const gboolean answered =
      gst_pad_query (GST_BASE_TRANSFORM_SINK_PAD (h->filter), query);

  *minimum = 0;
  if (answered && gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, minimum, NULL);
  return answered;
}

/* Frames that are held back are missing from upstream's pool. */
TEST (test_pools)
{
  Harness *h = start_held ("");
  guint minimum, deeper;

  harness_push_nth (h, 0);
  fail_unless (ask_for_allocation (h, &minimum));
  g_object_set (h->filter, "pipeline-depth", 3, NULL);
  fail_unless (ask_for_allocation (h, &deeper));
  fail_unless_equals_int (deeper, minimum + 3);
  end_held (h);
}

/* Stopping with frames held back leaks nothing (the layer counts). */
TEST_LOOP (test_stop, 5)
{
  Harness *h = start_held ("pipeline-depth=4 histogram-emission=messages");

  for (gint n = 0; n < __i__; n++)
    harness_push_nth (h, n);
  end_held (h);
}

static gint64
get_time_since (gint64 start)
{
  return g_get_monotonic_time () - start;
}

/* The last frame of a burst comes out, too, with the previous ones. With
 * following frames it is not delayed. */
TEST (test_no_next_frame)
{
  g_autoptr (Harness) h =
      harness_new (SIZE, "glopenclfilter radius=2 pipeline-depth=3");
  guint n = 0;

  harness_push_nth (h, n++);
  gst_buffer_unref (gst_harness_pull (h->harness));
  for (guint held = 1; held <= 3; held++) {
    const gint64 start = g_get_monotonic_time ();
    const guint begin = n;

    for (guint i = 0; i < held; i++)
      harness_push_nth (h, n++);
    for (guint i = 0; i < held; i++) {
      g_autoptr (GstBuffer) result = gst_harness_pull (h->harness);

      fail_unless_equals_uint64 (GST_BUFFER_PTS (result),
          (begin + i) * FRAME_TIME);
    }
    fail_unless ((guint64) get_time_since (start)
        < harness_scale (GST_SECOND) / GST_USECOND);
  }
  /* A short one waits for its own duration only. The thread may have to wait
   * for a processor, but not each time. */
  gint64 shortest = G_MAXINT64;
  for (guint i = 0; i < 100 && shortest >= FRAME_MS / 2 * 1000; i++) {
    GstBuffer *frame = harness_create_nth_frame (h, n++);
    const gint64 start = g_get_monotonic_time ();

    GST_BUFFER_DURATION (frame) = FRAME_TIME / 8;
    gst_buffer_unref (harness_filter_frame (h, frame));
    shortest = MIN (shortest, get_time_since (start));
  }
  fail_unless (shortest < FRAME_MS / 2 * 1000);
  assert_nothing (h);
}

/* A frame that comes while the element's thread waits for the stream lock puts
 * the others off. */
TEST (test_next_frame_in_time)
{
  g_autoptr (Harness) h = start_held ("radius=2 pipeline-depth=3");

  harness_push_nth (h, 0);
  g_usleep (2 * FRAME_MS * 1000);
  harness_push_nth (h, 1);
  const gint64 start = g_get_monotonic_time ();
  GST_PAD_STREAM_UNLOCK (GST_BASE_TRANSFORM_SINK_PAD (h->filter));
  g_usleep (FRAME_MS / 4 * 1000);
  const guint n = gst_harness_buffers_in_queue (h->harness);
  /* This thread may have slept longer. */
  if (get_time_since (start) < (FRAME_MS - 1) * 1000)
    fail_unless_equals_int (n, 0);
  gst_buffer_unref (gst_harness_pull (h->harness));
  gst_buffer_unref (gst_harness_pull (h->harness));
}

static GstFlowReturn
refuse (G_GNUC_UNUSED GstPad * pad, G_GNUC_UNUSED GstObject * parent,
    GstBuffer * buffer)
{
  gst_buffer_unref (buffer);
  return GST_FLOW_EOS;
}

/* The flow return of downstream for a late frame is returned to upstream. */
TEST (test_late_flow)
{
  g_autoptr (Harness) h =
      harness_new (SIZE, "glopenclfilter radius=2 pipeline-depth=3");
  GstFlowReturn flow = GST_FLOW_OK;

  gst_pad_set_chain_function (h->harness->sinkpad, refuse);
  harness_push_nth (h, 0);
  for (guint n = 1; n < 300 && flow == GST_FLOW_OK; n++) {
    g_usleep (100 * 1000);
    flow = gst_harness_push (h->harness, harness_create_nth_frame (h, n));
  }
  fail_unless_equals_int (flow, GST_FLOW_EOS);
}

/* How many threads of this process wait for late frames. */
static guint
count_waiting_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *task;
  guint n = 0;

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
TEST_LOOP (test_stop_beside_late_frames, 6)
{
  Harness *h = harness_new (SIZE, "glopenclfilter radius=2 pipeline-depth=3");

  harness_push_nth (h, 0);
  g_usleep ((FRAME_MS - 1) * 1000 + __i__ * 400);
  if (__i__ % 2) {
    harness_push_event (h, gst_event_new_flush_start ());
    harness_push_event (h, gst_event_new_flush_stop (TRUE));
    g_usleep (2 * FRAME_MS * 1000);
    fail_unless (gst_harness_buffers_in_queue (h->harness) <= 1);
  }
  wait_for_threads (1);
  harness_free (h);
  wait_for_threads (0);
}

static GstPadProbeReturn
set_maximum (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  gboolean live;
  GstClockTime minimum;

  if (GST_QUERY_TYPE (query) == GST_QUERY_LATENCY) {
    gst_query_parse_latency (query, &live, &minimum, NULL);
    gst_query_set_latency (query, live, minimum, *(GstClockTime *) data);
  }
  return GST_PAD_PROBE_OK;
}

/* The latency that can be buffered at most, as the element answers. */
static GstClockTime
query_maximum (Harness * h)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime maximum;

  fail_unless (gst_pad_query (GST_BASE_TRANSFORM_SRC_PAD (h->filter), query));
  gst_query_parse_latency (query, NULL, NULL, &maximum);
  return maximum;
}

/* The buffering latency grows with the number of frames that are held back. */
TEST (test_maximum_latency)
{
  GstClockTime maximum = 300 * GST_MSECOND;
  Harness *h = start_held ("");
  g_autoptr (GstPad) before =
      gst_pad_get_peer (GST_BASE_TRANSFORM_SINK_PAD (h->filter));

  gst_pad_add_probe (before, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM
      | GST_PAD_PROBE_TYPE_PULL, set_maximum, &maximum, NULL);
  harness_push_nth (h, 0);
  for (guint depth = 0; depth <= 4; depth++) {
    g_object_set (h->filter, "pipeline-depth", depth, NULL);
    fail_unless_equals_uint64 (query_maximum (h), maximum + depth * FRAME_TIME);
  }
  maximum = GST_CLOCK_TIME_NONE;
  fail_unless_equals_uint64 (query_maximum (h), GST_CLOCK_TIME_NONE);
  end_held (h);
}

static gpointer
ask_until_stopped (gpointer data)
{
  Harness *h = data;
  guint minimum;

  while (GST_STATE (h->filter) != GST_STATE_NULL)
    ask_for_allocation (h, &minimum);
  return NULL;
}

/* A query on another thread finds the element open or closed. */
TEST_LOOP (test_query_beside_stop, 10)
{
  g_autoptr (Harness) h =
      harness_new (SIZE, "glopenclfilter radius=1 pipeline-depth=2");

  harness_push_nth (h, 0);
  GThread *thread = g_thread_new ("allocation", ask_until_stopped, h);
  g_usleep (__i__ * 300);
  gst_element_set_state (h->harness->element, GST_STATE_NULL);
  g_thread_join (thread);
}

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
TEST (test_query_while_stopping)
{
  g_autoptr (Harness) h = start_held ("radius=1 pipeline-depth=2");
  guint minimum;

  harness_push_nth (h, 0);
  fail_unless (ask_for_allocation (h, &minimum));
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (h->filter);
  GThread *thread = g_thread_new ("stop", stop_element, h->filter);
  for (guint i = 0; i < 10000 && !is_flushing (pad); i++)
    g_usleep (1000);
  const gboolean flushing = is_flushing (pad);
  const gboolean answered = ask_for_allocation (h, &minimum);
  GST_PAD_STREAM_UNLOCK (pad);
  g_thread_join (thread);
  fail_unless (flushing);
  fail_if (answered);
}
