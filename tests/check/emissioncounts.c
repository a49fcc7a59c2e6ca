/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the counts in the histograms that glopenclfilter emits as messages and
 * metas and draws: they must be the counts that the reference finds for each
 * frame. */

#include <string.h>

#include "elementharness.h"
#include "reference.h"

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

/* Both of what the frame emitted: arrays of a message, and bytes of a meta. */
static void
assert_emitted (Harness * h, GstBuffer * frame, const Expected * expected)
{
  g_autoptr (GstMessage) message = bus_pop_histogram (h->bus);
  const GstStructure *structures[2] = {
    buffer_find_histogram (frame, NULL),
    message ? gst_message_get_structure (message) : NULL,
  };

  for (guint n = 0; n < 2; n++) {
    guint bins = 0;

    fail_unless (structures[n] != NULL);
    fail_unless (gst_structure_get_uint (structures[n], "bins", &bins));
    fail_unless_equals_int (bins, expected->bins);
    assert_no_other_fields (structures[n], expected);
    for (guint c = 0; get_channel (expected, c); c++) {
      const GValue *value =
          gst_structure_get_value (structures[n], get_channel (expected, c));
      const guint32 *counts = NULL;

      if (n == 0) {
        fail_unless_equals_int (g_bytes_get_size (g_value_get_boxed (value)),
            bins * sizeof (guint32));
        counts = g_bytes_get_data (g_value_get_boxed (value), NULL);
      } else {
        fail_unless_equals_int (gst_value_array_get_size (value), bins);
      }
      for (guint i = 0; i < bins; i++)
        fail_unless_equals_int (counts ? counts[i]
            : g_value_get_uint (gst_value_array_get_value (value, i)),
            expected->counts[c][i]);
    }
  }
  fail_unless (bus_pop_histogram (h->bus) == NULL);
}

#define EMIT "glopenclfilter histogram-emission=messages+meta "

static const struct
{
  const gchar *settings;
  guint bins;
  gboolean of_input;
} counted[] = {
  {"", 256, FALSE},
  {"histogram-source=input", 256, TRUE},
  {"histogram-bins=64 in-place=true", 64, FALSE},
  {"spatial-sigma=0 histogram-bins=64", 64, TRUE},
  /* More than there are. */
  {"histogram-bins=1024", 256, FALSE},
};

TEST_LOOP (test_counts, G_N_ELEMENTS (counted))
{
  static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13}, {3, 50} };
  g_autoptr (Harness) h = harness_new (NULL, EMIT "%s",
      counted[__i__].settings);

  for (guint n = 0; n < 3 * G_N_ELEMENTS (sizes); n++) {
    const gint width = sizes[n / 3][0], height = sizes[n / 3][1];
    Expected expected;

    if (n % 3 == 0)
      harness_set_size (h, width, height);
    GstBuffer *frame = harness_create_padded_frame (h, n, n < 3 ? 24 : 0);
    g_autoptr (GBytes) input = harness_get_bytes (h, frame);
    g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
    g_autoptr (GBytes) output = harness_get_bytes (h, result);
    expect (&expected, counted[__i__].of_input ? input : output, width, height,
        counted[__i__].bins);
    assert_emitted (h, result, &expected);
  }
}

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
describe (const Harness * h)
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
take_components (const Harness * h, GstBuffer * buffer)
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
  g_autoptr (Harness) h = harness_new (NULL, EMIT "spatial-sigma=0 "
      "interop=auto histogram-overlay=true histogram-bins=%u", bins);
  guint32 all[4][REFERENCE_BINS];

  harness_set_fields (h, "format=%s,width=%d,height=%d", format, width, height);
  GstBuffer *buffer = harness_create_padded_frame (h, width, height % 2 * 24);
  ReferenceFrame frame = take_components (h, buffer);
  Expected expected = {.model = frame.model };
  g_autoptr (GstBuffer) result = harness_filter_frame (h, buffer);
  ReferenceFrame drawn = take_components (h, result);

  GST_INFO ("%s, %dx%d", format, width, height);
  reference_histogram_frame (&frame, all);
  fold (&expected, all, frame.depth == 8 ? 256 : 1024, bins);
  assert_emitted (h, result, &expected);
  reference_histogram_overlay_frame (&frame, all);
  assert_components (&drawn, &frame, format);
  components_clear (&frame);
  components_clear (&drawn);
}

TEST (test_formats)
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

/* A frame that is larger than the picture it holds. */
TEST (test_padded_frame)
{
  g_autoptr (Harness) h = harness_new (RGBA (64, 48), EMIT "spatial-sigma=0");
  GstBuffer *frame = harness_create_padded_frame (h, 1, 32);
  Expected expected;

  gst_buffer_get_video_meta (frame)->width = 72;
  harness_set_size (h, 64, 40);
  g_autoptr (GBytes) input = harness_get_bytes (h, frame);
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  expect (&expected, input, 64, 40, 256);
  assert_emitted (h, result, &expected);
}

/* 7680x4320 of one colour: the counts don't overflow. */
TEST (test_large_frame)
{
  const gint width = 7680, height = 4320;
  g_autoptr (Harness) h = harness_new (RGBA (7680, 4320),
      EMIT "spatial-sigma=0");
  GstBuffer *frame = gst_buffer_new_allocate (NULL, width * height * 4, NULL);
  Expected expected = {.bins = 256 };

  gst_buffer_memset (frame, 0, 201, width * height * 4);
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  for (guint c = 0; c < 4; c++)
    expected.counts[c][201] = width * height;
  assert_emitted (h, result, &expected);
}

/* What is drawn is in the corner, and not counted. */
static const gchar *const drawn_settings[] = {
  "", "spatial-sigma=0", "in-place=true"
};

TEST_LOOP (test_overlay, G_N_ELEMENTS (drawn_settings))
{
  const gint width = 400, height = 200;
  g_autoptr (Harness) plain = harness_new (RGBA (400, 200),
      "glopenclfilter %s", drawn_settings[__i__]);
  g_autoptr (Harness) h = harness_new (RGBA (400, 200), EMIT
      "histogram-overlay=true %s", drawn_settings[__i__]);
  g_autoptr (GstBuffer) before =
      harness_filter_frame (plain, harness_create_frame (plain, 7));
  g_autoptr (GstBuffer) after =
      harness_filter_frame (h, harness_create_frame (h, 7));
  g_autoptr (GBytes) pixels = harness_get_bytes (h, before);
  g_autoptr (GBytes) drawn = harness_get_bytes (h, after);
  const guint32 *old = g_bytes_get_data (pixels, NULL);
  const guint32 *new = g_bytes_get_data (drawn, NULL);
  guint n_changed = 0;
  Expected expected;

  expect (&expected, pixels, width, height, 256);
  assert_emitted (h, after, &expected);
  for (gint i = 0; i < width * height; i++) {
    gint x = i % width, y = i / width;
    gboolean in_panel = x >= width - 8 - 256 && x < width - 8 && y >= 8
        && y < 108;

    fail_unless (in_panel || old[i] == new[i], "pixel %d,%d", x, y);
    n_changed += old[i] != new[i];
  }
  fail_unless (n_changed > 256 * 100 * 3 / 4);
}
