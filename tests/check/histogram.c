/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests histograms of pictures whose counts are known, and cases that the sweep
 * of `glopencl check` does not run: the largest frames, sums that are rounded,
 * results that are not read or that are drawn at once, and a drawn histogram
 * known by hand. */

#include <string.h>

#include "testcase.h"
#include "opencl/histogram/oclhistogram.h"
#include "opencl/histogram/oclhistogramoverlay.h"
#include "references.h"
#include "testrandom.h"

TEST_CONTEXT ();

static void
assert_equal_counts (const OclHistogramCounts * actual,
    const OclHistogramCounts * expected)
{
  for (guint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (guint bin = 0; bin < OCL_HISTOGRAM_MAX_BINS; bin++) {
      if (actual->counts[c][bin] != expected->counts[c][bin])
        g_error ("channel %u has %u in bin %u, not %u", c,
            actual->counts[c][bin], bin, expected->counts[c][bin]);
    }
  }
}

/* Asserts that each variant counts @expected, in buffers and in images. */
static void
check_counts (Picture * picture, const OclHistogramCounts * expected)
{
  const OclVariant *variant;

  for (guint i = 0; (variant = ocl_histogram_class.variants[i]); i++) {
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_histogram_class, variant, NULL);

    for (guint storage = 0; can_run (context, &ocl_histogram_class, variant)
        && storage < OCL_N_STORAGES; storage++) {
      OclHistogramCounts counts;

      if (storage == OCL_STORAGE_IMAGE && (is_left_out (storage)
              || !picture_has_images (context, picture->frame.info.format)))
        continue;
      memset (&counts, 0xa5, sizeof (counts));
      ASSERT_OK (harness_run (operation, NULL, picture, NULL,
              (guint8 *) & counts, picture_get_memory (storage), &error));
      assert_equal_counts (&counts, expected);
    }
  }
}

static void
set_pixel (Picture * picture, gint x, gint y, guint32 rgba)
{
  const guint32 bytes = GUINT32_TO_BE (rgba);

  memcpy (picture_get_row (picture, 0, y) + 4 * x, &bytes, 4);
}

/* Bins worked out by hand: a frame of one pixel, its components as they lie in
 * memory, plane by plane. */
typedef struct
{
  const gchar *format;
  guint16 components[4];
  const gchar *names[4];
  guint bins[4];
} Sample;

static const Sample samples[] = {
  {"RGBA", {10, 200, 77, 3}, {"red", "green", "blue", "luma"},
      {10, 200, 77, 129}},
  {"BGRx", {77, 200, 10, 3}, {"red", "green", "blue", "luma"},
      {10, 200, 77, 129}},
  /* (30 * 65535 + 11 + 50) div 100 = 19661 */
  {"ARGB64", {9, 65535, 0, 1}, {"red", "green", "blue", "luma"},
      {1023, 0, 0, 307}},
  /* (1920 + 3776 + 704 + 50) div 100 = 64 */
  {"ARGB64", {9, 64, 64, 64}, {"red", "green", "blue", "luma"}, {1, 1, 1, 1}},
  {"GRAY8", {254}, {"luma"}, {254}},
  {"GRAY16_LE", {65535 - 64}, {"luma"}, {1022}},
  {"I420", {16, 90, 240}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"YV12", {16, 240, 90}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"NV12", {16, 90, 240}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"NV21", {16, 240, 90}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"A420", {16, 90, 240, 7}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"I422_10LE", {64, 1023, 512}, {"luma", "cb", "cr"}, {64, 1023, 512}},
  {"P010_10LE", {64 << 6 | 63, 1023 << 6, 512 << 6 | 1},
      {"luma", "cb", "cr"}, {64, 1023, 512}},
  {"P016_LE", {64 << 6 | 63, 1023 << 6, 512 << 6 | 1}, {"luma", "cb", "cr"},
      {64, 1023, 512}},
  /* blue difference, luma, red difference, alpha */
  {"Y412_LE", {4095 << 4 | 15, 5 << 4 | 15, 2048 << 4, 9},
      {"luma", "cb", "cr"}, {1, 1023, 512}},
  {"YUY2", {16, 90, 99, 240}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"UYVY", {90, 16, 240, 99}, {"luma", "cb", "cr"}, {16, 90, 240}},
  {"Y212_LE", {5 << 4 | 15, 4095 << 4 | 15, 999, 2048 << 4},
      {"luma", "cb", "cr"}, {1, 1023, 512}},
};

TEST (test_formats_by_hand)
{
  for (guint n = 0; n < G_N_ELEMENTS (samples); n++) {
    const Sample *sample = &samples[n];
    const OclFormat *format = ocl_format_find (sample->format);
    OclHistogramCounts expected = { 0, };
    const guint16 *component = sample->components;
    g_auto (Picture) picture = picture_new (format, 1, 1);

    for (guint plane = 0; plane < format->n_planes; plane++) {
      for (guint i = 0; i < format->planes[plane].n_components; i++)
        picture_set_in_row (&picture, plane, i, 0, *component++);
    }
    for (guint c = 0; c < ocl_histogram_get_n_channels (format); c++) {
      g_assert_cmpstr (ocl_histogram_get_channel_name (format, c), ==,
          sample->names[c]);
      expected.counts[c][sample->bins[c]] = 1;
    }
    check_counts (&picture, &expected);
  }
}

/* All pixels of an 8K frame are in one bin of each channel. */
TEST (test_largest)
{
  /* Too large for tools that interpret kernels. */
  if (is_left_out (OCL_STORAGE_IMAGE))
    return;
  const guint32 n_pixels = 7680 * 4320;
  OclHistogramCounts expected = { 0, };
  g_auto (Picture) picture = picture_new (OCL_FORMAT_RGBA, 7680, 4320);

  for (gint i = 0; i < 7680 * 4320; i++)
    set_pixel (&picture, i % 7680, i / 7680, 0x0ac84dff);
  expected.counts[OCL_HISTOGRAM_RED][10] = n_pixels;
  expected.counts[OCL_HISTOGRAM_GREEN][200] = n_pixels;
  expected.counts[OCL_HISTOGRAM_BLUE][77] = n_pixels;
  /* 300 + 11800 + 847 + 50 */
  expected.counts[OCL_HISTOGRAM_LUMA][129] = n_pixels;
  check_counts (&picture, &expected);
}

/* Two colours with each sum 30 R + 59 G + 11 B, in frames that hold the sums
 * with the same remainder, one in each bin: the errors of neighbouring bins
 * cannot cancel each other. */
TEST (test_luma_rounding)
{
  /* Too large for tools that interpret kernels. */
  if (is_left_out (OCL_STORAGE_IMAGE))
    return;
  g_autofree guint32 *first = g_new0 (guint32, 25501);
  g_autofree guint32 *last = g_new0 (guint32, 25501);

  for (guint32 rgb = 0; rgb < 1 << 24; rgb++) {
    guint sum = 30 * (rgb >> 16) + 59 * (rgb >> 8 & 255) + 11 * (rgb & 255);

    last[sum] = rgb << 8 | 255;
    if (first[sum] == 0)
      first[sum] = last[sum];
  }
  for (guint remainder = 0; remainder < 100; remainder++) {
    OclHistogramCounts expected = { 0, };
    gint n = 0;
    g_auto (Picture) picture = picture_new (OCL_FORMAT_RGBA, 2 * 256, 1);

    for (guint sum = remainder; sum <= 25500; sum += 100) {
      for (guint i = 0; first[sum] && i < 2; i++) {
        const guint32 color = i ? last[sum] : first[sum];

        set_pixel (&picture, n++, 0, color);
        expected.counts[OCL_HISTOGRAM_RED][color >> 24]++;
        expected.counts[OCL_HISTOGRAM_GREEN][color >> 16 & 255]++;
        expected.counts[OCL_HISTOGRAM_BLUE][color >> 8 & 255]++;
        expected.counts[OCL_HISTOGRAM_LUMA][sum / 100 + (remainder >= 50)]++;
      }
    }
    picture.frame.info.width = n;
    check_counts (&picture, &expected);
  }
}

/* The result has the counts of the last frame, even if the counts of the
 * previous frame were not read. */
TEST (test_unread)
{
  const OclVariant *variant;

  for (guint i = 0; (variant = ocl_histogram_class.variants[i]); i++) {
    g_autoptr (OclFilter) operation = create_forced (context,
        &ocl_histogram_class, variant, NULL);
    g_autoptr (OclTimer) timer = ocl_timer_new ();
    OclResult result = { 0, };
    OclHistogramCounts counts, expected;
    GError *error = NULL;
    gboolean ok = ocl_result_ensure (&result, context, sizeof (counts), &error);
    OclFrame frames[2];
    Picture pictures[2];

    for (guint n = 0; n < 2; n++) {
      pictures[n] =
          picture_new_scene (OCL_FORMAT_RGBA, 40 - 7 * n, 30 - 9 * n, n);
      frames[n] = picture_create_frame (&pictures[n], context,
          OCL_STORAGE_BUFFER);
      const OclRun run = {.input = &frames[n],.result = &result,
        .timer = timer
      };
      ok = ok && run_operation (operation, &run, &error);
    }
    ok = ok && ocl_result_enqueue_read (&result, context, sizeof (counts),
        timer, &error) && ocl_context_finish (context, &error);
    assert_ok (ok, error);
    memcpy (&counts, result.host.data, sizeof (counts));
    reference_find ("histogram")->find (NULL, &pictures[1], &expected);
    assert_equal_counts (&counts, &expected);
    for (guint n = 0; n < 2; n++) {
      ocl_frame_clear (&frames[n]);
      picture_clear (&pictures[n]);
    }
    ocl_result_clear (&result, context);
  }
}

/* The counts of a frame are drawn on it without a read in between. */
TEST (test_overlay_of_counted)
{
  g_autoptr (OclFilter) counter = create_forced (context,
      &ocl_histogram_class, ocl_histogram_class.variants[0], NULL);
  g_autoptr (OclFilter) overlay =
      create_forced (context, &ocl_histogram_overlay_class, NULL, NULL);
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  OclHistogramCounts counts;
  g_auto (Picture) picture = picture_new_scene (OCL_FORMAT_RGBA, 320, 200, 1);

  g_auto (Picture) wanted = picture_copy (&picture);
  reference_find ("histogram")->find (NULL, &wanted, &counts);
  reference_find ("histogram-overlay")->draw (NULL, &counts, &wanted);
  g_auto (OclFrame) frame = picture_create_frame (&picture, context,
      OCL_STORAGE_BUFFER);
  const OclRun counting = {.input = &frame,.result = &result,.timer = timer };
  const OclRun drawing = {.output = &frame,.result = &result,.timer = timer };
  ASSERT_OK (ocl_result_ensure (&result, context, sizeof (counts), &error)
      && run_operation (counter, &counting, &error)
      && run_operation (overlay, &drawing, &error));
  picture_download (&picture, context, &frame);
  picture_assert_equal (&picture, &wanted, "counted and drawn");
  ocl_result_clear (&result, context);
}

/* A level on the line, one above and one below it, by hand, and panels as large
 * as the frame and larger, against the reference. */
TEST (test_overlay)
{
  static const struct
  {
    const gchar *format;
    gboolean full_range;
    guint levels[3];            /* of 100 before */
  } cases[] = {
    {"GRAY8", FALSE, {(100 + 16) / 2, 235, (100 + 16) / 2 + 110}},
    {"GRAY8", TRUE, {100 / 2, 255, 100 / 2 + 128}},
    {"I420", FALSE, {(100 + 16) / 2, 235, (100 + 16) / 2 + 110}},
  };
  static const struct
  {
    const gchar *format;
    gint width;
    gint height;
  } panels[] = {
    {"RGBA", 100, 50}, {"RGBA", 261, 103}, {"RGBA", 1920, 1080},
    {"RGBA", 300, 960}, {"I420", 271, 107}, {"I420", 533, 967},
    {"P010_10LE", 533, 967}, {"YUY2", 261, 103},
  };
  g_autoptr (OclFilter) operation =
      create_forced (context, &ocl_histogram_overlay_class, NULL, NULL);
  g_autoptr (GRand) random = test_random_new (6);
  OclHistogramCounts counts = { 0, };

  /* One third of a 32nd of the frame, which is one of three pixels. */
  counts.counts[0][0] = 1;
  counts.counts[0][9] = 30;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Picture) picture =
        picture_new (ocl_format_find (cases[i].format), 40, 3);

    for (gint y = 0; y < 3; y++)
      picture_set_component (&picture, 0, 0, y, 100);
    picture.frame.info.colorimetry.full_range = cases[i].full_range;
    ASSERT_OK (harness_run (operation, NULL, NULL, &picture,
            (guint8 *) & counts, PICTURE_BUFFER, &error));
    for (gint y = 0; y < 3; y++)
      g_assert_cmpuint (picture_get_component (&picture, 0, 0, y), ==,
          cases[i].levels[y]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (panels); i++) {
    for (guint n = 0; n < OCL_HISTOGRAM_N_CHANNELS * OCL_HISTOGRAM_MAX_BINS;
        n++)
      counts.counts[n / OCL_HISTOGRAM_MAX_BINS][n % OCL_HISTOGRAM_MAX_BINS] =
          i % 2 ? g_rand_int (random) % 100 : g_rand_int (random) >> 4;
    g_auto (Picture) before = picture_new (ocl_format_find (panels[i].format),
        panels[i].width, panels[i].height);
    picture_fill_with (&before, PICTURE_NOISE, i);
    g_auto (Picture) picture = picture_copy (&before);
    ASSERT_OK (harness_run (operation, NULL, NULL, &picture,
            (guint8 *) & counts, PICTURE_BUFFER, &error));
    g_autofree gchar *fault = harness_check (&ocl_histogram_overlay_class,
        NULL, &before, &picture, (guint8 *) & counts, FALSE, NULL);
    g_assert_cmpstr (fault, ==, NULL);
  }
}
