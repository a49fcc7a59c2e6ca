/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests bad input and drivers that lack features: there must be one clear error
 * in time, nothing may be lost, and the element must work again afterwards. Each
 * case runs in the environment of its name, see meson.build. */

#include <string.h>

#include "elementharness.h"

#define SIZE "format=RGBA,width=32,height=32"

static void
set_filter (GstElement * pipeline, const gchar * property, const gchar * value)
{
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");

  gst_util_set_object_arg (G_OBJECT (filter), property, value);
}

/* A refused input, its error, and the property and value that avoid the error,
 * if any. */
static const struct
{
  const gchar *tag, *element;
  gint code;
  const gchar *words;
  const gchar *property, *value;
} refusals[] = {
  {"no-platform", "glopenclfilter", GST_RESOURCE_ERROR_NOT_FOUND,
      "No OpenCL device|pocl", NULL, NULL},
  {"no-sharing", "glopenclfilter device=\"Voodoo 3\"",
        GST_RESOURCE_ERROR_NOT_FOUND, "Voodoo 3|exist: 0:0 ", "device",
      "0:0"},
  {"no-sharing", "glopenclfilter device=\"Voodoo 3\"",
      GST_RESOURCE_ERROR_NOT_FOUND, "Voodoo 3|exist: 0:0 ", "device", ""},
  {"no-sharing", "glopenclfilter interop=gl-sharing",
        GST_RESOURCE_ERROR_NOT_FOUND,
        "interop=gl-sharing is not available|interop=auto", "interop",
      "auto"},
  /* A sharing driver that loses pixels, or fails late, is found out. */
  {"sharing-refused", "glopenclfilter interop=gl-sharing",
        GST_RESOURCE_ERROR_NOT_FOUND, "interop=gl-sharing is not available",
      "interop", "auto"},
  {"sharing-corrupt", "glopenclfilter interop=gl-sharing",
        GST_RESOURCE_ERROR_NOT_FOUND, "interop=gl-sharing is not available",
      "interop", "auto"},
};

TEST_TAGGED (test_refusals,
    "no-platform no-sharing sharing-refused sharing-corrupt")
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++) {
    if (g_strcmp0 (refusals[i].tag, g_getenv ("CK_INCLUDE_TAGS")) != 0)
      continue;
    g_autoptr (GstElement) pipeline =
        pipeline_new_filter (SIZE, "%s", refusals[i].element);

    for (guint j = 0; j < 2; j++)
      pipeline_play_badly (pipeline, GST_RESOURCE_ERROR, refusals[i].code,
          refusals[i].words);
    if (refusals[i].property) {
      set_filter (pipeline, refusals[i].property, refusals[i].value);
      pipeline_play_well (pipeline);
    }
    n++;
  }
  fail_unless (n > 0);
}

/* Part of the name that the element gives is enough. */
TEST_TAGGED (test_part_of_a_name, "no-sharing")
{
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter (SIZE, "glopenclfilter");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  g_autofree gchar *name = NULL;

  pipeline_pause (pipeline);
  g_object_get (filter, "active-device", &name, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_autofree gchar *part = g_ascii_strup (name + 2, -1);
  g_object_set (filter, "device", part, NULL);
  pipeline_play_well (pipeline);
}

/* Waits for a message that has @part. */
static void
wait_for_info (GstElement * pipeline, const gchar * part)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gboolean found = FALSE;

  while (!found) {
    g_autoptr (GstMessage) message =
        bus_wait (bus, GST_MESSAGE_INFO | GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    g_autoptr (GError) error = NULL;

    fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_INFO,
        "no message has %s", part);
    gst_message_parse_info (message, &error, NULL);
    found = strstr (error->message, part) != NULL;
  }
}

/* Frames that are refused with gl-sharing, with an error that has @words, and
 * that go through host memory with auto, which an info that has @notice says. */
static void
check_not_shared (const gchar * fields, const gchar * settings,
    const gchar * words, const gchar * notice)
{
  g_autoptr (GstElement) pipeline = pipeline_new_filter (fields,
      "glopenclfilter interop=gl-sharing %s", settings);
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");

  pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, words);
  set_filter (pipeline, "interop", "auto");
  pipeline_pause (pipeline);
  wait_for_info (pipeline, notice);
  pipeline_play_to_end (pipeline);
  fail_unless_equals_uint64 (element_get_stat (filter, "frames"), 2);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* With a layer whose images are at most 64 pixels wide and high. */
TEST_TAGGED (test_image_limit, "image-limit")
{
  check_not_shared ("format=RGBA,width=100,height=32", "",
      "100x32|64x64|interop=auto", "100x32");
}

/* With a layer that has no images of two components. */
TEST_TAGGED (test_no_images, "no-images")
{
  check_not_shared ("format=NV12,width=32,height=32", "",
      "no images for NV12|interop=auto",
      "no images for NV12. Frames go through");
}

/* With a layer that loses the pixels of textures of a byte: RGBA is shared, a
 * grey frame is not. */
TEST_TAGGED (test_broken_plane, "sharing-corrupt-plane")
{
  check_not_shared ("format=GRAY8,width=32,height=32", "in-place=true",
      "does not share GRAY8 frames|trial texture|interop=auto",
      "written. Frames go through host");
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter (SIZE, "glopenclfilter interop=gl-sharing");
  pipeline_play_well (pipeline);
}

/* With a layer whose buffers have at most 12,288 bytes. */
TEST_TAGGED (test_buffer_limit, "buffer-limit")
{
  /* The width of frames of 48 rows whose largest plane is as large as that: two
   * pixels of Y212 take 8 bytes, and those of YUY2 take 4. */
  static const struct
  {
    const gchar *format;
    gint width;
  } limits[] = {
    {"Y212_LE", 64}, {"RGBA", 64}, {"ARGB64", 32}, {"RGB", 85}, {"I420", 256},
    {"GRAY16_LE", 128}, {"YUY2", 128}, {"UYVY", 128},
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (limits); i++) {
    const gint width = limits[i / 2].width + i % 2;
    g_autofree gchar *fields = g_strdup_printf
        ("format=%s,width=%d,height=48", limits[i / 2].format, width);
    g_autofree gchar *words =
        g_strdup_printf ("%dx48|12288|Scale|device", width);
    g_autoptr (GstElement) pipeline =
        pipeline_new_filter (fields, "glopenclfilter interop=host-copy");

    if (i % 2)
      pipeline_play_badly (pipeline, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_SETTINGS, words);
    else
      pipeline_play_well (pipeline);
  }
}

/* On OpenGL ES, which has no textures of 16 bits, upstream chooses a supported
 * format. */
TEST_TAGGED (test_no_deep_textures, "gles2-depth")
{
  g_autoptr (GstElement) pipeline = pipeline_new_filter
      ("format={P010_10LE,ARGB64,NV12},width=32,height=32", "glopenclfilter");
  g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");

  pipeline_pause (pipeline);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  fail_unless_equals_string (gst_structure_get_string
      (gst_caps_get_structure (caps, 0), "format"), "NV12");
  pipeline_play_well (pipeline);
}

TEST_TAGGED (test_kernel_does_not_build, "kernel-build")
{
  g_autoptr (GstElement) pipeline =
      pipeline_new_filter (SIZE, "glopenclfilter");

  layer.set_lasting_fault ("clBuildProgram", -11);
  pipeline_play_badly (pipeline, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
      "cannot build the kernel bilateral.cl|CL_BUILD_PROGRAM_FAILURE"
      "|device property");
  layer.set_fault ("*", 0, 0);
  pipeline_play_well (pipeline);
}

/* Where the driver cannot build the first kernel, another one filters: in place
 * of the approximation the exact kernel, and instead of the variant for the
 * device, a CPU or a GPU, the plain one. */
TEST_TAGGED (test_fallback, "kernel-build kernel-build-gpu")
{
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");
  const gchar *const cases[][2] = {
    {"method=fast spatial-sigma=6", variant ? variant : "rows"},
    {"", "plain-buffer"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstElement) pipeline =
        pipeline_new_filter (SIZE, "glopenclfilter %s", cases[i][0]);
    g_autoptr (GstElement) filter = pipeline_get (pipeline, "filter");

    layer.set_fault ("clBuildProgram", 1, -11);
    pipeline_pause (pipeline);
    fail_unless (layer.fault_hit ());
    element_assert_variant (filter, cases[i][1]);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    pipeline_play_well (pipeline);
  }
}
