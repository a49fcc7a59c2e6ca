/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter: pictures, negotiation, live properties. */

#include <string.h>

#include "elementreference.h"

/* Filters a frame as it is with @settings. */
static void
check_frame (Harness * h, GstBuffer * frame, const gchar * settings)
{
  g_autoptr (OclParams) params = params_new (&ocl_bilateral_class, settings);

  harness_check_frame (h, frame, &ocl_bilateral_class, params, settings);
}

static const gchar *const cases[] = {
  "",
  "spatial-sigma=1.5 intensity-sigma=0.1 window=disc border=wrap",
  "color-mode=per-channel border=reflect-101",
  "radius=3 color-mode=lab border=constant border-color=0xff0a64c8",
  "border=reflect in-place=true",
};

TEST_LOOP (test_pictures, G_N_ELEMENTS (cases))
{
  static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13}, {3, 50} };
  g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter %s", cases[__i__]);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    harness_set_size (h, sizes[i][0], sizes[i][1]);
    check_frame (h, harness_create_padded_frame (h, i, i ? 0 : 24),
        cases[__i__]);
  }
}

/* The requested setting is in use, and reported. */
TEST (test_active)
{
  g_autoptr (Harness) h = harness_new (RGBA (32, 16), "glopenclfilter");
  const gchar *expected = g_getenv ("GLOPENCL_TEST_ACTIVE");
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");

  g_bytes_unref (harness_filter (h, 0));
  element_assert_value (h->filter, "active-interop",
      expected ? expected : "host-copy");
  g_autofree gchar *device = element_get_value (h->filter, "active-device");
  fail_unless (device != NULL && *device);
  fail_unless_equals_uint64 (element_get_stat (h->filter, "frames"), 1);
  fail_unless (element_get_stat (h->filter, "kernel-time") > 0);
  element_assert_variant (h->filter, variant ? variant : "rows");
}

/* The method changes while playing, and stats contain its variant. */
TEST (test_method)
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
  g_autoptr (OclParams) params =
      params_new (&ocl_bilateral_class, "spatial-sigma=16");
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");
  const gchar *storage = variant ? strrchr (variant, '-') : NULL;
  g_autoptr (Harness) h =
      harness_new (RGBA (64, 48), "glopenclfilter spatial-sigma=16");

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    harness_set (h, "method", steps[i].method);
    harness_set (h, "color-mode", steps[i].color_mode);
    g_object_set (h->filter, "max-error", steps[i].max_error, NULL);

    GstBuffer *frame = harness_create_frame (h, i);
    g_autoptr (GBytes) input = harness_get_bytes (h, frame);
    g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
    g_autoptr (GBytes) output = harness_get_bytes (h, result);
    g_autofree gchar *on_gpu = g_strconcat (steps[i].on_gpu, storage, NULL);
    element_assert_variant (h->filter, storage ? on_gpu : steps[i].on_cpu);
    if (!g_str_has_prefix (steps[i].on_cpu, "fast"))
      continue;
    const guint8 *out = g_bytes_get_data (output, NULL);
    gdouble expected[64 * 48 * 3], sum = 0.0;
    reference_filter_rgba (reference_find ("bilateral"), params,
        g_bytes_get_data (input, NULL), 64, 48, expected);
    for (guint n = 0; n < G_N_ELEMENTS (expected); n++) {
      const gdouble difference = out[n / 3 * 4 + n % 3] - expected[n];

      sum += difference * difference;
    }
    /* 45 dB */
    fail_unless (sum / G_N_ELEMENTS (expected) < 2.06);
  }
}

/* A new size in mid-stream, odd ones too. */
TEST (test_caps_change)
{
  static const gint sizes[][2] = { {40, 30}, {13, 7}, {1, 5}, {200, 100},
  {40, 30}
  };
  g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter");

  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    harness_set_size (h, sizes[i / 2][0], sizes[i / 2][1]);
    check_frame (h, harness_create_frame (h, i), "");
  }
}

/* Decoders hand out frames that are higher and wider than the picture. */
TEST_LOOP (test_padded_frame, 2)
{
  g_autoptr (Harness) h =
      harness_new (RGBA (64, 48), "glopenclfilter in-place=%d", __i__);
  GstBuffer *frame = harness_create_padded_frame (h, 1, 32);

  gst_buffer_get_video_meta (frame)->width = 72;
  /* The picture is the upper left part of the frame. */
  harness_set_size (h, 64, 40);
  check_frame (h, frame, "");
}

/* A stream that is not timed, as an appsrc makes by default. */
TEST (test_bytes_segment)
{
  g_autoptr (Harness) h = harness_new (RGBA (16, 16), "glopenclfilter");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_BYTES);
  harness_push_event (h, gst_event_new_segment (&segment));
  g_bytes_unref (harness_filter (h, 0));
}

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
  element_add_probe (filter, "sink", GST_PAD_PROBE_TYPE_BUFFER, see_buffer,
      seen);
  element_add_probe (filter, "src", GST_PAD_PROBE_TYPE_BUFFER, see_buffer,
      seen);
}

/* Neutral settings pass the same buffer on. Switching live drops nothing. */
TEST (test_forward)
{
  static const gchar *const neutral[] = { "spatial-sigma", "intensity-sigma" };
  g_autoptr (Harness) h = harness_new (RGBA (24, 24), "glopenclfilter");
  Seen seen = { NULL, NULL };

  watch_buffers (h->filter, &seen);
  for (guint i = 0; i < 6; i++) {
    gboolean off = i % 2;

    g_object_set (h->filter, neutral[i % 4 / 2], off ? 0.0 : 2.0, NULL);
    g_autoptr (GBytes) input = harness_get_input (h, i);
    g_autoptr (GBytes) output = harness_filter (h, i);
    fail_unless_equals_int (seen.input == seen.output, off);
    fail_unless_equals_int (g_bytes_equal (input, output), off);
    g_object_set (h->filter, "spatial-sigma", 2.0, "intensity-sigma", 0.25,
        NULL);
  }
}

/* A buffer of another owner, and its content before the filter. */
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

/* A buffer referenced by another element is not overwritten. */
TEST (test_in_place_of_shared_memory)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("gltestsrc num-buffers=1 "
      "! video/x-raw(memory:GLMemory),format=RGBA,width=32,height=32 "
      "! glopenclfilter name=filter qos=false in-place=true interop=INTEROP "
      "! fakesink");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  Shared shared = { NULL, NULL };
  Seen seen = { NULL, NULL };

  element_add_probe (filter, "sink", GST_PAD_PROBE_TYPE_BUFFER, keep_and_copy,
      &shared);
  watch_buffers (filter, &seen);
  pipeline_play_to_end (pipeline);

  g_autoptr (GBytes) after = read_buffer (shared.kept);
  assert_same_bytes (shared.before, after, "the buffer that is kept");
  /* GStreamer copies shared memory that is mapped to be written. */
  fail_unless (seen.output != NULL && seen.input != seen.output);
  g_bytes_unref (shared.before);
  gst_buffer_unref (shared.kept);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* In place, the same buffer is pushed if it is not shared. */
TEST (test_in_place)
{
  g_autoptr (Harness) h =
      harness_new (RGBA (24, 24), "glopenclfilter in-place=true");
  Seen seen = { NULL, NULL };

  watch_buffers (h->filter, &seen);
  g_bytes_unref (harness_filter (h, 0));
  /* host-copy never writes into memory that upstream wrapped. */
  g_autofree gchar *active = element_get_value (h->filter, "active-interop");
  fail_unless_equals_int (seen.input == seen.output,
      !g_str_equal (active, "host-copy"));
}

/* Copied textures are writable and need no wrapped pointer: in place works in
 * host memory too. */
TEST (test_in_place_behind_filter)
{
  g_autoptr (GstElement) pipeline = pipeline_new ("videotestsrc num-buffers=3 "
      "pattern=smpte ! video/x-raw,format=RGBA,width=64,height=32 ! glupload "
      "! glopenclfilter interop=INTEROP ! glopenclfilter interop=INTEROP "
      "in-place=true name=filter ! fakesink");
  g_autoptr (GstElement) second = pipeline_get (pipeline, "filter");
  Seen seen = { NULL, NULL };

  watch_buffers (second, &seen);
  pipeline_play_well (pipeline);
  fail_unless (seen.input != NULL && seen.input == seen.output);
}

/* Sigma follows a controller, frame by frame. */
TEST (test_controller)
{
  g_autoptr (Harness) h = harness_new (RGBA (32, 32), "glopenclfilter");

  object_animate (h->filter, "spatial-sigma", 1.0);
  for (guint second = 0; second < 5; second++) {
    g_autofree gchar *settings = g_strdup_printf ("spatial-sigma=%u", second);
    GstBuffer *frame = harness_create_frame (h, second);

    GST_BUFFER_PTS (frame) = second * GST_SECOND;
    check_frame (h, frame, settings);
  }
}

/* A size is never changed. */
TEST (test_no_scaling)
{
  g_autoptr (Harness) h = harness_new (NULL, "glopenclfilter");

  gst_harness_set_sink_caps_str (h->harness,
      "video/x-raw,format=RGBA,width=10,height=10");
  harness_set_size (h, 20, 20);
  fail_unless_equals_int (gst_harness_push (h->harness,
          harness_create_frame (h, 0)), GST_FLOW_NOT_NEGOTIATED);
}

/* Every property has a description. Live properties are controllable. */
TEST (test_properties)
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

/* The times of frames are accumulated, also of frames that are not measured. */
TEST (test_times)
{
  static const gchar *const fields[] = { "wait-time", "kernel-time" };
  g_autoptr (Harness) h =
      harness_new (RGBA (160, 120), "glopenclfilter radius=4");
  guint64 before[G_N_ELEMENTS (fields)] = { 0, 0 };

  for (guint i = 0; i < 20; i++) {
    g_bytes_unref (harness_filter (h, i));
    for (guint n = 0; n < G_N_ELEMENTS (fields); n++) {
      const guint64 time = element_get_stat (h->filter, fields[n]);

      fail_unless (time > before[n], "%s of frame %u", fields[n], i);
      before[n] = time;
    }
  }
}

/* Parameters that failed for previous frames may work for others. */
TEST (test_stopped)
{
  g_autoptr (Harness) h = harness_new ("format=I420,width=32,height=32",
      "glopenclfilter radius=1 interop=auto");

  g_bytes_unref (harness_filter (h, 0));
  gst_element_set_state (h->filter, GST_STATE_READY);
  harness_set (h, "color-mode", "lab");
  harness_assert_quiet (h);
  element_assert_value (h->filter, "color-mode", "lab");
}
