/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the elements other than glopenclfilter: pictures against the float64
 * reference, looks against stored pictures. The tests of glopenclfilter cover
 * the base class.
 *
 * The test runs once per way of interop, see meson.build. */

#include <math.h>
#include <string.h>

#include "filterharness.h"
#include "references.h"

/* An element, what it computes, and settings, "name=value", to try it with. */
typedef struct
{
  const gchar *element;
  const OclOperationClass *operation;
  const gchar *settings[4];
} Case;

static const Case cases[] = {
  {"glopenclsharpen", &ocl_sharpen_class,
        {"", "kernel=gaussian radius=9 sigma=3 output=blur border=reflect",
          "alpha=3 beta=-2.5 gamma=0.1 border=wrap", "preset=emboss"}},
  {"glopenclgradient", &ocl_gradient_class,
        {"", "size=7 channels=each border=reflect-101",
              "output=x scale=3 border=constant border-color=0xff0a64c8",
          "output=direction size=5"}},
  {"glopenclconvolution", &ocl_convolution_class,
        {"", "matrix=<<1,2,1>,<2,4,2>,<1,2,1>> border=wrap",
              "matrix=<<-2,-1,0>,<-1,0,1>,<0,1,2>> bias=0.5 divisor=3",
          "matrix=<<1,1,1,1,1>> border=constant border-color=0xff0a64c8"}},
  {"glopenclmultiresolution", &ocl_multiresolution_class,
        {"", "levels=8 gains=<1.5,0,1.2,-1> border=reflect-101 radius=3",
              "intensity-sigmas=<0.3,0,0.05> show-band=1 radius=-1",
          "spatial-sigmas=<1,3> radius=-1 border=constant "
              "border-color=0xff0a64c8"}},
};

/* The settings as a launch line has them; free them. */
static gchar *
quote (const gchar * settings)
{
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; parts[i]; i++) {
    g_auto (GStrv) words = g_strsplit (parts[i], "=", 2);

    g_string_append_printf (text, "%s=\"%s\" ", words[0], words[1]);
  }
  return g_string_free (text, FALSE);
}

static gpointer
create_params (const OclOperationClass * klass, const gchar * settings)
{
  gpointer params = ocl_operation_class_create_params (klass);
  g_auto (GStrv) parts = g_strsplit (settings, " ", -1);

  for (guint i = 0; parts[i]; i++) {
    gchar *value = strchr (parts[i], '=');

    if (!value)
      continue;
    *value++ = '\0';
    fail_unless (ocl_operation_class_parse (klass,
            ocl_params_find (klass->params, parts[i]), value, params));
  }
  return params;
}

static void
assert_accurate (const Case * item, const gchar * settings, GBytes * input,
    GBytes * output, gint width, gint height)
{
  g_autofree gpointer params = create_params (item->operation, settings);
  const guint8 *in = g_bytes_get_data (input, NULL);
  const guint8 *out = g_bytes_get_data (output, NULL);
  g_autofree gdouble *expected = g_new (gdouble, width * height * 3);

  reference_filter_rgba (reference_find (item->operation->name), params, in,
      width, height, expected);
  for (gint i = 0; i < width * height; i++) {
    for (gint c = 0; c < 3; c++) {
      const gdouble wanted = CLAMP (expected[3 * i + c], 0.0, 255.0);

      fail_unless (fabs (out[4 * i + c] - wanted) <= 0.51,
          "%s %s: pixel %d,%d channel %d is %d, the reference is %f",
          item->element, settings, i % width, i / width, c, out[4 * i + c],
          wanted);
    }
    fail_unless_equals_int (out[4 * i + 3], in[4 * i + 3]);
  }
}

static void
check_case (const Case * item, const gchar * settings, gint width, gint height)
{
  g_autofree gchar *quoted = quote (settings);
  FilterHarness h;

  filter_harness_init_element (&h, item->element, quoted);
  filter_harness_set_size (&h, width, height);
  GstBuffer *frame = filter_harness_create_frame (&h, width, 0);
  g_autoptr (GBytes) input = filter_harness_get_bytes (&h, frame);
  GstBuffer *result = filter_harness_run (&h, frame);
  g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);

  assert_accurate (item, settings, input, output, width, height);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_START_TEST (test_pictures)
{
  static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    for (guint j = 0; j < G_N_ELEMENTS (cases[i].settings); j++) {
      const gint *size = sizes[(i + j) % G_N_ELEMENTS (sizes)];

      check_case (&cases[i], cases[i].settings[j], size[0], size[1]);
    }
  }
}

GST_END_TEST;

/* The bytes of component @n of a frame; free them. */
static GBytes *
get_component (const FilterHarness * h, GstBuffer * frame, guint n)
{
  GByteArray *bytes = g_byte_array_new ();
  GstVideoFrame mapped;

  fail_unless (gst_video_frame_map (&mapped, &h->info, frame, GST_MAP_READ));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&mapped, n); y++) {
    const guint8 *row = GST_VIDEO_FRAME_COMP_DATA (&mapped, n);

    row += y * GST_VIDEO_FRAME_COMP_STRIDE (&mapped, n);
    for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (&mapped, n); x++)
      g_byte_array_append (bytes,
          row + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&mapped, n), 1);
  }
  gst_video_frame_unmap (&mapped);
  return g_byte_array_free_to_bytes (bytes);
}

/* By default luma changes and its differences do not. */
GST_START_TEST (test_planes)
{
  static const gchar *const formats[] = { "I420", "Y444", "YV12" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *fields = g_strdup_printf ("format=%s,width=35,height=18",
        formats[i % G_N_ELEMENTS (formats)]);
    FilterHarness h;

    filter_harness_init_element (&h, cases[i].element, "");
    filter_harness_set_fields (&h, fields);
    GstBuffer *frame = filter_harness_create_frame (&h, 3, 0);
    GstBuffer *result = filter_harness_run (&h, gst_buffer_ref (frame));
    for (guint n = 0; n < 3; n++) {
      g_autoptr (GBytes) before = get_component (&h, frame, n);
      g_autoptr (GBytes) after = get_component (&h, result, n);

      fail_unless (g_bytes_equal (before, after) == (n > 0));
    }
    gst_buffer_unref (frame);
    gst_buffer_unref (result);
    filter_harness_clear (&h);
  }
}

GST_END_TEST;

/* The pixels of a picture file, as RGBA, packed. */
static GBytes *
read_picture (const gchar * name, gint * width, gint * height)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("GLOPENCL_TEST_LOOKS"),
      name, NULL);
  g_autofree gchar *launch = g_strdup_printf ("filesrc location=\"%s\" "
      "! pngdec ! videoconvert ! video/x-raw,format=RGBA "
      "! appsink name=sink sync=false", path);
  GstElement *pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline),
      "sink");
  GstSample *sample = NULL;
  FilterHarness h = { 0, };

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_signal_emit_by_name (sink, "pull-sample", &sample);
  fail_unless (sample != NULL, "%s cannot be read", path);
  fail_unless (gst_video_info_from_caps (&h.info,
          gst_sample_get_caps (sample)));
  GBytes *bytes = filter_harness_get_bytes (&h, gst_sample_get_buffer (sample));
  *width = h.info.width;
  *height = h.info.height;
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return bytes;
}

/* Each look makes of a photograph what it did when the pictures were made, with
 * NumPy, by tests/looks/make.py. */
static void
check_look (const gchar * preset, GBytes * photograph, gint width, gint height)
{
  g_autofree gchar *settings = g_strdup_printf ("preset=%s", preset);
  g_autofree gchar *name = g_strdup_printf ("%s.png", preset);
  gint kept_width = 0, kept_height = 0;
  g_autoptr (GBytes) kept = read_picture (name, &kept_width, &kept_height);
  FilterHarness h;

  fail_unless (kept_width == width && kept_height == height);
  filter_harness_init_element (&h, "glopenclsharpen", settings);
  filter_harness_set_size (&h, width, height);
  GstBuffer *result = filter_harness_run (&h,
      gst_buffer_new_wrapped_bytes (photograph));
  g_autoptr (GBytes) output = filter_harness_get_bytes (&h, result);
  const guint8 *out = g_bytes_get_data (output, NULL);
  const guint8 *wanted = g_bytes_get_data (kept, NULL);
  for (gint i = 0; i < width * height * 4; i++)
    fail_unless (ABS (out[i] - wanted[i]) <= 1, "%s: %d,%d is %d, not %d",
        preset, i / 4 % width, i / 4 / width, out[i], wanted[i]);
  gst_buffer_unref (result);
  filter_harness_clear (&h);
}

GST_START_TEST (test_looks)
{
  const OclParam *preset = ocl_params_find (ocl_sharpen_class.params, "preset");
  gint width = 0, height = 0;
  g_autoptr (GBytes) photograph = read_picture ("photograph.png", &width,
      &height);

  for (const OclValue * value = preset->values->values; value->nick; value++) {
    if (value->value != OCL_SHARPEN_CUSTOM)
      check_look (value->nick, photograph, width, height);
  }
}

GST_END_TEST;

static Suite *
elements_suite (void)
{
  Suite *suite = suite_create ("elements");
  TCase *tests = tcase_create ("elements");

  suite_add_tcase (suite, tests);
  tcase_set_timeout (tests, 240);
  tcase_add_test (tests, test_pictures);
  tcase_add_test (tests, test_planes);
  tcase_add_test (tests, test_looks);
  return suite;
}

FILTER_HARNESS_MAIN (elements);
