/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An application that embeds glopenclfilter: filters a test picture for a few
 * seconds, changes the spatial sigma while it plays, and prints the statistics.
 *
 *   denoise [SECONDS]
 */

#include <stdlib.h>

#include <gst/gst.h>

#define STEP_MS 250

typedef struct
{
  GMainLoop *loop;
  GstElement *pipeline;
  GstElement *filter;
  gint steps_left;
  int status;
} Application;

static void
print_stats (GstElement * filter)
{
  GstStructure *stats = NULL;
  guint64 frames = 0;
  guint64 kernel_time = 0;

  g_object_get (filter, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_get_uint64 (stats, "kernel-time", &kernel_time);
  g_print ("%" G_GUINT64_FORMAT " frames, %.2f ms of kernels each, variant "
      "%s\n", frames, frames ? kernel_time / 1e6 / frames : 0.0,
      gst_structure_get_string (stats, "variant"));
  gst_structure_free (stats);
}

/* A property may be set at any time. It applies from the next frame on. */
static gboolean
change_sigma (gpointer user_data)
{
  Application *application = user_data;
  gdouble sigma = 0.0;

  if (application->steps_left-- == 0) {
    gst_element_send_event (application->pipeline, gst_event_new_eos ());
    return G_SOURCE_REMOVE;
  }
  g_object_get (application->filter, "spatial-sigma", &sigma, NULL);
  sigma = sigma >= 4.0 ? 0.0 : sigma + 0.5;
  g_object_set (application->filter, "spatial-sigma", sigma, NULL);
  g_print ("spatial-sigma %.1f: ", sigma);
  print_stats (application->filter);
  return G_SOURCE_CONTINUE;
}

static gboolean
handle_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Application *application = user_data;

  (void) bus;
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    GError *error = NULL;
    gchar *debug = NULL;

    gst_message_parse_error (message, &error, &debug);
    g_printerr ("%s\n%s\n", error->message, debug ? debug : "");
    g_clear_error (&error);
    g_free (debug);
    application->status = EXIT_FAILURE;
    g_main_loop_quit (application->loop);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS) {
    g_main_loop_quit (application->loop);
  }
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  Application application = {.status = EXIT_SUCCESS };
  GError *error = NULL;

  gst_init (&argc, &argv);
  application.steps_left = (argc > 1 ? atoi (argv[1]) : 3) * 1000 / STEP_MS;
  application.loop = g_main_loop_new (NULL, FALSE);
  application.pipeline = gst_parse_launch ("videotestsrc is-live=true "
      "pattern=snow ! video/x-raw,width=640,height=360,framerate=30/1 "
      "! glupload ! glopenclfilter name=filter "
      "! gldownload ! fakesink sync=true", &error);
  if (!application.pipeline) {
    g_printerr ("%s\n", error->message);
    g_clear_error (&error);
    return EXIT_FAILURE;
  }
  application.filter = gst_bin_get_by_name (GST_BIN (application.pipeline),
      "filter");

  GstBus *bus = gst_element_get_bus (application.pipeline);
  guint watch = gst_bus_add_watch (bus, handle_message, &application);
  guint timer = g_timeout_add (STEP_MS, change_sigma, &application);
  gst_element_set_state (application.pipeline, GST_STATE_PLAYING);
  g_main_loop_run (application.loop);

  print_stats (application.filter);
  gst_element_set_state (application.pipeline, GST_STATE_NULL);
  if (application.steps_left >= 0)
    g_source_remove (timer);
  g_source_remove (watch);
  gst_object_unref (bus);
  gst_object_unref (application.filter);
  gst_object_unref (application.pipeline);
  g_main_loop_unref (application.loop);
  return application.status;
}
