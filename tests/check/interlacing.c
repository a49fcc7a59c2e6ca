/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter on interlaced streams and on mixed streams, whose frames
 * are progressive, interlaced, telecined and single fields in turn. */

#include <string.h>

#include "elementharness.h"

#define WIDTH 36
#define HEIGHT 24
#define SETTINGS "glopenclfilter radius=2 intensity-sigma=0.4 border=reflect"

/* Those of frames that follow each other, and whether such a frame is two
 * pictures where the stream is mixed. */
static const struct
{
  guint flags;
  gboolean interlaced;
} frames[] = {
  {0, FALSE},
  {GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF, TRUE},
  {0, FALSE},
  {GST_VIDEO_BUFFER_FLAG_INTERLACED, TRUE},
  {GST_VIDEO_BUFFER_FLAG_RFF | GST_VIDEO_BUFFER_FLAG_TFF, FALSE},
  {GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_RFF, TRUE},
  {GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_ONEFIELD, TRUE},
  {0, FALSE},
};

#define FLAGS (GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF \
    | GST_VIDEO_BUFFER_FLAG_RFF | GST_VIDEO_BUFFER_FLAG_ONEFIELD)

static void
set_stream (Harness * h, const gchar * format, gint height, const gchar * mode)
{
  harness_set_fields (h, "format=%s,width=%d,height=%d,interlace-mode=%s",
      format, WIDTH, height, mode);
}

/* Copies rows @from, @from + @step ... of each plane of @source to rows @to,
 * @to + @step_to ... of @target. */
static void
copy_rows (GstBuffer * source, const GstVideoInfo * source_info, gint from,
    gint step, GstBuffer * target, const GstVideoInfo * target_info, gint to,
    gint step_to)
{
  GstVideoFrame in, out;

  fail_unless (gst_video_frame_map (&in, source_info, source, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, target_info, target, GST_MAP_WRITE));
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES (&in); plane++) {
    const gint in_stride = GST_VIDEO_FRAME_PLANE_STRIDE (&in, plane);
    const gint out_stride = GST_VIDEO_FRAME_PLANE_STRIDE (&out, plane);
    const guint8 *in_rows = GST_VIDEO_FRAME_PLANE_DATA (&in, plane);
    guint8 *out_rows = GST_VIDEO_FRAME_PLANE_DATA (&out, plane);
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (in.info.finfo, plane, components);
    const gint rows = MIN (GST_VIDEO_FRAME_COMP_HEIGHT (&in, components[0])
        / step, GST_VIDEO_FRAME_COMP_HEIGHT (&out, components[0]) / step_to);
    for (gint y = 0; y < rows; y++)
      memcpy (out_rows + (to + y * step_to) * out_stride,
          in_rows + (from + y * step) * in_stride, MIN (in_stride, out_stride));
  }
  gst_video_frame_unmap (&in);
  gst_video_frame_unmap (&out);
}

/* The output for frame @seed, whole or as two fields, from harnesses of
 * progressive frames of full and of half height. */
static GstBuffer *
run_alone (Harness * whole, Harness * half, guint seed, gboolean interlaced)
{
  GstBuffer *frame = harness_create_frame (whole, seed);

  if (!interlaced)
    return harness_filter_frame (whole, frame);
  for (gint field = 0; field < 2; field++) {
    GstBuffer *picture = harness_create_frame (half, seed);

    copy_rows (frame, &whole->info, field, 2, picture, &half->info, 0, 1);
    picture = harness_filter_frame (half, picture);
    copy_rows (picture, &half->info, 0, 1, frame, &whole->info, field, 2);
    gst_buffer_unref (picture);
  }
  return frame;
}

/* Format, mode, and whether frames are filtered in place. */
static const gchar *const streams[][3] = {
  {"RGBA", "mixed", "false"}, {"RGBA", "mixed", "true"},
  {"I420", "mixed", "false"}, {"RGBA", "interleaved", "false"},
  {"I420", "interleaved", "true"},
};

TEST_LOOP (test_streams, G_N_ELEMENTS (streams))
{
  const gchar *format = streams[__i__][0], *mode = streams[__i__][1];
  g_autoptr (Harness) whole = harness_new (NULL, SETTINGS);
  g_autoptr (Harness) half = harness_new (NULL, SETTINGS);
  g_autoptr (Harness) h =
      harness_new (NULL, SETTINGS " in-place=%s", streams[__i__][2]);

  set_stream (whole, format, HEIGHT, "progressive");
  set_stream (half, format, HEIGHT / 2, "progressive");
  set_stream (h, format, HEIGHT, mode);
  for (guint n = 0; n < G_N_ELEMENTS (frames); n++) {
    GstBuffer *frame = harness_create_frame (h, n);
    g_autoptr (GstBuffer) expected = run_alone (whole, half, n,
        g_str_equal (mode, "interleaved") || frames[n].interlaced);

    GST_BUFFER_FLAG_SET (frame, frames[n].flags);
    g_autoptr (GstBuffer) found = harness_filter_frame (h, frame);
    g_autoptr (GBytes) bytes = harness_get_samples (h, found);
    g_autoptr (GBytes) wanted = harness_get_samples (h, expected);
    assert_same_bytes (bytes, wanted, "%s, %s, frame %u", format, mode, n);
    fail_unless_equals_int (GST_BUFFER_FLAGS (found) & FLAGS, frames[n].flags);
  }
  harness_assert_quiet (h);
}
