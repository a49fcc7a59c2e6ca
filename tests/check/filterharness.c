/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filterharness.h"

#include <string.h>

const gchar *
filter_harness_get_interop (void)
{
  const gchar *interop = g_getenv ("GLOPENCL_TEST_INTEROP");

  return interop ? interop : "auto";
}

void
filter_harness_init (FilterHarness * self, const gchar * settings)
{
  g_autofree gchar *launch = g_strdup_printf ("glupload ! glopenclfilter "
      "name=filter qos=false interop=%s %s ! gldownload",
      filter_harness_get_interop (), settings);

  memset (self, 0, sizeof (*self));
  self->harness = gst_harness_new_parse (launch);
  self->filter = gst_bin_get_by_name (GST_BIN (self->harness->element),
      "filter");
  self->bus = gst_bus_new ();
  gst_element_set_bus (self->harness->element, self->bus);
  gst_harness_set_sink_caps_str (self->harness, "video/x-raw,format=RGBA");
}

void
filter_harness_clear (FilterHarness * self)
{
  gst_element_set_bus (self->harness->element, NULL);
  gst_object_unref (self->filter);
  gst_harness_teardown (self->harness);
  gst_bus_set_flushing (self->bus, TRUE);
  gst_object_unref (self->bus);
}

void
filter_harness_set_size (FilterHarness * self, gint width, gint height)
{
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_RGBA, width, height);
  self->info.fps_n = 25;
  self->info.fps_d = 1;
  gst_harness_set_src_caps (self->harness,
      gst_video_info_to_caps (&self->info));
}

GstBuffer *
filter_harness_create_frame (const FilterHarness * self, guint seed,
    gint extra_stride)
{
  const gint width = self->info.width;
  const gint height = self->info.height;
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, };
  gint strides[GST_VIDEO_MAX_PLANES] = { width * 4 + extra_stride, };
  GstBuffer *frame = gst_buffer_new_allocate (NULL, strides[0] * height, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GstMapInfo map;

  gst_buffer_map (frame, &map, GST_MAP_WRITE);
  memset (map.data, 0x5a, map.size);
  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      guint8 *pixel = map.data + y * strides[0] + 4 * x;
      gint edge = (x / 8 + y / 8) % 2 ? 100 : 0;

      for (gint c = 0; c < 3; c++)
        pixel[c] = 60 + edge + c * 20 + g_rand_int_range (random, -30, 31);
      pixel[3] = g_rand_int_range (random, 0, 256);
    }
  }
  gst_buffer_unmap (frame, &map);
  if (extra_stride)
    gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_FORMAT_RGBA, width,
        height, 1, offsets, strides);
  GST_BUFFER_PTS (frame) = 0;
  return frame;
}

GstBuffer *
filter_harness_run (FilterHarness * self, GstBuffer * frame)
{
  GstFlowReturn flow = gst_harness_push (self->harness, frame);

  fail_unless_equals_int (flow, GST_FLOW_OK);
  return gst_harness_pull (self->harness);
}

GBytes *
filter_harness_get_bytes (const FilterHarness * self, GstBuffer * frame)
{
  GstVideoFrame mapped;
  gsize row_bytes = self->info.width * 4;
  guint8 *packed = g_malloc (row_bytes * self->info.height);

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame,
          GST_MAP_READ));
  for (gint y = 0; y < self->info.height; y++)
    memcpy (packed + y * row_bytes,
        (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&mapped, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, 0), row_bytes);
  gst_video_frame_unmap (&mapped);
  return g_bytes_new_take (packed, row_bytes * self->info.height);
}

GError *
filter_harness_pop_error (FilterHarness * self, gchar ** debug)
{
  GstMessage *message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message) {
    gst_message_parse_error (message, &error, debug);
    gst_message_unref (message);
  }
  return error;
}
