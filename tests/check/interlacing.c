/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests glopenclfilter on interlaced streams and on mixed streams, whose frames
 * are progressive, interlaced, telecined and single fields in turn.
 *
 * The test runs once per way of interop, see meson.build. */

#include <string.h>

#include "filterharness.h"

#define WIDTH 36
#define HEIGHT 24
#define SETTINGS "radius=2 intensity-sigma=0.4 border=reflect"

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
set_stream (FilterHarness * h, const gchar * format, gint height,
    const gchar * mode)
{
  g_autofree gchar *fields = g_strdup_printf ("format=%s,width=%d,height=%d,"
      "interlace-mode=%s", format, WIDTH, height, mode);

  filter_harness_set_fields (h, fields);
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

/* What comes out for progressive frames: those of the stream, and those of half
 * the height. */
typedef struct
{
  FilterHarness whole;
  FilterHarness half;
} Alone;

static void
alone_init (Alone * self, const gchar * format)
{
  filter_harness_init (&self->whole, SETTINGS);
  set_stream (&self->whole, format, HEIGHT, "progressive");
  filter_harness_init (&self->half, SETTINGS);
  set_stream (&self->half, format, HEIGHT / 2, "progressive");
}

static void
alone_clear (Alone * self)
{
  filter_harness_clear (&self->whole);
  filter_harness_clear (&self->half);
}

/* What frame @seed gives as it is, or as two pictures. */
static GstBuffer *
alone_run (Alone * self, guint seed, gboolean interlaced)
{
  GstBuffer *frame = filter_harness_create_frame (&self->whole, seed, 0);

  if (!interlaced)
    return filter_harness_run (&self->whole, frame);
  for (gint field = 0; field < 2; field++) {
    GstBuffer *half = filter_harness_create_frame (&self->half, seed, 0);

    copy_rows (frame, &self->whole.info, field, 2, half, &self->half.info, 0,
        1);
    half = filter_harness_run (&self->half, half);
    copy_rows (half, &self->half.info, 0, 1, frame, &self->whole.info, field,
        2);
    gst_buffer_unref (half);
  }
  return frame;
}

static void
assert_equal (const FilterHarness * h, GstBuffer * found, GstBuffer * expected,
    const gchar * what)
{
  GstVideoFrame a, b;

  fail_unless (gst_video_frame_map (&a, &h->info, found, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&b, &h->info, expected, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&a); i++) {
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&a, i); y++) {
      const guint8 *wanted = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&b, i)
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&b, i);
      const guint8 *row = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&a, i)
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&a, i);

      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&a, i); x++) {
        const gint at = x * GST_VIDEO_FRAME_COMP_PSTRIDE (&a, i);

        fail_unless (row[at] == wanted[at],
            "%s: component %u at %d,%d is %d, not %d", what, i, x, y, row[at],
            wanted[at]);
      }
    }
  }
  gst_video_frame_unmap (&a);
  gst_video_frame_unmap (&b);
}

static void
check_stream (const gchar * format, const gchar * mode, gboolean in_place)
{
  const gboolean mixed = g_str_equal (mode, "mixed");
  FilterHarness h;
  Alone alone;

  alone_init (&alone, format);
  filter_harness_init (&h, in_place ? SETTINGS " in-place=true" : SETTINGS);
  set_stream (&h, format, HEIGHT, mode);
  for (guint n = 0; n < G_N_ELEMENTS (frames); n++) {
    g_autofree gchar *what = g_strdup_printf ("%s, %s, frame %u", format, mode,
        n);
    GstBuffer *frame = filter_harness_create_frame (&h, n, 0);
    GstBuffer *expected = alone_run (&alone, n,
        !mixed || frames[n].interlaced);

    GST_BUFFER_FLAG_SET (frame, frames[n].flags);
    GstBuffer *found = filter_harness_run (&h, frame);
    assert_equal (&h, found, expected, what);
    fail_unless_equals_int (GST_BUFFER_FLAGS (found) & FLAGS, frames[n].flags);
    gst_buffer_unref (found);
    gst_buffer_unref (expected);
  }
  fail_unless (filter_harness_pop_error (&h, NULL) == NULL);
  filter_harness_clear (&h);
  alone_clear (&alone);
}

GST_START_TEST (test_mixed)
{
  check_stream ("RGBA", "mixed", FALSE);
  check_stream ("RGBA", "mixed", TRUE);
  check_stream ("I420", "mixed", FALSE);
}

GST_END_TEST;

GST_START_TEST (test_interleaved)
{
  check_stream ("RGBA", "interleaved", FALSE);
  check_stream ("I420", "interleaved", TRUE);
}

GST_END_TEST;

static Suite *
interlacing_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-interlacing");
  TCase *tests = tcase_create ("interlacing");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  tcase_add_test (tests, test_mixed);
  tcase_add_test (tests, test_interleaved);
  return suite;
}

FILTER_HARNESS_MAIN (interlacing);
