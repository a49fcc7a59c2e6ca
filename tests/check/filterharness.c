/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filterharness.h"
#include "testrandom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
filter_harness_run_suite (Suite * suite, const gchar * name, const gchar * file)
{
  const int n_failed = gst_check_run_suite (suite, name, file);

  if (n_failed > 0) {
    fflush (NULL);
    _exit (EXIT_FAILURE);
  }
  return n_failed;
}

/* The load may change meanwhile. */
GstMessage *
filter_harness_wait (GstBus * bus, GstMessageType types)
{
  GstMessage *message = NULL;

  for (guint i = 0; i < 120 && !message; i++)
    message = gst_bus_timed_pop_filtered (bus,
        filter_harness_scale (GST_SECOND), types);
  return message;
}

/* The load of the last minute knows what has run for a while, and the number of
 * threads that run or wait for a processor what has just been started. */
GstClockTime
filter_harness_scale (GstClockTime time)
{
  g_autofree gchar *text = NULL;
  gdouble load = 0.0;
  guint n_running = 0;

  if (g_file_get_contents ("/proc/loadavg", &text, NULL, NULL))
    sscanf (text, "%lf %*f %*f %u/", &load, &n_running);
  return time * MAX (1.0, MAX (load, n_running) / g_get_num_processors ());
}

const gchar *
filter_harness_get_interop (void)
{
  const gchar *interop = g_getenv ("GLOPENCL_TEST_INTEROP");

  return interop ? interop : "auto";
}

gboolean
filter_harness_shares (void)
{
  const gchar *interop = filter_harness_get_interop ();

  return g_str_equal (interop, "gl-sharing")
      || g_str_equal (interop, "external-memory");
}

void
filter_harness_init (FilterHarness * self, const gchar * settings)
{
  filter_harness_init_element (self, "glopenclfilter", settings);
}

void
filter_harness_init_element (FilterHarness * self, const gchar * element,
    const gchar * settings)
{
  g_autofree gchar *launch = g_strdup_printf ("glupload ! %s name=filter "
      "qos=false pipeline-depth=0 interop=%s %s ! gldownload", element,
      filter_harness_get_interop (), settings);

  memset (self, 0, sizeof (*self));
  self->harness = gst_harness_new_parse (launch);
  self->filter = gst_bin_get_by_name (GST_BIN (self->harness->element),
      "filter");
  self->bus = gst_bus_new ();
  gst_element_set_bus (self->harness->element, self->bus);
  gst_harness_set_sink_caps_str (self->harness, "video/x-raw");
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
  g_autofree gchar *fields = g_strdup_printf ("format=RGBA,width=%d,height=%d",
      width, height);

  filter_harness_set_fields (self, fields);
}

void
filter_harness_set_fields (FilterHarness * self, const gchar * fields)
{
  g_autofree gchar *name = g_strconcat ("video/x-raw,framerate=25/1,", fields,
      NULL);
  GstCaps *caps = gst_caps_from_string (name);

  fail_unless (gst_video_info_from_caps (&self->info, caps));
  gst_harness_set_src_caps (self->harness, caps);
}

/* Planes follow each other, without the rows that GStreamer adds where the
 * height is odd. */
static void
widen_rows (GstVideoInfo * info, gint extra_stride)
{
  info->size = 0;
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES (info); plane++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (info->finfo, plane, components);
    info->stride[plane] += extra_stride;
    info->offset[plane] = info->size;
    info->size += info->stride[plane]
        * GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]);
  }
}

/* A level of 0 to 255: alpha is noise. */
static gint
draw_level (GRand * random, gint component, gint x, gint y)
{
  const gint edge = (x / 8 + y / 8) % 2 ? 100 : 0;

  return component == GST_VIDEO_COMP_A ? g_rand_int_range (random, 0, 256)
      : 60 + edge + component * 20 + g_rand_int_range (random, -30, 31);
}

/* GStreamer 1.22 has components of P010 and its kin at odd offsets. */
static void
write_sample (guint8 * sample, guint depth, guint shift, guint level,
    GRand * random)
{
  if (depth == 8) {
    *sample = level;
    return;
  }

  const guint bits = (level << (depth - 8)
      | g_rand_int_range (random, 0, 1 << (depth - 8))) << shift
      | g_rand_int_range (random, 0, 1 << shift);
  sample[0] = bits;
  sample[1] = bits >> 8;
}

static void
fill_component (GstVideoFrame * frame, gint component, GRand * random)
{
  const guint depth = GST_VIDEO_FRAME_COMP_DEPTH (frame, component);
  const guint shift = frame->info.finfo->shift[component];
  guint8 *data = GST_VIDEO_FRAME_COMP_DATA (frame, component);

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, component); y++) {
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (frame, component); x++) {
      guint8 *sample = data + y * GST_VIDEO_FRAME_COMP_STRIDE (frame, component)
          + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component);

      write_sample (sample, depth, shift, draw_level (random, component, x, y),
          random);
    }
  }
}

GstBuffer *
filter_harness_create_frame (const FilterHarness * self, guint seed,
    gint extra_stride)
{
  g_autoptr (GRand) random = test_random_new (seed);
  GstVideoInfo info = self->info;
  GstVideoFrame mapped;
  GstMapInfo map;

  if (extra_stride)
    widen_rows (&info, extra_stride);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_map (frame, &map, GST_MAP_WRITE);
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (random);
  gst_buffer_unmap (frame, &map);
  fail_unless (gst_video_frame_map (&mapped, &info, frame, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&info); i++)
    fill_component (&mapped, i, random);
  gst_video_frame_unmap (&mapped);
  /* Without meta glupload takes the padding of planes of odd height for
   * chroma. */
  if (extra_stride || (info.height % 2 && GST_VIDEO_INFO_N_PLANES (&info) > 1))
    gst_buffer_add_video_meta_full (frame, 0, GST_VIDEO_INFO_FORMAT (&info),
        info.width, info.height, GST_VIDEO_INFO_N_PLANES (&info), info.offset,
        info.stride);
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

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame, GST_MAP_READ));
  for (gint y = 0; y < self->info.height; y++)
    memcpy (packed + y * row_bytes,
        (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&mapped, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, 0), row_bytes);
  gst_video_frame_unmap (&mapped);
  return g_bytes_new_take (packed, row_bytes * self->info.height);
}

GBytes *
filter_harness_get_samples (const FilterHarness * self, GstBuffer * frame)
{
  GByteArray *bytes = g_byte_array_new ();
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &self->info, frame, GST_MAP_READ));
  for (guint n = 0; n < GST_VIDEO_FRAME_N_COMPONENTS (&mapped); n++) {
    const gint size = GST_VIDEO_FRAME_COMP_DEPTH (&mapped, n) > 8 ? 2 : 1;

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&mapped, n); y++) {
      const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&mapped,
          n) + y * GST_VIDEO_FRAME_COMP_STRIDE (&mapped, n);

      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&mapped, n); x++)
        g_byte_array_append (bytes,
            row + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&mapped, n), size);
    }
  }
  gst_video_frame_unmap (&mapped);
  return g_byte_array_free_to_bytes (bytes);
}

gchar *
filter_harness_get_value (FilterHarness * self, const gchar * property)
{
  GValue value = G_VALUE_INIT;

  g_object_get_property (G_OBJECT (self->filter), property, &value);
  gchar *text = gst_value_serialize (&value);
  g_value_unset (&value);
  return text;
}

/* GStreamer takes types apart in place. */
void
filter_harness_set_array (FilterHarness * self, const gchar * property,
    const gchar * text)
{
  g_autofree gchar *copy = g_strdup (text);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, GST_TYPE_ARRAY);
  fail_unless (gst_value_deserialize (&value, copy), "%s", text);
  g_object_set_property (G_OBJECT (self->filter), property, &value);
  g_value_unset (&value);
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

GError *
filter_harness_pop_warning (FilterHarness * self)
{
  GstMessage *message = gst_bus_pop_filtered (self->bus, GST_MESSAGE_WARNING);
  GError *error = NULL;

  if (message) {
    gst_message_parse_warning (message, &error, NULL);
    gst_message_unref (message);
  }
  return error;
}

void
filter_harness_assert_quiet (FilterHarness * self)
{
  GError *warning = filter_harness_pop_warning (self);

  fail_unless (warning == NULL, "%s", warning ? warning->message : "");
}
