/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* glopencl-play shows a video, an image or a camera through a filter, and
 * changes the parameters of the filter by key. */

#include <epoxy/gl.h>
#include <gtk/gtk.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "playsettings.h"
#include "playwindow.h"

#define GL_SINK "gtkglsink"
/* It draws without OpenGL, which is faster with software OpenGL. */
#define PLAIN_SINK "gtksink"

#define DEFAULT_FILTER "glopencldenoise lookahead=2"
#define DEFAULT_SOUND "autoaudiosink"

typedef struct
{
  gchar *filter;
  gchar *preset;
  gchar *sink;
  gchar *sound;
  gboolean once;
  gboolean stay;
  gboolean version;
  gchar **inputs;
} Options;

typedef struct
{
  const Options *options;
  GMainLoop *loop;
  PlaySession *session;
  PlayWindow *window;
  PlayPipeline *pipeline;       /* NULL while no file is open */
  gboolean was_chosen;          /* the file was chosen in the window */
  gint status;
} Program;

static void
say (const gchar * text)
{
  g_printerr ("glopencl-play: %s\n", text);
}

/* Parses the options. Exits with a message if they are wrong. */
static void
parse_options (Options * options, gint * argc, gchar *** argv)
{
  const GOptionEntry entries[] = {
    {"filter", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options->filter,
        "Filter elements, in gst-launch syntax (" DEFAULT_FILTER ")", "TEXT"},
    {"preset", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME, &options->preset,
        "Load the properties of an element from a preset file, if it "
          "exists. The key P saves to it", "FILE"},
    {"sink", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options->sink,
        "Video sink: " GL_SINK ", or " PLAIN_SINK
          " without OpenGL, the default " "with software OpenGL", "ELEMENT"},
    {"sound", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING, &options->sound,
        "Audio sink (" DEFAULT_SOUND ")", "TEXT"},
    {"once", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options->once,
        "Quit at the end instead of repeating", NULL},
    {"stay", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options->stay,
          "Keep the window open after errors, also if INPUT cannot be opened",
        NULL},
    {"version", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_NONE, &options->version,
        "Print the version", NULL},
    {G_OPTION_REMAINING, 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_FILENAME_ARRAY,
        &options->inputs, NULL, "[INPUT]"},
    {NULL}
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree gchar *help = play_session_print_help ();
  g_autofree gchar *description = g_strdup_printf
      ("INPUT is a file, a URI or a camera such as /dev/video0. Without "
      "INPUT, the window\n"
      "asks for a file. Keys in the window:\n"
      "\n"
      "%s\n"
      "\n"
      "At the end, the program prints the command line for the current "
      "settings.", help);
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
      "Shows a video, an image or a camera through a filter, and changes "
      "the parameters\n" "of the filter by key.");
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
  if (options->inputs && options->inputs[1]) {
    say ("expected one INPUT, a file, a URI or a camera. See --help");
    exit (2);
  }
}

static void
close_program (gpointer data)
{
  Program *program = data;

  g_main_loop_quit (program->loop);
}

/* Exits if an INPUT cannot be shown at all. Later, errors do not close the
 * window, so that the current settings are not lost. */
static void
fail (Program * program, const gchar * text)
{
  play_session_add_message (program->session, GST_MESSAGE_ERROR, text);
  if (program->options->once || (!program->was_chosen
          && !program->options->stay
          && (!program->pipeline || play_view_get_n_frames
              (play_pipeline_get_view (program->pipeline)) == 0))) {
    program->status = 1;
    g_main_loop_quit (program->loop);
  }
}

static void
handle_message (GstMessageType type, const gchar * text, gpointer data)
{
  Program *program = data;

  if (type == GST_MESSAGE_ERROR)
    fail (program, text);
  else if (type == GST_MESSAGE_WARNING)
    play_session_add_message (program->session, type, text);
  else if (type == GST_MESSAGE_PROGRESS)
    play_session_set_progress (program->session, text);
  else if (program->options->once)
    g_main_loop_quit (program->loop);
}

/* Returns whether windows use software OpenGL, or no OpenGL at all. Creates a
 * hidden window, checks its context, and frees both. Must be called after
 * gtk_init(). */
static gboolean
draws_on_cpu (void)
{
  /* In GL_RENDERER: current and older Mesa, and ANGLE. */
  static const gchar *const software[] = {
    "llvmpipe", "softpipe", "swrast", "Software Rasterizer", "SwiftShader",
  };
  GdkWindowAttr attributes = {.window_type = GDK_WINDOW_TOPLEVEL,
    .wclass = GDK_INPUT_OUTPUT,.width = 1,.height = 1
  };
  GdkWindow *window = gdk_window_new (NULL, &attributes, 0);
  g_autoptr (GdkGLContext) context =
      gdk_window_create_gl_context (window, NULL);
  gboolean answer = TRUE;

  if (context && gdk_gl_context_realize (context, NULL)) {
    gdk_gl_context_make_current (context);
    const gchar *renderer = (const gchar *) glGetString (GL_RENDERER);

    answer = !renderer;
    for (guint i = 0; renderer && i < G_N_ELEMENTS (software); i++)
      answer |= strstr (renderer, software[i]) != NULL;
    gdk_gl_context_clear_current ();
  }
  gdk_window_destroy (window);
  return answer;
}

/* Returns a floating element, or NULL. */
static GstElement *
make_sink (const gchar * name, GError ** error)
{
  if (!name)
    name = draws_on_cpu ()? PLAIN_SINK : GL_SINK;
  GstElement *sink = gst_element_factory_make (name, NULL);
  GParamSpec *widget = sink
      ? g_object_class_find_property (G_OBJECT_GET_CLASS (sink), "widget")
      : NULL;

  if (widget && g_type_is_a (widget->value_type, GTK_TYPE_WIDGET))
    return sink;
  if (sink)
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_FAILED,
        "%s cannot be part of a window. Use " GL_SINK " or " PLAIN_SINK, name);
  else
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "the element %s is not installed. " GL_SINK " and " PLAIN_SINK
        " are in the package gstreamer1.0-gtk3", name);
  gst_clear_object (&sink);
  return NULL;
}

/* Returns a pipeline for @input, or NULL. It gets the elements of the previous
 * pipeline, with their current settings. */
static PlayPipeline *
make_pipeline (Program * program, const gchar * input, GstElement ** sink,
    GError ** error)
{
  const Options *options = program->options;
  g_autofree gchar *filter = program->pipeline
      ? play_command_print_elements (program->pipeline, TRUE)
      : g_strdup (options->filter ? options->filter : DEFAULT_FILTER);

  *sink = make_sink (options->sink, error);
  if (!*sink)
    return NULL;
  PlayPipeline *pipeline = play_pipeline_new (input, filter, *sink,
      options->sound ? options->sound : DEFAULT_SOUND, handle_message, program,
      error);
  if (!pipeline)
    return NULL;
  if (!program->pipeline && options->preset
      && g_file_test (options->preset, G_FILE_TEST_EXISTS)
      && !play_preset_load (options->preset,
          play_pipeline_get_elements (pipeline), error)) {
    play_pipeline_free (pipeline);
    return NULL;
  }
  play_pipeline_set_loop (pipeline, !options->once);
  return pipeline;
}

/* Opens another input. If this fails, the current one stays open. */
static void
open_film (Program * program, const gchar * input)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkWidget) widget = NULL;
  GstElement *sink;
  PlayPipeline *pipeline = make_pipeline (program, input, &sink, &error);

  if (!pipeline) {
    if (program->pipeline)
      play_session_add_message (program->session, GST_MESSAGE_WARNING,
          error->message);
    else
      fail (program, error->message);
    return;
  }
  g_autofree gchar *title = g_path_get_basename (input);
  g_autofree gchar *name = g_uri_unescape_string (title, NULL);
  g_object_get (sink, "widget", &widget, NULL);
  play_session_set_pipeline (program->session, pipeline);
  play_window_set_film (program->window, widget, name ? name : title);
  g_clear_pointer (&program->pipeline, play_pipeline_free);
  program->pipeline = pipeline;
  play_pipeline_set_playing (pipeline, TRUE);
}

static void
open_chosen (const gchar * uri, gpointer data)
{
  Program *program = data;

  program->was_chosen = TRUE;
  open_film (program, uri);
}

static const PlayWindowActions actions = { open_chosen, close_program };

/* Opens the INPUT in the main loop, so that errors can end it. */
static gboolean
open_input (gpointer data)
{
  Program *program = data;

  open_film (program, program->options->inputs[0]);
  return G_SOURCE_REMOVE;
}

/* Shows a window until it is closed, then prints the command lines. */
static gint
play (const Options * options)
{
  Program program = {.options = options };

  program.loop = g_main_loop_new (NULL, FALSE);
  program.session = play_session_new (options->preset);
  program.window = play_window_new (program.session, &actions, &program);
  if (options->inputs)
    g_idle_add (open_input, &program);
  g_main_loop_run (program.loop);
  if (program.status == 0 && program.pipeline)
    play_session_print_commands (program.session);
  play_window_free (program.window);
  g_clear_pointer (&program.pipeline, play_pipeline_free);
  play_session_free (program.session);
  g_main_loop_unref (program.loop);
  return program.status;
}

int
main (int argc, char **argv)
{
  Options options = { NULL };

  /* GTK sets it too, but after the options are read. */
  setlocale (LC_ALL, "");
  parse_options (&options, &argc, &argv);
  if (!gtk_init_check (&argc, &argv)) {
    say ("no display for a window. Use glopencl-denoise to filter the video "
        "into a file");
    return 1;
  }
  const gint status = play (&options);

  g_free (options.filter);
  g_free (options.preset);
  g_free (options.sink);
  g_free (options.sound);
  g_strfreev (options.inputs);
  return status;
}
