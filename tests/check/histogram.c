/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both variants of the histograms, in images and in buffers, against the
 * reference, and the overlay against its definition in oclhistogramoverlay.h:
 * each count and each byte as it should be.
 *
 * With the environment variable GLOPENCL_TEST_STORAGE=buffer images are left
 * out, for tools that run kernels on buffers only, and so are frames that such
 * tools take minutes for. */

#include <string.h>

#include "opencl/oclhistogram.h"
#include "opencl/oclhistogramoverlay.h"
#include "picture.h"
#include "reference.h"

/* Where counts are kept: not the first place. */
#define SLOT 2

typedef struct
{
  OclHistogramVariant variant;
  OclHistogram *histogram;      /* for every storage */
} Counter;

static OclContext *context;
static OclHistogramOverlay *overlay;
static Counter counters[] = {
  {OCL_HISTOGRAM_VARIANT_GROUPS, NULL},
  {OCL_HISTOGRAM_VARIANT_BANDS, NULL},
};

static const OclStorage storages[] = { OCL_STORAGE_BUFFER, OCL_STORAGE_IMAGE };

static gboolean
is_left_out (OclStorage storage)
{
  return storage == OCL_STORAGE_IMAGE
      && g_strcmp0 (g_getenv ("GLOPENCL_TEST_STORAGE"), "buffer") == 0;
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

/* The counts of @picture, which are the same on the device as on the host. */
static void
count (OclHistogram * histogram, OclStorage storage, Picture * picture,
    gboolean bgra, OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  Picture before;
  OclHistogramCounts on_device;
  GError *error = NULL;

  picture_init_copy (&before, picture);
  OclFrame frame = picture_create_frame (picture, context, storage, bgra);
  gboolean ok = ocl_histogram_enqueue (histogram, &frame, timer, &error)
      && ocl_histogram_enqueue_read (histogram, SLOT, timer, &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueReadBuffer (context->queue,
          ocl_histogram_get_memory (histogram), CL_TRUE, 0,
          sizeof (on_device), &on_device, 0, NULL, NULL), ==, CL_SUCCESS);
  *counts = *ocl_histogram_get_counts (histogram, SLOT);
  g_assert_cmpmem (counts, sizeof (*counts), &on_device, sizeof (on_device));

  picture_download (picture, context, &frame);
  assert_equal_pictures (picture, &before);
  ocl_frame_clear (&frame);
  picture_clear (&before);
}

/* Counts in every way there is. */
static void
assert_counts (Picture * picture, gboolean bgra,
    const OclHistogramCounts * expected)
{
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (storages); j++) {
      OclHistogramCounts counts;

      if (is_left_out (storages[j]))
        continue;
      count (counters[i].histogram, storages[j], picture, bgra, &counts);
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
  OclHistogramCounts expected;

  get_expected_counts (picture, &expected);
  assert_counts (picture, FALSE, &expected);
  picture_swap_red_and_blue (picture);
  assert_counts (picture, TRUE, &expected);
  picture_swap_red_and_blue (picture);
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
  assert_counts (&picture, FALSE, &expected);
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
  assert_counts (&picture, FALSE, &expected);
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
check_unread (OclHistogram * histogram, OclStorage storage)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclHistogramCounts expected;
  OclFrame frames[2];
  Picture pictures[2];
  GError *error = NULL;

  picture_init (&pictures[0], 40, 30);
  picture_init (&pictures[1], 33, 21);
  fill_noise (&pictures[0]);
  fill_scene (&pictures[1]);
  get_expected_counts (&pictures[1], &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    frames[i] = picture_create_frame (&pictures[i], context, storage, FALSE);
    gboolean ok = ocl_histogram_enqueue (histogram, &frames[i], timer, &error);
    assert_ok (ok, error);
  }
  gboolean ok = ocl_histogram_enqueue_read (histogram, SLOT, timer, &error)
      && ocl_context_finish (context, &error);
  assert_ok (ok, error);
  assert_equal_counts (ocl_histogram_get_counts (histogram, SLOT), &expected);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    ocl_frame_clear (&frames[i]);
    picture_clear (&pictures[i]);
  }
}

static void
test_unread (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (storages); j++) {
      if (!is_left_out (storages[j]))
        check_unread (counters[i].histogram, storages[j]);
    }
  }
}

/* Whichever variant suits the device counts; there are counts once there is a
 * kernel. */
static void
test_auto (void)
{
  g_autoptr (OclHistogram) histogram = ocl_histogram_new (context,
      OCL_HISTOGRAM_VARIANT_AUTO, SLOT + 1);
  OclHistogramCounts counts, expected;
  Picture picture;
  GError *error = NULL;

  g_assert_null (ocl_histogram_get_memory (histogram));
  gboolean ok = ocl_histogram_prepare (histogram, OCL_STORAGE_BUFFER, &error);
  assert_ok (ok, error);
  picture_init (&picture, 51, 20);
  fill_scene (&picture);
  get_expected_counts (&picture, &expected);
  count (histogram, OCL_STORAGE_BUFFER, &picture, FALSE, &counts);
  assert_equal_counts (&counts, &expected);
  picture_clear (&picture);
}

/* The panel of oclhistogramoverlay.h. */
typedef struct
{
  const OclHistogramCounts *counts;
  guint32 peak;
  gint scale;
  gint x;
  gint y;
  gint width;
  gint height;
} Panel;

static Panel
get_panel (const Picture * picture, const OclHistogramCounts * counts)
{
  Panel panel = {.counts = counts,.peak = 1 };

  panel.scale = MAX (1, picture->height / 480);
  panel.width = MIN (256 * panel.scale, picture->width);
  panel.height = MIN (100 * panel.scale, picture->height);
  panel.x = picture->width - panel.width
      - MIN (8 * panel.scale, picture->width - panel.width);
  panel.y = MIN (8 * panel.scale, picture->height - panel.height);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (gint bin = 1; bin <= 254; bin++)
      panel.peak = MAX (panel.peak, counts->counts[c][bin]);
  }
  return panel;
}

static gint
get_level (const Panel * panel, OclHistogramChannel channel, gint x)
{
  guint64 n = panel->counts->counts[channel][x * 256 / panel->width];

  return MIN ((guint64) panel->height, n * panel->height / panel->peak);
}

/* Whether the pixel in column @x that has @a below it is on the luma's line,
 * which starts in the first column. */
static gboolean
is_on_line (const Panel * panel, gint x, gint a)
{
  gint here = MIN (get_level (panel, OCL_HISTOGRAM_LUMA, x),
      panel->height - 1);
  gint before = MIN (get_level (panel, OCL_HISTOGRAM_LUMA, MAX (0, x - 1)),
      panel->height - 1);

  return MIN (here, before) - panel->scale < a && a <= MAX (here, before);
}

static void
draw_expected (Picture * picture, gboolean bgra,
    const OclHistogramCounts * counts)
{
  const Panel panel = get_panel (picture, counts);

  for (gint a = 0; a < panel.height; a++) {
    for (gint x = 0; x < panel.width; x++) {
      guint8 *pixel = picture_get_pixel (picture, panel.x + x,
          panel.y + panel.height - 1 - a);
      gboolean on_line = is_on_line (&panel, x, a);

      for (gint c = 0; c < 3; c++) {
        guint8 *value = pixel + (bgra ? 2 - c : c);

        *value = on_line ? 255
            : *value / 2 + (a < get_level (&panel, c, x) ? 128 : 0);
      }
    }
  }
}

static void
draw (OclStorage storage, Picture * picture, gboolean bgra,
    const OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclHistogramCounts copy = *counts;
  GError *error = NULL;
  cl_int status = CL_SUCCESS;
  cl_mem memory = clCreateBuffer (context->context,
      CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof (copy), &copy, &status);
  g_assert_cmpint (status, ==, CL_SUCCESS);

  OclFrame frame = picture_create_frame (picture, context, storage, bgra);
  gboolean ok = ocl_histogram_overlay_enqueue (overlay, memory, &frame, timer,
      &error);
  assert_ok (ok, error);
  picture_download (picture, context, &frame);
  ocl_frame_clear (&frame);
  clReleaseMemObject (memory);
}

/* All of the memory in which the frame lies. */
static void
check_overlay (const Picture * source, const OclHistogramCounts * counts)
{
  for (gint bgra = FALSE; bgra <= TRUE; bgra++) {
    Picture expected;

    picture_init_copy (&expected, source);
    draw_expected (&expected, bgra, counts);
    for (guint i = 0; i < G_N_ELEMENTS (storages); i++) {
      Picture picture;

      if (is_left_out (storages[i]))
        continue;
      picture_init_copy (&picture, source);
      draw (storages[i], &picture, bgra, counts);
      assert_equal_pictures (&picture, &expected);
      picture_clear (&picture);
    }
    picture_clear (&expected);
  }
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
  OclHistogram *histogram = counters[0].histogram;
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclHistogramCounts counts;
  Picture picture, expected;
  GError *error = NULL;

  picture_init (&picture, 320, 200);
  fill_scene (&picture);
  get_expected_counts (&picture, &counts);
  picture_init_copy (&expected, &picture);
  draw_expected (&expected, FALSE, &counts);

  OclFrame frame = picture_create_frame (&picture, context,
      OCL_STORAGE_BUFFER, FALSE);
  gboolean ok = ocl_histogram_enqueue (histogram, &frame, timer, &error)
      && ocl_histogram_overlay_enqueue (overlay,
      ocl_histogram_get_memory (histogram), &frame, timer, &error);
  assert_ok (ok, error);
  picture_download (&picture, context, &frame);
  assert_equal_pictures (&picture, &expected);
  ocl_frame_clear (&frame);
  picture_clear (&expected);
  picture_clear (&picture);
}

static void
open_device (void)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) devices = ocl_device_list (&error);

  g_assert_no_error (error);
  g_test_message ("on %s", ((OclDevice *) devices->pdata[0])->name);
  context = ocl_context_new (devices->pdata[0], NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++) {
    counters[i].histogram = ocl_histogram_new (context, counters[i].variant,
        SLOT + 1);
    for (guint j = 0; j < G_N_ELEMENTS (storages); j++) {
      if (is_left_out (storages[j]))
        continue;
      gboolean ok = ocl_histogram_prepare (counters[i].histogram, storages[j],
          &error);
      assert_ok (ok, error);
    }
  }
  overlay = ocl_histogram_overlay_new (context);
  gboolean ok = ocl_histogram_overlay_prepare (overlay, &error);
  assert_ok (ok, error);
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
  ocl_histogram_overlay_free (overlay);
  for (guint i = 0; i < G_N_ELEMENTS (counters); i++)
    ocl_histogram_free (counters[i].histogram);
  ocl_context_unref (context);
  return result;
}
