/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "player.h"

#include <dlfcn.h>
#include <string.h>

PlayerLayer layer;

void
player_open_layer (void)
{
  const gchar *path = g_getenv ("OPENCL_LAYERS");
  if (!path)
    return;

  /* The loader opens its layers at the first call: there is none before an
   * element is started. */
  GstElement *filter = gst_element_factory_make ("glopenclfilter", NULL);
  g_assert_nonnull (filter);
  g_assert_null (dlopen (path, RTLD_NOW | RTLD_NOLOAD));
  gst_element_set_state (filter, GST_STATE_PAUSED);
  gst_element_set_state (filter, GST_STATE_NULL);
  gst_object_unref (filter);

  void *handle = dlopen (path, RTLD_NOW | RTLD_NOLOAD);
  g_assert_nonnull (handle);
  layer.set_fault = dlsym (handle, "glopencl_layer_set_fault");
  layer.set_lasting_fault = dlsym (handle, "glopencl_layer_set_lasting_fault");
  layer.fault_hit = dlsym (handle, "glopencl_layer_fault_hit");
  layer.function_name = dlsym (handle, "glopencl_layer_function_name");
  layer.live_objects = dlsym (handle, "glopencl_layer_live_objects");
  layer.calls = dlsym (handle, "glopencl_layer_calls");
  layer.reset_counts = dlsym (handle, "glopencl_layer_reset_counts");
  g_assert_true (layer.set_fault && layer.set_lasting_fault && layer.fault_hit
      && layer.function_name && layer.live_objects && layer.calls
      && layer.reset_counts);
}

gint
player_count_objects (void)
{
  return layer.live_objects ? layer.live_objects () : 0;
}

GstElement *
player_launch_element (const gchar * element, const gchar * format,
    const gchar * size, const gchar * settings)
{
  g_autofree gchar *description = g_strdup_printf ("videotestsrc name=source "
      "num-buffers=2 ! video/x-raw,format=%s,%s ! glupload "
      "! %s qos=false name=filter interop=%s %s "
      "! gldownload ! fakesink", format, size, element,
      filter_harness_get_interop (), settings);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (description, &error);

  g_assert_no_error (error);
  return pipeline;
}

GstElement *
player_launch_format (const gchar * format, const gchar * size,
    const gchar * settings)
{
  return player_launch_element ("glopenclfilter", format, size, settings);
}

GstElement *
player_launch (const gchar * size, const gchar * settings)
{
  return player_launch_format ("RGBA", size, settings);
}

GError *
player_play (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstElement) filter =
      gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  GstMessage *message =
      filter_harness_wait (bus, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  guint n_errors = 0;
  gboolean from_filter = TRUE;

  if (message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    from_filter = GST_MESSAGE_SRC (message) == GST_OBJECT (filter);
    gst_message_parse_error (message, &error, NULL);
    /* Time for a second frame to fail as well. */
    g_usleep (2000);
  }
  GstMessage *further;
  while ((further = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))) {
    n_errors += GST_MESSAGE_SRC (further) == GST_OBJECT (filter);
    gst_message_unref (further);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);

  fail_unless (message != NULL, "neither an error nor the end");
  gst_message_unref (message);
  fail_unless (from_filter, "the first error is not the filter's");
  fail_unless (n_errors == 0, "the filter posted a second error");
  return error;
}

void
player_play_well (GstElement * pipeline)
{
  GError *error = player_play (pipeline);

  g_assert_no_error (error);
}

void
player_play_badly (GstElement * pipeline, GQuark domain, gint code,
    const gchar * const *words)
{
  const GstClockTime second = filter_harness_scale (GST_SECOND);
  const GstClockTime start = gst_util_get_timestamp ();
  g_autoptr (GError) error = player_play (pipeline);

  fail_unless (gst_util_get_timestamp () - start
      < PLAYER_SLOWNESS * MAX (second, filter_harness_scale (GST_SECOND)));
  g_assert_error (error, domain, code);
  for (guint i = 0; words[i]; i++)
    fail_unless (strstr (error->message, words[i]) != NULL,
        "\"%s\" is not in \"%s\"", words[i], error->message);
}

guint
player_count_files (void)
{
  GDir *folder = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  g_assert_nonnull (folder);
  while (g_dir_read_name (folder))
    n++;
  g_dir_close (folder);
  return n;
}
