/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both variants of the histograms, in images and in buffers, against the
 * reference, and so the overlay: each count and each byte as it should be.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images are left
 * out, for tools that run kernels on buffers only, and so are frames that such
 * tools take minutes for. */

#include <string.h>

#include "opencl/histogram/oclhistogram.h"
#include "opencl/histogram/oclhistogramoverlay.h"
#include "picture.h"
#include "reference.h"

#define MAX_COUNTERS 8

static OclContext *context;
static OclOperation *counters[MAX_COUNTERS];    /* of each variant */
static guint n_counters;
static OclOperation *overlay;

/* What a picture's bytes are: RGBA, or BGRA by a frame's format or by that of
 * an image that is shared as one of RGBA. */
typedef struct
{
  const gchar *bytes;
  const gchar *format;
  OclStorage storage;
  gboolean bytes_swapped;
} Kind;

static const Kind kinds[] = {
  {"RGBA", "RGBA", OCL_STORAGE_BUFFER, FALSE},
  {"RGBA", "RGBA", OCL_STORAGE_IMAGE, FALSE},
  {"BGRA", "BGRA", OCL_STORAGE_BUFFER, FALSE},
  {"BGRA", "BGRA", OCL_STORAGE_IMAGE, FALSE},
  {"BGRA", "RGBA", OCL_STORAGE_IMAGE, TRUE},
};

static OclFrame
create_frame (Picture * picture, const Kind * kind)
{
  const OclFrame like = {.format = ocl_format_find (kind->format),
    .storage = kind->storage,.bytes_swapped = kind->bytes_swapped
  };

  return picture_create_frame (picture, context, &like);
}

static gboolean
skip_for_tools (void)
{
  if (!is_left_out (OCL_STORAGE_IMAGE))
    return FALSE;
  g_test_skip ("too large for tools that interpret kernels");
  return TRUE;
}

static void
set_pixel (guint8 * pixel, guint32 rgba)
{
  pixel[0] = rgba >> 24;
  pixel[1] = rgba >> 16;
  pixel[2] = rgba >> 8;
  pixel[3] = rgba;
}

static void
fill_noise (Picture * picture)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (picture->width);

  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++)
      set_pixel (picture_get_pixel (picture, x, y), g_rand_int (random));
  }
}

/* Gradients, edges and noise, and parts that are too bright or too dark. */
static void
fill_scene (Picture * picture)
{
  picture_fill (picture, picture->height);
}

/* Runs of equal values along y, or along x. */
static void
fill_gradient_in_x (Picture * picture)
{
  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++)
      set_pixel (picture_get_pixel (picture, x, y),
          (guint32) x << 24 | (255 - x % 256) << 16 | (x / 2 % 256) << 8);
  }
}

static void
fill_gradient_in_y (Picture * picture)
{
  for (gint y = 0; y < picture->height; y++) {
    for (gint x = 0; x < picture->width; x++)
      set_pixel (picture_get_pixel (picture, x, y),
          (guint32) y << 24 | (255 - y % 256) << 16 | (y / 2 % 256) << 8);
  }
}

static void
fill_color (Picture * picture, guint32 rgba)
{
  for (gint x = 0; x < picture->width; x++)
    set_pixel (picture_get_pixel (picture, x, 0), rgba);
  for (gint y = 1; y < picture->height; y++)
    memcpy (picture_get_pixel (picture, 0, y), picture->pixels,
        picture->width * 4);
}

static void
assert_equal_pictures (const Picture * actual, const Picture * expected)
{
  const gsize size = picture_get_size (expected);

  if (memcmp (actual->bytes, expected->bytes, size) == 0)
    return;
  for (gsize i = 0; i < size; i++) {
    if (actual->bytes[i] != expected->bytes[i])
      g_error ("%dx%d: byte %" G_GSIZE_FORMAT " of row %" G_GSIZE_FORMAT
          " is %u, not %u", expected->width, expected->height,
          (i - MARGIN) % expected->stride, (i - MARGIN) / expected->stride,
          actual->bytes[i], expected->bytes[i]);
  }
}

static void
assert_equal_counts (const OclHistogramCounts * actual,
    const OclHistogramCounts * expected)
{
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (gint bin = 0; bin < OCL_HISTOGRAM_BINS; bin++) {
      if (actual->counts[c][bin] != expected->counts[c][bin])
        g_error ("channel %d has %u in bin %d, not %u", c,
            actual->counts[c][bin], bin, expected->counts[c][bin]);
    }
  }
}

static void
assert_sums (const OclHistogramCounts * counts, guint64 n_pixels)
{
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    guint64 sum = 0;

    for (gint bin = 0; bin < OCL_HISTOGRAM_BINS; bin++)
      sum += counts->counts[c][bin];
    g_assert_cmpuint (sum, ==, n_pixels);
  }
}

static void
enqueue (OclOperation * operation, const OclRun * run)
{
  const OclFrame *frame = run->input ? run->input : run->output;
  GError *error = NULL;

  gboolean ok = ocl_operation_prepare (operation, frame, NULL, &error)
      && ocl_result_ensure (run->result, context, sizeof (OclHistogramCounts),
      &error)
      && ocl_operation_enqueue (operation, run, &error);
  assert_ok (ok, error);
}

static void
read_counts (OclResult * result, OclTimer * timer, OclHistogramCounts * counts)
{
  GError *error = NULL;

  gboolean ok = ocl_result_enqueue_read (result, context, sizeof (*counts),
      timer, &error)
      && ocl_context_finish (context, &error);
  assert_ok (ok, error);
  memcpy (counts, result->host.data, sizeof (*counts));
}

/* The counts of @picture, which are the same on the device as on the host. */
static void
count (OclOperation * histogram, const Kind * kind, Picture * picture,
    OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  Picture before;
  OclHistogramCounts on_device;

  picture_init_copy (&before, picture);
  OclFrame frame = create_frame (picture, kind);
  const OclRun run = {.input = &frame,.result = &result,.timer = timer };

  enqueue (histogram, &run);
  read_counts (&result, timer, counts);
  g_assert_cmpint (clEnqueueReadBuffer (context->queue, result.device.memory,
          CL_TRUE, 0, sizeof (on_device), &on_device, 0, NULL, NULL), ==,
      CL_SUCCESS);
  g_assert_cmpmem (counts, sizeof (*counts), &on_device, sizeof (on_device));

  picture_download (picture, context, &frame);
  assert_equal_pictures (picture, &before);
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, context);
  picture_clear (&before);
}

/* Counts in every way there is for these bytes. */
static void
assert_counts (Picture * picture, const gchar * bytes,
    const OclHistogramCounts * expected)
{
  for (guint i = 0; i < n_counters; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (kinds); j++) {
      OclHistogramCounts counts;

      if (!g_str_equal (kinds[j].bytes, bytes)
          || is_left_out (kinds[j].storage))
        continue;
      count (counters[i], &kinds[j], picture, &counts);
      assert_sums (&counts, (guint64) picture->width * picture->height);
      assert_equal_counts (&counts, expected);
    }
  }
}

static void
get_expected_counts (const Picture * picture, OclHistogramCounts * expected)
{
  reference_histogram (picture->pixels, picture->stride, picture->width,
      picture->height, expected->counts);
}

/* Against the reference, red first and blue first. */
static void
check_picture (Picture * picture)
{
  const OclFormat *bgra = ocl_format_find ("BGRA");
  OclHistogramCounts expected;

  get_expected_counts (picture, &expected);
  assert_counts (picture, "RGBA", &expected);
  picture_convert (picture, OCL_FORMAT_RGBA, bgra);
  assert_counts (picture, "BGRA", &expected);
  picture_convert (picture, bgra, OCL_FORMAT_RGBA);
}

static void
check_filled (void (*fill) (Picture * picture), gint width, gint height)
{
  Picture picture;

  picture_init (&picture, width, height);
  fill (&picture);
  check_picture (&picture);
  picture_clear (&picture);
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
    set_pixel (picture_get_pixel (&picture, i, 0), colors[i]);
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

/* Less, as much and more than a vector, a work-group and a band. */
static void
test_sizes (void)
{
  static const gint sizes[][2] = { {1, 1}, {1, 19}, {1, 700}, {23, 1},
  {700, 1}, {15, 9}, {16, 9}, {17, 9}, {33, 5}, {257, 7}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    check_filled (fill_noise, sizes[i][0], sizes[i][1]);
    check_filled (fill_scene, sizes[i][0], sizes[i][1]);
  }
}

static void
test_gradients (void)
{
  check_filled (fill_gradient_in_x, 300, 41);
  check_filled (fill_gradient_in_y, 41, 300);
}

static void
test_constant (void)
{
  static const guint32 colors[] = { 0x00000000, 0xffffffff, 0x4d4d4d4d,
    0x4d00ff10
  };
  Picture picture;

  picture_init (&picture, 67, 31);
  for (guint i = 0; i < G_N_ELEMENTS (colors); i++) {
    fill_color (&picture, colors[i]);
    check_picture (&picture);
  }
  picture_clear (&picture);
}

static void
test_video_size (void)
{
  check_filled (fill_scene, 640, 480);
  check_filled (fill_noise, 640, 480);
}

/* All in one bin of each channel. */
static void
test_largest (void)
{
  const guint32 n_pixels = 7680 * 4320;
  OclHistogramCounts expected = { 0, };
  Picture picture;

  if (skip_for_tools ())
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
      set_pixel (picture_get_pixel (&picture, n++, 0), first[sum]);
      set_pixel (picture_get_pixel (&picture, n++, 0), last[sum]);
    }
    picture.width = n;
    check_picture (&picture);
    /* The reference, too, has two in each bin, however it divides. */
    get_expected_counts (&picture, &counts);
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

  if (skip_for_tools ())
    return;
  picture_init (&picture, 4096, 4096);
  for (guint32 rgb = 0; rgb < 1 << 24; rgb++)
    set_pixel (picture_get_pixel (&picture, rgb % 4096, rgb / 4096),
        rgb << 8 | (rgb & 255));
  check_picture (&picture);
  picture_clear (&picture);
}

/* What is read are the counts of the last frame, even where those of the frame
 * before were not. */
static void
check_unread (OclOperation * histogram, const Kind * kind)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  OclHistogramCounts counts, expected;
  OclFrame frames[2];
  Picture pictures[2];

  picture_init (&pictures[0], 40, 30);
  picture_init (&pictures[1], 33, 21);
  fill_noise (&pictures[0]);
  fill_scene (&pictures[1]);
  get_expected_counts (&pictures[1], &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    picture_convert (&pictures[i], OCL_FORMAT_RGBA,
        ocl_format_find (kind->bytes));
    frames[i] = create_frame (&pictures[i], kind);
    const OclRun run = {.input = &frames[i],.result = &result,
      .timer = timer
    };
    enqueue (histogram, &run);
  }
  read_counts (&result, timer, &counts);
  assert_equal_counts (&counts, &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    ocl_frame_clear (&frames[i]);
    picture_clear (&pictures[i]);
  }
  ocl_result_clear (&result, context);
}

static void
test_unread (void)
{
  for (guint i = 0; i < n_counters; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (kinds); j++) {
      if (!is_left_out (kinds[j].storage))
        check_unread (counters[i], &kinds[j]);
    }
  }
}

/* Whichever variant suits the device counts. */
static void
test_auto (void)
{
  g_autoptr (OclOperation) histogram =
      ocl_operation_new (&ocl_histogram_class, context);
  OclHistogramCounts counts, expected;
  Picture picture;

  picture_init (&picture, 51, 20);
  fill_scene (&picture);
  get_expected_counts (&picture, &expected);
  count (histogram, &kinds[0], &picture, &counts);
  assert_equal_counts (&counts, &expected);
  picture_clear (&picture);
}

static void
draw (const Kind * kind, Picture * picture, const OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclResult result = { 0, };
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (&result, context, sizeof (*counts), &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteBuffer (context->queue,
          result.device.memory, CL_TRUE, 0, sizeof (*counts), counts, 0, NULL,
          NULL), ==, CL_SUCCESS);

  OclFrame frame = create_frame (picture, kind);
  const OclRun run = {.output = &frame,.result = &result,.timer = timer };

  enqueue (overlay, &run);
  picture_download (picture, context, &frame);
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, context);
}

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
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    const OclFormat *bytes = ocl_format_find (kinds[i].bytes);
    Picture picture;

    if (is_left_out (kinds[i].storage))
      continue;
    picture_init_copy (&picture, source);
    picture_convert (&picture, OCL_FORMAT_RGBA, bytes);
    draw (&kinds[i], &picture, counts);
    picture_convert (&picture, bytes, OCL_FORMAT_RGBA);
    assert_equal_pictures (&picture, &expected);
    picture_clear (&picture);
  }
  picture_clear (&expected);
}

static void
make_no_counts (OclHistogramCounts * counts)
{
  memset (counts, 0, sizeof (*counts));
}

static void
make_one_bin (OclHistogramCounts * counts)
{
  make_no_counts (counts);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++)
    counts->counts[c][60 + 30 * c] = 33177600;
}

static void
make_clipped (OclHistogramCounts * counts)
{
  make_no_counts (counts);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    counts->counts[c][0] = 12345;
    counts->counts[c][255] = c == OCL_HISTOGRAM_RED ? 0 : 23;
  }
}

/* All that 32 bits hold. */
static void
make_random (OclHistogramCounts * counts)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (gint bin = 0; bin < OCL_HISTOGRAM_BINS; bin++)
      counts->counts[c][bin] = g_rand_int (random);
  }
}

static void
make_scene (OclHistogramCounts * counts)
{
  Picture picture;

  picture_init (&picture, 320, 240);
  fill_scene (&picture);
  get_expected_counts (&picture, counts);
  picture_clear (&picture);
}

static void
check_overlay_of_size (gint width, gint height)
{
  static void (*const makers[]) (OclHistogramCounts * counts) = {
    make_no_counts, make_one_bin, make_clipped, make_random, make_scene,
  };
  Picture picture;

  picture_init (&picture, width, height);
  fill_noise (&picture);
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++) {
    OclHistogramCounts counts;

    makers[i] (&counts);
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
  if (skip_for_tools ())
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
  fill_scene (&picture);
  get_expected_counts (&picture, &counts);
  picture_init_copy (&expected, &picture);
  draw_expected (&expected, &counts);

  OclFrame frame = create_frame (&picture, &kinds[0]);
  const OclRun counting = {.input = &frame,.result = &result,
    .timer = timer
  };
  const OclRun drawing = {.output = &frame,.result = &result,
    .timer = timer
  };

  enqueue (counters[0], &counting);
  enqueue (overlay, &drawing);
  picture_download (&picture, context, &frame);
  assert_equal_pictures (&picture, &expected);
  ocl_frame_clear (&frame);
  ocl_result_clear (&result, context);
  picture_clear (&expected);
  picture_clear (&picture);
}

static void
open_device (void)
{
  const OclVariant *const *variants = ocl_histogram_class.variants;

  context = open_context ();
  for (; variants[n_counters]; n_counters++) {
    g_assert_cmpuint (n_counters, <, MAX_COUNTERS);
    counters[n_counters] = ocl_operation_new (&ocl_histogram_class, context);
    ocl_operation_force (counters[n_counters], variants[n_counters], NULL);
  }
  overlay = ocl_operation_new (&ocl_histogram_overlay_class, context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/histogram/by-hand", test_by_hand);
  g_test_add_func ("/histogram/sizes", test_sizes);
  g_test_add_func ("/histogram/gradients", test_gradients);
  g_test_add_func ("/histogram/constant", test_constant);
  g_test_add_func ("/histogram/video-size", test_video_size);
  g_test_add_func ("/histogram/largest", test_largest);
  g_test_add_func ("/histogram/luma-rounding", test_luma_rounding);
  g_test_add_func ("/histogram/all-colors", test_all_colors);
  g_test_add_func ("/histogram/unread", test_unread);
  g_test_add_func ("/histogram/auto", test_auto);
  g_test_add_func ("/histogram/overlay-small", test_overlay_small);
  g_test_add_func ("/histogram/overlay-large", test_overlay_large);
  g_test_add_func ("/histogram/overlay-of-counted", test_overlay_of_counted);

  open_device ();
  int result = g_test_run ();
  ocl_operation_free (overlay);
  for (guint i = 0; i < n_counters; i++)
    ocl_operation_free (counters[i]);
  ocl_context_unref (context);
  return result;
}
