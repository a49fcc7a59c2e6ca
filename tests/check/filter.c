/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter: pictures, negotiation, live properties.
 *
 * The test runs once per way of interop, see meson.build. */

#include <gst/controller/gstinterpolationcontrolsource.h>
#include <gst/controller/gstdirectcontrolbinding.h>
#include <math.h>
#include <string.h>

#include "filterharness.h"
#include "reference.h"

/* Settings that a reference can be computed for. */
typedef struct
{
  const gchar *settings;
  ReferenceBilateral reference;
} Case;

static const Case cases[] = {
  {"", {2.0, 0.25, -1, REFERENCE_COLOR_INTENSITY, REFERENCE_WINDOW_SQUARE,
          REFERENCE_BORDER_CLAMP_TO_EDGE, {0}}},
  {"spatial-sigma=1.5 intensity-sigma=0.1 window=disc color-mode=per-channel "
        "border=wrap",
        {1.5, 0.1, -1, REFERENCE_COLOR_PER_CHANNEL, REFERENCE_WINDOW_DISC,
          REFERENCE_BORDER_WRAP, {0}}},
  {"radius=3 color-mode=lab border=constant border-color=0xff0a64c8",
        {2.0, 0.25, 3, REFERENCE_COLOR_LAB, REFERENCE_WINDOW_SQUARE,
          REFERENCE_BORDER_CONSTANT, {0x0a, 0x64, 0xc8, 0xff}}},
  {"border=reflect in-place=true",
        {2.0, 0.25, -1, REFERENCE_COLOR_INTENSITY, REFERENCE_WINDOW_SQUARE,
          REFERENCE_BORDER_REFLECT, {0}}},
};

static void
assert_accurate (GBytes * input, GBytes * output, gint width, gint height,
    const ReferenceBilateral * reference)
{
  const guint8 *in = g_bytes_get_data (input, NULL);
  const guint8 *out = g_bytes_get_data (output, NULL);
  g_autofree gdouble *expected = g_new (gdouble, width * height * 3);

  reference_bilateral (reference, in, width * 4, width, height, expected);
  for (gint i = 0; i < width * height; i++) {
    for (gint c = 0; c < 3; c++)
      fail_unless (fabs (out[4 * i + c] - expected[3 * i + c]) <= 0.501,
          "pixel %d,%d channel %d is %d, the reference is %f", i % width,
          i / width, c, out[4 * i + c], expected[3 * i + c]);
    fail_unless_equals_int (out[4 * i + 3], in[4 * i + 3]);
  }
}

static gchar *
get_active_interop (GstElement * filter)
{
  GParamSpec *pspec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (filter), "active-interop");
  GValue value = G_VALUE_INIT;

  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (filter), "active-interop", &value);
  gchar *nick =
      g_strdup (g_enum_get_value (G_ENUM_CLASS (g_type_class_peek
              (pspec->value_type)), g_value_get_enum (&value))->value_nick);
  g_value_unset (&value);
  return nick;
}

GST_START_TEST (test_pictures)
{
  static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13}, {3, 50} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    for (guint size = 0; size < G_N_ELEMENTS (sizes); size++) {
      FilterHarness h;

      filter_harness_init (&h, cases[i].settings);
      filter_harness_set_size (&h, sizes[size][0], sizes[size][1]);
      GstBuffer *frame = filter_harness_create_frame (&h, i, size ? 0 : 24);
      g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
      GstBuffer *result = filter_harness_run (&h, frame);
      g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

      assert_accurate (input, output, sizes[size][0], sizes[size][1],
          &cases[i].reference);
      gst_buffer_unref (result);
      filter_harness_clear (&h);
    }
  }
}

GST_END_TEST;

static void
assert_variant (GstElement * filter, const gchar * expected)
{
  GstStructure *stats;

  g_object_get (filter, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "variant"),
      expected);
  gst_structure_free (stats);
}

/* What was asked for is in use, and says so. */
GST_START_TEST (test_active)
{
  FilterHarness h;
  GstStructure *stats;
  guint64 frames, kernel_time;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 16);
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 0, 0)));

  g_autofree gchar *active = get_active_interop (h.filter);
  const gchar *expected = g_getenv ("GLOPENCL_TEST_ACTIVE");
  fail_unless_equals_string (active, expected ? expected : "host-copy");

  g_autofree gchar *device = NULL;
  g_object_get (h.filter, "active-device", &device, "stats", &stats, NULL);
  fail_unless (device != NULL && *device);
  fail_unless (gst_structure_get_uint64 (stats, "frames", &frames));
  fail_unless (gst_structure_get_uint64 (stats, "kernel-time", &kernel_time));
  fail_unless_equals_uint64 (frames, 1);
  fail_unless (kernel_time > 0);
  gst_structure_free (stats);
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");
  assert_variant (h.filter, variant ? variant : "rows");
  filter_harness_clear (&h);
}

GST_END_TEST;

static gdouble
get_mean_square (GBytes * input, GBytes * output, gint width, gint height,
    const ReferenceBilateral * reference)
{
  const guint8 *out = g_bytes_get_data (output, NULL);
  g_autofree gdouble *expected = g_new (gdouble, width * height * 3);
  gdouble sum = 0.0;

  reference_bilateral (reference, g_bytes_get_data (input, NULL), width * 4,
      width, height, expected);
  for (gint i = 0; i < width * height * 3; i++) {
    gdouble difference = out[i / 3 * 4 + i % 3] - expected[i];

    sum += difference * difference;
  }
  return sum / (width * height * 3);
}

/* The method changes while playing, and stats name what serves it. */
GST_START_TEST (test_method)
{
  static const struct
  {
    const gchar *method, *color_mode;
    gdouble max_error;
    const gchar *on_cpu;
    const gchar *on_gpu;
  } steps[] = {
    {"exact", "intensity", 40.0, "rows", "expanded-rgb"},
    {"fast", "intensity", 40.0, "fast", "fast-tiled"},
    {"auto", "intensity", 60.0, "rows", "expanded-rgb"},
    {"auto", "intensity", 40.0, "fast", "fast-tiled"},
    {"fast", "lab", 40.0, "rows", "tiled"},
  };
  const ReferenceBilateral reference = { 16.0, 0.25, -1,
    REFERENCE_COLOR_INTENSITY, REFERENCE_WINDOW_SQUARE,
    REFERENCE_BORDER_CLAMP_TO_EDGE, {0}
  };
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");
  const gchar *storage = variant ? strrchr (variant, '-') : NULL;
  FilterHarness h;

  filter_harness_init (&h, "spatial-sigma=16");
  filter_harness_set_size (&h, 64, 48);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    gst_util_set_object_arg (G_OBJECT (h.filter), "method", steps[i].method);
    gst_util_set_object_arg (G_OBJECT (h.filter), "color-mode",
        steps[i].color_mode);
    g_object_set (h.filter, "max-error", steps[i].max_error, NULL);

    GstBuffer *frame = filter_harness_create_frame (&h, i, 0);
    g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
    GstBuffer *result = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);
    gst_buffer_unref (result);
    g_autofree gchar *on_gpu = g_strconcat (steps[i].on_gpu, storage, NULL);
    assert_variant (h.filter, storage ? on_gpu : steps[i].on_cpu);
    /* 45 dB */
    if (g_str_has_prefix (steps[i].on_cpu, "fast"))
      fail_unless (get_mean_square (input, output, 64, 48, &reference) < 2.06);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

static GBytes *
run_with (const gchar * settings, gint width, gint height)
{
  FilterHarness h;

  filter_harness_init (&h, settings);
  filter_harness_set_size (&h, width, height);
  GstBuffer *result = filter_harness_run (&h,
      filter_harness_create_frame (&h, 99, 0));
  GBytes *bytes = filter_harness_get_bytes (&h, result);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
  return bytes;
}

/* The way to test gives the bytes that host-copy gives, in place or not. */
GST_START_TEST (test_same_bytes)
{
  static const gchar *const modes[] = { "intensity", "per-channel", "lab" };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    for (gint in_place = 0; in_place < 2; in_place++) {
      g_autofree gchar *settings = g_strdup_printf ("color-mode=%s in-place=%d",
          modes[i], in_place);
      g_autofree gchar *host = g_strdup_printf ("color-mode=%s "
          "interop=host-copy", modes[i]);
      g_autoptr (GBytes) bytes = run_with (settings, 133, 77);
      g_autoptr (GBytes) host_bytes = run_with (host, 133, 77);

      fail_unless (g_bytes_equal (bytes, host_bytes));
    }
  }
}

GST_END_TEST;

/* A new size in mid-stream, odd ones too. */
GST_START_TEST (test_caps_change)
{
  static const gint sizes[][2] = { {40, 30}, {13, 7}, {1, 5}, {200, 100},
  {40, 30}
  };
  FilterHarness h;

  filter_harness_init (&h, "");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    filter_harness_set_size (&h, sizes[i][0], sizes[i][1]);
    for (guint n = 0; n < 3; n++) {
      GstBuffer *frame = filter_harness_create_frame (&h, n, 0);
      g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
      GstBuffer *result = filter_harness_run (&h, frame);
      g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

      assert_accurate (input, output, sizes[i][0], sizes[i][1],
          &cases[0].reference);
      gst_buffer_unref (result);
    }
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Decoders hand out frames that are higher and wider than the picture. */
GST_START_TEST (test_padded_frame)
{
  for (guint in_place = 0; in_place < 2; in_place++) {
    FilterHarness h;
    GstVideoMeta *meta;

    filter_harness_init (&h, in_place ? "in-place=true" : "");
    filter_harness_set_size (&h, 64, 48);
    GstBuffer *frame = filter_harness_create_frame (&h, 1, 32);
    meta = gst_buffer_get_video_meta (frame);
    meta->width = 72;
    /* The picture is the upper left part of the frame. */
    filter_harness_set_size (&h, 64, 40);
    g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
    GstBuffer *result = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

    assert_accurate (input, output, 64, 40, &cases[0].reference);
    gst_buffer_unref (result);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* A stream that is not timed, as an appsrc makes by default. */
GST_START_TEST (test_bytes_segment)
{
  FilterHarness h;
  GstSegment segment;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 16, 16);
  gst_segment_init (&segment, GST_FORMAT_BYTES);
  fail_unless (gst_harness_push_event (h.harness,
          gst_event_new_segment (&segment)));
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 0, 0)));
  filter_harness_clear (&h);
}

GST_END_TEST;

typedef struct
{
  GstBuffer *input;             /* not owned, only compared */
  GstBuffer *output;
} Seen;

static GstPadProbeReturn
see_buffer (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Seen *seen = user_data;

  if (GST_PAD_IS_SINK (pad))
    seen->input = GST_PAD_PROBE_INFO_BUFFER (info);
  else
    seen->output = GST_PAD_PROBE_INFO_BUFFER (info);
  return GST_PAD_PROBE_OK;
}

static void
watch_buffers (GstElement * filter, Seen * seen)
{
  static const gchar *const names[] = { "sink", "src" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, names[i]);
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, see_buffer, seen, NULL);
  }
}

/* Neutral settings hand on the very buffer; switching live drops nothing. */
GST_START_TEST (test_forward)
{
  static const gchar *const neutral[] = { "spatial-sigma", "intensity-sigma" };
  FilterHarness h;
  Seen seen = { NULL, NULL };

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 24, 24);
  watch_buffers (h.filter, &seen);
  for (guint i = 0; i < 6; i++) {
    gboolean off = i % 2;

    g_object_set (h.filter, neutral[i % 4 / 2], off ? 0.0 : 2.0, NULL);
    GstBuffer *frame = filter_harness_create_frame (&h, i, 0);
    g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
    GstBuffer *result = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

    fail_unless_equals_int (seen.input == seen.output, off);
    fail_unless_equals_int (g_bytes_equal (input, output), off);
    gst_buffer_unref (result);
    g_object_set (h.filter, "spatial-sigma", 2.0, "intensity-sigma", 0.25,
        NULL);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A buffer of somebody's, and what it held before the filter. */
typedef struct
{
  GstBuffer *kept;
  GBytes *before;
} Shared;

static GBytes *
read_buffer (GstBuffer * buffer)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  GBytes *bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return bytes;
}

/* The copy is writable, and has the same memory. */
static GstPadProbeReturn
keep_and_copy (G_GNUC_UNUSED GstPad * pad, GstPadProbeInfo * info,
    gpointer user_data)
{
  Shared *shared = user_data;

  shared->kept = GST_PAD_PROBE_INFO_BUFFER (info);
  shared->before = read_buffer (shared->kept);
  info->data = gst_buffer_copy (shared->kept);
  return GST_PAD_PROBE_OK;
}

/* What somebody else holds is not written over. */
GST_START_TEST (test_in_place_of_shared_memory)
{
  g_autofree gchar *description = g_strdup_printf ("gltestsrc num-buffers=1 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=32,height=32 "
      "! glopenclfilter name=filter qos=false in-place=true interop=%s "
      "! fakesink", filter_harness_get_interop ());
  g_autoptr (GstElement) pipeline = gst_parse_launch (description, NULL);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  Shared shared = { NULL, NULL };
  Seen seen = { NULL, NULL };

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, keep_and_copy, &shared,
      NULL);
  watch_buffers (filter, &seen);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message =
      filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);

  g_autoptr (GBytes) after = read_buffer (shared.kept);
  fail_unless (g_bytes_equal (shared.before, after));
  /* GStreamer copies shared memory that is mapped to be written. */
  fail_unless (seen.output != NULL && seen.input != seen.output);
  g_bytes_unref (shared.before);
  gst_buffer_unref (shared.kept);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* In place, the same buffer goes on where it is ours alone. */
GST_START_TEST (test_in_place)
{
  FilterHarness h;
  Seen seen = { NULL, NULL };

  filter_harness_init (&h, "in-place=true");
  filter_harness_set_size (&h, 24, 24);
  watch_buffers (h.filter, &seen);
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 0, 0)));

  /* host-copy never writes into what upstream's memory was wrapped from. */
  g_autofree gchar *active = get_active_interop (h.filter);
  fail_unless_equals_int (seen.input == seen.output,
      !g_str_equal (active, "host-copy"));
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Copied textures are writable and need no wrapped pointer: in place works in
 * host memory too. */
GST_START_TEST (test_in_place_behind_filter)
{
  g_autofree gchar *launch = g_strdup_printf ("videotestsrc num-buffers=3 "
      "pattern=smpte ! video/x-raw,format=RGBA,width=64,height=32 ! glupload "
      "! glopenclfilter interop=%s ! glopenclfilter interop=%s in-place=true "
      "name=second ! fakesink", filter_harness_get_interop (),
      filter_harness_get_interop ());
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) second =
      gst_bin_get_by_name (GST_BIN (pipeline), "second");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  Seen seen = { NULL, NULL };

  watch_buffers (second, &seen);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message =
      filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  fail_unless (seen.input != NULL && seen.input == seen.output);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Sigma follows a controller, frame by frame. */
GST_START_TEST (test_controller)
{
  FilterHarness h;
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *values = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 32, 32);
  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  gst_timed_value_control_source_set (values, 0, 0.0);
  gst_timed_value_control_source_set (values, 10 * GST_SECOND, 10.0);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (h.filter),
          gst_direct_control_binding_new_absolute (GST_OBJECT (h.filter),
              "spatial-sigma", source)));
  gst_object_unref (source);

  for (guint second = 0; second < 5; second++) {
    ReferenceBilateral reference = cases[0].reference;
    GstBuffer *frame = filter_harness_create_frame (&h, second, 0);
    g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);

    GST_BUFFER_PTS (frame) = second * GST_SECOND;
    GstBuffer *result = filter_harness_run (&h, frame);
    g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);
    reference.spatial_sigma = second;
    assert_accurate (input, output, 32, 32, &reference);
    gst_buffer_unref (result);
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* The frame keeps its place in time. */
GST_START_TEST (test_timestamps)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  filter_harness_set_size (&h, 16, 16);
  GstBuffer *frame = filter_harness_create_frame (&h, 0, 0);
  GST_BUFFER_PTS (frame) = 7 * GST_SECOND;
  GST_BUFFER_DURATION (frame) = 40 * GST_MSECOND;
  GstBuffer *result = filter_harness_run (&h, frame);

  fail_unless_equals_uint64 (GST_BUFFER_PTS (result), 7 * GST_SECOND);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (result), 40 * GST_MSECOND);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* A size is never changed. */
GST_START_TEST (test_no_scaling)
{
  FilterHarness h;

  filter_harness_init (&h, "");
  gst_harness_set_sink_caps_str (h.harness,
      "video/x-raw,format=RGBA,width=10,height=10");
  filter_harness_set_size (&h, 20, 20);
  GstFlowReturn flow = gst_harness_push (h.harness,
      filter_harness_create_frame (&h, 0, 0));
  fail_unless_equals_int (flow, GST_FLOW_NOT_NEGOTIATED);
  filter_harness_clear (&h);
}

GST_END_TEST;

/* Every property says what it is; what is live is controllable. */
GST_START_TEST (test_properties)
{
  GstElement *filter = gst_element_factory_make ("glopenclfilter", NULL);
  guint n_properties = 0;
  g_autofree GParamSpec **list = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (filter), &n_properties);
  guint n_controllable = 0;

  for (guint i = 0; i < n_properties; i++) {
    if (!g_type_is_a (list[i]->owner_type,
            g_type_from_name ("GstGLOpenCLBaseFilter")))
      continue;
    fail_unless (strlen (g_param_spec_get_blurb (list[i])) > 20);
    if (list[i]->flags & GST_PARAM_CONTROLLABLE) {
      n_controllable++;
      fail_unless (list[i]->flags & GST_PARAM_MUTABLE_PLAYING);
    }
    if (list[i]->flags & G_PARAM_WRITABLE) {
      GValue value = G_VALUE_INIT;

      g_value_init (&value, list[i]->value_type);
      g_object_get_property (G_OBJECT (filter), list[i]->name, &value);
      fail_unless (g_param_value_defaults (list[i], &value),
          "%s is not at its default", list[i]->name);
      g_object_set_property (G_OBJECT (filter), list[i]->name, &value);
      g_value_unset (&value);
    }
  }
  fail_unless_equals_int (n_controllable, 13);
  gst_object_unref (filter);
}

GST_END_TEST;

static guint64
get_wait_time (FilterHarness * h)
{
  GstStructure *stats;
  guint64 time = 0;

  g_object_get (h->filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "wait-time", &time);
  gst_structure_free (stats);
  return time;
}

/* What frames waited is added up. */
GST_START_TEST (test_wait_time)
{
  guint64 before = 0;
  FilterHarness h;

  filter_harness_init (&h, "radius=4");
  filter_harness_set_size (&h, 160, 120);
  for (guint i = 0; i < 8; i++) {
    gst_buffer_unref (filter_harness_run (&h,
            filter_harness_create_frame (&h, i, 0)));
    const guint64 time = get_wait_time (&h);
    fail_unless (time > before);
    before = time;
  }
  filter_harness_clear (&h);
}

GST_END_TEST;

/* What the frames before could not be computed with, others may be. */
GST_START_TEST (test_stopped)
{
  FilterHarness h;

  filter_harness_init (&h, "radius=1 interop=auto");
  filter_harness_set_fields (&h, "format=I420,width=32,height=32");
  gst_buffer_unref (filter_harness_run (&h,
          filter_harness_create_frame (&h, 0, 0)));
  gst_element_set_state (h.filter, GST_STATE_READY);
  gst_util_set_object_arg (G_OBJECT (h.filter), "color-mode", "lab");
  filter_harness_assert_quiet (&h);
  g_autofree gchar *mode = filter_harness_get_value (&h, "color-mode");
  fail_unless_equals_string (mode, "lab");
  filter_harness_clear (&h);
}

GST_END_TEST;

static Suite *
filter_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter");
  TCase *tests = tcase_create ("filter");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_properties);
  tcase_add_test (tests, test_active);
  tcase_add_test (tests, test_method);
  tcase_add_test (tests, test_pictures);
  tcase_add_test (tests, test_same_bytes);
  tcase_add_test (tests, test_caps_change);
  tcase_add_test (tests, test_padded_frame);
  tcase_add_test (tests, test_bytes_segment);
  tcase_add_test (tests, test_forward);
  tcase_add_test (tests, test_in_place);
  tcase_add_test (tests, test_in_place_of_shared_memory);
  tcase_add_test (tests, test_in_place_behind_filter);
  tcase_add_test (tests, test_controller);
  tcase_add_test (tests, test_timestamps);
  tcase_add_test (tests, test_no_scaling);
  tcase_add_test (tests, test_wait_time);
  tcase_add_test (tests, test_stopped);
  return suite;
}

FILTER_HARNESS_MAIN (filter);
