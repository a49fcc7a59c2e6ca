/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the histograms of a video to standard output as CSV, one row per
 * frame: running time in seconds, then means and percentiles, or all counts.
 *
 *   histogramcsv [--counts] [--interval SECONDS] [--filter ELEMENTS] [INPUT]
 *
 * INPUT is any file that GStreamer can decode. Without INPUT the program uses a
 * test picture. histogram.sh builds and runs this program.
 *
 * The program is also an example of an application that needs every histogram:
 * a sync handler of the bus handles the messages on the streaming thread, so
 * that this thread waits for the reader of the output. */

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <gst/gst.h>

#define PROGRAM "histogramcsv"
#define BINS 256
#define PROGRESS_INTERVAL (GST_SECOND / 4)

enum
{
  RED,
  GREEN,
  BLUE,
  LUMA,
  N_CHANNELS
};

static const gchar *const channel_names[N_CHANNELS] = {
  "red", "green", "blue", "luma"
};

static const guint percents[] = { 1, 10, 25, 50, 75, 90, 99 };

typedef struct
{
  gboolean counts;
  gdouble interval;
  gchar *filter;
  gchar **inputs;
} Options;

typedef struct
{
  gboolean counts;
  guint64 n_rows;               /* used by the streaming thread until it has
                                 * stopped */
} Writer;

static void
read_counts (const GstStructure * structure, const gchar * name,
    guint counts[BINS])
{
  const GValue *array = gst_structure_get_value (structure, name);

  for (guint i = 0; i < BINS; i++)
    counts[i] = g_value_get_uint (gst_value_array_get_value (array, i));
}

static guint64
get_total (const guint counts[BINS])
{
  guint64 total = 0;

  for (guint i = 0; i < BINS; i++)
    total += counts[i];
  return total;
}

static gdouble
get_mean (const guint counts[BINS])
{
  guint64 sum = 0;

  for (guint i = 0; i < BINS; i++)
    sum += (guint64) counts[i] * i;
  return (gdouble) sum / get_total (counts);
}

/* Returns the lowest value that @percent of the pixels do not exceed. */
static guint
get_percentile (const guint counts[BINS], guint percent)
{
  guint64 total = get_total (counts);
  guint64 below = 0;
  guint value = 0;

  while ((below += counts[value]) * 100 < percent * total)
    value++;
  return value;
}

static void
write_header (const Writer * writer)
{
  fputs ("time", stdout);
  if (writer->counts) {
    for (guint channel = 0; channel < N_CHANNELS; channel++)
      for (guint i = 0; i < BINS; i++)
        printf (",%s%u", channel_names[channel], i);
  } else {
    fputs (",luma", stdout);
    for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
      printf (",luma_p%u", percents[i]);
    fputs (",red,green,blue", stdout);
  }
  putchar ('\n');
}

static void
write_row (const Writer * writer, const GstStructure * structure)
{
  GstClockTime time = GST_CLOCK_TIME_NONE;
  guint counts[N_CHANNELS][BINS];

  for (guint channel = 0; channel < N_CHANNELS; channel++)
    read_counts (structure, channel_names[channel], counts[channel]);

  gst_structure_get_uint64 (structure, "running-time", &time);
  if (GST_CLOCK_TIME_IS_VALID (time))
    printf ("%.6f", (gdouble) time / GST_SECOND);
  if (writer->counts) {
    for (guint channel = 0; channel < N_CHANNELS; channel++)
      for (guint i = 0; i < BINS; i++)
        printf (",%u", counts[channel][i]);
  } else {
    printf (",%.2f", get_mean (counts[LUMA]));
    for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
      printf (",%u", get_percentile (counts[LUMA], percents[i]));
    printf (",%.2f,%.2f,%.2f", get_mean (counts[RED]),
        get_mean (counts[GREEN]), get_mean (counts[BLUE]));
  }
  putchar ('\n');
}

/* Called on the streaming thread. */
static GstBusSyncReply
handle_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Writer *writer = user_data;

  (void) bus;
  if (!gst_message_has_name (message, "glopenclfilter-histogram"))
    return GST_BUS_PASS;
  if (writer->n_rows++ == 0)
    write_header (writer);
  write_row (writer, gst_message_get_structure (message));
  gst_message_unref (message);
  return GST_BUS_DROP;
}

static void
show_progress (GstElement * pipeline)
{
  gint64 position;
  gint64 duration;

  if (gst_element_query_position (pipeline, GST_FORMAT_TIME, &position)
      && gst_element_query_duration (pipeline, GST_FORMAT_TIME, &duration)
      && duration > 0)
    fprintf (stderr, "\r%3d %%", (int) (position * 100 / duration));
}

/* Returns when all frames have gone through. */
static gboolean
play (GstElement * pipeline, GstBus * bus)
{
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  gboolean progress = isatty (STDERR_FILENO);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (!(message = gst_bus_timed_pop_filtered (bus, PROGRESS_INTERVAL,
              GST_MESSAGE_EOS | GST_MESSAGE_ERROR))) {
    if (progress)
      show_progress (pipeline);
  }
  if (progress)
    fputs ("\r     \r", stderr);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    return TRUE;
  gst_message_parse_error (message, &error, NULL);
  fprintf (stderr, PROGRAM ": %s\n", error->message);
  return FALSE;
}

static GstElement *
create_pipeline (const Options * options)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *line = g_strdup_printf ("%s "
      "! videoconvert n-threads=0 dither=none "
      "! video/x-raw,format=RGBA ! glupload %s%s ! glopenclfilter "
      "spatial-sigma=0 histogram-emission=messages histogram-bins=%d "
      "histogram-interval=%" G_GUINT64_FORMAT " ! fakesink",
      options->inputs ? "filesrc name=source ! decodebin"
      : "videotestsrc num-buffers=100", options->filter ? "! " : "",
      options->filter ? options->filter : "", BINS,
      (guint64) (options->interval * GST_SECOND));
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (error) {
    fprintf (stderr, PROGRAM ": %s\n", error->message);
    g_clear_pointer (&pipeline, gst_object_unref);
  } else if (options->inputs) {
    g_autoptr (GstElement) source =
        gst_bin_get_by_name (GST_BIN (pipeline), "source");
    g_object_set (source, "location", options->inputs[0], NULL);
  }
  return pipeline;
}

static gboolean
write_histograms (const Options * options)
{
  g_autoptr (GstElement) pipeline = create_pipeline (options);
  Writer writer = {.counts = options->counts };

  if (!pipeline)
    return FALSE;

  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, handle_message, &writer, NULL);
  gboolean played = play (pipeline, bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  if (!played)
    return FALSE;
  if (writer.n_rows == 0) {
    fputs (PROGRAM ": no frames\n", stderr);
    return FALSE;
  }
  if (fflush (stdout) != 0 || ferror (stdout)) {
    perror (PROGRAM ": the output cannot be written");
    return FALSE;
  }
  return TRUE;
}

static gboolean
parse_options (int argc, char **argv, Options * options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new ("[INPUT]");
  const GOptionEntry entries[] = {
    {"counts", 0, 0, G_OPTION_ARG_NONE, &options->counts,
        "Write all counts instead of means and percentiles", NULL},
    {"interval", 0, 0, G_OPTION_ARG_DOUBLE, &options->interval,
        "Write one row per interval instead of one per frame", "SECONDS"},
    {"filter", 0, 0, G_OPTION_ARG_STRING, &options->filter,
          "Filter elements, in gst-launch syntax (default: none)",
        "ELEMENTS"},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->inputs,
        NULL, NULL},
    G_OPTION_ENTRY_NULL
  };

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    fprintf (stderr, PROGRAM ": %s\n", error->message);
    return FALSE;
  }
  if (options->inputs && options->inputs[1]) {
    fputs (PROGRAM ": expected one input\n", stderr);
    return FALSE;
  }
  if (!(options->interval >= 0.0 && options->interval <= G_MAXINT)) {
    fputs (PROGRAM ": --interval expects a number of seconds\n", stderr);
    return FALSE;
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  Options options = { 0 };

  /* For names of files. Numbers keep their decimal point. */
  setlocale (LC_CTYPE, "");
  gboolean written = parse_options (argc, argv, &options)
      && write_histograms (&options);

  g_free (options.filter);
  g_strfreev (options.inputs);
  return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
