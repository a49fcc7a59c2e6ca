/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests an element whose operation reads following frames, with
 * glopencldenoise: every frame leaves once, with its own times, parameters,
 * metas and picture, in every interop alike, for any end or change of a stream,
 * events keep their positions, and the latency is correct. denoise.c tests the
 * numbers. */

#include <string.h>

#include "elementharness.h"

#define N_FRAMES 7
#define FIELDS "format=I420,width=48,height=32"

typedef struct
{
  GBytes *bytes[N_FRAMES];
} Frames;

static void
frames_clear (Frames * frames)
{
  for (guint n = 0; n < N_FRAMES; n++)
    g_clear_pointer (&frames->bytes[n], g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frames, frames_clear);

static Harness *
start (const gchar * settings)
{
  return harness_new (FIELDS, "glopencldenoise %s", settings);
}

static void
push_range (Harness * h, guint first, guint end)
{
  for (guint n = first; n < end; n++)
    harness_push_nth (h, n);
}

static void
assert_end (Harness * h)
{
  fail_unless (gst_harness_try_pull (h->harness) == NULL);
}

/* Filters frames @first to @end - 1 as one stream, and sets @frames to their
 * bytes. */
static void
filter_stream (const gchar * settings, guint first, guint end, Frames * frames)
{
  g_autoptr (Harness) h = start (settings);

  push_range (h, first, end);
  harness_end (h);
  for (guint n = first; n < end; n++)
    frames->bytes[n] = harness_pull_samples (h, n);
  assert_end (h);
}

/* Pulls frames @first to @end - 1, which have the bytes in @wanted. */
static void
pull_same (Harness * h, Frames * wanted, guint first, guint end)
{
  for (guint n = first; n < end; n++) {
    g_autoptr (GBytes) bytes = harness_pull_samples (h, n);

    assert_same_bytes (bytes, wanted->bytes[n], "frame %u", n);
  }
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

/* Frames are the same however they travel. */
TEST (test_streams)
{
  static const gchar *const settings[] = {
    "lookahead=2 noise=12", "lookahead=1 history=4 noise=12",
    "lookahead=2 history=0 noise=12", "lookahead=2", "effort=best noise=12",
    "effort=fast lookahead=4",
  };
  static const gchar *const others[] = {
    "pipeline-depth=0", "pipeline-depth=4", "in-place=true pipeline-depth=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autofree gchar *plain =
        g_strdup_printf ("%s interop=host-copy", settings[i]);
    g_auto (Frames) wanted = { {NULL}
    };

    filter_stream (plain, 0, N_FRAMES, &wanted);
    for (guint j = 0; j < G_N_ELEMENTS (others); j++) {
      g_autofree gchar *with =
          g_strdup_printf ("%s %s", settings[i], others[j]);
      g_autoptr (Harness) h = start (with);

      push_range (h, 0, N_FRAMES);
      harness_end (h);
      pull_same (h, &wanted, 0, N_FRAMES);
    }
  }
}

/* Later frames count where there are any: not for the last frame, and not where
 * a stream is as short as one frame. */
TEST (test_counts)
{
  g_auto (Frames) ahead = { {NULL}
  }, wanted = { {NULL}
  };
  g_auto (Frames) alone = { {NULL}
  }, wanted_alone = { {NULL}
  };
  g_auto (Frames) two = { {NULL}
  };
  const guint last = N_FRAMES - 1;

  filter_stream ("lookahead=2 noise=15", 0, N_FRAMES, &ahead);
  filter_stream ("noise=15", 0, N_FRAMES, &wanted);
  for (guint n = 0; n < last; n++)
    fail_if (g_bytes_equal (ahead.bytes[n], wanted.bytes[n]), "frame %u", n);
  fail_unless (get_largest_difference (ahead.bytes[last],
          wanted.bytes[last]) <= 1);
  filter_stream ("lookahead=2 noise=15", 3, 4, &alone);
  filter_stream ("noise=15", 3, 4, &wanted_alone);
  fail_unless (get_largest_difference (alone.bytes[3], wanted_alone.bytes[3])
      <= 1);
  filter_stream ("lookahead=2 pipeline-depth=4", 0, 2, &two);
}

/* A film that begins later gives the same frames, but for the first ones: the
 * noise is the mean over 8 frames, and 2 earlier frames count. */
TEST (test_cut_off)
{
  static const guint first = 3, end = 16;
  g_autoptr (Harness) whole = start ("lookahead=2");
  g_autoptr (Harness) part = start ("lookahead=2");

  push_range (whole, 0, end);
  push_range (part, first, end);
  harness_end (whole);
  harness_end (part);
  for (guint n = 0; n < end; n++) {
    g_autoptr (GBytes) wanted = harness_pull_samples (whole, n);
    g_autoptr (GBytes) bytes =
        n < first ? NULL : harness_pull_samples (part, n);

    if (n >= first + 8 + 2)
      assert_same_bytes (bytes, wanted, "frame %u", n);
    /* The first one has no earlier frames. */
    fail_if (n == first && g_bytes_equal (bytes, wanted));
  }
}

/* Frames are independent across the event before frame 3. */
static void
end_by_discontinuity (Harness * h)
{
  GstBuffer *frame = harness_create_nth_frame (h, 3);

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  harness_push (h, frame);
}

static void
end_by_segment (Harness * h)
{
  harness_push_segment (h);
  end_by_discontinuity (h);
}

/* Twice, so that frame 3 has the settings of the others. */
static void
end_by_history (Harness * h)
{
  g_object_set (h->filter, "strength", 0.0, NULL);
  harness_push_nth (h, 3);
  g_object_set (h->filter, "strength", 1.0, NULL);
}

/* A flush drops the frames that wait, and nothing of them stays. */
static void
end_by_flush (Harness * h)
{
  harness_flush (h);
  end_by_discontinuity (h);
}

static const struct
{
  void (*end) (Harness * h);
  guint first;                  /* frame that comes out */
  gboolean is_untouched;        /* frame 3 */
} ends[] = {
  {end_by_discontinuity, 0, FALSE},
  {end_by_segment, 0, FALSE},
  {end_by_history, 0, TRUE},
  {end_by_flush, 1, FALSE},
};

TEST_LOOP (test_ends, G_N_ELEMENTS (ends))
{
  static const gchar settings[] = "lookahead=2 noise=15 pipeline-depth=0";
  g_auto (Frames) wanted = { {NULL} };
  g_autoptr (Harness) h = start (settings);
  const gboolean is_flush = ends[__i__].first > 0;

  filter_stream (settings, 0, 3, &wanted);
  filter_stream (settings, ends[__i__].is_untouched ? 4 : 3, N_FRAMES, &wanted);
  if (!is_flush)
    g_object_set (h->filter, "pipeline-depth", 1, NULL);
  if (ends[__i__].is_untouched)
    wanted.bytes[3] = harness_get_input (h, 3);
  push_range (h, 0, 3);
  if (is_flush)
    pull_same (h, &wanted, 0, ends[__i__].first);
  ends[__i__].end (h);
  push_range (h, 4, N_FRAMES);
  harness_end (h);
  pull_same (h, &wanted, is_flush ? 3 : 0, N_FRAMES);
  assert_end (h);
}

/* Other caps find no frame of the caps before. */
TEST (test_caps)
{
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=1");

  push_range (h, 0, 2);
  harness_set_fields (h, "format=GRAY8,width=64,height=20");
  harness_push_nth (h, 2);
  harness_end (h);
  for (guint n = 0; n < 3; n++) {
    g_autoptr (GstBuffer) frame = harness_pull_nth (h, n);

    fail_unless_equals_int (gst_buffer_get_size (frame),
        n < 2 ? 48 * 32 * 3 / 2 : 64 * 20);
  }
}

/* The element stops, and starts again, while frames wait. */
TEST (test_stop)
{
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=2");

  for (guint i = 0; i < 2; i++) {
    push_range (h, 0, 2);
    fail_unless_equals_int (gst_element_set_state (h->filter, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_sync_state_with_parent (h->filter));
    end_by_flush (h);
  }
  harness_end (h);
  harness_assert_quiet (h);
}

/* Properties may change before every frame: none is lost, none comes twice. */
TEST (test_changes)
{
  static const gchar *const changes[][2] = {
    {"lookahead", "0"}, {"lookahead", "2"}, {"noise", "9"}, {"history", "0"},
    {"lookahead", "1"}, {"noise", "0"}, {"noise", "-1"}, {"motion", "false"},
    {"in-place", "true"}, {"history", "4"}, {"pipeline-depth", "3"},
    {"strength", "0"}, {"strength", "1"}, {"pipeline-depth", "0"},
    {"histogram-overlay", "true"}, {"planes", "luma"}, {"in-place", "false"},
    {"effort", "best"}, {"effort", "fast"},
  };
  const guint n_frames = 4 * G_N_ELEMENTS (changes);
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=1");

  for (guint n = 0; n < n_frames; n++) {
    const gchar *const *change = changes[n * 5 % G_N_ELEMENTS (changes)];

    harness_set (h, change[0], change[1]);
    harness_push_nth (h, n);
  }
  harness_end (h);
  for (guint n = 0; n < n_frames; n++)
    gst_buffer_unref (harness_pull_nth (h, n));
  assert_end (h);
  harness_assert_quiet (h);
}

/* Each frame is filtered with the parameters that it came with. */
TEST (test_parameters)
{
  g_autoptr (Harness) h = start ("lookahead=2 history=0 pipeline-depth=0");

  for (guint n = 0; n < N_FRAMES; n++) {
    g_object_set (h->filter, "noise", n == 3 ? 0.001 : 25.0, NULL);
    harness_push_nth (h, n);
  }
  harness_end (h);
  for (guint n = 0; n < N_FRAMES; n++) {
    g_autoptr (GBytes) bytes = harness_pull_samples (h, n);
    g_autoptr (GBytes) input = harness_get_input (h, n);
    const gint difference = get_largest_difference (bytes, input);

    fail_unless (n == 3 ? difference == 0 : difference > 4, "frame %u", n);
  }
}

/* Asserts that the histogram of luma that an element attached to @frame, number
 * @n, counts @samples. */
static void
assert_counts (GstBuffer * frame, GBytes * samples, guint n)
{
  const GstStructure *meta = buffer_find_histogram (frame, NULL);
  g_autoptr (GBytes) counts = NULL;
  const guint8 *bytes = g_bytes_get_data (samples, NULL);
  guint32 wanted[256] = { 0, };

  fail_unless (meta != NULL, "frame %u has no histogram", n);
  fail_unless (gst_structure_get (meta, "luma", G_TYPE_BYTES, &counts, NULL));
  for (guint i = 0; i < 48 * 32; i++)
    wanted[bytes[i]]++;
  fail_unless_equals_int (g_bytes_get_size (counts), sizeof (wanted));
  fail_unless (memcmp (g_bytes_get_data (counts, NULL), wanted,
          sizeof (wanted)) == 0, "frame %u", n);
}

/* Frames that wait are counted when a later frame is there, also those of a
 * mixed stream, which have different flags: every second or third frame is
 * interlaced. */
static const struct
{
  guint lookahead;
  guint period;                 /* 0 where the stream is not mixed */
} counted[] = {
  {2, 0}, {1, 2}, {1, 3}, {2, 2}, {2, 3},
};

TEST_LOOP (test_histograms, G_N_ELEMENTS (counted))
{
  const guint period = counted[__i__].period;

  for (guint is_input = 0; is_input < 2; is_input++) {
    g_autoptr (Harness) h = harness_new (period
        ? FIELDS ",interlace-mode=mixed" : FIELDS, "glopencldenoise "
        "lookahead=%u noise=12 histogram-emission=meta histogram-source=%s",
        counted[__i__].lookahead, is_input ? "input" : "output");

    for (guint n = 0; n < N_FRAMES; n++) {
      GstBuffer *frame = harness_create_nth_frame (h, n);

      if (period && n % period == 0)
        GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
      harness_push (h, frame);
    }
    harness_end (h);
    for (guint n = 0; n < N_FRAMES; n++) {
      g_autoptr (GstBuffer) frame = harness_pull_nth (h, n);
      g_autoptr (GBytes) samples = is_input ? harness_get_input (h, n)
          : harness_get_samples (h, frame);

      assert_counts (frame, samples, n);
    }
  }
}

/* An interval emits one histogram for each of its spans. */
TEST (test_interval)
{
  g_autoptr (Harness) h = start ("lookahead=2 histogram-emission=meta");

  g_object_set (h->filter, "histogram-interval", (guint64) 2 * FRAME_TIME,
      NULL);
  push_range (h, 0, N_FRAMES);
  harness_end (h);
  for (guint n = 0; n < N_FRAMES; n++) {
    g_autoptr (GstBuffer) frame = harness_pull_nth (h, n);

    fail_unless_equals_int (buffer_find_histogram (frame, NULL) != NULL,
        n % 2 == 0);
  }
}

/* Appends the output of the element to a text: f for a frame, t for tags, g for
 * a gap, c for an event of an application. */
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

static void
note_all (Harness * h, GString * text)
{
  element_add_probe (h->filter, "src", GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, note, text);
}

static void
push_tags (Harness * h)
{
  harness_push_event (h, gst_event_new_tag (gst_tag_list_new (GST_TAG_BITRATE,
              1000, NULL)));
}

/* Events stay between their frames, and tags do not change the picture. */
TEST (test_events)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (Frames) wanted = { {NULL} };
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=1");

  filter_stream ("lookahead=2", 0, 5, &wanted);
  note_all (h, text);
  push_tags (h);
  for (guint n = 0; n < 5; n++) {
    harness_push_nth (h, n);
    if (n == 1 || n == 2)
      push_tags (h);
  }
  harness_push_event (h, gst_event_new_gap (GST_SECOND, GST_SECOND));
  fail_unless_equals_string (text->str, "tfftftffg");
  pull_same (h, &wanted, 0, 5);
}

/* A flush keeps tags, and drops other events. */
TEST (test_events_of_flush)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=0");

  harness_push_nth (h, 0);
  note_all (h, text);
  push_tags (h);
  harness_push_event (h, gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
          gst_structure_new_empty ("nothing")));
  fail_unless_equals_string (text->str, "");
  end_by_flush (h);
  harness_end (h);
  fail_unless_equals_string (text->str, "tf");
}

/* No frame that waits leaves by itself, however long no other one comes. */
TEST (test_waits)
{
  g_autoptr (Harness) h = start ("lookahead=2 pipeline-depth=2");

  push_range (h, 0, 3);
  gst_buffer_unref (gst_harness_pull (h->harness));
  g_usleep (4 * FRAME_MS * 1000);
  assert_end (h);
  harness_end (h);
  gst_buffer_unref (harness_pull_nth (h, 1));
  gst_buffer_unref (harness_pull_nth (h, 2));
}

TEST (test_latency)
{
  g_autoptr (Harness) h = start ("pipeline-depth=1");

  gst_harness_set_upstream_latency (h->harness, 100 * GST_MSECOND);
  harness_push_nth (h, 0);
  for (guint lookahead = 0; lookahead <= 2; lookahead++) {
    g_object_set (h->filter, "lookahead", lookahead, NULL);
    fail_unless_equals_uint64 (gst_harness_query_latency (h->harness),
        (100 + (1 + lookahead) * FRAME_MS) * GST_MSECOND);
    g_autoptr (GstMessage) message =
        gst_bus_pop_filtered (h->bus, GST_MESSAGE_LATENCY);
    fail_unless (message != NULL || lookahead == 0);
  }
}
