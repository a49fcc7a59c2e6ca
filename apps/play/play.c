/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopencl-play shows what a filter does to a film, a picture or a camera,
 * while keys change its parameters. */

#include <gtk/gtk.h>
#include <locale.h>
#include <stdlib.h>

#include "playpreset.h"
#include "playrenderer.h"
#include "playwindow.h"

#define GL_SINK "gtkglsink"
/* It draws without OpenGL, which is faster where that draws on the CPU. */
#define PLAIN_SINK "gtksink"

typedef struct
{
  gchar *filter;
  gchar *preset;
  gchar *sink;
  gboolean once;
  gboolean version;
  gchar **inputs;
} Options;

typedef struct
{
  GMainLoop *loop;
  gboolean once;
  gint status;
} Program;

static void
say (const gchar * text)
{
  g_printerr ("glopencl-play: %s\n", text);
}

/* Reads the options; the process ends with a message where they are wrong. */
static void
parse_options (Options * options, gint * argc, gchar *** argv)
{
  const GOptionEntry entries[] = {
    {"filter", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options->filter,
        "Elements as for gst-launch-1.0 (glopenclfilter)", "TEXT"},
    {"preset", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options->preset,
        "Load the element's properties from a preset, if the file exists; P "
          "saves them there", "FILE"},
    {"sink", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options->sink,
        "What draws: " GL_SINK ", or " PLAIN_SINK " without OpenGL, which is "
          "taken where OpenGL draws on the CPU", "ELEMENT"},
    {"once", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options->once,
        "Quit at the end instead of starting again", NULL},
    {"version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options->version,
        "Print the version", NULL},
    {G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME_ARRAY,
        &options->inputs, NULL, "INPUT"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree gchar *help = play_session_print_help ();
  g_autofree gchar *description = g_strdup_printf
      ("INPUT is a file, a URI or a camera such as /dev/video0. Keys in the "
      "window:\n\n%s\n\nThe command line that makes what is shown is printed "
      "at the end.", help);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
      "Shows what a filter does to a film, a "
      "picture or a camera, while keys\nchange its parameters.");
  g_option_context_set_description (context, description);
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error)) {
    say (error->message);
    exit (2);
  }
  if (options->version) {
    g_print ("glopencl-play %s\n", GLOPENCL_VERSION);
    exit (0);
  }
  if (!options->inputs || options->inputs[1]) {
    say ("give one INPUT, a file, a URI or a camera; --help has more");
    exit (2);
  }
}

static void
close_program (gpointer data)
{
  Program *program = data;

  g_main_loop_quit (program->loop);
}

/* The line of an error that helps users is its first. */
static void
end_pipeline (const GError * error, gpointer data)
{
  Program *program = data;

  if (error) {
    g_autofree gchar *line = g_strndup (error->message,
        strcspn (error->message, "\n"));

    say (line);
    program->status = 1;
  }
  if (error || program->once)
    g_main_loop_quit (program->loop);
}

static gboolean
load_preset (const Options * options, PlayPipeline * pipeline)
{
  g_autoptr (GError) error = NULL;

  if (!options->preset || !g_file_test (options->preset, G_FILE_TEST_EXISTS)
      || play_preset_load (options->preset,
          play_pipeline_get_elements (pipeline), &error))
    return TRUE;
  say (error->message);
  return FALSE;
}

/* Shows a window until it is closed, and prints what makes the picture. */
static void
show (Program * program, const Options * options, PlayPipeline * pipeline,
    GtkWidget * widget)
{
  g_autofree gchar *title = g_path_get_basename (options->inputs[0]);
  PlaySession *session = play_session_new (pipeline, options->preset);
  PlayWindow *window = play_window_new (widget, session, title, close_program,
      program);

  play_pipeline_set_playing (pipeline, TRUE);
  g_main_loop_run (program->loop);
  if (program->status == 0)
    play_session_print_commands (session);
  play_window_free (window);
  play_session_free (session);
}

/* Returns NULL after a message. */
static GstElement *
make_sink (const Options * options)
{
  const gchar *name = options->sink;

  if (!name)
    name = play_renderer_is_software ()? PLAIN_SINK : GL_SINK;
  GstElement *sink = gst_element_factory_make (name, NULL);
  g_autofree gchar *problem = NULL;
  GParamSpec *widget = sink
      ? g_object_class_find_property (G_OBJECT_GET_CLASS (sink), "widget")
      : NULL;

  if (widget && g_type_is_a (widget->value_type, GTK_TYPE_WIDGET))
    return sink;
  problem = sink ? g_strdup_printf ("%s cannot be part of a window; " GL_SINK
      " and " PLAIN_SINK " can", name)
      : g_strdup_printf ("the element %s is not installed; " GL_SINK " and "
      PLAIN_SINK " are in the package gstreamer1.0-gtk3", name);
  say (problem);
  gst_clear_object (&sink);
  return NULL;
}

static gint
play (const Options * options)
{
  GstElement *sink = make_sink (options);
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkWidget) widget = NULL;
  Program program = {.once = options->once };

  if (!sink)
    return 1;
  program.loop = g_main_loop_new (NULL, FALSE);
  PlayPipeline *pipeline = play_pipeline_new (options->inputs[0],
      options->filter ? options->filter : "glopenclfilter", sink,
      end_pipeline, &program, &error);
  if (!pipeline) {
    say (error->message);
    program.status = 1;
  } else {
    play_pipeline_set_loop (pipeline, !options->once);
    g_object_get (sink, "widget", &widget, NULL);
    if (load_preset (options, pipeline))
      show (&program, options, pipeline, widget);
    else
      program.status = 1;
    play_pipeline_free (pipeline);
  }
  g_main_loop_unref (program.loop);
  return program.status;
}

int
main (int argc, char **argv)
{
  Options options = { NULL };

  /* GTK does so, too, but later than the options are read. */
  setlocale (LC_ALL, "");
  parse_options (&options, &argc, &argv);
  if (!gtk_init_check (&argc, &argv)) {
    say ("there is no display to show a window on; glopencl-denoise writes the "
        "film into a file instead");
    return 1;
  }
  const gint status = play (&options);

  g_free (options.filter);
  g_free (options.preset);
  g_free (options.sink);
  g_strfreev (options.inputs);
  return status;
}
