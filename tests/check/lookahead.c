/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests what an element does whose operation reads later frames, with
 * glopencldenoise: every frame leaves once, with its own times, parameters,
 * metas and picture, in every way of interop alike, however a stream ends or
 * changes; events keep their places; the latency is told. denoise.c tests the
 * numbers.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "emitted.h"
#include "filterharness.h"

#define FRAME_MS 40
#define N_FRAMES 7

static const gchar fields[] = "format=I420,width=48,height=32";

static void
init (FilterHarness * h, const gchar * settings)
{
  filter_harness_init_element (h, "glopencldenoise", settings);
  filter_harness_set_fields (h, fields);
}

static GstBuffer *
create_frame (const FilterHarness * h, guint n)
{
  GstBuffer *frame = filter_harness_create_frame (h, n, 0);

  GST_BUFFER_PTS (frame) = n * FRAME_MS * GST_MSECOND;
  GST_BUFFER_DURATION (frame) = (FRAME_MS - n) * GST_MSECOND;
  return frame;
}

static void
push (FilterHarness * h, guint n)
{
  fail_unless_equals_int (gst_harness_push (h->harness, create_frame (h, n)),
      GST_FLOW_OK);
}

static void
push_event (FilterHarness * h, GstEvent * event)
{
  fail_unless (gst_harness_push_event (h->harness, event));
}

/* Pulls frame @n; the caller frees its bytes. */
static GBytes *
pull (FilterHarness * h, guint n)
{
  GstBuffer *frame = gst_harness_try_pull (h->harness);

  fail_unless (frame != NULL, "frame %u is missing", n);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (frame),
      n * FRAME_MS * GST_MSECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (frame),
      (FRAME_MS - n) * GST_MSECOND);
  GBytes *bytes = filter_harness_get_samples (h, frame);
  gst_buffer_unref (frame);
  return bytes;
}

/* Filters frames @first to @end - 1 as a stream of their own, and sets @frames
 * to their bytes. */
static void
filter_stream (const gchar * settings, guint first, guint end,
    GBytes * frames[N_FRAMES])
{
  FilterHarness h;

  init (&h, settings);
  for (guint n = first; n < end; n++)
    push (&h, n);
  push_event (&h, gst_event_new_eos ());
  for (guint n = first; n < end; n++)
    frames[n] = pull (&h, n);
  fail_unless (gst_harness_try_pull (h.harness) == NULL);
  filter_harness_clear (&h);
}

/* Pulls frames @first to @end - 1, which have the bytes in @wanted. */
static void
pull_same (FilterHarness * h, GBytes * wanted[N_FRAMES], guint first, guint end)
{
  for (guint n = first; n < end; n++) {
    g_autoptr (GBytes) bytes = pull (h, n);

    fail_unless (g_bytes_equal (bytes, wanted[n]), "frame %u", n);
  }
}

static void
clear_frames (GBytes * frames[N_FRAMES])
{
  for (guint n = 0; n < N_FRAMES; n++)
    g_clear_pointer (&frames[n], g_bytes_unref);
}

static gint
get_largest_difference (GBytes * a, GBytes * b)
{
  const guint8 *x = g_bytes_get_data (a, NULL), *y = g_bytes_get_data (b, NULL);
  gint largest = 0;

  fail_unless_equals_int (g_bytes_get_size (a), g_bytes_get_size (b));
  for (gsize i = 0; i < g_bytes_get_size (a); i++)
    largest = MAX (largest, ABS (x[i] - y[i]));
  return largest;
}

static void
assert_same (GBytes * frames[N_FRAMES], GBytes * wanted[N_FRAMES],
    const gchar * what)
{
  for (guint n = 0; n < N_FRAMES; n++)
    fail_unless (g_bytes_equal (frames[n], wanted[n]), "%s: frame %u", what, n);
}

/* Frames are the same however they travel. */
GST_START_TEST (test_streams)
{
  static const gchar *const settings[] = {
    "lookahead=2 noise=12", "lookahead=1 history=4 noise=12",
    "lookahead=2 history=0 noise=12", "lookahead=2",
  };
  static const gchar *const others[] = {
    "pipeline-depth=0", "pipeline-depth=4", "in-place=true pipeline-depth=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autofree gchar *plain = g_strdup_printf
        ("%s interop=host-copy pipeline-depth=0", settings[i]);
    GBytes *wanted[N_FRAMES] = { NULL, };

    filter_stream (plain, 0, N_FRAMES, wanted);
    for (guint j = 0; j < G_N_ELEMENTS (others); j++) {
      g_autofree gchar *with =
          g_strdup_printf ("%s %s", settings[i], others[j]);
      GBytes *frames[N_FRAMES] = { NULL, };

      filter_stream (with, 0, N_FRAMES, frames);
      assert_same (frames, wanted, with);
      clear_frames (frames);
    }
    clear_frames (wanted);
  }
}

GST_END_TEST;

/* Later frames count where there are any. */
GST_START_TEST (test_counts)
{
  GBytes *ahead[N_FRAMES] = { NULL, };
  GBytes *wanted[N_FRAMES] = { NULL, };

  filter_stream ("lookahead=2 noise=15", 0, N_FRAMES, ahead);
  filter_stream ("noise=15", 0, N_FRAMES, wanted);
  for (guint n = 0; n + 1 < N_FRAMES; n++)
    fail_if (g_bytes_equal (ahead[n], wanted[n]), "frame %u", n);
  fail_unless (get_largest_difference (ahead[N_FRAMES - 1],
          wanted[N_FRAMES - 1]) <= 1);
  clear_frames (ahead);
  clear_frames (wanted);
}

GST_END_TEST;

/* A film that begins later gives the same frames, but for the first ones: the
 * noise is the mean over 8 frames, and 2 earlier frames count. */
GST_START_TEST (test_cut_off)
{
  static const guint first = 3, end = 16;
  FilterHarness whole, part;

  init (&whole, "lookahead=2");
  init (&part, "lookahead=2");
  for (guint n = 0; n < end; n++) {
    push (&whole, n);
    if (n >= first)
      push (&part, n);
  }
  push_event (&whole, gst_event_new_eos ());
  push_event (&part, gst_event_new_eos ());
  for (guint n = 0; n < end; n++) {
    g_autoptr (GBytes) wanted = pull (&whole, n);
    g_autoptr (GBytes) bytes = n < first ? NULL : pull (&part, n);

    fail_unless (n < first + 8 + 2 || g_bytes_equal (bytes, wanted),
        "frame %u", n);
    /* The first one has no earlier frames. */
    fail_if (n == first && g_bytes_equal (bytes, wanted));
  }
  filter_harness_clear (&whole);
  filter_harness_clear (&part);
}

GST_END_TEST;

/* A stream may be as short as one frame. */
GST_START_TEST (test_short)
{
  GBytes *alone[N_FRAMES] = { NULL, };
  GBytes *wanted[N_FRAMES] = { NULL, };

  filter_stream ("lookahead=2 noise=15", 3, 4, alone);
  filter_stream ("noise=15", 3, 4, wanted);
  fail_unless (get_largest_difference (alone[3], wanted[3]) <= 1);
  clear_frames (alone);
  clear_frames (wanted);
  filter_stream ("lookahead=2 pipeline-depth=4", 0, 2, alone);
  clear_frames (alone);
}

GST_END_TEST;

/* Frames know nothing of each other across what happens before frame 3. */
static void
end_by_discontinuity (FilterHarness * h)
{
  GstBuffer *frame = create_frame (h, 3);

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  fail_unless_equals_int (gst_harness_push (h->harness, frame), GST_FLOW_OK);
}

static void
end_by_segment (FilterHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  push_event (h, gst_event_new_segment (&segment));
  end_by_discontinuity (h);
}

static void
end_by_history (FilterHarness * h)
{
  /* Twice, so that frame 3 has the settings of the others. */
  g_object_set (h->filter, "strength", 0.0, NULL);
  push (h, 3);
  g_object_set (h->filter, "strength", 1.0, NULL);
}

static const struct
{
  void (*end) (FilterHarness * h);
  gboolean is_untouched;        /* frame 3 */
} ends[] = {
  {end_by_discontinuity, FALSE},
  {end_by_segment, FALSE},
  {end_by_history, TRUE},
};

GST_START_TEST (test_ends)
{
  static const gchar settings[] = "lookahead=2 noise=15 pipeline-depth=1";
  const guint first = ends[__i__].is_untouched ? 4 : 3;
  GBytes *wanted[N_FRAMES] = { NULL, };
  FilterHarness h;

  filter_stream (settings, 0, 3, wanted);
  filter_stream (settings, first, N_FRAMES, wanted);
  init (&h, settings);
  for (guint n = 0; n < 3; n++)
    push (&h, n);
  ends[__i__].end (&h);
  for (guint n = 4; n < N_FRAMES; n++)
    push (&h, n);
  push_event (&h, gst_event_new_eos ());
  if (ends[__i__].is_untouched)
    wanted[3] = filter_harness_get_samples (&h, create_frame (&h, 3));
  pull_same (&h, wanted, 0, N_FRAMES);
  fail_unless (gst_harness_try_pull (h.harness) == NULL);
  clear_frames (wanted);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Other caps find no frame of the caps before. */
GST_START_TEST (test_caps)
{
  FilterHarness h;

  init (&h, "lookahead=2 pipeline-depth=1");
  push (&h, 0);
  push (&h, 1);
  filter_harness_set_fields (&h, "format=GRAY8,width=64,height=20");
  push (&h, 2);
  push_event (&h, gst_event_new_eos ());
  for (guint n = 0; n < 3; n++) {
    GstBuffer *frame = gst_harness_try_pull (h.harness);

    fail_unless (frame != NULL);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (frame),
        n * FRAME_MS * GST_MSECOND);
    fail_unless_equals_int (gst_buffer_get_size (frame),
        n < 2 ? 48 * 32 * 3 / 2 : 64 * 20);
    gst_buffer_unref (frame);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A flush drops the frames that wait, and nothing of them stays. */
GST_START_TEST (test_flush)
{
  static const gchar settings[] = "lookahead=2 noise=15 pipeline-depth=0";
  GBytes *wanted[N_FRAMES] = { NULL, };
  FilterHarness h;

  filter_stream (settings, 3, N_FRAMES, wanted);
  init (&h, settings);
  push (&h, 0);
  push (&h, 1);
  push_event (&h, gst_event_new_flush_start ());
  push_event (&h, gst_event_new_flush_stop (TRUE));
  end_by_segment (&h);
  for (guint n = 4; n < N_FRAMES; n++)
    push (&h, n);
  push_event (&h, gst_event_new_eos ());
  pull_same (&h, wanted, 3, N_FRAMES);
  clear_frames (wanted);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The element stops, and starts again, while frames wait. */
GST_START_TEST (test_stop)
{
  FilterHarness h;

  init (&h, "lookahead=2 pipeline-depth=2");
  for (guint i = 0; i < 2; i++) {
    push (&h, 0);
    push (&h, 1);
    fail_unless_equals_int (gst_element_set_state (h.filter, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_sync_state_with_parent (h.filter));
    push_event (&h, gst_event_new_flush_start ());
    push_event (&h, gst_event_new_flush_stop (TRUE));
    end_by_segment (&h);
  }
  push_event (&h, gst_event_new_eos ());
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Properties may change before every frame: none is lost, none comes twice. */
GST_START_TEST (test_changes)
{
  static const struct
  {
    const gchar *name;
    const gchar *value;
  } changes[] = {
    {"lookahead", "0"}, {"lookahead", "2"}, {"noise", "9"}, {"history", "0"},
    {"lookahead", "1"}, {"noise", "0"}, {"noise", "-1"}, {"motion", "false"},
    {"in-place", "true"}, {"history", "4"}, {"pipeline-depth", "3"},
    {"strength", "0"}, {"strength", "1"}, {"pipeline-depth", "0"},
    {"histogram-overlay", "true"}, {"planes", "luma"}, {"in-place", "false"},
  };
  const guint n_frames = 4 * G_N_ELEMENTS (changes);
  FilterHarness h;
  guint n_out = 0;

  init (&h, "lookahead=2 pipeline-depth=1");
  for (guint n = 0; n < n_frames; n++) {
    const guint i = n * 5 % G_N_ELEMENTS (changes);
    GstBuffer *frame = create_frame (&h, n % N_FRAMES);

    GST_BUFFER_OFFSET (frame) = n;
    GST_BUFFER_PTS (frame) = n * FRAME_MS * GST_MSECOND;
    gst_util_set_object_arg (G_OBJECT (h.filter), changes[i].name,
        changes[i].value);
    fail_unless_equals_int (gst_harness_push (h.harness, frame), GST_FLOW_OK);
  }
  push_event (&h, gst_event_new_eos ());
  for (GstBuffer * frame; (frame = gst_harness_try_pull (h.harness)); n_out++) {
    fail_unless_equals_uint64 (GST_BUFFER_PTS (frame),
        n_out * FRAME_MS * GST_MSECOND);
    gst_buffer_unref (frame);
  }
  fail_unless_equals_int (n_out, n_frames);
  g_autoptr (GError) error = filter_harness_pop_error (&h, NULL);
  g_assert_no_error (error);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Each frame is filtered with the parameters that it came with. */
GST_START_TEST (test_parameters)
{
  FilterHarness h;

  init (&h, "lookahead=2 history=0 pipeline-depth=0");
  for (guint n = 0; n < N_FRAMES; n++) {
    g_object_set (h.filter, "noise", n == 3 ? 0.001 : 25.0, NULL);
    push (&h, n);
  }
  push_event (&h, gst_event_new_eos ());
  for (guint n = 0; n < N_FRAMES; n++) {
    g_autoptr (GBytes) bytes = pull (&h, n);
    g_autoptr (GBytes) input =
        filter_harness_get_samples (&h, create_frame (&h, n));
    const gint difference = get_largest_difference (bytes, input);

    fail_unless (n == 3 ? difference == 0 : difference > 4, "frame %u", n);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The histogram of luma that an element attached to @frame, number @n; free
 * it. */
static GBytes *
get_histogram (GstBuffer * frame, guint n)
{
  const GstStructure *meta = emitted_find_meta (frame, NULL);
  GBytes *counts = NULL;

  fail_unless (meta != NULL, "frame %u has no histogram", n);
  fail_unless (gst_structure_get (meta, "luma", G_TYPE_BYTES, &counts, NULL));
  return counts;
}

/* The histogram of luma that an element attached to frame @n; free it. */
static GBytes *
pull_histogram (FilterHarness * h, guint n)
{
  GstBuffer *frame = gst_harness_try_pull (h->harness);

  fail_unless (frame != NULL);
  GBytes *counts = get_histogram (frame, n);
  gst_buffer_unref (frame);
  return counts;
}

/* Counts the luma of a picture. */
static void
assert_counts (GBytes * counts, GBytes * samples, guint n)
{
  const guint8 *bytes = g_bytes_get_data (samples, NULL);
  guint32 wanted[256] = { 0, };

  for (guint i = 0; i < 48 * 32; i++)
    wanted[bytes[i]]++;
  fail_unless_equals_int (g_bytes_get_size (counts), sizeof (wanted));
  fail_unless (memcmp (g_bytes_get_data (counts, NULL), wanted,
          sizeof (wanted)) == 0, "frame %u", n);
}

GST_START_TEST (test_histograms)
{
  FilterHarness h;
  GBytes *wanted[N_FRAMES] = { NULL, };

  filter_stream ("lookahead=2", 0, N_FRAMES, wanted);
  for (guint is_input = 0; is_input < 2; is_input++) {
    init (&h, "lookahead=2 histogram-emission=meta");
    gst_util_set_object_arg (G_OBJECT (h.filter), "histogram-source",
        is_input ? "input" : "output");
    for (guint n = 0; n < N_FRAMES; n++)
      push (&h, n);
    push_event (&h, gst_event_new_eos ());
    for (guint n = 0; n < N_FRAMES; n++) {
      g_autoptr (GBytes) counts = pull_histogram (&h, n);
      g_autoptr (GBytes) input =
          filter_harness_get_samples (&h, create_frame (&h, n));

      assert_counts (counts, is_input ? input : wanted[n], n);
    }
    filter_harness_clear (&h);
  }
  clear_frames (wanted);
}

GST_END_TEST;

/* The frames of a mixed stream have flags of their own, and those that wait are
 * counted when a later frame is there. */
GST_START_TEST (test_mixed_histograms)
{
  static const gchar *const sources[] = { "input", "output" };
  const guint lookahead = 1 + __i__ / 2, period = 2 + __i__ % 2;

  for (guint is_output = 0; is_output < 2; is_output++) {
    g_autofree gchar *settings = g_strdup_printf ("lookahead=%u noise=12 "
        "histogram-emission=meta histogram-source=%s", lookahead,
        sources[is_output]);
    FilterHarness h;

    filter_harness_init_element (&h, "glopencldenoise", settings);
    filter_harness_set_fields (&h,
        "format=I420,width=48,height=32,interlace-mode=mixed");
    for (guint n = 0; n < N_FRAMES; n++) {
      GstBuffer *frame = create_frame (&h, n);

      if (n % period == 0)
        GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
      fail_unless_equals_int (gst_harness_push (h.harness, frame), GST_FLOW_OK);
    }
    push_event (&h, gst_event_new_eos ());
    for (guint n = 0; n < N_FRAMES; n++) {
      GstBuffer *frame = gst_harness_try_pull (h.harness);

      fail_unless (frame != NULL, "frame %u is missing", n);
      g_autoptr (GBytes) counts = get_histogram (frame, n);
      g_autoptr (GBytes) output = filter_harness_get_samples (&h, frame);
      g_autoptr (GBytes) input =
          filter_harness_get_samples (&h, create_frame (&h, n));
      assert_counts (counts, is_output ? output : input, n);
      gst_buffer_unref (frame);
    }
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* An interval emits one histogram for each of its spans. */
GST_START_TEST (test_interval)
{
  FilterHarness h;

  init (&h, "lookahead=2 histogram-emission=meta");
  g_object_set (h.filter, "histogram-interval",
      (guint64) 2 * FRAME_MS * GST_MSECOND, NULL);
  for (guint n = 0; n < N_FRAMES; n++)
    push (&h, n);
  push_event (&h, gst_event_new_eos ());
  for (guint n = 0; n < N_FRAMES; n++) {
    GstBuffer *frame = gst_harness_try_pull (h.harness);

    fail_unless_equals_int (emitted_find_meta (frame, NULL) != NULL,
        n % 2 == 0);
    gst_buffer_unref (frame);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Appends what leaves the element to a text: f for a frame, t for tags, g for a
 * gap, c for an event of an application. */
static GstPadProbeReturn
note (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info, gpointer text)
{
  if (GST_PAD_PROBE_INFO_TYPE (info) & GST_PAD_PROBE_TYPE_BUFFER)
    g_string_append_c (text, 'f');
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_TAG)
    g_string_append_c (text, 't');
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_GAP)
    g_string_append_c (text, 'g');
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info))
      == GST_EVENT_CUSTOM_DOWNSTREAM)
    g_string_append_c (text, 'c');
  return GST_PAD_PROBE_OK;
}

static GstEvent *
create_tags (void)
{
  return gst_event_new_tag (gst_tag_list_new (GST_TAG_BITRATE, 1000, NULL));
}

/* Events stay between their frames, and tags do not change the picture. */
GST_START_TEST (test_events)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GBytes *wanted[N_FRAMES] = { NULL, };
  FilterHarness h;

  filter_stream ("lookahead=2", 0, 5, wanted);
  init (&h, "lookahead=2 pipeline-depth=1");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, text, NULL);
  push_event (&h, create_tags ());
  for (guint n = 0; n < 5; n++) {
    push (&h, n);
    if (n == 1 || n == 2)
      push_event (&h, create_tags ());
  }
  push_event (&h, gst_event_new_gap (GST_SECOND, GST_SECOND));
  fail_unless_equals_string (text->str, "tfftftffg");
  pull_same (&h, wanted, 0, 5);
  clear_frames (wanted);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Tags are not lost in a flush; other events are. */
GST_START_TEST (test_events_of_flush)
{
  g_autoptr (GString) text = g_string_new (NULL);
  FilterHarness h;

  init (&h, "lookahead=2 pipeline-depth=0");
  push (&h, 0);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, text, NULL);
  push_event (&h, create_tags ());
  push_event (&h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("nothing")));
  fail_unless_equals_string (text->str, "");
  push_event (&h, gst_event_new_flush_start ());
  push_event (&h, gst_event_new_flush_stop (TRUE));
  end_by_segment (&h);
  push_event (&h, gst_event_new_eos ());
  fail_unless_equals_string (text->str, "tf");
  filter_harness_clear (&h);
}

GST_END_TEST;

/* No frame that waits leaves by itself, however long no other one comes. */
GST_START_TEST (test_waits)
{
  FilterHarness h;

  init (&h, "lookahead=2 pipeline-depth=2");
  for (guint n = 0; n < 3; n++)
    push (&h, n);
  g_usleep (4 * FRAME_MS * 1000);
  g_bytes_unref (pull (&h, 0));
  fail_unless (gst_harness_try_pull (h.harness) == NULL);
  push_event (&h, gst_event_new_eos ());
  g_bytes_unref (pull (&h, 1));
  g_bytes_unref (pull (&h, 2));
  filter_harness_clear (&h);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  FilterHarness h;

  init (&h, "pipeline-depth=1");
  gst_harness_set_upstream_latency (h.harness, 100 * GST_MSECOND);
  filter_harness_set_fields (&h, "format=I420,width=48,height=32,"
      "framerate=25/1");
  push (&h, 0);
  for (guint lookahead = 0; lookahead <= 2; lookahead++) {
    g_object_set (h.filter, "lookahead", lookahead, NULL);
    fail_unless_equals_uint64 (gst_harness_query_latency (h.harness),
        (100 + (1 + lookahead) * FRAME_MS) * GST_MSECOND);
    if (lookahead > 0) {
      GstMessage *message = gst_bus_pop_filtered (h.bus, GST_MESSAGE_LATENCY);

      fail_unless (message != NULL);
      gst_message_unref (message);
    }
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
lookahead_suite (void)
{
  Suite *suite = suite_create ("lookahead");
  TCase *tests = tcase_create ("lookahead");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_streams);
  tcase_add_test (tests, test_counts);
  tcase_add_test (tests, test_cut_off);
  tcase_add_test (tests, test_short);
  tcase_add_loop_test (tests, test_ends, 0, G_N_ELEMENTS (ends));
  tcase_add_test (tests, test_caps);
  tcase_add_test (tests, test_flush);
  tcase_add_test (tests, test_stop);
  tcase_add_test (tests, test_changes);
  tcase_add_test (tests, test_parameters);
  tcase_add_test (tests, test_histograms);
  tcase_add_loop_test (tests, test_mixed_histograms, 0, 4);
  tcase_add_test (tests, test_interval);
  tcase_add_test (tests, test_events);
  tcase_add_test (tests, test_events_of_flush);
  tcase_add_test (tests, test_waits);
  tcase_add_test (tests, test_latency);
  return suite;
}

FILTER_HARNESS_MAIN (lookahead);
