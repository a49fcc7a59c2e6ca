/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Denoises a video file, prints the noise and the brightness of each second, and
 * doubles the strength after the first second:
 *
 *   denoise FILE
 */

#include <stdlib.h>

#include <gst/gst.h>

/* Prints the mean luma of a denoised frame. Runs in the streaming thread. */
static GstPadProbeReturn
handle_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstCustomMeta *meta =
      gst_buffer_get_custom_meta (buffer, "GstGLOpenCLHistogramMeta");

  (void) pad;
  (void) user_data;
  /* With histogram-interval only some of the frames have a meta. */
  if (meta) {
    GstStructure *structure = gst_custom_meta_get_structure (meta);
    const GValue *luma = gst_structure_get_value (structure, "luma");
    gsize size = 0;
    const guint32 *counts = g_bytes_get_data (g_value_get_boxed (luma), &size);
    const gsize n_bins = size / sizeof *counts;
    gdouble sum = 0.0;
    gdouble n_samples = 0.0;

    for (gsize i = 0; i < n_bins; i++) {
      sum += (gdouble) counts[i] * i;
      n_samples += counts[i];
    }
    g_print ("mean luma %.1f of %" G_GSIZE_FORMAT "\n", sum / n_samples,
        n_bins - 1);
  }
  return GST_PAD_PROBE_OK;
}

/* Prints the noise of the first frame of each second. Not all channels need to
 * have noise. */
static void
handle_noise (GstElement * denoise, const GstStructure * noise)
{
  static guint64 seconds;
  guint64 time = 0;
  gdouble luma = 0.0;

  gst_structure_get_uint64 (noise, "stream-time", &time);
  if (time / GST_SECOND < seconds)
    return;
  seconds = time / GST_SECOND + 1;
  if (gst_structure_get_double (noise, "luma", &luma))
    g_print ("noise %.1f, %s\n", luma, gst_structure_get_string (noise,
            "kind"));
  if (time >= GST_SECOND)
    g_object_set (denoise, "strength", 2.0, NULL);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status = EXIT_SUCCESS;

  gst_init (&argc, &argv);
  if (argc != 2) {
    g_printerr ("usage: denoise FILE\n");
    return EXIT_FAILURE;
  }
  /* Fails if the plugin is not installed. */
  GstElement *pipeline = gst_parse_launch ("filesrc name=source ! decodebin "
      "! videoconvert dither=none ! glupload ! glopencldenoise name=denoise "
      "noise-messages=true histogram-emission=meta "
      "histogram-interval=1000000000 ! gldownload ! fakesink", &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    g_clear_pointer (&pipeline, gst_object_unref);
    return EXIT_FAILURE;
  }
  g_autoptr (GstElement) source =
      gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_autoptr (GstElement) denoise =
      gst_bin_get_by_name (GST_BIN (pipeline), "denoise");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (denoise, "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  g_object_set (source, "location", argv[1], NULL);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, handle_frame, NULL, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (gboolean is_running = TRUE; is_running;) {
    g_autoptr (GstMessage) message =
        gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
        GST_MESSAGE_ERROR | GST_MESSAGE_EOS | GST_MESSAGE_ELEMENT);

    if (gst_message_has_name (message, "glopencldenoise-noise")) {
      handle_noise (denoise, gst_message_get_structure (message));
    } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
      /* Without an OpenCL driver: GST_RESOURCE_ERROR_NOT_FOUND. */
      gst_message_parse_error (message, &error, NULL);
      g_printerr ("%s\n", error->message);
      status = EXIT_FAILURE;
      is_running = FALSE;
    } else {
      is_running = GST_MESSAGE_TYPE (message) != GST_MESSAGE_EOS;
    }
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return status;
}
