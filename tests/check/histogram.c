/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests both variants of the histograms on RGBA and BGRA, in images and in
 * buffers, against the reference: every count must be exact. histogramformats.c
 * tests all formats. histogramrun.h says what is left out for tools. */

#include <string.h>

#include "histogramrun.h"

static HistogramDevice device;

static void
fill_color (Picture * picture, guint32 rgba)
{
  for (gint x = 0; x < picture->width; x++)
    histogram_set_pixel (picture_get_pixel (picture, x, 0), rgba);
  for (gint y = 1; y < picture->height; y++)
    memcpy (picture_get_pixel (picture, 0, y), picture->pixels,
        picture->width * 4);
}

static void
assert_sums (const OclHistogramCounts * counts, guint64 n_pixels)
{
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    guint64 sum = 0;

    for (gint bin = 0; bin < OCL_HISTOGRAM_MAX_BINS; bin++)
      sum += counts->counts[c][bin];
    g_assert_cmpuint (sum, ==, n_pixels);
  }
}

/* The counts of @picture, which stays as it is. */
static void
count (OclOperation * histogram, const HistogramKind * kind, Picture * picture,
    OclHistogramCounts * counts)
{
  Picture before;

  picture_init_copy (&before, picture);
  OclFrame frame = histogram_kind_create_frame (kind, &device, picture);
  histogram_device_count (&device, histogram, &frame, counts);
  picture_download (picture, device.context, &frame);
  histogram_assert_equal_pictures (picture, &before);
  ocl_frame_clear (&frame);
  picture_clear (&before);
}

/* Counts in every way there is for these bytes. */
static void
assert_counts (Picture * picture, const gchar * bytes,
    const OclHistogramCounts * expected)
{
  for (guint i = 0; i < device.n_counters; i++) {
    for (guint j = 0; j < HISTOGRAM_N_KINDS; j++) {
      OclHistogramCounts counts;

      if (!g_str_equal (histogram_kinds[j].bytes, bytes)
          || is_left_out (histogram_kinds[j].storage))
        continue;
      count (device.counters[i], &histogram_kinds[j], picture, &counts);
      assert_sums (&counts, (guint64) picture->width * picture->height);
      histogram_assert_equal_counts (&counts, expected);
    }
  }
}

/* Against the reference, red first and blue first. */
static void
check_picture (Picture * picture)
{
  const OclFormat *bgra = ocl_format_find ("BGRA");
  OclHistogramCounts expected;

  histogram_get_expected (picture, &expected);
  assert_counts (picture, "RGBA", &expected);
  picture_convert (picture, OCL_FORMAT_RGBA, bgra);
  assert_counts (picture, "BGRA", &expected);
  picture_convert (picture, bgra, OCL_FORMAT_RGBA);
}

/* Bins worked out by hand, with lumas of 1.5, 2.49 and 27.5. */
static void
test_by_hand (void)
{
  static const guint32 colors[] = { 0x05000000, 0x040201ff, 0x58000aff,
    0xffffff00, 0x000000ff
  };
  OclHistogramCounts expected = { 0, };
  Picture picture;

  picture_init (&picture, G_N_ELEMENTS (colors), 1);
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    histogram_set_pixel (picture_get_pixel (&picture, i, 0), colors[i]);
  expected.counts[OCL_HISTOGRAM_RED][0] = 1;
  expected.counts[OCL_HISTOGRAM_RED][4] = 1;
  expected.counts[OCL_HISTOGRAM_RED][5] = 1;
  expected.counts[OCL_HISTOGRAM_RED][88] = 1;
  expected.counts[OCL_HISTOGRAM_RED][255] = 1;
  expected.counts[OCL_HISTOGRAM_GREEN][0] = 3;
  expected.counts[OCL_HISTOGRAM_GREEN][2] = 1;
  expected.counts[OCL_HISTOGRAM_GREEN][255] = 1;
  expected.counts[OCL_HISTOGRAM_BLUE][0] = 2;
  expected.counts[OCL_HISTOGRAM_BLUE][1] = 1;
  expected.counts[OCL_HISTOGRAM_BLUE][10] = 1;
  expected.counts[OCL_HISTOGRAM_BLUE][255] = 1;
  expected.counts[OCL_HISTOGRAM_LUMA][0] = 1;
  expected.counts[OCL_HISTOGRAM_LUMA][2] = 2;
  expected.counts[OCL_HISTOGRAM_LUMA][28] = 1;
  expected.counts[OCL_HISTOGRAM_LUMA][255] = 1;
  assert_counts (&picture, "RGBA", &expected);
  check_picture (&picture);
  picture_clear (&picture);
}

/* All in one bin of each channel. */
static void
test_largest (void)
{
  const guint32 n_pixels = 7680 * 4320;
  OclHistogramCounts expected = { 0, };
  Picture picture;

  if (histogram_skip_for_tools ())
    return;
  picture_init (&picture, 7680, 4320);
  fill_color (&picture, 0x0ac84dff);
  expected.counts[OCL_HISTOGRAM_RED][10] = n_pixels;
  expected.counts[OCL_HISTOGRAM_GREEN][200] = n_pixels;
  expected.counts[OCL_HISTOGRAM_BLUE][77] = n_pixels;
  /* 300 + 11800 + 847 + 50 */
  expected.counts[OCL_HISTOGRAM_LUMA][129] = n_pixels;
  assert_counts (&picture, "RGBA", &expected);
  picture_clear (&picture);
}

/* Two colours with each sum 30 R + 59 G + 11 B that there is, in frames that
 * hold the sums with the same remainder, one of each bin: neighbours that are
 * rounded wrong cannot make up for each other. */
static void
test_luma_rounding (void)
{
  g_autofree guint32 *first = g_new0 (guint32, 25501);
  g_autofree guint32 *last = g_new0 (guint32, 25501);

  for (guint32 rgb = 0; rgb < 1 << 24; rgb++) {
    guint sum = 30 * (rgb >> 16) + 59 * (rgb >> 8 & 255) + 11 * (rgb & 255);

    last[sum] = rgb << 8 | 255;
    if (first[sum] == 0)
      first[sum] = last[sum];
  }
  for (guint remainder = 0; remainder < 100; remainder++) {
    OclHistogramCounts counts;
    Picture picture;
    gint n = 0;

    picture_init (&picture, 2 * 256, 1);
    for (guint sum = remainder; sum <= 25500; sum += 100) {
      if (first[sum] == 0)
        continue;
      histogram_set_pixel (picture_get_pixel (&picture, n++, 0), first[sum]);
      histogram_set_pixel (picture_get_pixel (&picture, n++, 0), last[sum]);
    }
    picture.width = n;
    check_picture (&picture);
    /* The reference, too, has two in each bin, however it divides. */
    histogram_get_expected (&picture, &counts);
    for (guint sum = remainder; sum <= 25500; sum += 100)
      g_assert_cmpuint (counts.counts[OCL_HISTOGRAM_LUMA]
          [sum / 100 + (remainder >= 50)], ==, first[sum] ? 2 : 0);
    picture_clear (&picture);
  }
}

/* A frame that holds each colour once. */
static void
test_all_colors (void)
{
  Picture picture;

  if (histogram_skip_for_tools ())
    return;
  picture_init (&picture, 4096, 4096);
  for (guint32 rgb = 0; rgb < 1 << 24; rgb++)
    histogram_set_pixel (picture_get_pixel (&picture, rgb % 4096, rgb / 4096),
        rgb << 8 | (rgb & 255));
  check_picture (&picture);
  picture_clear (&picture);
}

/* What is read are the counts of the last frame, even where those of the frame
 * before were not. */
static void
check_unread (OclOperation * histogram, const HistogramKind * kind)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  OclHistogramCounts counts, expected;
  OclFrame frames[2];
  Picture pictures[2];

  picture_init (&pictures[0], 40, 30);
  picture_init (&pictures[1], 33, 21);
  histogram_fill_noise (&pictures[0]);
  histogram_fill_scene (&pictures[1]);
  histogram_get_expected (&pictures[1], &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    picture_convert (&pictures[i], OCL_FORMAT_RGBA,
        ocl_format_find (kind->bytes));
    frames[i] = histogram_kind_create_frame (kind, &device, &pictures[i]);
    const OclRun run = {.input = &frames[i],.result = &result,
      .timer = timer
    };
    histogram_device_enqueue (&device, histogram, &run);
  }
  histogram_device_read (&device, &result, timer, &counts);
  histogram_assert_equal_counts (&counts, &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    ocl_frame_clear (&frames[i]);
    picture_clear (&pictures[i]);
  }
  ocl_result_clear (&result, device.context);
}

static void
test_unread (void)
{
  for (guint i = 0; i < device.n_counters; i++) {
    for (guint j = 0; j < HISTOGRAM_N_KINDS; j++) {
      if (!is_left_out (histogram_kinds[j].storage))
        check_unread (device.counters[i], &histogram_kinds[j]);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/by-hand", test_by_hand);
  g_test_add_func ("/histogram/largest", test_largest);
  g_test_add_func ("/histogram/luma-rounding", test_luma_rounding);
  g_test_add_func ("/histogram/all-colors", test_all_colors);
  g_test_add_func ("/histogram/unread", test_unread);

  histogram_device_init (&device);
  int result = g_test_run ();
  histogram_device_clear (&device);
  return result;
}
