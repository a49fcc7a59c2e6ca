/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the counts in the histograms that glopenclfilter emits as messages and
 * metas and draws: they must be the counts that the reference finds for each
 * frame. */

#include <string.h>

#include "elementreference.h"
#include "opencl/histogram/oclhistogram.h"

/* By model. */
static const gchar *const channels[][4] = {
  [OCL_MODEL_RGB] = {"red", "green", "blue", "luma"},
  [OCL_MODEL_YCBCR] = {"luma", "cb", "cr"},
  [OCL_MODEL_GREY] = {"luma"},
};

static const gchar *const all_channels[] = {
  "red", "green", "blue", "luma", "cb", "cr"
};

/* The expected counts of a frame, with this number of bins. */
typedef struct
{
  OclModel model;
  guint bins;
  OclHistogramCounts counts;
} Expected;

/* There are 256 bins of levels of 8 bits, and 1024 of levels of more. */
static void
expect (Expected * expected, const Picture * picture, guint bins)
{
  const OclFormat *format = picture->frame.info.format;
  const guint n_all = format->depth == 8 ? 256 : 1024;
  OclHistogramCounts all;

  reference_find ("histogram")->find (NULL, picture, &all);
  memset (expected, 0, sizeof (*expected));
  expected->model = format->model;
  expected->bins = MIN (bins, n_all);
  for (guint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (guint bin = 0; bin < n_all; bin++)
      expected->counts.counts[c][bin * expected->bins / n_all] +=
          all.counts[c][bin];
  }
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

/* Both outputs of the frame: arrays of a message, and bytes of a meta. */
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
            expected->counts.counts[c][i]);
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
    g_auto (Picture) input = harness_get_picture (h, frame);
    g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
    g_auto (Picture) output = harness_get_picture (h, result);
    expect (&expected, counted[__i__].of_input ? &input : &output,
        counted[__i__].bins);
    assert_emitted (h, result, &expected);
  }
}

/* Counts and draws on an unfiltered frame. With longer rows, GStreamer adds
 * none to planes of an odd height. */
static void
check_format (const gchar * format, gint width, gint height, guint bins)
{
  g_autoptr (Harness) h = harness_new (NULL, EMIT "spatial-sigma=0 "
      "interop=auto histogram-overlay=true histogram-bins=%u", bins);
  OclHistogramCounts all;
  Expected expected;

  harness_set_fields (h, "format=%s,width=%d,height=%d", format, width, height);
  GstBuffer *frame = harness_create_padded_frame (h, width, height % 2 * 24);
  g_auto (Picture) wanted = harness_get_picture (h, frame);
  wanted.frame.info.colorimetry.full_range =
      h->info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  g_auto (Picture) drawn = harness_get_picture (h, result);

  GST_INFO ("%s, %dx%d", format, width, height);
  expect (&expected, &wanted, bins);
  assert_emitted (h, result, &expected);
  reference_find ("histogram")->find (NULL, &wanted, &all);
  reference_find ("histogram-overlay")->draw (NULL, &all, &wanted);
  for (guint c = 0; c < picture_count_channels (wanted.frame.info.format); c++)
    picture_assert_copied (&drawn, &wanted, c);
}

TEST (test_formats)
{
  static const gchar *const formats[] = { "RGBA", "BGRA", "RGBx", "BGRx",
    "ARGB64", "GRAY8", "GRAY16_LE", "I420", "YV12", "Y42B", "Y444", "NV12",
    "NV21", "P010_10LE"
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    /* OpenGL ES has no textures of 16 bits. */
    if (!element_takes (formats[i])
        || (ocl_format_find (formats[i])->image_component_bytes > 1
            && g_strcmp0 (g_getenv ("GST_GL_API"), "gles2") == 0))
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
  g_auto (Picture) input = harness_get_picture (h, frame);
  g_autoptr (GstBuffer) result = harness_filter_frame (h, frame);
  expect (&expected, &input, 256);
  assert_emitted (h, result, &expected);
}

/* The overlay is in the corner, and is not counted. */
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

  g_auto (Picture) picture = harness_get_picture (plain, before);
  expect (&expected, &picture, 256);
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
