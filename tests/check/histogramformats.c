/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests both variants of the histograms on every format, in images and in
 * buffers, against the reference: every count must be exact. */

#include "histogramrun.h"

static HistogramDevice device;

/* Without changing the frame. */
static void
check_count (OclOperation * counter, FormatPicture * picture,
    OclStorage storage, const OclHistogramCounts * expected)
{
  OclFrame frame = format_picture_create_frame_with_margins (picture,
      device.context, storage);
  OclHistogramCounts counts;
  FormatPicture before;

  format_picture_init_copy (&before, picture);
  histogram_device_count (&device, counter, &frame, &counts);
  histogram_assert_equal_counts (&counts, expected);
  format_picture_download (picture, device.context, &frame);
  format_picture_assert_equal (picture, &before, "counted");
  ocl_frame_clear (&frame);
  format_picture_clear (&before);
}

static void
assert_sums (const FormatPicture * picture, const OclHistogramCounts * counts)
{
  const OclFormat *format = picture->frame.format;
  const guint n_bins = ocl_histogram_get_n_bins (format);

  for (guint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    const guint64 n_samples = (guint64) format_picture_get_width (picture, c)
        * format_picture_get_height (picture, c);
    guint64 sum = 0;

    for (guint bin = 0; bin < n_bins; bin++)
      sum += counts->counts[c][bin];
    g_assert_cmpuint (sum, ==,
        c < ocl_histogram_get_n_channels (format) ? n_samples : 0);
  }
}

static void
check_picture (FormatPicture * picture)
{
  OclHistogramCounts expected;
  ReferenceFrame reference;

  histogram_reference_init (&reference, picture);
  reference_histogram_frame (&reference, expected.counts);
  histogram_reference_clear (&reference);
  assert_sums (picture, &expected);
  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    if (!histogram_device_can_store (&device, picture->frame.format, storage))
      continue;
    for (guint i = 0; i < device.n_counters; i++)
      check_count (device.counters[i], picture, storage, &expected);
  }
}

/* Less, as much and more than a vector, and than a group of samples. */
static void
check_format (const OclFormat * format)
{
  static const gint sizes[][2] = { {1, 1}, {2, 1}, {1, 2}, {3, 3}, {15, 4},
  {16, 3}, {33, 5}, {64, 2}, {97, 31}, {1, 70}, {271, 1}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    static const guint lengths[] = { 1, 50 };

    for (guint j = 0; j < G_N_ELEMENTS (lengths); j++) {
      FormatPicture picture;

      format_picture_init (&picture, format, sizes[i][0], sizes[i][1]);
      histogram_fill_runs (&picture, lengths[j]);
      check_picture (&picture);
      format_picture_clear (&picture);
    }
  }
}

static void
test_formats (void)
{
  for (guint i = 0; ocl_formats[i]; i++)
    check_format (ocl_formats[i]);
}

/* Every level of a component, in all channels. */
static void
test_all_levels (void)
{
  if (histogram_skip_for_tools ())
    return;
  for (guint i = 0; ocl_formats[i]; i++) {
    FormatPicture picture;

    format_picture_init (&picture, ocl_formats[i], 512, 512);
    for (guint c = 0; c < 3 && ocl_formats[i]->channels[c].step; c++) {
      const gint width = format_picture_get_width (&picture, c);
      const gint height = format_picture_get_height (&picture, c);

      for (gint j = 0; j < width * height; j++)
        format_picture_set_component (&picture, c, j % width, j / width,
            j + 7 * c);
    }
    check_picture (&picture);
    format_picture_clear (&picture);
  }
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

static void
check_sample (const Sample * sample)
{
  const OclFormat *format = ocl_format_find (sample->format);
  OclHistogramCounts expected = { 0, };
  FormatPicture picture;
  guint n = 0;

  format_picture_init (&picture, format, 1, 1);
  for (guint plane = 0; plane < format->n_planes; plane++) {
    for (guint i = 0; i < format->planes[plane].n_components; i++, n++)
      format_picture_set_in_row (&picture, plane, i, 0, sample->components[n]);
  }
  for (guint c = 0; c < ocl_histogram_get_n_channels (format); c++) {
    g_assert_cmpstr (ocl_histogram_get_channel_name (format, c), ==,
        sample->names[c]);
    expected.counts[c][sample->bins[c]] = 1;
  }
  for (guint i = 0; i < device.n_counters; i++)
    check_count (device.counters[i], &picture, OCL_STORAGE_BUFFER, &expected);
  check_picture (&picture);
  format_picture_clear (&picture);
}

static void
test_formats_by_hand (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    check_sample (&samples[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/formats", test_formats);
  g_test_add_func ("/histogram/formats-by-hand", test_formats_by_hand);
  g_test_add_func ("/histogram/all-levels", test_all_levels);

  histogram_device_init (&device);
  int result = g_test_run ();
  histogram_device_clear (&device);
  return result;
}
