/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopencldenoise as an element: previous frames with every interop
 * backend, in place and held back, resets of the history, and the reported
 * noise. denoise.c tests the numbers. */

#include <string.h>

#include "elementharness.h"

/* The commands of the last frames are not measured. */
#define N_FRAMES 20
#define FIELDS "format=I420,width=48,height=32"

static Harness *
start (const gchar * settings)
{
  return harness_new (FIELDS, "glopencldenoise %s", settings);
}

/* Frame @n of a stream. Every third one of a mixed stream is interlaced. */
static GstBuffer *
create_frame (const Harness * h, guint n)
{
  GstBuffer *frame = harness_create_nth_frame (h, n);

  if (GST_VIDEO_INFO_INTERLACE_MODE (&h->info)
      == GST_VIDEO_INTERLACE_MODE_MIXED && n % 3 == 1)
    GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  return frame;
}

/* Returns the bytes of frame @n after @h. The caller frees them. */
static GBytes *
filter_frame (Harness * h, guint n)
{
  g_autoptr (GstBuffer) result = harness_filter_frame (h, create_frame (h, n));

  return harness_get_samples (h, result);
}

/* A stream comes out as it does from a harness that copies frames, one after
 * the other. */
TEST (test_streams)
{
  static const gchar *const cases[][3] = {
    {"format=RGBA,width=40,height=36", "", "pipeline-depth=0"},
    {"format=I420,width=50,height=34", "history=4 noise=12",
        "pipeline-depth=3"},
    {"format=RGBA,width=40,height=36", "", "in-place=true pipeline-depth=2"},
    {"format=I420,width=40,height=64,interlace-mode=mixed", "",
        "pipeline-depth=2"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Harness) h = harness_new (cases[i][0], "glopencldenoise %s %s",
        cases[i][1], cases[i][2]);
    g_autoptr (Harness) like = harness_new (cases[i][0],
        "glopencldenoise %s interop=host-copy", cases[i][1]);

    for (guint n = 0; n < N_FRAMES; n++)
      harness_push (h, create_frame (h, n));
    harness_end (h);
    for (guint n = 0; n < N_FRAMES; n++) {
      g_autoptr (GBytes) bytes = harness_pull_samples (h, n);
      g_autoptr (GBytes) wanted = filter_frame (like, n);

      assert_same_bytes (bytes, wanted, "case %u: frame %u", i, n);
    }
  }
}

/* Frames that are held back, and may be enqueued together, keep their own
 * parameters. */
TEST (test_changes_of_held)
{
  static const gdouble noises[] = { -1.0, 9.0, -1.0, -1.0, 14.0, -1.0, 9.0 };
  static const guint histories[] = { 2, 2, 2, 0, 0, 0, 2 };
  g_autoptr (Harness) h =
      harness_new (NULL, "glopencldenoise pipeline-depth=4");
  g_autoptr (Harness) like = start ("interop=host-copy");

  /* Frames of a live source are enqueued at once. */
  gst_harness_set_live (h->harness, FALSE);
  harness_set_fields (h, FIELDS);
  for (guint n = 0; n < G_N_ELEMENTS (noises); n++) {
    g_object_set (h->filter, "noise", noises[n], "history", histories[n], NULL);
    harness_push_nth (h, n);
  }
  harness_end (h);
  for (guint n = 0; n < G_N_ELEMENTS (noises); n++) {
    g_autoptr (GBytes) bytes = harness_pull_samples (h, n);

    g_object_set (like->filter, "noise", noises[n], "history", histories[n],
        NULL);
    g_autoptr (GBytes) wanted = filter_frame (like, n);
    assert_same_bytes (bytes, wanted, "frame %u", n);
  }
}

static void
push_discontinuity (Harness * h)
{
  GstBuffer *frame = create_frame (h, 7);

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_unref (harness_filter_frame (h, frame));
}

/* With a strength of 0 frames pass through, and are not kept. */
static void
push_unfiltered (Harness * h)
{
  g_object_set (h->filter, "strength", 0.0, NULL);
  g_autoptr (GBytes) untouched = harness_get_input (h, 7);
  g_autoptr (GBytes) bytes = filter_frame (h, 7);
  assert_same_bytes (bytes, untouched, "strength=0");
  g_object_set (h->filter, "strength", 1.0, NULL);
}

static void
change_caps (Harness * h)
{
  harness_set_fields (h, "format=GRAY8,width=64,height=20");
  gst_buffer_unref (harness_filter_frame (h, create_frame (h, 7)));
  harness_set_fields (h, FIELDS);
}

static void
restart (Harness * h)
{
  fail_unless_equals_int (gst_element_set_state (h->filter, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless (gst_element_sync_state_with_parent (h->filter));
  harness_flush (h);
}

/* Events that reset the history: afterwards a frame is filtered as the first
 * one, or as the one after the discontinuity. */
static const struct
{
  void (*drop) (Harness * h);
  gboolean keeps_frame;         /* the frame that it pushes counts */
} drops[] = {
  {harness_flush, FALSE},
  {push_discontinuity, TRUE},
  {push_unfiltered, FALSE},
  {change_caps, FALSE},
  {restart, FALSE},
};

TEST_LOOP (test_forget, G_N_ELEMENTS (drops))
{
  g_autoptr (Harness) h = start ("noise=15");
  g_autoptr (Harness) alone = start ("noise=15");
  g_autoptr (Harness) after = start ("noise=15");
  g_autoptr (GBytes) first = filter_frame (alone, 2);

  for (guint n = 0; n < 2; n++)
    g_bytes_unref (filter_frame (h, n));
  g_autoptr (GBytes) third = filter_frame (h, 2);
  fail_if (g_bytes_equal (third, first));

  drops[__i__].drop (h);
  g_autoptr (GBytes) bytes = filter_frame (h, 2);
  if (drops[__i__].keeps_frame)
    g_bytes_unref (filter_frame (after, 7));
  g_autoptr (GBytes) wanted = filter_frame (after, 2);
  assert_same_bytes (bytes, wanted, "after it");
}

/* Gaps, and frames of odd times or of none, lose nothing. */
TEST (test_times)
{
  g_autoptr (Harness) h = start ("");
  g_autoptr (Harness) like = start ("");

  for (guint n = 0; n < N_FRAMES; n++) {
    GstBuffer *frame = create_frame (h, n);
    g_autoptr (GBytes) wanted = filter_frame (like, n);
    const GstClockTime time = n == 3 ? GST_CLOCK_TIME_NONE
        : n * n * 77 * GST_MSECOND;

    if (n == 2)
      harness_push_event (h, gst_event_new_gap (GST_SECOND, GST_SECOND));
    GST_BUFFER_PTS (frame) = time;
    GST_BUFFER_DURATION (frame) = n % 2 ? GST_CLOCK_TIME_NONE : GST_MSECOND;
    g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
    g_autoptr (GBytes) bytes = harness_get_samples (h, result);
    assert_same_bytes (bytes, wanted, "frame %u", n);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (result), time);
  }
}

/* The next message about noise, or NULL. */
static GstMessage *
pop_message (Harness * h)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (h->bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, "glopencldenoise-noise"))
      return message;
    gst_message_unref (message);
  }
  return NULL;
}

/* The noise of a channel in the statistics, or -1. */
static gdouble
get_noise (Harness * h, const gchar * channel)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstStructure) noise = NULL;
  gdouble sigma = -1.0;

  g_object_get (h->filter, "stats", &stats, NULL);
  if (gst_structure_get (stats, "noise", GST_TYPE_STRUCTURE, &noise, NULL))
    fail_unless (gst_structure_get_double (noise, channel, &sigma));
  return sigma;
}

static void
check_message (Harness * h, guint n, const gchar * channel)
{
  g_autoptr (GstMessage) message = pop_message (h);
  gdouble sigma = 0.0;

  fail_unless (message != NULL);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless (gst_structure_get_double (structure, channel, &sigma));
  fail_unless_equals_uint64 (structure_get_time (structure, "timestamp"),
      n * FRAME_TIME);
  fail_unless_equals_uint64 (structure_get_time (structure, "running-time"),
      n * FRAME_TIME);
  fail_unless (sigma > 5.0 && sigma < 30.0, "%f", sigma);
  fail_unless_equals_float (sigma, get_noise (h, channel));
}

/* Each frame has the noise that was found for it. */
TEST (test_noise)
{
  static const gchar *const cases[][2] = {
    {"format=I420,width=64,height=48", "cb"},
    {"format=RGBA,width=64,height=48", "blue"},
    {"format=GRAY8,width=64,height=48", "luma"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gchar *channel = cases[i][1];
    g_autoptr (Harness) h =
        harness_new (cases[i][0], "glopencldenoise noise-messages=true");

    fail_unless_equals_float (get_noise (h, channel), -1.0);
    for (guint n = 0; n < 3; n++) {
      g_bytes_unref (filter_frame (h, n));
      check_message (h, n, channel);
    }
    /* Given noise is not reported. */
    g_object_set (h->filter, "noise", 12.0, NULL);
    g_bytes_unref (filter_frame (h, 3));
    fail_unless (pop_message (h) == NULL);
    g_object_set (h->filter, "noise", -1.0, "noise-messages", FALSE, NULL);
    g_bytes_unref (filter_frame (h, 4));
    fail_unless (pop_message (h) == NULL);
    fail_unless (get_noise (h, channel) > 5.0);
  }
}

/* Every property may change before every frame. */
TEST (test_changes)
{
  static const gchar *const changes[][2] = {
    {"history", "4"}, {"motion", "false"}, {"noise", "9"}, {"border", "wrap"},
    {"planes", "chroma"}, {"chroma-strength", "3"}, {"history", "0"},
    {"noise", "0"}, {"planes", "luma+chroma"}, {"noise", "-1"},
    {"history", "1"}, {"strength", "0"}, {"motion", "true"},
    {"strength", "10"}, {"border", "constant"}, {"history", "2"},
  };
  g_autoptr (Harness) h =
      harness_new (FIELDS ",interlace-mode=mixed", "glopencldenoise");

  for (guint n = 0; n < 3 * G_N_ELEMENTS (changes); n++) {
    const gchar *const *change = changes[n * 5 % G_N_ELEMENTS (changes)];

    harness_set (h, change[0], change[1]);
    g_bytes_unref (filter_frame (h, n));
  }
  harness_assert_quiet (h);
}
