/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every element on the formats of cameras, which have all channels in one
 * plane: an element makes the same samples from them as from Y42B, which has
 * three planes. The sweeps compare Y42B with the float64 reference.
 *
 * The test runs once per way of interop, see meson.build. */

#include "filterharness.h"

#define N_FRAMES 3

/* A kernel that filters luma and chroma. */
#define KERNEL "#pragma glopencl planes each\n#pragma glopencl radius 1\n" \
    "Pixel filter (FRAME)\n{\n" \
    "  return times (plus (pixel (frame, 0, 0), pixel (frame, 1, 0)), 0.5f);\n}"

/* Elements, and settings with which they change luma and chroma. */
static const struct
{
  const gchar *element;
  const gchar *settings;
} cases[] = {
  {"glopenclfilter", "planes=luma+chroma"},
  {"glopencldenoise", "planes=luma+chroma noise=9"},
  {"glopenclmultiresolution", "planes=luma+chroma levels=2"},
  {"glopenclsharpen", "planes=luma+chroma"},
  {"glopenclgradient", "planes=luma+chroma"},
  {"glopenclconvolution", "planes=luma+chroma matrix=<<1,2,1>>"},
  {"glopenclkernel", NULL},
  {"glopenclchain", "operations=\"sharpen planes=luma+chroma "
        "! bilateral planes=luma+chroma\""},
};

static const gchar *const formats[] = { "YUY2", "UYVY" };

/* A stream of each kind. Textures of an odd width are not shared, and not every
 * driver has images for the others. */
static const gchar *const streams[] = {
  "width=67,height=25,interlace-mode=progressive",
  "width=64,height=26,interlace-mode=interleaved",
};

static void
init (FilterHarness * h, guint i, const gchar * format, const gchar * stream)
{
  g_autofree gchar *fields = g_strdup_printf ("format=%s,%s", format, stream);
  g_autofree gchar *settings = g_strconcat ("interop=auto ", cases[i].settings,
      NULL);

  filter_harness_init_element (h, cases[i].element, settings);
  if (!cases[i].settings)
    g_object_set (h->filter, "source", KERNEL, NULL);
  filter_harness_set_fields (h, fields);
}

/* Makes the samples of @target those of @source, whose format has the same
 * samples at other places. */
static void
copy_samples (const FilterHarness * from, GstBuffer * source,
    const FilterHarness * to, GstBuffer * target)
{
  GstVideoFrame in, out;

  fail_unless (gst_video_frame_map (&in, &from->info, source, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &to->info, target, GST_MAP_WRITE));
  for (guint n = 0; n < 3; n++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&in, n); y++) {
      const guint8 *read = GST_VIDEO_FRAME_COMP_DATA (&in, n);
      guint8 *written = GST_VIDEO_FRAME_COMP_DATA (&out, n);

      read += y * GST_VIDEO_FRAME_COMP_STRIDE (&in, n);
      written += y * GST_VIDEO_FRAME_COMP_STRIDE (&out, n);
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&in, n); x++)
        written[x * GST_VIDEO_FRAME_COMP_PSTRIDE (&out, n)] =
            read[x * GST_VIDEO_FRAME_COMP_PSTRIDE (&in, n)];
    }
  }
  gst_video_frame_unmap (&in);
  gst_video_frame_unmap (&out);
}

/* Asserts that the samples of a channel are those of the planar frame, save for
 * how single levels are rounded, and that the element has changed them. */
static void
assert_channel (const GstVideoFrame * found, const GstVideoFrame * wanted,
    const GstVideoFrame * input, guint n, const gchar * element)
{
  gboolean is_changed = FALSE;

  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (found, n); y++) {
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (found, n); x++) {
      const GstVideoFrame *frames[] = { found, wanted, input };
      gint levels[3];

      for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
        levels[i] = ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (frames[i], n))
            [y * GST_VIDEO_FRAME_COMP_STRIDE (frames[i], n)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (frames[i], n)];
      fail_unless (ABS (levels[0] - levels[1]) <= 1, "%s: channel %u of %s at "
          "%d,%d is %d, not %d", element, n, found->info.finfo->name, x, y,
          levels[0], levels[1]);
      is_changed |= levels[0] != levels[2];
    }
  }
  fail_unless (is_changed, "%s leaves channel %u of %s as it is", element, n,
      found->info.finfo->name);
}

static void
compare (const FilterHarness * h, GstBuffer * found,
    const FilterHarness * planar, GstBuffer * wanted, GstBuffer * input,
    const gchar * element)
{
  GstVideoFrame frames[3];

  fail_unless (gst_video_frame_map (&frames[0], &h->info, found, GST_MAP_READ)
      && gst_video_frame_map (&frames[1], &planar->info, wanted, GST_MAP_READ)
      && gst_video_frame_map (&frames[2], &planar->info, input, GST_MAP_READ));
  for (guint n = 0; n < 3; n++)
    assert_channel (&frames[0], &frames[1], &frames[2], n, element);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    gst_video_frame_unmap (&frames[i]);
}

/* Several frames, because the denoiser reads earlier frames. */
static void
check (guint i, const gchar * stream)
{
  FilterHarness planar, packed[G_N_ELEMENTS (formats)];

  init (&planar, i, "Y42B", stream);
  for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
    init (&packed[j], i, formats[j], stream);
  for (guint seed = 0; seed < N_FRAMES; seed++) {
    GstBuffer *input = filter_harness_create_frame (&planar, seed, 0);
    GstBuffer *wanted =
        filter_harness_run (&planar, gst_buffer_copy_deep (input));

    for (guint j = 0; j < G_N_ELEMENTS (formats); j++) {
      GstBuffer *frame = filter_harness_create_frame (&packed[j], seed, 0);

      copy_samples (&planar, input, &packed[j], frame);
      frame = filter_harness_run (&packed[j], frame);
      compare (&packed[j], frame, &planar, wanted, input, cases[i].element);
      gst_buffer_unref (frame);
    }
    gst_buffer_unref (input);
    gst_buffer_unref (wanted);
  }
  for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
    filter_harness_clear (&packed[j]);
  filter_harness_clear (&planar);
}

GST_START_TEST (test_element)
{
  for (guint j = 0; j < G_N_ELEMENTS (streams); j++)
    check (__i__, streams[j]);
}

GST_END_TEST;

static Suite *
cameras_suite (void)
{
  Suite *suite = suite_create ("cameras");
  TCase *tests = tcase_create ("cameras");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  tcase_add_loop_test (tests, test_element, 0, G_N_ELEMENTS (cases));
  return suite;
}

GST_CHECK_MAIN (cameras);
