/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The key commands, and the texts about the frames. Independent of the window:
 * the window passes keys on and shows the texts.
 *
 * All functions are for the main thread. */

#pragma once

#include "playparams.h"
#include "playpipeline.h"

G_BEGIN_DECLS

/**
 * PlaySession:
 * @pipeline: the open pipeline, or NULL, not owned
 * @params: its parameters, an array of PlayParam, empty if no file is open
 * @selected: the index of the parameter that keys change
 * @failed: whether an error has stopped the pipeline
 * @shows_values: whether the values are drawn on the frame
 * @shows_help: whether the keys are drawn on the frame
 * @shows_messages: whether all warnings and errors are shown
 * @shows_controls: whether sliders, menus and the seek bar are shown
 * @is_full_screen: whether the window covers the screen
 * @zoom: screen pixels per frame pixel. 0 shows the whole frame
 * @wants_input: whether to ask for a file
 * @wants_film: whether to filter the video into a file
 * @copied: text for the clipboard, or NULL
 * @starts_again: whether to open a failed input again
 * @quits: whether to end the program
 *
 * The window reads these fields after each key, and executes the requests. Only
 * the session changes the fields before @zoom.
 */
typedef struct
{
  PlayPipeline *pipeline;
  GPtrArray *params;
  guint selected;
  gboolean failed;
  gboolean shows_values;
  gboolean shows_help;
  gboolean shows_messages;
  gboolean shows_controls;
  gboolean is_full_screen;
  gdouble zoom;
  gboolean wants_input;
  gboolean wants_film;
  gchar *copied;
  gboolean starts_again;
  gboolean quits;
  /*< private > */
  const GList *elements;        /* the pipeline's */
  gboolean shows_histogram;
  gboolean is_mute;
  GPtrArray *messages;          /* of Message */
  gchar *progress;              /* shown while frames wait, or NULL (owned) */
  gchar *preset;                /* the preset file, or NULL */
  gchar *note;                  /* result of the last key */
  guint n_pictures;
  guint n_preset;               /* index of the element's next preset */
  guint64 n_frames;             /* time of the last rate measurement */
  gint64 time;
  gdouble rate;
} PlaySession;

/* @preset is the file for saving properties, or NULL. */
PlaySession *play_session_new (const gchar * preset);
void play_session_free (PlaySession * self);

/* Sets the open pipeline, or NULL. Disables the same elements in @pipeline as
 * before, if its text is the same. Must be called before the old pipeline is
 * freed. */
void play_session_set_pipeline (PlaySession * self, PlayPipeline * pipeline);

/* Sets the text that is shown while frames wait, or NULL. */
void play_session_set_progress (PlaySession * self, const gchar * text);

/* Adds a warning or an error. Also prints it to standard error. */
void play_session_add_message (PlaySession * self, GstMessageType type,
    const gchar * text);

/* Runs the command of the key, a keysym such as GDK_KEY_Up. Returns whether the
 * key has a command. */
gboolean play_session_press (PlaySession * self, guint key);

/* Sets the position of the split, from 0 to 1, and shows a split frame. */
void play_session_split (PlaySession * self, gdouble split);

/* Selects a parameter. Sets it, as play_param_set() does. Resets it. */
void play_session_select (PlaySession * self, guint n);
void play_session_set (PlaySession * self, guint n, gdouble value);
void play_session_reset (PlaySession * self, guint n);

/* Returns the names of the element's looks, the values of a property "preset",
 * and of its GStreamer presets. There may be none. Free it with
 * g_strfreev(). */
gchar **play_session_list_presets (GstElement * element);
void play_session_take_preset (PlaySession * self, GstElement * element,
    const gchar * name);

/* Seeks to a time. */
void play_session_seek (PlaySession * self, GstClockTime time);

/* Sets the text about the last key. */
void play_session_note (PlaySession * self, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Returns the first line of the newest warning or error that has not been shown
 * in the list, otherwise the text about a wait or NULL, and the list of all.
 * Free them with g_free(). */
gchar *play_session_print_message (PlaySession * self);
gchar *play_session_print_messages (PlaySession * self);

/* Returns the values of the parameters, or without @all the selected one, and
 * the data of the frames, one per line. Free it with g_free(). Measures the
 * frame rate since the last call. */
gchar *play_session_print_values (PlaySession * self, gboolean all);

/* Returns a line for each key. Free it with g_free(). */
gchar *play_session_print_help (void);

/* Prints the command lines for the current settings to standard output. */
void play_session_print_commands (PlaySession * self);

G_END_DECLS
