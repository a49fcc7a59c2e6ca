/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the histograms that glopenclfilter emits in whole pipelines, which have
 * their own threads: buffers and metas downstream of the filter; the end, seeks
 * and changes of a stream.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "emitted.h"
#include "filterharness.h"
#include "pipeline.h"

typedef struct
{
  GstBuffer *buffer;            /* not owned, only compared */
  GstMemory *memory;            /* likewise */
  gboolean has_meta;
} Seen;

static GstPadProbeReturn
see_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Seen *seen = user_data;

  (void) pad;
  seen->buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  seen->memory = gst_buffer_peek_memory (seen->buffer, 0);
  seen->has_meta = emitted_find_meta (seen->buffer, NULL) != NULL;
  return GST_PAD_PROBE_OK;
}

static void
watch_pad (GstElement * element, const gchar * name, Seen * seen)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, see_buffer, seen, NULL);
}

/* With the filter off no pixel is copied: the buffer goes on, or one that
 * shares its memory where somebody else holds it. */
GST_START_TEST (test_untouched)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=3 "
      "! video/x-raw,format=RGBA,width=64,height=32 ! glupload "
      "! tee name=tee allow-not-linked=true ! glopenclfilter name=filter "
      "interop=%s spatial-sigma=0 ! fakesink async=false",
      filter_harness_get_interop ());

  for (guint i = 0; i < 4; i++) {
    gboolean meta = i % 2, shared = i / 2;
    g_autoptr (GstElement) pipeline = gst_parse_launch (description, NULL);
    g_autoptr (GstElement) filter =
        gst_bin_get_by_name (GST_BIN (pipeline), "filter");
    g_autoptr (GstElement) tee = gst_bin_get_by_name (GST_BIN (pipeline),
        "tee");
    Seen input = { NULL, }, output = { NULL, }, upstream = { NULL, };

    g_object_set (filter, "histogram-emission", meta ? 2 : 1, NULL);
    /* The second branch holds the last frame. */
    if (shared) {
      GstElement *sink = gst_element_factory_make ("fakesink", NULL);

      g_object_set (sink, "async", FALSE, NULL);
      gst_bin_add (GST_BIN (pipeline), sink);
      fail_unless (gst_element_link (tee, sink));
    }
    watch_pad (tee, "sink", &upstream);
    watch_pad (filter, "sink", &input);
    watch_pad (filter, "src", &output);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    pipeline_wait_for (pipeline, GST_MESSAGE_EOS);

    fail_unless (output.memory != NULL && output.memory == input.memory);
    fail_unless_equals_int (output.has_meta, meta);
    /* A meta never shows on the buffer that others have. */
    if (!meta)
      fail_unless (output.buffer == input.buffer);
    else if (shared)
      fail_unless (output.buffer != input.buffer);
    fail_unless (!upstream.has_meta && !input.has_meta);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
}

GST_END_TEST;

/* The meta that a filter adds comes out of what follows, also of another filter
 * that adds its own. */
GST_START_TEST (test_meta_survives)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc num-buffers=4 "
      "pattern=smpte ! video/x-raw,format=RGBA,width=64,height=48 ! glupload "
      "! glopenclfilter name=first interop=%s histogram-emission=meta "
      "! glopenclfilter name=second interop=%s histogram-emission=meta "
      "histogram-bins=64 ! glcolorconvert "
      "! video/x-raw(memory:GLMemory),format=YV12 ! gldownload ! videoconvert "
      "! videoscale ! video/x-raw,format=I420,width=20,height=11 "
      "! fakesink name=sink", filter_harness_get_interop (),
      filter_harness_get_interop ());
  g_autoptr (GstElement) pipeline = gst_parse_launch (description, NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  GstSample *sample = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
  g_object_get (sink, "last-sample", &sample, NULL);

  static const gchar *const names[] = { "first", "second" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const GstStructure *structure =
        emitted_find_meta (gst_sample_get_buffer (sample), names[i]);
    guint bins = 0, sum = 0;

    fail_unless (structure != NULL, "%s", names[i]);
    gst_structure_get_uint (structure, "bins", &bins);
    fail_unless_equals_int (bins, i ? 64 : 256);
    const guint32 *counts = g_bytes_get_data (g_value_get_boxed
        (gst_structure_get_value (structure, "luma")), NULL);
    for (guint bin = 0; bin < bins; bin++)
      sum += counts[bin];
    fail_unless_equals_int (sum, 64 * 48);
  }
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* What a stream emitted, and whether it did in time. */
typedef struct
{
  gint n_messages;              /* atomic */
  guint64 timestamp;            /* of the last message */
  gboolean emitted;             /* since the last buffer */
  gint n_buffers;               /* atomic */
  gint n_late;                  /* atomic; buffers whose message had not come */
} Stream;

static GstBusSyncReply
see_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Stream *stream = user_data;

  (void) bus;
  if (gst_message_has_name (message, EMITTED_MESSAGE)) {
    stream->timestamp = emitted_get_time (gst_message_get_structure (message),
        "timestamp");
    stream->emitted = TRUE;
    g_atomic_int_inc (&stream->n_messages);
  }
  return GST_BUS_PASS;
}

/* On the streaming thread, as the messages are posted. */
static GstPadProbeReturn
see_filtered (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Stream *stream = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  (void) pad;
  g_atomic_int_inc (&stream->n_buffers);
  if (!stream->emitted || stream->timestamp != GST_BUFFER_PTS (buffer)
      || !emitted_find_meta (buffer, NULL))
    g_atomic_int_inc (&stream->n_late);
  stream->emitted = FALSE;
  return GST_PAD_PROBE_OK;
}

static GstElement *
launch_watched (const gchar * source, guint depth, Stream * stream)
{
  g_autofree gchar *element = g_strdup_printf ("glopenclfilter name=filter "
      "radius=1 pipeline-depth=%u histogram-emission=messages+meta", depth);
  g_autofree gchar *line = g_strdup_printf ("%s ! glupload ! FILTER "
      "! gldownload ! fakesink", source);
  GstElement *pipeline = pipeline_launch (element, line);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  memset (stream, 0, sizeof (*stream));
  gst_bus_set_sync_handler (bus, see_message, stream, NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, see_filtered, stream,
      NULL);
  return pipeline;
}

static void
end_watched (GstElement * pipeline, Stream * stream)
{
  pipeline_stop (pipeline);
  fail_unless_equals_int (stream->n_late, 0);
  /* A flush may take a frame whose histogram was emitted. */
  fail_unless (stream->n_messages >= stream->n_buffers);
}

/* A message for every frame, before it; none is missing at the end. */
GST_START_TEST (test_end_of_stream)
{
  for (guint depth = 0; depth < 5; depth += 2) {
    Stream stream;
    GstElement *pipeline = launch_watched ("videotestsrc num-buffers=60 "
        "! video/x-raw,format=RGBA,width=64,height=48", depth, &stream);

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
    fail_unless_equals_int (stream.n_messages, 60);
    fail_unless_equals_int (stream.n_buffers, 60);
    end_watched (pipeline, &stream);
  }
}

GST_END_TEST;

GST_START_TEST (test_seeks)
{
  Stream stream;
  GstElement *pipeline = launch_watched ("videotestsrc num-buffers=100000 "
      "! video/x-raw,format=RGBA,width=64,height=48", 2, &stream);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  for (guint i = 0; i < 12; i++) {
    g_usleep (i * 2000);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, (i * 7 % 20) * GST_SECOND));
    pipeline_wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  }
  fail_unless (stream.n_messages > 12);
  end_watched (pipeline, &stream);
}

GST_END_TEST;

GST_START_TEST (test_caps_change)
{
  Stream stream;
  GstElement *pipeline = launch_watched ("videotestsrc num-buffers=40 "
      "is-live=true ! capsfilter name=size caps-change-mode=delayed "
      "caps=video/x-raw,format=RGBA,width=64,height=48,framerate=100/1",
      3, &stream);
  g_autoptr (GstElement) size = gst_bin_get_by_name (GST_BIN (pipeline),
      "size");

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (gint i = 0; i < 4; i++) {
    g_autoptr (GstCaps) caps = gst_caps_new_simple ("video/x-raw", "format",
        G_TYPE_STRING, "RGBA", "width", G_TYPE_INT, 33 + 50 * i, "height",
        G_TYPE_INT, 150 - 31 * i, "framerate", GST_TYPE_FRACTION, 100, 1, NULL);

    g_usleep (60 * 1000);
    g_object_set (size, "caps", caps, NULL);
  }
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_int (stream.n_messages, 40);
  end_watched (pipeline, &stream);
}

GST_END_TEST;

static Suite *
emission_streams_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-emission-streams");
  TCase *tests = tcase_create ("emission-streams");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_untouched);
  tcase_add_test (tests, test_meta_survives);
  tcase_add_test (tests, test_end_of_stream);
  tcase_add_test (tests, test_seeks);
  tcase_add_test (tests, test_caps_change);
  return suite;
}

FILTER_HARNESS_MAIN (emission_streams);
