/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the histograms that glopenclfilter emits in whole pipelines, which have
 * their own threads: buffers and metas downstream of the filter, the end, seeks
 * and changes of a stream. */

#include <string.h>

#include "elementharness.h"

typedef struct
{
  GstBuffer *buffer;            /* not owned, only compared */
  GstMemory *memory;            /* likewise */
  gboolean has_meta;
} Seen;

static GstPadProbeReturn
see_buffer (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Seen *seen = data;

  seen->buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  seen->memory = gst_buffer_peek_memory (seen->buffer, 0);
  seen->has_meta = buffer_find_histogram (seen->buffer, NULL) != NULL;
  return GST_PAD_PROBE_OK;
}

/* With the filter off no pixel is copied: the buffer is pushed, or one that
 * shares its memory if another element holds it. */
TEST_LOOP (test_untouched, 4)
{
  const gboolean meta = __i__ % 2, shared = __i__ / 2;
  static const gchar *const pads[][2] = {
    {"tee", "sink"}, {"filter", "sink"}, {"filter", "src"},
  };
  Seen seen[3] = { {NULL,}, };
  /* The second branch holds the last frame. */
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc num-buffers=3 "
      "! video/x-raw,format=RGBA,width=64,height=32 ! glupload "
      "! tee name=tee ! glopenclfilter name=filter interop=INTEROP "
      "spatial-sigma=0 histogram-emission=%s ! fakesink async=false %s",
      meta ? "meta" : "messages", shared ? "tee. ! fakesink async=false" : "");

  for (guint i = 0; i < 3; i++)
    pipeline_add_probe (pipeline, pads[i][0], pads[i][1],
        GST_PAD_PROBE_TYPE_BUFFER, see_buffer, &seen[i]);
  pipeline_play_to_end (pipeline);

  const Seen *input = &seen[1], *output = &seen[2];
  fail_unless (output->memory != NULL && output->memory == input->memory);
  fail_unless_equals_int (output->has_meta, meta);
  /* A meta never shows on the buffer that others have. */
  if (!meta)
    fail_unless (output->buffer == input->buffer);
  else if (shared)
    fail_unless (output->buffer != input->buffer);
  fail_unless (!seen[0].has_meta && !input->has_meta);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* The meta of a filter passes the following elements, including another filter
 * that adds a meta. */
TEST (test_meta_survives)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc num-buffers=4 "
      "pattern=smpte ! video/x-raw,format=RGBA,width=64,height=48 ! glupload "
      "! glopenclfilter name=first interop=INTEROP histogram-emission=meta "
      "! glopenclfilter name=second interop=INTEROP histogram-emission=meta "
      "histogram-bins=64 ! glcolorconvert "
      "! video/x-raw(memory:GLMemory),format=YV12 ! gldownload ! videoconvert "
      "! videoscale ! video/x-raw,format=I420,width=20,height=11 "
      "! fakesink name=sink");
  g_autoptr (GstElement) sink = pipeline_get (pipeline, "sink");
  g_autoptr (GstSample) sample = NULL;
  static const gchar *const names[] = { "first", "second" };

  pipeline_play_to_end (pipeline);
  g_object_get (sink, "last-sample", &sample, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const GstStructure *structure =
        buffer_find_histogram (gst_sample_get_buffer (sample), names[i]);
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
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* The messages of a stream, and whether they were in time. */
typedef struct
{
  gint n_messages;              /* atomic */
  guint64 timestamp;            /* of the last message */
  gboolean emitted;             /* since the last buffer */
  gint n_buffers;               /* atomic */
  gint n_late;                  /* atomic: buffers whose message had not
                                 * arrived */
} Stream;

static GstBusSyncReply
see_message (G_GNUC_UNUSED GstBus * bus, GstMessage * message, gpointer data)
{
  Stream *stream = data;

  if (gst_message_has_name (message, HISTOGRAM_MESSAGE)) {
    stream->timestamp = structure_get_time (gst_message_get_structure (message),
        "timestamp");
    stream->emitted = TRUE;
    g_atomic_int_inc (&stream->n_messages);
  }
  return GST_BUS_PASS;
}

/* On the streaming thread, as the messages are posted. */
static GstPadProbeReturn
see_filtered (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Stream *stream = data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);

  g_atomic_int_inc (&stream->n_buffers);
  if (!stream->emitted || stream->timestamp != GST_BUFFER_PTS (buffer)
      || !buffer_find_histogram (buffer, NULL))
    g_atomic_int_inc (&stream->n_late);
  stream->emitted = FALSE;
  return GST_PAD_PROBE_OK;
}

static GstElement *
play_watched (const gchar * source, guint depth, Stream * stream)
{
  GstElement *pipeline = pipeline_new ("%s ! glupload ! glopenclfilter "
      "name=filter qos=false interop=INTEROP radius=1 pipeline-depth=%u "
      "histogram-emission=messages+meta ! gldownload ! fakesink", source,
      depth);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  memset (stream, 0, sizeof (*stream));
  gst_bus_set_sync_handler (bus, see_message, stream, NULL);
  pipeline_add_probe (pipeline, "filter", "src", GST_PAD_PROBE_TYPE_BUFFER,
      see_filtered, stream);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
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

/* A message for every frame, before it. None is missing at the end. */
TEST_LOOP (test_end_of_stream, 3)
{
  Stream stream;
  GstElement *pipeline = play_watched ("videotestsrc num-buffers=60 "
      "! video/x-raw,format=RGBA,width=64,height=48", 2 * __i__, &stream);

  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_int (stream.n_messages, 60);
  fail_unless_equals_int (stream.n_buffers, 60);
  end_watched (pipeline, &stream);
}

TEST (test_seeks)
{
  Stream stream;
  GstElement *pipeline = play_watched ("videotestsrc num-buffers=100000 "
      "! video/x-raw,format=RGBA,width=64,height=48", 2, &stream);

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

TEST (test_caps_change)
{
  Stream stream;
  GstElement *pipeline = play_watched ("videotestsrc num-buffers=40 "
      "is-live=true ! capsfilter name=size caps-change-mode=delayed "
      "caps=video/x-raw,format=RGBA,width=64,height=48,framerate=100/1",
      3, &stream);
  g_autoptr (GstElement) size = pipeline_get (pipeline, "size");

  for (gint i = 0; i < 4; i++) {
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=RGBA,"
        "width=%d,height=%d,framerate=100/1", 33 + 50 * i, 150 - 31 * i);

    g_usleep (60 * 1000);
    gst_util_set_object_arg (G_OBJECT (size), "caps", caps);
  }
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_int (stream.n_messages, 40);
  end_watched (pipeline, &stream);
}
