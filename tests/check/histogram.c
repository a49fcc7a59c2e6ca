/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both variants of the histograms, in images and in buffers of every format,
 * against the reference, and so the overlay: each count and each byte as it
 * should be.
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
    for (gint bin = 0; bin < OCL_HISTOGRAM_MAX_BINS; bin++) {
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

    for (gint bin = 0; bin < OCL_HISTOGRAM_MAX_BINS; bin++)
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

/* All that 32 bits hold, of all bins of a value. */
static void
make_random (OclHistogramCounts * counts, guint n_bins)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  make_no_counts (counts, n_bins);
  for (gint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    for (guint bin = 0; bin < n_bins; bin++)
      counts->counts[c][bin] = g_rand_int (random) / (n_bins / 256);
  }
}

/* Less than a 32nd of most frames. */
static void
make_few (OclHistogramCounts * counts, guint n_bins)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

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
  fill_scene (&picture);
  get_expected_counts (&picture, counts);
  picture_clear (&picture);
}

static void (*const makers[]) (OclHistogramCounts * counts, guint n_bins) = {
  make_no_counts, make_one_bin, make_clipped, make_random, make_few, make_scene,
};

static void
check_overlay_of_size (gint width, gint height)
{
  Picture picture;

  picture_init (&picture, width, height);
  fill_noise (&picture);
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

/* Every format: planes of bytes between canaries, and their components as the
 * reference takes them. */
typedef struct
{
  OclFrame frame;               /* a buffer without memory */
  guint8 *bytes[OCL_MAX_PLANES];        /* owned; a row before and behind */
} Planes;

static gsize
planes_get_size (const Planes * planes, guint plane)
{
  return (gsize) planes->frame.planes[plane].stride
      * (ocl_frame_get_plane_height (&planes->frame, plane) + 2);
}

static guint8 *
planes_get_row (const Planes * planes, guint plane, gint y)
{
  return planes->bytes[plane] + (gsize) planes->frame.planes[plane].stride
      * (y + 1);
}

/* Rows start at any component. */
static void
planes_init (Planes * planes, const OclFormat * format, gint width, gint height)
{
  memset (planes, 0, sizeof (*planes));
  planes->frame.format = format;
  planes->frame.width = width;
  planes->frame.height = height;
  for (guint i = 0; i < format->n_planes; i++) {
    planes->frame.planes[i].stride = ocl_frame_get_row_bytes (&planes->frame,
        i) + 3 * format->component_bytes;
    planes->frame.planes[i].offset = planes->frame.planes[i].stride;
    planes->bytes[i] = g_malloc (planes_get_size (planes, i));
    memset (planes->bytes[i], CANARY, planes_get_size (planes, i));
  }
}

static void
planes_init_copy (Planes * planes, const Planes * source)
{
  *planes = *source;
  for (guint i = 0; i < source->frame.format->n_planes; i++)
    planes->bytes[i] = g_memdup2 (source->bytes[i],
        planes_get_size (source, i));
}

static void
planes_clear (Planes * planes)
{
  for (guint i = 0; i < planes->frame.format->n_planes; i++)
    g_free (planes->bytes[i]);
}

/* Any bytes, also in the bits that mean nothing; @n_equal the same in a row, in
 * which the next row begins anew. */
static void
planes_fill (Planes * planes, guint n_equal)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (planes->frame.width);

  for (guint i = 0; i < planes->frame.format->n_planes; i++) {
    const gsize group = ocl_format_get_group_bytes (planes->frame.format, i);
    const gsize size = ocl_frame_get_row_bytes (&planes->frame, i);

    for (gint y = 0; y < ocl_frame_get_plane_height (&planes->frame, i); y++) {
      guint8 *row = planes_get_row (planes, i, y);

      for (gsize x = 0; x < size; x++)
        row[x] = x / group % n_equal ? row[x - group] : g_rand_int (random);
    }
  }
}

/* A frame with these bytes: buffers on them, or images. */
static OclFrame
planes_create_frame (const Planes * planes, OclStorage storage)
{
  OclFrame frame = { 0, };
  GError *error = NULL;

  if (storage == OCL_STORAGE_IMAGE) {
    gboolean ok = ocl_frame_ensure (&frame, context, storage, &planes->frame,
        &error);
    assert_ok (ok, error);
  } else {
    frame = planes->frame;
  }
  for (guint i = 0; i < frame.format->n_planes; i++) {
    const size_t origin[3] = { 0, 0, 0 };
    const size_t region[3] = { ocl_frame_get_plane_width (&frame, i),
      ocl_frame_get_plane_height (&frame, i), 1
    };
    const gint stride = planes->frame.planes[i].stride;
    cl_int status = CL_SUCCESS;

    if (storage == OCL_STORAGE_IMAGE)
      status = clEnqueueWriteImage (context->queue, frame.planes[i].memory,
          CL_TRUE, origin, region, stride, 0, planes_get_row (planes, i, 0), 0,
          NULL, NULL);
    else
      frame.planes[i].memory = clCreateBuffer (context->context,
          CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
          planes_get_size (planes, i), planes->bytes[i], &status);
    g_assert_cmpint (status, ==, CL_SUCCESS);
  }
  return frame;
}

/* Ends a frame; its bytes are those of @planes again. */
static void
planes_take_back (Planes * planes, OclFrame * frame)
{
  for (guint i = 0; i < frame->format->n_planes; i++) {
    const size_t origin[3] = { 0, 0, 0 };
    const size_t region[3] = { ocl_frame_get_plane_width (frame, i),
      ocl_frame_get_plane_height (frame, i), 1
    };
    const cl_mem memory = frame->planes[i].memory;
    cl_int status;

    if (frame->storage == OCL_STORAGE_IMAGE) {
      status = clEnqueueReadImage (context->queue, memory, CL_TRUE, origin,
          region, planes->frame.planes[i].stride, 0,
          planes_get_row (planes, i, 0), 0, NULL, NULL);
    } else {
      void *data = clEnqueueMapBuffer (context->queue, memory, CL_TRUE,
          CL_MAP_READ, 0, planes_get_size (planes, i), 0, NULL, NULL, &status);

      g_assert_true (data == planes->bytes[i]);
      clEnqueueUnmapMemObject (context->queue, memory, data, 0, NULL, NULL);
      clFinish (context->queue);
    }
    g_assert_cmpint (status, ==, CL_SUCCESS);
  }
  ocl_frame_clear (frame);
}

static void
assert_equal_planes (const Planes * actual, const Planes * expected,
    const gchar * what)
{
  for (guint i = 0; i < expected->frame.format->n_planes; i++) {
    const gint stride = expected->frame.planes[i].stride;

    for (gsize j = 0; j < planes_get_size (expected, i); j++) {
      if (actual->bytes[i][j] != expected->bytes[i][j])
        g_error ("%s: byte %d of row %d of plane %u is %u, not %u", what,
            (gint) j % stride, (gint) j / stride - 1, i, actual->bytes[i][j],
            expected->bytes[i][j]);
    }
  }
}

/* Whether the device has all images that the format needs. */
static gboolean
has_images (const OclFormat * format)
{
  cl_image_format all[256];
  cl_uint n = 0;
  guint n_found = 0;

  g_assert_cmpint (clGetSupportedImageFormats (context->context,
          CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, G_N_ELEMENTS (all), all,
          &n), ==, CL_SUCCESS);
  for (guint plane = 0; plane < format->n_planes; plane++) {
    const cl_image_format needed = ocl_format_get_image_format (format, plane);
    guint i = 0;

    while (i < MIN (n, G_N_ELEMENTS (all))
        && memcmp (&all[i], &needed, sizeof (needed)) != 0)
      i++;
    n_found += i < MIN (n, G_N_ELEMENTS (all));
  }
  return n_found == format->n_planes;
}

static gboolean
can_store (const OclFormat * format, OclStorage storage)
{
  return !is_left_out (storage)
      && (storage == OCL_STORAGE_BUFFER || has_images (format));
}

/* Where a component is. */
static guint8 *
find_component (const Planes * planes, guint channel, gint x, gint y)
{
  const OclFormat *format = planes->frame.format;
  const OclChannel *where = &format->channels[channel];

  return planes_get_row (planes, where->plane, y)
      + (where->offset + x * where->step) * format->component_bytes;
}

static void
get_samples (const OclFrame * frame, guint channel, gint * width, gint * height)
{
  const gboolean is_difference =
      frame->format->model == OCL_MODEL_YCBCR && channel > 0;

  *width = ocl_format_count_samples (frame->width,
      is_difference ? frame->format->chroma_x_shift : 0);
  *height = ocl_format_count_samples (frame->height,
      is_difference ? frame->format->chroma_y_shift : 0);
}

/* What the reference takes; end with reference_frame_clear(). */
static ReferenceFrame
planes_describe (const Planes * planes)
{
  const OclFrame *frame = &planes->frame;
  const OclFormat *format = frame->format;
  ReferenceFrame reference = {.model = (ReferenceModel) format->model,
    .depth = format->depth,.shift = format->shift,
    .full_range = frame->colorimetry.full_range,
    .width = frame->width,.height = frame->height,
    .x_shift = format->chroma_x_shift,.y_shift = format->chroma_y_shift
  };

  for (guint c = 0; c < (format->model == OCL_MODEL_GREY ? 1 : 3); c++) {
    gint width, height;

    get_samples (frame, c, &width, &height);
    reference.channels[c] = g_new (guint16, width * height);
    for (gint i = 0; i < width * height; i++) {
      const guint8 *bytes = find_component (planes, c, i % width, i / width);

      reference.channels[c][i] =
          format->component_bytes == 1 ? bytes[0] : bytes[0] | bytes[1] << 8;
    }
  }
  return reference;
}

static void
reference_frame_clear (ReferenceFrame * reference)
{
  for (guint c = 0; c < 3; c++)
    g_free (reference->channels[c]);
}

/* The way back. */
static void
planes_take (Planes * planes, const ReferenceFrame * reference)
{
  const OclFormat *format = planes->frame.format;

  for (guint c = 0; c < 3 && reference->channels[c]; c++) {
    gint width, height;

    get_samples (&planes->frame, c, &width, &height);
    for (gint i = 0; i < width * height; i++) {
      guint8 *bytes = find_component (planes, c, i % width, i / width);

      bytes[0] = reference->channels[c][i];
      if (format->component_bytes == 2)
        bytes[1] = reference->channels[c][i] >> 8;
    }
  }
}

static void
write_counts (OclResult * result, const OclHistogramCounts * counts)
{
  GError *error = NULL;

  gboolean ok = ocl_result_ensure (result, context, sizeof (*counts), &error);
  assert_ok (ok, error);
  g_assert_cmpint (clEnqueueWriteBuffer (context->queue,
          result->device.memory, CL_TRUE, 0, sizeof (*counts), counts, 0, NULL,
          NULL), ==, CL_SUCCESS);
}

/* Whatever was counted before, and without changing the frame. */
static void
check_count_of_planes (OclOperation * histogram, Planes * planes,
    OclStorage storage, const OclHistogramCounts * expected)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame frame = planes_create_frame (planes, storage);
  OclResult result = { 0, };
  const OclRun run = {.input = &frame,.result = &result,.timer = timer };
  OclHistogramCounts counts;
  Planes before;

  planes_init_copy (&before, planes);
  make_random (&counts, OCL_HISTOGRAM_MAX_BINS);
  write_counts (&result, &counts);
  enqueue (histogram, &run);
  read_counts (&result, timer, &counts);
  assert_equal_counts (&counts, expected);
  planes_take_back (planes, &frame);
  assert_equal_planes (planes, &before, "counted");
  ocl_result_clear (&result, context);
  planes_clear (&before);
}

static void
assert_sums_of_planes (const OclFrame * frame,
    const OclHistogramCounts * counts)
{
  const guint n_bins = ocl_histogram_get_n_bins (frame->format);

  for (guint c = 0; c < OCL_HISTOGRAM_N_CHANNELS; c++) {
    const gboolean has = c < ocl_histogram_get_n_channels (frame->format);
    gint width, height;
    guint64 sum = 0;

    get_samples (frame, c, &width, &height);
    for (guint bin = 0; bin < n_bins; bin++)
      sum += counts->counts[c][bin];
    g_assert_cmpuint (sum, ==, has ? (guint64) width * height : 0);
  }
}

static void
check_planes (Planes * planes)
{
  OclHistogramCounts expected;
  ReferenceFrame reference = planes_describe (planes);

  reference_histogram_frame (&reference, expected.counts);
  reference_frame_clear (&reference);
  assert_sums_of_planes (&planes->frame, &expected);
  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    if (!can_store (planes->frame.format, storage))
      continue;
    for (guint i = 0; i < n_counters; i++)
      check_count_of_planes (counters[i], planes, storage, &expected);
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
      Planes planes;

      planes_init (&planes, format, sizes[i][0], sizes[i][1]);
      planes_fill (&planes, lengths[j]);
      check_planes (&planes);
      planes_clear (&planes);
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
  if (skip_for_tools ())
    return;
  for (guint i = 0; ocl_formats[i]; i++) {
    Planes planes;

    planes_init (&planes, ocl_formats[i], 512, 512);
    for (guint c = 0; c < 3 && ocl_formats[i]->channels[c].step; c++) {
      gint width, height;

      get_samples (&planes.frame, c, &width, &height);
      for (gint j = 0; j < width * height; j++) {
        guint8 *bytes = find_component (&planes, c, j % width, j / width);

        bytes[0] = j + 7 * c;
        if (ocl_formats[i]->component_bytes == 2)
          bytes[1] = (j + 7 * c) >> 8;
      }
    }
    check_planes (&planes);
    planes_clear (&planes);
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
  {"Y212_LE", {5 << 4 | 15, 4095 << 4 | 15, 999, 2048 << 4},
      {"luma", "cb", "cr"}, {1, 1023, 512}},
};

static void
check_sample (const Sample * sample)
{
  const OclFormat *format = ocl_format_find (sample->format);
  OclHistogramCounts expected = { 0, };
  Planes planes;
  guint n = 0;

  planes_init (&planes, format, 1, 1);
  for (guint plane = 0; plane < format->n_planes; plane++) {
    for (guint i = 0; i < format->planes[plane].n_components; i++, n++) {
      guint8 *bytes = planes_get_row (&planes, plane, 0);

      if (format->component_bytes == 1) {
        bytes[i] = sample->components[n];
      } else {
        bytes[2 * i] = sample->components[n];
        bytes[2 * i + 1] = sample->components[n] >> 8;
      }
    }
  }
  for (guint c = 0; c < ocl_histogram_get_n_channels (format); c++) {
    g_assert_cmpstr (ocl_histogram_get_channel_name (format, c), ==,
        sample->names[c]);
    expected.counts[c][sample->bins[c]] = 1;
  }
  for (guint i = 0; i < n_counters; i++)
    check_count_of_planes (counters[i], &planes, OCL_STORAGE_BUFFER, &expected);
  check_planes (&planes);
  planes_clear (&planes);
}

static void
test_formats_by_hand (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    check_sample (&samples[i]);
}

static void
draw_on_planes (Planes * planes, OclStorage storage,
    const OclHistogramCounts * counts)
{
  g_autoptr (OclTimer) timer = ocl_timer_new ();
  OclFrame frame = planes_create_frame (planes, storage);
  OclResult result = { 0, };
  const OclRun run = {.output = &frame,.result = &result,.timer = timer };

  write_counts (&result, counts);
  enqueue (overlay, &run);
  planes_take_back (planes, &frame);
  ocl_result_clear (&result, context);
}

/* All of the memory in which the frame lies. */
static void
check_overlay_of_planes (const Planes * source,
    const OclHistogramCounts * counts)
{
  const OclFrame *frame = &source->frame;
  ReferenceFrame reference = planes_describe (source);
  Planes expected;

  planes_init_copy (&expected, source);
  reference_histogram_overlay_frame (&reference, counts->counts);
  planes_take (&expected, &reference);
  for (gint storage = 0; storage < OCL_N_STORAGES; storage++) {
    g_autofree gchar *what = g_strdup_printf ("%s, %dx%d, storage %d",
        frame->format->name, frame->width, frame->height, storage);
    Planes planes;

    if (!can_store (frame->format, storage))
      continue;
    planes_init_copy (&planes, source);
    draw_on_planes (&planes, storage, counts);
    assert_equal_planes (&planes, &expected, what);
    planes_clear (&planes);
  }
  reference_frame_clear (&reference);
  planes_clear (&expected);
}

static void
check_overlay_of_format (const OclFormat * format, gint width, gint height)
{
  const guint n_bins = ocl_histogram_get_n_bins (format);
  Planes planes;

  planes_init (&planes, format, width, height);
  planes_fill (&planes, 1);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (makers); i++) {
    OclHistogramCounts counts;

    planes.frame.colorimetry.full_range = i % 2;
    makers[i / 2] (&counts, n_bins);
    check_overlay_of_planes (&planes, &counts);
  }
  planes_clear (&planes);
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
  if (skip_for_tools ())
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
    Planes planes;

    planes_init (&planes, ocl_format_find (cases[i].format), 40, 3);
    for (gint y = 0; y < 3; y++)
      *find_component (&planes, 0, 0, y) = 100;
    planes.frame.colorimetry.full_range = cases[i].full_range;
    /* One third of a 32nd of the frame, so one of three pixels. */
    counts.counts[0][0] = 1;
    counts.counts[0][9] = 30;
    draw_on_planes (&planes, OCL_STORAGE_BUFFER, &counts);
    g_assert_cmpuint (*find_component (&planes, 0, 0, 0), ==, cases[i].above);
    g_assert_cmpuint (*find_component (&planes, 0, 0, 1), ==, cases[i].line);
    g_assert_cmpuint (*find_component (&planes, 0, 0, 2), ==, cases[i].below);
    planes_clear (&planes);
  }
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
  g_test_add_func ("/histogram/formats", test_formats);
  g_test_add_func ("/histogram/formats-by-hand", test_formats_by_hand);
  g_test_add_func ("/histogram/all-levels", test_all_levels);
  g_test_add_func ("/histogram/overlay-formats-small",
      test_overlay_formats_small);
  g_test_add_func ("/histogram/overlay-formats", test_overlay_formats);
  g_test_add_func ("/histogram/overlay-by-hand", test_overlay_by_hand);

  open_device ();
  int result = g_test_run ();
  ocl_operation_free (overlay);
  for (guint i = 0; i < n_counters; i++)
    ocl_operation_free (counters[i]);
  ocl_context_unref (context);
  return result;
}
