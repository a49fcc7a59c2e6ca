/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the overlay of the histograms, in images and in buffers of every
 * format, against the reference: every byte must be exact. */

#include <string.h>

#include "histogramrun.h"
#include "testrandom.h"

static HistogramDevice device;

static void
draw_expected (Picture * picture, const OclHistogramCounts * counts)
{
  reference_histogram_overlay (picture->pixels, picture->stride,
      picture->width, picture->height, counts->counts);
}

/* All of the memory in which the frame lies. */
static void
check_overlay (const Picture * source, const OclHistogramCounts * counts)
{
  Picture expected;

  picture_init_copy (&expected, source);
  draw_expected (&expected, counts);
  for (guint i = 0; i < HISTOGRAM_N_KINDS; i++) {
    const OclFormat *bytes = ocl_format_find (histogram_kinds[i].bytes);
    Picture picture;

    if (is_left_out (histogram_kinds[i].storage))
      continue;
    picture_init_copy (&picture, source);
    picture_convert (&picture, OCL_FORMAT_RGBA, bytes);
    OclFrame frame =
        histogram_kind_create_frame (&histogram_kinds[i], &device, &picture);
    histogram_device_draw (&device, &frame, counts);
    picture_download (&picture, device.context, &frame);
    ocl_frame_clear (&frame);
    picture_convert (&picture, bytes, OCL_FORMAT_RGBA);
    histogram_assert_equal_pictures (&picture, &expected);
    picture_clear (&picture);
  }
  picture_clear (&expected);
}

static void
make_no_counts (OclHistogramCounts * counts, G_GNUC_UNUSED guint n_bins)
{
  memset (counts, 0, sizeof (*counts));
}

static void
make_one_bin (OclHistogramCounts * counts, guint n_bins)
{
  make_no_counts (counts, n_bins);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++)
    counts->counts[c][(60 + 30 * c) * n_bins / 256] = 33177600;
}

static void
make_clipped (OclHistogramCounts * counts, guint n_bins)
{
  make_no_counts (counts, n_bins);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    counts->counts[c][0] = 12345;
    counts->counts[c][n_bins - 1] = c == OCL_HISTOGRAM_RED ? 0 : 23;
  }
}

/* Less than a 32nd of most frames. */
static void
make_few (OclHistogramCounts * counts, guint n_bins)
{
  g_autoptr (GRand) random = test_random_new (6);

  make_no_counts (counts, n_bins);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (guint bin = 0; bin < n_bins; bin++)
      counts->counts[c][bin] = g_rand_int_range (random, 0, 100);
  }
}

static void
make_scene (OclHistogramCounts * counts, G_GNUC_UNUSED guint n_bins)
{
  Picture picture;

  picture_init (&picture, 320, 240);
  histogram_fill_scene (&picture);
  histogram_get_expected (&picture, counts);
  picture_clear (&picture);
}

static void (*const makers[]) (OclHistogramCounts * counts, guint n_bins) = {
  make_no_counts, make_one_bin, make_clipped, histogram_make_random, make_few,
  make_scene,
};

static void
check_overlay_of_size (gint width, gint height)
{
  Picture picture;

  picture_init (&picture, width, height);
  histogram_fill_noise (&picture);
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++) {
    OclHistogramCounts counts;

    makers[i] (&counts, 256);
    check_overlay (&picture, &counts);
  }
  picture_clear (&picture);
}

/* Panels as large as the frame, with and without room for the margins. */
static void
test_overlay_small (void)
{
  check_overlay_of_size (1, 1);
  check_overlay_of_size (3, 2);
  check_overlay_of_size (100, 50);
  check_overlay_of_size (261, 103);
}

static void
test_overlay_large (void)
{
  if (histogram_skip_for_tools ())
    return;
  check_overlay_of_size (640, 480);
  check_overlay_of_size (300, 960);
  check_overlay_of_size (1920, 1080);
  check_overlay_of_size (3000, 1500);
}

/* The counts of a frame, drawn on it without leaving the device. */
static void
test_overlay_of_counted (void)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  OclHistogramCounts counts;
  Picture picture, expected;

  picture_init (&picture, 320, 200);
  histogram_fill_scene (&picture);
  histogram_get_expected (&picture, &counts);
  picture_init_copy (&expected, &picture);
  draw_expected (&expected, &counts);

  OclFrame frame =
      histogram_kind_create_frame (&histogram_kinds[0], &device, &picture);
  const OclRun counting = {.input = &frame,.result = &result,
    .timer = timer
  };
  const OclRun drawing = {.output = &frame,.result = &result,
    .timer = timer
  };

  histogram_device_enqueue (&device, device.counters[0], &counting);
  histogram_device_enqueue (&device, device.overlay, &drawing);
  picture_download (&picture, device.context, &frame);
  histogram_assert_equal_pictures (&picture, &expected);
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, device.context);
  picture_clear (&expected);
  picture_clear (&picture);
}

/* The way back from the reference. */
static void
take_components (FormatPicture * picture, const ReferenceFrame * reference)
{
  for (guint c = 0; c < G_N_ELEMENTS (reference->channels)
      && reference->channels[c]; c++) {
    const gint width = format_picture_get_width (picture, c);
    const gint height = format_picture_get_height (picture, c);

    for (gint i = 0; i < width * height; i++)
      format_picture_set_component (picture, c, i % width, i / width,
          reference->channels[c][i]);
  }
}

static void
draw_on_planes (FormatPicture * picture, OclStorage storage,
    const OclHistogramCounts * counts)
{
  OclFrame frame = format_picture_create_frame_with_margins (picture,
      device.context, storage);

  histogram_device_draw (&device, &frame, counts);
  format_picture_download (picture, device.context, &frame);
  ocl_frame_clear (&frame);
}

/* All of the memory in which the frame lies. */
static void
check_overlay_on_planes (const FormatPicture * source,
    const OclHistogramCounts * counts)
{
  const OclFrame *frame = &source->frame;
  ReferenceFrame reference;
  FormatPicture expected;

  histogram_reference_init (&reference, source);
  reference_histogram_overlay_frame (&reference, counts->counts);
  format_picture_init_copy (&expected, source);
  take_components (&expected, &reference);
  histogram_reference_clear (&reference);
  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    g_autofree gchar *what = g_strdup_printf ("%s, %dx%d, storage %d",
        frame->format->name, frame->width, frame->height, storage);
    FormatPicture picture;

    if (!histogram_device_can_store (&device, frame->format, storage))
      continue;
    format_picture_init_copy (&picture, source);
    draw_on_planes (&picture, storage, counts);
    format_picture_assert_equal (&picture, &expected, what);
    format_picture_clear (&picture);
  }
  format_picture_clear (&expected);
}

static void
check_overlay_of_format (const OclFormat * format, gint width, gint height)
{
  const guint n_bins = ocl_histogram_get_n_bins (format);
  FormatPicture picture;

  format_picture_init (&picture, format, width, height);
  histogram_fill_runs (&picture, 1);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (makers); i++) {
    OclHistogramCounts counts;

    picture.frame.colorimetry.full_range = i % 2;
    makers[i / 2] (&counts, n_bins);
    check_overlay_on_planes (&picture, &counts);
  }
  format_picture_clear (&picture);
}

static void
test_overlay_formats_small (void)
{
  for (guint i = 0; ocl_formats[i]; i++) {
    check_overlay_of_format (ocl_formats[i], 1, 1);
    check_overlay_of_format (ocl_formats[i], 2, 3);
    check_overlay_of_format (ocl_formats[i], 61, 51);
  }
}

/* With edges of the panel that would be within a sample. */
static void
test_overlay_formats (void)
{
  if (histogram_skip_for_tools ())
    return;
  for (guint i = 0; ocl_formats[i]; i++) {
    check_overlay_of_format (ocl_formats[i], 261, 103);
    check_overlay_of_format (ocl_formats[i], 271, 107);
    check_overlay_of_format (ocl_formats[i], 533, 967);
  }
}

/* A level that is on the line, one above and one below it, by hand. */
static void
test_overlay_by_hand (void)
{
  static const struct
  {
    const gchar *format;
    gboolean full_range;
    guint above, line, below;   /* of 100 before */
  } cases[] = {
    {"GRAY8", FALSE, (100 + 16) / 2, 235, (100 + 16) / 2 + 110},
    {"GRAY8", TRUE, 100 / 2, 255, 100 / 2 + 128},
    {"I420", FALSE, (100 + 16) / 2, 235, (100 + 16) / 2 + 110},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    OclHistogramCounts counts = { 0, };
    FormatPicture picture;

    format_picture_init (&picture, ocl_format_find (cases[i].format), 40, 3);
    for (gint y = 0; y < 3; y++)
      format_picture_set_component (&picture, 0, 0, y, 100);
    picture.frame.colorimetry.full_range = cases[i].full_range;
    /* One third of a 32nd of the frame, so one of three pixels. */
    counts.counts[0][0] = 1;
    counts.counts[0][9] = 30;
    draw_on_planes (&picture, OCL_STORAGE_BUFFER, &counts);
    g_assert_cmpuint (format_picture_get_component (&picture, 0, 0, 0), ==,
        cases[i].above);
    g_assert_cmpuint (format_picture_get_component (&picture, 0, 0, 1), ==,
        cases[i].line);
    g_assert_cmpuint (format_picture_get_component (&picture, 0, 0, 2), ==,
        cases[i].below);
    format_picture_clear (&picture);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/overlay-small", test_overlay_small);
  g_test_add_func ("/histogram/overlay-large", test_overlay_large);
  g_test_add_func ("/histogram/overlay-of-counted", test_overlay_of_counted);
  g_test_add_func ("/histogram/overlay-formats-small",
      test_overlay_formats_small);
  g_test_add_func ("/histogram/overlay-formats", test_overlay_formats);
  g_test_add_func ("/histogram/overlay-by-hand", test_overlay_by_hand);

  histogram_device_init (&device);
  int result = g_test_run ();
  histogram_device_clear (&device);
  return result;
}
