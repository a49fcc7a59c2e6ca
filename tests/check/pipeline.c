/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pipeline.h"

GstElement *
pipeline_launch (const gchar * element, const gchar * line)
{
  g_autofree gchar *filter = g_strdup_printf ("%s qos=false interop=%s",
      element, filter_harness_get_interop ());
  g_auto (GStrv) parts = g_strsplit (line, "FILTER", -1);
  g_autofree gchar *description = g_strjoinv (filter, parts);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  return pipeline;
}

void
pipeline_wait_for (GstElement * pipeline, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message = filter_harness_wait (bus, type | GST_MESSAGE_ERROR);

  fail_unless (message != NULL, "timeout");
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;
    gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    fail ("%s: %s", error->message, debug);
  }
  gst_message_unref (message);
}

void
pipeline_play_to_end (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  pipeline_wait_for (pipeline, GST_MESSAGE_EOS);
}

static GstPadProbeReturn
count_buffer (G_GNUC_UNUSED GstPad * pad,
    G_GNUC_UNUSED GstPadProbeInfo * info, gpointer user_data)
{
  (*(guint *) user_data)++;
  return GST_PAD_PROBE_OK;
}

void
pipeline_count_buffers (GstElement * pipeline, guint * n)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_buffer, n, NULL);
}

void
pipeline_stop (GstElement * pipeline)
{
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pipeline);
}
