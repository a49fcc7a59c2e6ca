/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests every element on the formats of cameras, which have all channels in one
 * plane: an element makes the same samples from them as from Y42B, which has
 * three planes. The sweeps compare Y42B with the float64 reference. */

#include "elementharness.h"

#define N_FRAMES 3

/* A kernel that filters luma and chroma. */
#define KERNEL "#pragma glopencl planes each\n#pragma glopencl radius 1\n" \
    "Pixel filter (FRAME) { " \
    "return times (plus (pixel (frame, 0, 0), pixel (frame, 1, 0)), 0.5f); }"

#define CHAIN "sharpen planes=luma+chroma ! bilateral planes=luma+chroma"

/* Elements, with settings with which they change luma and chroma. */
static const gchar *const elements[] = {
  "glopenclfilter planes=luma+chroma",
  "glopencldenoise planes=luma+chroma noise=9",
  "glopenclmultiresolution planes=luma+chroma levels=2",
  "glopenclsharpen planes=luma+chroma",
  "glopenclgradient planes=luma+chroma",
  "glopenclconvolution planes=luma+chroma matrix=<<1,2,1>>",
  "glopenclkernel source=\"" KERNEL "\"",
  "glopenclchain operations=\"" CHAIN "\"",
};

static const gchar *const formats[] = { "YUY2", "UYVY" };

/* A stream of each kind. Textures of an odd width are not shared, and not every
 * driver has images for the others. */
static const gchar *const streams[] = {
  "width=67,height=25,interlace-mode=progressive",
  "width=64,height=26,interlace-mode=interleaved",
};

static Harness *
start (const gchar * element, const gchar * format, const gchar * stream)
{
  g_autofree gchar *fields = g_strdup_printf ("format=%s,%s", format, stream);

  return harness_new (fields, "%s interop=auto", element);
}

/* Makes the samples of @target those of @source, whose format has the same
 * samples at other places. */
static void
copy_samples (const Harness * from, GstBuffer * source,
    const Harness * to, GstBuffer * target)
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

/* Asserts that samples are those of the planar frame, save for how single levels
 * are rounded, and that the element has changed each channel. */
static void
assert_same (GBytes * found, GBytes * wanted, GBytes * input, gsize n_luma,
    const gchar * what)
{
  const guint8 *a = g_bytes_get_data (found, NULL);
  const guint8 *b = g_bytes_get_data (wanted, NULL);
  const guint8 *before = g_bytes_get_data (input, NULL);
  const gsize n = g_bytes_get_size (wanted), n_chroma = (n - n_luma) / 2;
  const gsize ends[] = { n_luma, n_luma + n_chroma, n };
  gsize i = 0;

  fail_unless_equals_int (g_bytes_get_size (found), n);
  for (guint channel = 0; channel < 3; channel++) {
    gboolean is_changed = FALSE;

    for (; i < ends[channel]; i++) {
      fail_unless (ABS (a[i] - b[i]) <= 1, "%s: sample %" G_GSIZE_FORMAT
          " is %u, not %u", what, i, a[i], b[i]);
      is_changed |= a[i] != before[i];
    }
    fail_unless (is_changed, "%s leaves channel %u as it is", what, channel);
  }
}

/* Several frames, because the denoiser reads earlier frames. */
static void
check (const gchar * element, const gchar * format, const gchar * stream)
{
  g_autoptr (Harness) planar = start (element, "Y42B", stream);
  g_autoptr (Harness) packed = start (element, format, stream);

  for (guint seed = 0; seed < N_FRAMES; seed++) {
    GstBuffer *frame = harness_create_frame (packed, seed);
    g_autoptr (GstBuffer) input = harness_create_frame (planar, seed);

    copy_samples (planar, input, packed, frame);
    g_autoptr (GstBuffer) result = harness_filter_frame (packed, frame);
    g_autoptr (GBytes) found = harness_get_samples (packed, result);
    g_autoptr (GBytes) before = harness_get_samples (planar, input);
    g_autoptr (GBytes) wanted = harness_filter (planar, seed);
    assert_same (found, wanted, before,
        planar->info.width * planar->info.height, element);
  }
}

TEST_LOOP (test_element, G_N_ELEMENTS (elements))
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (streams); j++)
      check (elements[__i__], formats[i], streams[j]);
  }
}
