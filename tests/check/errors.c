/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests bad input and drivers that lack features: there must be one clear error
 * in time, nothing may be lost, and the element must work again afterwards.
 *
 * The test runs in several environments, see meson.build: without any OpenCL
 * platform, without the test layer, and with the test layer. */

#include <string.h>

#include "player.h"

GST_START_TEST (test_no_platform)
{
  static const gchar *const words[] = { "No OpenCL device", "pocl", NULL };
  GstElement *pipeline = player_launch ("width=32,height=32", "");

  for (guint i = 0; i < 2; i++)
    player_play_badly (pipeline, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_FOUND, words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_no_such_device)
{
  static const gchar *const words[] = { "Voodoo 3", "exist: 0:0 ", NULL };
  static const gchar *const selectors[] = { "", "0:0", NULL };
  GstElement *pipeline = player_launch ("width=32,height=32", "");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  gchar *name = NULL;

  g_object_set (filter, "device", "Voodoo 3", NULL);
  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  for (guint i = 0; selectors[i]; i++) {
    g_object_set (filter, "device", selectors[i], NULL);
    player_play_well (pipeline);
  }

  /* Part of the name that the element gives is enough. */
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, PLAYER_TIMEOUT);
  g_object_get (filter, "active-device", &name, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_autofree gchar *part = g_ascii_strup (name + 2, -1);
  g_object_set (filter, "device", part, NULL);
  player_play_well (pipeline);
  g_free (name);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Without the layer: PoCL shares nothing. */
GST_START_TEST (test_no_sharing)
{
  static const gchar *const words[] = { "interop=gl-sharing is not available",
    "interop=auto", NULL
  };
  GstElement *pipeline =
      player_launch ("width=32,height=32", "interop=gl-sharing");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");

  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "auto");
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Waits for a message that has @part; FALSE where the stream ends before. */
static gboolean
wait_for_info (GstBus * bus, const gchar * part)
{
  GstMessage *message;
  gboolean found = FALSE;
  gboolean ended = FALSE;

  while (!found && !ended
      && (message =
          filter_harness_wait (bus,
              GST_MESSAGE_INFO | GST_MESSAGE_EOS | GST_MESSAGE_ERROR))) {
    g_autoptr (GError) error = NULL;

    ended = GST_MESSAGE_TYPE (message) != GST_MESSAGE_INFO;
    if (!ended) {
      gst_message_parse_info (message, &error, NULL);
      found = strstr (error->message, part) != NULL;
    }
    gst_message_unref (message);
  }
  return found;
}

/* With a layer whose images are at most 64 pixels wide and high. */
GST_START_TEST (test_image_limit)
{
  static const gchar *const words[] = { "100x32", "64x64", "interop=auto",
    NULL
  };
  GstElement *pipeline = player_launch ("width=100,height=32", "interop=auto");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstStructure *stats = NULL;
  guint64 frames = 0;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless (wait_for_info (bus, "100x32"));
  GstMessage *message =
      filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS);
  gst_message_unref (message);
  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  fail_unless_equals_uint64 (frames, 2);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_util_set_object_arg (G_OBJECT (filter), "interop", "gl-sharing");
  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* With a layer whose buffers have at most 12,288 bytes. */
GST_START_TEST (test_buffer_limit)
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

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    const gint width = limits[i].width;
    g_autofree gchar *fits = g_strdup_printf ("width=%d,height=48", width);
    g_autofree gchar *large = g_strdup_printf ("width=%d,height=48", width + 1);
    g_autofree gchar *size = g_strdup_printf ("%dx48", width + 1);
    const gchar *const words[] = { size, "12288", "Scale", "device", NULL };
    GstElement *pipeline =
        player_launch_format (limits[i].format, fits, "interop=host-copy");

    player_play_well (pipeline);
    gst_object_unref (pipeline);
    pipeline =
        player_launch_format (limits[i].format, large, "interop=host-copy");
    player_play_badly (pipeline, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS, words);
    gst_object_unref (pipeline);
  }
}

GST_END_TEST;

/* On OpenGL ES, which has no textures of 16 bits: upstream chooses what it
 * has. */
GST_START_TEST (test_no_deep_textures)
{
  GstElement *pipeline = player_launch_format ("{P010_10LE,ARGB64,NV12}",
      "width=32,height=32", "");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "sink");

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          PLAYER_TIMEOUT), GST_STATE_CHANGE_SUCCESS);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  fail_unless_equals_string (gst_structure_get_string
      (gst_caps_get_structure (caps, 0), "format"), "NV12");
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Frames of @format are refused with gl-sharing, with an error that has @words,
 * and go through host memory with auto, which an info that has @notice says. */
static void
check_not_shared (const gchar * format, const gchar * const *words,
    const gchar * settings, const gchar * notice)
{
  g_autofree gchar *all = g_strdup_printf ("interop=gl-sharing %s", settings);
  GstElement *pipeline =
      player_launch_format (format, "width=32,height=32", all);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      words);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "auto");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          PLAYER_TIMEOUT), GST_STATE_CHANGE_SUCCESS);
  fail_unless (wait_for_info (bus, notice));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

/* With a layer that has no images of two components. */
GST_START_TEST (test_no_images)
{
  static const gchar *const words[] = { "no images for NV12", "interop=auto",
    NULL
  };

  check_not_shared ("NV12", words, "", "no images for NV12. Frames go through");
}

GST_END_TEST;

/* With a layer that loses the pixels of textures of a byte: RGBA is shared, a
 * grey frame is not. */
GST_START_TEST (test_broken_plane)
{
  static const gchar *const words[] = { "does not share GRAY8 frames",
    "trial texture", "interop=auto", NULL
  };

  check_not_shared ("GRAY8", words, "in-place=true",
      "written. Frames go through host");
  GstElement *pipeline =
      player_launch ("width=32,height=32", "interop=gl-sharing");
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* A sharing driver that loses pixels, or fails late, is found out. */
GST_START_TEST (test_broken_sharing)
{
  static const gchar *const words[] = { "interop=gl-sharing is not available",
    NULL
  };
  GstElement *pipeline = player_launch ("width=32,height=32", "interop=auto");
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");

  player_play_well (pipeline);
  gst_util_set_object_arg (G_OBJECT (filter), "interop", "gl-sharing");
  player_play_badly (pipeline, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
      words);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (test_kernel_does_not_build)
{
  static const gchar *const words[] = { "cannot build the kernel bilateral.cl",
    "CL_BUILD_PROGRAM_FAILURE", "device property", NULL
  };
  GstElement *pipeline = player_launch ("width=32,height=32", "");

  layer.set_lasting_fault ("clBuildProgram", -11);
  player_play_badly (pipeline, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
      words);
  layer.set_fault ("*", 0, 0);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Where the driver cannot build one of the kernels, another serves: the
 * @nth that is built fails, and stats name @variant. */
static void
check_fallback (const gchar * settings, guint nth, const gchar * variant)
{
  GstElement *pipeline = player_launch ("width=32,height=32", settings);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GstStructure *stats;

  layer.set_fault ("clBuildProgram", nth, -11);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          PLAYER_TIMEOUT), GST_STATE_CHANGE_SUCCESS);
  fail_unless (layer.fault_hit ());
  g_object_get (filter, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "variant"),
      variant);
  gst_structure_free (stats);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  player_play_well (pipeline);
  gst_object_unref (pipeline);
}

/* The approximation: the exact kernel. */
GST_START_TEST (test_fast_kernel_does_not_build)
{
  const gchar *variant = g_getenv ("GLOPENCL_TEST_VARIANT");

  check_fallback ("method=fast spatial-sigma=6", 1, variant ? variant : "rows");
}

GST_END_TEST;

/* What suits the device, a CPU or a GPU: the plain one. */
GST_START_TEST (test_suitable_kernel_does_not_build)
{
  check_fallback ("", 1, "plain-buffer");
}

GST_END_TEST;

static Suite *
errors_suite (void)
{
  Suite *suite = suite_create ("glopenclfilter-errors");

  player_open_layer ();
  ADD_TAGGED (suite, "no-platform", test_no_platform);
  ADD_TAGGED (suite, "no-sharing", test_no_such_device);
  ADD_TAGGED (suite, "no-sharing", test_no_sharing);
  ADD_TAGGED (suite, "image-limit", test_image_limit);
  ADD_TAGGED (suite, "buffer-limit", test_buffer_limit);
  ADD_TAGGED (suite, "gles2-depth", test_no_deep_textures);
  ADD_TAGGED (suite, "no-images", test_no_images);
  ADD_TAGGED (suite, "sharing-corrupt-plane", test_broken_plane);
  ADD_TAGGED (suite, "sharing-refused sharing-corrupt", test_broken_sharing);
  ADD_TAGGED (suite, "kernel-build", test_kernel_does_not_build);
  ADD_TAGGED (suite, "kernel-build kernel-build-gpu",
      test_fast_kernel_does_not_build);
  ADD_TAGGED (suite, "kernel-build kernel-build-gpu",
      test_suitable_kernel_does_not_build);
  return suite;
}

FILTER_HARNESS_MAIN (errors);
