/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopencldenoise as an element: the frames before a frame count in every
 * way of interop alike, in place and held back; what makes the element forget
 * them; the noise that it reports. denoise.c tests the numbers.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "filterharness.h"

#define FRAME_MS 40
#define N_FRAMES 5

static void
init (FilterHarness * h, const gchar * settings, const gchar * fields)
{
  filter_harness_init_element (h, "glopencldenoise", settings);
  filter_harness_set_fields (h, fields);
}

/* Frame @n of a stream; every third one of a mixed stream is interlaced. */
static GstBuffer *
create_frame (const FilterHarness * h, guint n)
{
  GstBuffer *frame = filter_harness_create_frame (h, n, 0);

  GST_BUFFER_PTS (frame) = n * FRAME_MS * GST_MSECOND;
  GST_BUFFER_DURATION (frame) = FRAME_MS * GST_MSECOND;
  if (GST_VIDEO_INFO_INTERLACE_MODE (&h->info)
      == GST_VIDEO_INTERLACE_MODE_MIXED && n % 3 == 1)
    GST_BUFFER_FLAG_SET (frame, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  return frame;
}

/* The bytes of frame @n after it went through @h; free them. */
static GBytes *
filter_frame (FilterHarness * h, guint n)
{
  GstBuffer *result = filter_harness_run (h, create_frame (h, n));
  GBytes *bytes = filter_harness_get_samples (h, result);

  gst_buffer_unref (result);
  return bytes;
}

/* The bytes of frame @n where it is the first one; free them. */
static GBytes *
filter_first (const gchar * settings, const gchar * fields, guint n)
{
  FilterHarness h;

  init (&h, settings, fields);
  GBytes *bytes = filter_frame (&h, n);
  filter_harness_clear (&h);
  return bytes;
}

/* A stream comes out as it does from a harness that copies frames, one after
 * the other. */
static void
check_stream (const gchar * settings, const gchar * others,
    const gchar * fields)
{
  g_autofree gchar *with = g_strdup_printf ("%s %s", settings, others);
  g_autofree gchar *plain =
      g_strdup_printf ("%s interop=host-copy pipeline-depth=0", settings);
  FilterHarness h, like;

  init (&h, with, fields);
  init (&like, plain, fields);
  for (guint n = 0; n < N_FRAMES; n++)
    fail_unless_equals_int (gst_harness_push (h.harness, create_frame (&h, n)),
        GST_FLOW_OK);
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  for (guint n = 0; n < N_FRAMES; n++) {
    GstBuffer *result = gst_harness_pull (h.harness);
    g_autoptr (GBytes) bytes = filter_harness_get_samples (&h, result);
    g_autoptr (GBytes) wanted = filter_frame (&like, n);

    fail_unless_equals_uint64 (GST_BUFFER_PTS (result),
        n * FRAME_MS * GST_MSECOND);
    fail_unless (g_bytes_equal (bytes, wanted), "%s, %s: frame %u", with,
        fields, n);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
  filter_harness_clear (&like);
}

GST_START_TEST (test_streams)
{
  check_stream ("", "pipeline-depth=0", "format=RGBA,width=40,height=36");
  check_stream ("history=4 noise=12", "pipeline-depth=3",
      "format=I420,width=50,height=34");
  check_stream ("", "in-place=true pipeline-depth=2",
      "format=RGBA,width=40,height=36");
  check_stream ("", "pipeline-depth=2",
      "format=I420,width=40,height=64,interlace-mode=mixed");
}

GST_END_TEST;

/* Frames that are held back, and may be enqueued together, keep their own
 * parameters. */
GST_START_TEST (test_changes_of_held)
{
  static const gchar fields[] = "format=I420,width=48,height=32";
  static const gdouble noises[] = { -1.0, 9.0, -1.0, -1.0, 14.0, -1.0, 9.0 };
  static const guint histories[] = { 2, 2, 2, 0, 0, 0, 2 };
  FilterHarness h, like;

  /* Frames of a live source are enqueued at once. */
  filter_harness_init_element (&h, "glopencldenoise", "pipeline-depth=4");
  gst_harness_set_live (h.harness, FALSE);
  filter_harness_set_fields (&h, fields);
  init (&like, "interop=host-copy pipeline-depth=0", fields);
  for (guint n = 0; n < G_N_ELEMENTS (noises); n++) {
    g_object_set (h.filter, "noise", noises[n], "history", histories[n], NULL);
    fail_unless_equals_int (gst_harness_push (h.harness, create_frame (&h, n)),
        GST_FLOW_OK);
  }
  fail_unless (gst_harness_push_event (h.harness, gst_event_new_eos ()));
  for (guint n = 0; n < G_N_ELEMENTS (noises); n++) {
    GstBuffer *result = gst_harness_pull (h.harness);
    g_autoptr (GBytes) bytes = filter_harness_get_samples (&h, result);

    g_object_set (like.filter, "noise", noises[n], "history", histories[n],
        NULL);
    g_autoptr (GBytes) wanted = filter_frame (&like, n);
    fail_unless (g_bytes_equal (bytes, wanted), "frame %u", n);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
  filter_harness_clear (&like);
}

GST_END_TEST;

static void
push_flush (FilterHarness * h)
{
  GstSegment segment;

  fail_unless (gst_harness_push_event (h->harness,
          gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h->harness,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h->harness,
          gst_event_new_segment (&segment)));
}

static void
push_discontinuity (FilterHarness * h)
{
  GstBuffer *frame = create_frame (h, 7);

  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  gst_buffer_unref (filter_harness_run (h, frame));
}

/* With a strength of 0 frames pass through, and are not kept. */
static void
push_unfiltered (FilterHarness * h)
{
  g_object_set (h->filter, "strength", 0.0, NULL);
  g_autoptr (GBytes) untouched =
      filter_harness_get_samples (h, create_frame (h, 7));
  g_autoptr (GBytes) bytes = filter_frame (h, 7);
  fail_unless (g_bytes_equal (bytes, untouched));
  g_object_set (h->filter, "strength", 1.0, NULL);
}

static void
change_caps (FilterHarness * h)
{
  filter_harness_set_fields (h, "format=GRAY8,width=64,height=20");
  gst_buffer_unref (filter_harness_run (h, create_frame (h, 7)));
  filter_harness_set_fields (h, "format=I420,width=48,height=32");
}

static void
restart (FilterHarness * h)
{
  fail_unless_equals_int (gst_element_set_state (h->filter, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless (gst_element_sync_state_with_parent (h->filter));
  push_flush (h);
}

/* What makes an element forget: afterwards a frame is filtered as the first
 * one, or as the one after the discontinuity. */
static const struct
{
  void (*forget) (FilterHarness * h);
  gboolean keeps_frame;         /* the frame that it pushes counts */
} forgets[] = {
  {push_flush, FALSE},
  {push_discontinuity, TRUE},
  {push_unfiltered, FALSE},
  {change_caps, FALSE},
  {restart, FALSE},
};

GST_START_TEST (test_forget)
{
  static const gchar fields[] = "format=I420,width=48,height=32";
  const guint i = __i__;
  g_autoptr (GBytes) first = filter_first ("noise=15", fields, 2);
  FilterHarness h, after;

  init (&h, "noise=15", fields);
  init (&after, "noise=15", fields);
  for (guint n = 0; n < 2; n++)
    g_bytes_unref (filter_frame (&h, n));
  g_autoptr (GBytes) third = filter_frame (&h, 2);
  fail_if (g_bytes_equal (third, first));

  forgets[i].forget (&h);
  g_autoptr (GBytes) bytes = filter_frame (&h, 2);
  if (forgets[i].keeps_frame)
    g_bytes_unref (filter_frame (&after, 7));
  g_autoptr (GBytes) wanted = filter_frame (&after, 2);
  fail_unless (g_bytes_equal (bytes, wanted));
  filter_harness_clear (&h);
  filter_harness_clear (&after);
}

GST_END_TEST;

/* Gaps, and frames of odd times or of none, lose nothing. */
GST_START_TEST (test_times)
{
  static const gchar fields[] = "format=I420,width=48,height=32";
  FilterHarness h, like;

  init (&h, "pipeline-depth=0", fields);
  init (&like, "pipeline-depth=0", fields);
  for (guint n = 0; n < N_FRAMES; n++) {
    GstBuffer *frame = create_frame (&h, n);
    g_autoptr (GBytes) wanted = filter_frame (&like, n);
    const GstClockTime time = n == 3 ? GST_CLOCK_TIME_NONE
        : n * n * 77 * GST_MSECOND;

    if (n == 2)
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_gap (GST_SECOND, GST_SECOND)));
    GST_BUFFER_PTS (frame) = time;
    GST_BUFFER_DURATION (frame) = n % 2 ? GST_CLOCK_TIME_NONE : GST_MSECOND;
    GstBuffer *result = filter_harness_run (&h, frame);
    g_autoptr (GBytes) bytes = filter_harness_get_samples (&h, result);
    fail_unless (g_bytes_equal (bytes, wanted));
    fail_unless_equals_uint64 (GST_BUFFER_PTS (result), time);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
  filter_harness_clear (&like);
}

GST_END_TEST;

/* The next message about noise, or NULL. */
static GstMessage *
pop_message (FilterHarness * h)
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
get_noise (FilterHarness * h, const gchar * channel)
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
check_message (FilterHarness * h, guint n, const gchar * channel)
{
  GstMessage *message = pop_message (h);
  guint64 timestamp = 0, running_time = 0;
  gdouble sigma = 0.0;

  fail_unless (message != NULL);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless (gst_structure_get (structure, "timestamp", G_TYPE_UINT64,
          &timestamp, "running-time", G_TYPE_UINT64, &running_time, channel,
          G_TYPE_DOUBLE, &sigma, NULL));
  fail_unless_equals_uint64 (timestamp, n * FRAME_MS * GST_MSECOND);
  fail_unless_equals_uint64 (running_time, timestamp);
  fail_unless (sigma > 5.0 && sigma < 30.0, "%f", sigma);
  fail_unless_equals_float (sigma, get_noise (h, channel));
  gst_message_unref (message);
}

/* Each frame has the noise that was found for it. */
GST_START_TEST (test_noise)
{
  static const struct
  {
    const gchar *fields;
    const gchar *channel;
  } cases[] = {
    {"format=I420,width=64,height=48", "cb"},
    {"format=RGBA,width=64,height=48", "blue"},
    {"format=GRAY8,width=64,height=48", "luma"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    FilterHarness h;

    init (&h, "noise-messages=true pipeline-depth=0", cases[i].fields);
    fail_unless_equals_float (get_noise (&h, cases[i].channel), -1.0);
    for (guint n = 0; n < 3; n++) {
      g_bytes_unref (filter_frame (&h, n));
      check_message (&h, n, cases[i].channel);
    }
    /* What is given is not found. */
    g_object_set (h.filter, "noise", 12.0, NULL);
    g_bytes_unref (filter_frame (&h, 3));
    fail_unless (pop_message (&h) == NULL);
    g_object_set (h.filter, "noise", -1.0, "noise-messages", FALSE, NULL);
    g_bytes_unref (filter_frame (&h, 4));
    fail_unless (pop_message (&h) == NULL);
    fail_unless (get_noise (&h, cases[i].channel) > 5.0);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* Every property may change before every frame. */
GST_START_TEST (test_changes)
{
  static const gchar *const changes[][2] = {
    {"history", "4"}, {"motion", "false"}, {"noise", "9"}, {"border", "wrap"},
    {"planes", "chroma"}, {"chroma-strength", "3"}, {"history", "0"},
    {"noise", "0"}, {"planes", "luma+chroma"}, {"noise", "-1"},
    {"history", "1"}, {"strength", "0"}, {"motion", "true"},
    {"strength", "10"}, {"border", "constant"}, {"history", "2"},
  };
  FilterHarness h;

  init (&h, "", "format=I420,width=48,height=32,interlace-mode=mixed");
  for (guint n = 0; n < 3 * G_N_ELEMENTS (changes); n++) {
    const gchar *const *change = changes[n * 5 % G_N_ELEMENTS (changes)];

    gst_util_set_object_arg (G_OBJECT (h.filter), change[0], change[1]);
    g_bytes_unref (filter_frame (&h, n));
  }
  g_autoptr (GError) error = filter_harness_pop_error (&h, NULL);
  g_assert_no_error (error);
  filter_harness_assert_quiet (&h);
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
denoising_suite (void)
{
  Suite *suite = suite_create ("denoising");
  TCase *tests = tcase_create ("denoising");

  suite_add_tcase (suite, tests);
  tcase_add_test (tests, test_streams);
  tcase_add_test (tests, test_changes_of_held);
  tcase_add_loop_test (tests, test_forget, 0, G_N_ELEMENTS (forgets));
  tcase_add_test (tests, test_times);
  tcase_add_test (tests, test_noise);
  tcase_add_test (tests, test_changes);
  return suite;
}

FILTER_HARNESS_MAIN (denoising);
