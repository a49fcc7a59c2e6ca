/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests the elements other than glopenclfilter: pictures against the float64
 * reference, looks against stored pictures. The tests of glopenclfilter cover
 * the base class. */

#include <string.h>

#include "elementreference.h"

/* An element, its reference, and settings, "name=value", to try it with. */
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

/* Returns the settings in gst-launch syntax. The caller frees them. */
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

TEST_LOOP (test_pictures, G_N_ELEMENTS (cases))
{
  static const gint sizes[][2] = { {64, 48}, {1, 1}, {17, 13} };
  const Case *item = &cases[__i__];

  for (guint j = 0; j < G_N_ELEMENTS (item->settings); j++) {
    const gint *size = sizes[(__i__ + j) % G_N_ELEMENTS (sizes)];
    g_autofree gchar *quoted = quote (item->settings[j]);
    g_autoptr (Harness) h = harness_new (NULL, "%s %s", item->element, quoted);

    g_autoptr (OclParams) params =
        params_new (item->operation, item->settings[j]);

    harness_set_size (h, size[0], size[1]);
    harness_check_frame (h, harness_create_frame (h, size[0]), item->operation,
        params, item->settings[j]);
  }
}

/* By default luma changes and its differences do not. */
TEST_LOOP (test_planes, G_N_ELEMENTS (cases))
{
  static const gchar *const formats[] = { "I420", "Y444", "YV12" };
  g_autoptr (Harness) h = harness_new (NULL, "%s", cases[__i__].element);
  const gsize n_luma = 35 * 18;

  harness_set_fields (h, "format=%s,width=35,height=18",
      formats[__i__ % G_N_ELEMENTS (formats)]);
  g_autoptr (GBytes) before = harness_get_input (h, 3);
  g_autoptr (GBytes) after = harness_filter (h, 3);
  const guint8 *a = g_bytes_get_data (before, NULL);
  const guint8 *b = g_bytes_get_data (after, NULL);
  fail_unless (memcmp (a, b, n_luma) != 0);
  fail_unless (memcmp (a + n_luma, b + n_luma, g_bytes_get_size (before)
          - n_luma) == 0);
}

/* The pixels of a picture file, as RGBA, packed. */
static GBytes *
read_picture (const gchar * name, gint * width, gint * height)
{
  g_autofree gchar *path = g_build_filename (g_getenv ("GLOPENCL_TEST_LOOKS"),
      name, NULL);
  g_autoptr (GstElement) pipeline = pipeline_new ("filesrc location=\"%s\" "
      "! pngdec ! videoconvert ! video/x-raw,format=RGBA "
      "! appsink name=sink sync=false", path);
  g_autoptr (GstElement) sink = pipeline_get (pipeline, "sink");
  g_autoptr (GstSample) sample = NULL;
  Harness h = { 0, };

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_signal_emit_by_name (sink, "pull-sample", &sample);
  fail_unless (sample != NULL, "%s cannot be read", path);
  fail_unless (gst_video_info_from_caps (&h.info,
          gst_sample_get_caps (sample)));
  GBytes *bytes = harness_get_bytes (&h, gst_sample_get_buffer (sample));
  *width = h.info.width;
  *height = h.info.height;
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return bytes;
}

/* The result of each look on a photograph equals the pictures that
 * tests/looks/make.py made with NumPy, or the photograph itself. */
static void
check_look (const gchar * preset, GBytes * photograph, gint width, gint height)
{
  g_autofree gchar *name = g_strdup_printf ("%s.png",
      g_str_equal (preset, "original") ? "photograph" : preset);
  gint kept_width = 0, kept_height = 0;
  g_autoptr (GBytes) kept = read_picture (name, &kept_width, &kept_height);
  g_autoptr (Harness) h = harness_new (NULL, "glopenclsharpen preset=%s",
      preset);

  fail_unless (kept_width == width && kept_height == height);
  harness_set_size (h, width, height);
  g_autoptr (GstBuffer) result =
      harness_filter_frame (h, gst_buffer_new_wrapped_bytes (photograph));
  g_autoptr (GBytes) output = harness_get_bytes (h, result);
  const guint8 *out = g_bytes_get_data (output, NULL);
  const guint8 *wanted = g_bytes_get_data (kept, NULL);
  for (gint i = 0; i < width * height * 4; i++)
    fail_unless (ABS (out[i] - wanted[i]) <= 1, "%s: %d,%d is %d, not %d",
        preset, i / 4 % width, i / 4 / width, out[i], wanted[i]);
}

TEST (test_looks)
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
