/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The histograms that glopenclfilter emits: messages, metas, overlay.
 *
 * Run once a way of interop, see meson.build. */

#include <string.h>

#include "filterharness.h"
#include "reference.h"

#define TIMEOUT (30 * GST_SECOND)
#define META_NAME "GstGLOpenCLHistogramMeta"
#define MESSAGE_NAME "glopenclfilter-histogram"
#define MAX_MESSAGES 1000

/* By model. */
static const gchar *const channels[][4] = {
  [REFERENCE_RGB] = {"red", "green", "blue", "luma"},
  [REFERENCE_YCBCR] = {"luma", "cb", "cr"},
  [REFERENCE_GREY] = {"luma"},
};

static const gchar *const all_channels[] = {
  "red", "green", "blue", "luma", "cb", "cr"
};

/* What a frame has to emit, in so many bins. */
typedef struct
{
  ReferenceModel model;
  guint bins;
  guint32 counts[4][REFERENCE_BINS];
} Expected;

/* Of levels of 8 bits, as there are 256 bins, or of more. */
static void
fold (Expected * expected, guint32 all[4][REFERENCE_BINS], guint n_all,
    guint bins)
{
  memset (expected->counts, 0, sizeof (expected->counts));
  expected->bins = MIN (bins, n_all);
  for (guint c = 0; c < 4; c++) {
    for (guint bin = 0; bin < n_all; bin++)
      expected->counts[c][bin * expected->bins / n_all] += all[c][bin];
  }
}

/* For bytes of RGBA. */
static void
expect (Expected * expected, GBytes * pixels, gint width, gint height,
    guint bins)
{
  guint32 all[4][REFERENCE_BINS];

  reference_histogram (g_bytes_get_data (pixels, NULL), width * 4, width,
      height, all);
  expected->model = REFERENCE_RGB;
  fold (expected, all, 256, bins);
}

static const gchar *
get_channel (const Expected * expected, guint channel)
{
  return channel < 4 ? channels[expected->model][channel] : NULL;
}

/* Channels that the format has not are not emitted. */
static void
assert_no_other_fields (const GstStructure * structure,
    const Expected * expected)
{
  for (guint i = 0; i < G_N_ELEMENTS (all_channels); i++) {
    gboolean has = FALSE;

    for (guint c = 0; get_channel (expected, c); c++)
      has |= g_str_equal (get_channel (expected, c), all_channels[i]);
    fail_unless (gst_structure_has_field (structure, all_channels[i]) == has,
        "%s", all_channels[i]);
  }
}

static void
assert_message (const GstStructure * structure, const Expected * expected)
{
  guint bins = 0;

  fail_unless (gst_structure_has_name (structure, MESSAGE_NAME));
  fail_unless (gst_structure_get_uint (structure, "bins", &bins));
  fail_unless_equals_int (bins, expected->bins);
  assert_no_other_fields (structure, expected);
  for (guint c = 0; get_channel (expected, c); c++) {
    const GValue *array =
        gst_structure_get_value (structure, get_channel (expected, c));

    fail_unless_equals_int (gst_value_array_get_size (array), bins);
    for (guint i = 0; i < bins; i++)
      fail_unless_equals_int (g_value_get_uint (gst_value_array_get_value
              (array, i)), expected->counts[c][i]);
  }
}

/* Of the buffer's metas that which @element added; any for NULL. */
static const GstStructure *
find_meta (GstBuffer * frame, const gchar * element)
{
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta (frame, &state))) {
    if (!gst_meta_info_is_custom (meta->info)
        || !gst_custom_meta_has_name ((GstCustomMeta *) meta, META_NAME))
      continue;
    const GstStructure *structure =
        gst_custom_meta_get_structure ((GstCustomMeta *) meta);
    if (!element || g_str_equal (element,
            gst_structure_get_string (structure, "element")))
      return structure;
  }
  return NULL;
}

static void
assert_meta (GstBuffer * frame, const Expected * expected)
{
  const GstStructure *structure = find_meta (frame, NULL);
  guint bins = 0;

  fail_unless (structure != NULL);
  fail_unless (gst_structure_get_uint (structure, "bins", &bins));
  fail_unless_equals_int (bins, expected->bins);
  assert_no_other_fields (structure, expected);
  for (guint c = 0; get_channel (expected, c); c++) {
    const gchar *channel = get_channel (expected, c);
    GBytes *bytes =
        g_value_get_boxed (gst_structure_get_value (structure, channel));

    fail_unless_equals_int (g_bytes_get_size (bytes), bins * sizeof (guint32));
    fail_unless (memcmp (g_bytes_get_data (bytes, NULL), expected->counts[c],
            bins * sizeof (guint32)) == 0, "%s differs", channel);
  }
}

static GstMessage *
pop_histogram (GstBus * bus)
{
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT))) {
    if (gst_message_has_name (message, MESSAGE_NAME))
      return message;
    gst_message_unref (message);
  }
  return NULL;
}

static guint
drop_histograms (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = pop_histogram (bus))) {
    gst_message_unref (message);
    n++;
  }
  return n;
}

static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13}, {3, 50} };

static void
check_counts (const gchar * settings, guint bins, gboolean of_input)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    const gint width = sizes[i][0], height = sizes[i][1];
    FilterHarness h;
    Expected expected;

    filter_harness_init (&h, settings);
    filter_harness_set_size (&h, width, height);
    for (guint n = 0; n < 3; n++) {
      GstBuffer *frame = filter_harness_create_frame (&h, n, i ? 0 : 24);
      g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
      GstBuffer *result = filter_harness_run (&h, frame);
      g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

      expect (&expected, of_input ? input : output, width, height, bins);
      assert_meta (result, &expected);
      GstMessage *message = pop_histogram (h.bus);
      assert_message (gst_message_get_structure (message), &expected);
      gst_message_unref (message);
      fail_unless (pop_histogram (h.bus) == NULL);
      gst_buffer_unref (result);
    }
    filter_harness_clear (&h);
  }
}

GST_START_TEST (test_counts)
{
  check_counts ("histogram-emission=messages+meta", 256, FALSE);
  check_counts ("histogram-emission=messages+meta histogram-source=input", 256,
      TRUE);
  check_counts ("histogram-emission=messages+meta histogram-bins=64 "
      "in-place=true", 64, FALSE);
  check_counts ("histogram-emission=messages+meta spatial-sigma=0 "
      "histogram-bins=64", 64, TRUE);
  /* More than there are. */
  check_counts ("histogram-emission=messages+meta histogram-bins=1024", 256,
      FALSE);
}

GST_END_TEST;

/* Those that the element takes. OpenGL ES has no textures of 16 bits. */
static gboolean
is_taken (const gchar * format)
{
  g_autoptr (GstElementFactory) factory =
      gst_element_factory_find ("glopenclfilter");
  g_autofree gchar *name =
      g_strdup_printf ("video/x-raw(memory:GLMemory),format=%s", format);
  g_autoptr (GstCaps) caps = gst_caps_from_string (name);
  const GstVideoFormatInfo *info =
      gst_video_format_get_info (gst_video_format_from_string (format));

  return gst_element_factory_can_sink_any_caps (factory, caps)
      && (GST_VIDEO_FORMAT_INFO_DEPTH (info, 0) == 8
      || g_strcmp0 (g_getenv ("GST_GL_API"), "gles2") != 0);
}

/* What the harness makes frames of, for the reference, without components. */
static ReferenceFrame
describe (const FilterHarness * h)
{
  const GstVideoFormatInfo *info = h->info.finfo;

  const ReferenceFrame frame = {
    .model = GST_VIDEO_FORMAT_INFO_IS_RGB (info) ? REFERENCE_RGB
        : GST_VIDEO_FORMAT_INFO_IS_GRAY (info) ? REFERENCE_GREY
        : REFERENCE_YCBCR,
    .depth = info->depth[0],.shift = info->shift[0],
    .full_range = h->info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255,
    .width = h->info.width,.height = h->info.height,
    .x_shift = info->w_sub[1],.y_shift = info->h_sub[1],
  };

  return frame;
}

/* GStreamer says of the red difference of P010_10LE that it is at byte 1. */
static const guint8 *
get_component (const GstVideoFrame * mapped, guint channel, gint x, gint y)
{
  const gboolean is_p010 =
      GST_VIDEO_FRAME_FORMAT (mapped) == GST_VIDEO_FORMAT_P010_10LE;

  return (guint8 *) GST_VIDEO_FRAME_COMP_DATA (mapped, channel)
      + y * GST_VIDEO_FRAME_COMP_STRIDE (mapped, channel)
      + x * GST_VIDEO_FRAME_COMP_PSTRIDE (mapped, channel)
      + (is_p010 && channel == 2);
}

/* With the components of a frame; end with components_clear(). */
static ReferenceFrame
take_components (const FilterHarness * h, GstBuffer * buffer)
{
  ReferenceFrame frame = describe (h);
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &h->info, buffer, GST_MAP_READ));
  for (guint c = 0; c < (frame.model == REFERENCE_GREY ? 1 : 3); c++) {
    const gint width = GST_VIDEO_FRAME_COMP_WIDTH (&mapped, c);
    const gint height = GST_VIDEO_FRAME_COMP_HEIGHT (&mapped, c);

    frame.channels[c] = g_new (guint16, width * height);
    for (gint i = 0; i < width * height; i++) {
      const guint8 *bytes = get_component (&mapped, c, i % width, i / width);

      frame.channels[c][i] =
          frame.depth == 8 ? bytes[0] : GST_READ_UINT16_LE (bytes);
    }
  }
  gst_video_frame_unmap (&mapped);
  return frame;
}

static void
components_clear (ReferenceFrame * frame)
{
  for (guint c = 0; c < 3; c++)
    g_free (frame->channels[c]);
}

static void
assert_components (const ReferenceFrame * actual,
    const ReferenceFrame * expected, const gchar * format)
{
  for (guint c = 0; c < 3 && expected->channels[c]; c++) {
    const gboolean is_difference = expected->model == REFERENCE_YCBCR && c > 0;
    const gint xs = is_difference ? expected->x_shift : 0;
    const gint ys = is_difference ? expected->y_shift : 0;
    const gint width = (expected->width + (1 << xs) - 1) >> xs;
    const gint height = (expected->height + (1 << ys) - 1) >> ys;

    for (gint i = 0; i < width * height; i++)
      fail_unless (actual->channels[c][i] == expected->channels[c][i],
          "%s: %u at %d,%d of channel %u, not %u", format,
          actual->channels[c][i], i % width, i / width, c,
          expected->channels[c][i]);
  }
}

/* Counted and drawn, on a frame that is not filtered; where rows are longer,
 * GStreamer adds none to planes of an odd height. */
static void
check_format (const gchar * format, gint width, gint height, guint bins)
{
  g_autofree gchar *settings = g_strdup_printf ("spatial-sigma=0 interop=auto "
      "histogram-emission=messages+meta histogram-overlay=true "
      "histogram-bins=%u", bins);
  g_autofree gchar *fields = g_strdup_printf ("format=%s,width=%d,height=%d",
      format, width, height);
  guint32 all[4][REFERENCE_BINS];
  FilterHarness h;

  filter_harness_init (&h, settings);
  filter_harness_set_fields (&h, fields);
  GstBuffer *buffer = filter_harness_create_frame (&h, width,
      height % 2 * 24);
  ReferenceFrame frame = take_components (&h, buffer);
  Expected expected = {.model = frame.model };
  GstBuffer *result = filter_harness_run (&h, buffer);
  ReferenceFrame drawn = take_components (&h, result);

  GST_INFO ("%s, %dx%d", format, width, height);
  reference_histogram_frame (&frame, all);
  fold (&expected, all, frame.depth == 8 ? 256 : 1024, bins);
  assert_meta (result, &expected);
  GstMessage *message = pop_histogram (h.bus);
  assert_message (gst_message_get_structure (message), &expected);
  gst_message_unref (message);
  reference_histogram_overlay_frame (&frame, all);
  assert_components (&drawn, &frame, format);
  components_clear (&frame);
  components_clear (&drawn);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_START_TEST (test_formats)
{
  static const gchar *const formats[] = { "RGBA", "BGRA", "RGBx", "BGRx",
    "ARGB64", "GRAY8", "GRAY16_LE", "I420", "YV12", "Y42B", "Y444", "NV12",
    "NV21", "P010_10LE"
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    if (!is_taken (formats[i]))
      continue;
    check_format (formats[i], 320, 120, 1024);
    check_format (formats[i], 277, 113, 256);
    check_format (formats[i], 6, 5, 64);
  }
}

GST_END_TEST;

/* A frame that is larger than the picture it holds. */
GST_START_TEST (test_padded_frame)
{
  FilterHarness h;
  Expected expected;

  filter_harness_init (&h, "histogram-emission=meta spatial-sigma=0");
  filter_harness_set_size (&h, 64, 48);
  GstBuffer *frame = filter_harness_create_frame (&h, 1, 32);
  gst_buffer_get_video_meta (frame)->width = 72;
  filter_harness_set_size (&h, 64, 40);
  g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
  GstBuffer *result = filter_harness_run (&h, frame);

  expect (&expected, input, 64, 40, 256);
  assert_meta (result, &expected);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Nothing is emitted unless it was asked for. */
GST_START_TEST (test_off)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 32);
  GstBuffer *result = filter_harness_run (&h,
      filter_harness_create_frame (&h, 0, 0));
  fail_unless (pop_histogram (h.bus) == NULL);
  fail_unless (find_meta (result, NULL) == NULL);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* 7680x4320 of one colour: the counts don't overflow. */
GST_START_TEST (test_large_frame)
{
  const gint width = 7680, height = 4320;
  FilterHarness h;
  Expected expected = {.bins = 256 };

  filter_harness_init (&h, "histogram-emission=meta spatial-sigma=0");
  filter_harness_set_size (&h, width, height);
  GstBuffer *frame = gst_buffer_new_allocate (NULL, width * height * 4, NULL);
  gst_buffer_memset (frame, 0, 201, width * height * 4);
  GstBuffer *result = filter_harness_run (&h, frame);

  for (guint c = 0; c < 4; c++)
    expected.counts[c][201] = width * height;
  assert_meta (result, &expected);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_END_TEST;

static guint64
get_time (const GstStructure * structure, const gchar * field)
{
  guint64 time = 0;

  fail_unless (gst_structure_get_uint64 (structure, field, &time), "%s", field);
  return time;
}

GST_START_TEST (test_message_times)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "histogram-emission=messages");
  filter_harness_set_size (&h, 16, 16);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 2 * GST_SECOND;
  segment.time = 7 * GST_SECOND;
  segment.base = 11 * GST_SECOND;
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);
  GST_BUFFER_PTS (frame) = 5 * GST_SECOND;
  GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
  gst_buffer_unref (filter_harness_run (&h, frame));

  GstMessage *message = pop_histogram (h.bus);
  const GstStructure *structure = gst_message_get_structure (message);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (h.filter));
  fail_unless_equals_uint64 (get_time (structure, "timestamp"), 5 * GST_SECOND);
  fail_unless_equals_uint64 (get_time (structure, "stream-time"),
      10 * GST_SECOND);
  fail_unless_equals_uint64 (get_time (structure, "running-time"),
      14 * GST_SECOND);
  fail_unless_equals_uint64 (get_time (structure, "duration"),
      40 * GST_MSECOND);
  gst_message_unref (message);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A frame without a time is emitted with any interval. */
GST_START_TEST (test_no_times)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = GST_CLOCK_TIME_NONE;
    gst_buffer_unref (filter_harness_run (&h, frame));
    GstMessage *message = pop_histogram (h.bus);
    fail_unless (message != NULL);
    fail_unless_equals_uint64 (get_time (gst_message_get_structure (message),
            "running-time"), GST_CLOCK_TIME_NONE);
    gst_message_unref (message);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* 25 frames a second and 100 ms: the first of each tenth of a second, also
 * where time goes back. */
GST_START_TEST (test_interval)
{
  static const guint times[] = { 0, 40, 80, 120, 160, 200, 240, 280, 320, 40,
    60, 400
  };
  static const gboolean due[] = { 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 1 };
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages+meta "
      "histogram-interval=100000000");
  filter_harness_set_size (&h, 16, 16);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = times[i] * GST_MSECOND;
    GstBuffer *result = filter_harness_run (&h, frame);
    fail_unless_equals_int (drop_histograms (h.bus), due[i]);
    fail_unless_equals_int (find_meta (result, NULL) != NULL, due[i]);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

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
  seen->has_meta = find_meta (seen->buffer, NULL) != NULL;
  return GST_PAD_PROBE_OK;
}

static void
watch_pad (GstElement * element, const gchar * name, Seen * seen)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, see_buffer, seen, NULL);
}

/* A frame that is dropped because it is late emits nothing; the next does. */
GST_START_TEST (test_interval_and_qos)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages qos=true "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (h.filter, "src");
  fail_unless (gst_pad_send_event (pad, gst_event_new_qos
          (GST_QOS_TYPE_UNDERFLOW, 1.5, 0, 50 * GST_MSECOND)));
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);

    GST_BUFFER_PTS (frame) = i * 40 * GST_MSECOND;
    fail_unless_equals_int (gst_harness_push (h.harness, frame), GST_FLOW_OK);
    fail_unless_equals_int (drop_histograms (h.bus), i == 2);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* What is asked for anew, or after a flush, is emitted at once. */
GST_START_TEST (test_interval_starts_anew)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "histogram-emission=messages "
      "histogram-interval=1000000000");
  filter_harness_set_size (&h, 16, 16);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 3; i++) {
    for (guint n = 0; n < 2; n++) {
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
      fail_unless_equals_int (drop_histograms (h.bus), n == 0);
    }
    if (i == 0) {
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_flush_start ()));
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_flush_stop (TRUE)));
      fail_unless (gst_harness_push_event (h.harness,
              gst_event_new_segment (&segment)));
    } else {
      gst_util_set_object_arg (G_OBJECT (h.filter), "histogram-emission",
          "none");
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
      fail_unless_equals_int (drop_histograms (h.bus), 0);
      gst_util_set_object_arg (G_OBJECT (h.filter), "histogram-emission",
          "messages+meta");
    }
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

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
    g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
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
    GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
    gst_message_unref (message);

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
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstSample *sample = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_object_get (sink, "last-sample", &sample, NULL);

  static const gchar *const names[] = { "first", "second" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    const GstStructure *structure =
        find_meta (gst_sample_get_buffer (sample), names[i]);
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

/* What is drawn is in the corner, and not counted. */
static void
check_overlay (const gchar * settings)
{
  const gint width = 400, height = 200;
  g_autofree gchar *with = g_strconcat (settings, " histogram-overlay=true "
      "histogram-emission=meta", NULL);
  GBytes *pixels[2];
  Expected expected;

  for (guint i = 0; i < 2; i++) {
    FilterHarness h;

    filter_harness_init (&h, i ? with : settings);
    filter_harness_set_size (&h, width, height);
    GstBuffer *result = filter_harness_run (&h,
        filter_harness_create_frame (&h, 7, 0));
    pixels[i] = filter_harness_get_bytes (&h, result);
    if (i) {
      expect (&expected, pixels[0], width, height, 256);
      assert_meta (result, &expected);
    }
    gst_buffer_unref (result);
    filter_harness_clear (&h);
  }

  const guint32 *plain = g_bytes_get_data (pixels[0], NULL);
  const guint32 *drawn = g_bytes_get_data (pixels[1], NULL);
  guint n_changed = 0;
  for (gint i = 0; i < width * height; i++) {
    gint x = i % width, y = i / width;
    gboolean in_panel = x >= width - 8 - 256 && x < width - 8 && y >= 8
        && y < 108;

    fail_unless (in_panel || plain[i] == drawn[i], "pixel %d,%d", x, y);
    n_changed += plain[i] != drawn[i];
  }
  fail_unless (n_changed > 256 * 100 * 3 / 4);
  g_bytes_unref (pixels[0]);
  g_bytes_unref (pixels[1]);
}

GST_START_TEST (test_overlay)
{
  check_overlay ("");
  check_overlay ("spatial-sigma=0");
  check_overlay ("in-place=true");
}

GST_END_TEST;

/* Every change takes effect on the next frame, and only there. */
GST_START_TEST (test_switching)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 24);
  for (guint i = 0; i < 16; i++) {
    gboolean messages = i % 2, meta = i / 2 % 2, off = i / 4 % 2;
    gboolean overlay = i / 8 % 2;

    g_object_set (h.filter, "histogram-emission", messages | meta << 1,
        "spatial-sigma", off ? 0.0 : 1.0, "histogram-overlay", overlay,
        "histogram-bins", i % 3 ? 256 : 64, NULL);
    GstBuffer *result = filter_harness_run (&h,
        filter_harness_create_frame (&h, i, 0));
    fail_unless_equals_int (drop_histograms (h.bus), messages);
    fail_unless_equals_int (find_meta (result, NULL) != NULL, meta);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A number of bins that there is not is refused. */
GST_START_TEST (test_bins)
{
  GError *error = NULL;
  GstElement *element = gst_parse_launch ("glopenclfilter histogram-bins=100",
      &error);
  fail_unless (error != NULL && strstr (error->message, "histogram-bins"));
  g_clear_error (&error);
  g_clear_pointer (&element, gst_object_unref);
}

GST_END_TEST;

/* A bus that nobody reads holds so many messages and one warning; frames go on,
 * and messages come again when it was read. */
GST_START_TEST (test_unread_bus)
{
  FilterHarness h;

  filter_harness_init (&h, "histogram-emission=messages spatial-sigma=0 "
      "histogram-bins=64");
  filter_harness_set_size (&h, 2, 2);
  for (guint round = 0; round < 2; round++) {
    guint n_histograms = 0, n_warnings = 0;
    GstMessage *message;

    for (guint i = 0; i < MAX_MESSAGES + 50; i++)
      gst_buffer_unref (filter_harness_run (&h,
              filter_harness_create_frame (&h, 0, 0)));
    while ((message = gst_bus_pop (h.bus))) {
      n_histograms += gst_message_has_name (message, MESSAGE_NAME);
      n_warnings += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
      gst_message_unref (message);
    }
    fail_unless_equals_int (n_histograms, MAX_MESSAGES);
    fail_unless_equals_int (n_warnings, round == 0);
  }
  filter_harness_clear (&h);
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
  if (gst_message_has_name (message, MESSAGE_NAME)) {
    stream->timestamp = get_time (gst_message_get_structure (message),
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
      || !find_meta (buffer, NULL))
    g_atomic_int_inc (&stream->n_late);
  stream->emitted = FALSE;
  return GST_PAD_PROBE_OK;
}

static GstElement *
launch_watched (const gchar * source, guint depth, Stream * stream)
{
  g_autofree gchar *description = g_strdup_printf ("%s ! glupload "
      "! glopenclfilter name=filter interop=%s qos=false radius=1 "
      "pipeline-depth=%u histogram-emission=messages+meta ! gldownload "
      "! fakesink", source, filter_harness_get_interop (), depth);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);
  g_assert_no_error (error);
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
wait_for (GstElement * pipeline, GstMessageType type)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_timed_pop_filtered (bus, TIMEOUT,
      type | GST_MESSAGE_ERROR);

  fail_unless (message && GST_MESSAGE_TYPE (message) == type);
  gst_message_unref (message);
}

static void
end_watched (GstElement * pipeline, Stream * stream)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  fail_unless_equals_int (stream->n_late, 0);
  /* A flush may take a frame whose histogram was emitted. */
  fail_unless (stream->n_messages >= stream->n_buffers);
  gst_object_unref (pipeline);
}

/* A message for every frame, before it; none is missing at the end. */
GST_START_TEST (test_end_of_stream)
{
  for (guint depth = 0; depth < 5; depth += 2) {
    Stream stream;
    GstElement *pipeline = launch_watched ("videotestsrc num-buffers=60 "
        "! video/x-raw,format=RGBA,width=64,height=48", depth, &stream);

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    wait_for (pipeline, GST_MESSAGE_EOS);
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
  wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
  for (guint i = 0; i < 12; i++) {
    g_usleep (i * 2000);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, (i * 7 % 20) * GST_SECOND));
    wait_for (pipeline, GST_MESSAGE_ASYNC_DONE);
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
  wait_for (pipeline, GST_MESSAGE_EOS);
  fail_unless_equals_int (stream.n_messages, 40);
  end_watched (pipeline, &stream);
}

GST_END_TEST;

static Suite *
emission_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-emission");
  TCase *tests = tcase_create ("emission");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_counts);
  tcase_add_test (tests, test_formats);
  tcase_add_test (tests, test_padded_frame);
  tcase_add_test (tests, test_off);
  tcase_add_test (tests, test_large_frame);
  tcase_add_test (tests, test_message_times);
  tcase_add_test (tests, test_no_times);
  tcase_add_test (tests, test_interval);
  tcase_add_test (tests, test_interval_and_qos);
  tcase_add_test (tests, test_interval_starts_anew);
  tcase_add_test (tests, test_untouched);
  tcase_add_test (tests, test_meta_survives);
  tcase_add_test (tests, test_overlay);
  tcase_add_test (tests, test_switching);
  tcase_add_test (tests, test_bins);
  tcase_add_test (tests, test_unread_bus);
  tcase_add_test (tests, test_end_of_stream);
  tcase_add_test (tests, test_seeks);
  tcase_add_test (tests, test_caps_change);
  return suite;
}

GST_CHECK_MAIN (emission);
