/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What keys do, and what is said about the frames. It needs no window: the
 * window passes keys on and shows what this object says.
 *
 * All functions are for the main thread. */

#pragma once

#include "playparams.h"
#include "playpipeline.h"

G_BEGIN_DECLS

/**
 * PlaySession:
 * @pipeline: the open film's, or NULL; not owned
 * @params: its parameters, of PlayParam; an array without any if there is no
 *    film
 * @selected: the index of that which keys change
 * @failed: whether an error has stopped the film
 * @shows_values: whether the values are drawn on the picture
 * @shows_help: whether the keys are drawn on the picture
 * @shows_messages: whether all warnings and errors are shown
 * @shows_controls: whether sliders, menus and the seek bar are shown
 * @is_full_screen: whether the window covers the screen
 * @zoom: pixels of the screen for one of the frame; 0 shows the whole frame
 * @wants_input: whether a file is to be chosen
 * @wants_film: whether the film is to be filtered into a file
 * @copied: text for the clipboard, or NULL
 * @starts_again: whether a film that has failed is to be opened again
 * @quits: whether the program ends
 *
 * The window reads these fields after each key, and does what is wanted. Only
 * the session changes those before @zoom.
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
  gchar *preset;                /* the file for presets, or NULL */
  gchar *note;                  /* what the last key did */
  guint n_pictures;
  guint n_preset;               /* the next of the element's presets */
  guint64 n_frames;             /* when the rate was measured last */
  gint64 time;
  gdouble rate;
} PlaySession;

/* @preset is the file that a key saves the properties in, or NULL. */
PlaySession *play_session_new (const gchar * preset);
void play_session_free (PlaySession * self);

/* Sets the film that keys are for, or NULL. Elements that were taken out
 * before are taken out of @pipeline, too, if it has been made of the same
 * text. Call it before the old pipeline is freed. */
void play_session_set_pipeline (PlaySession * self, PlayPipeline * pipeline);

/* Adds a warning or an error. Prints it to standard error, too. */
void play_session_add_message (PlaySession * self, GstMessageType type,
    const gchar * text);

/* Does what the key does, a keysym such as GDK_KEY_Up. Returns whether
 * there is such a key. */
gboolean play_session_press (PlaySession * self, guint key);

/* Sets the place of the split, from 0 to 1, and shows a split picture. */
void play_session_split (PlaySession * self, gdouble split);

/* Selects a parameter. Sets it, as play_param_set() does. Resets it. */
void play_session_select (PlaySession * self, guint n);
void play_session_set (PlaySession * self, guint n, gdouble value);
void play_session_reset (PlaySession * self, guint n);

/* Returns the names of the element's looks, which are the values of a
 * property "preset", and of its presets, which GStreamer finds. There may
 * be none. Free it with g_strfreev(). */
gchar **play_session_list_presets (GstElement * element);
void play_session_take_preset (PlaySession * self, GstElement * element,
    const gchar * name);

/* Goes to a time of the film. */
void play_session_seek (PlaySession * self, GstClockTime time);

/* Sets what is said about the last key. */
void play_session_note (PlaySession * self, const gchar * format, ...)
    G_GNUC_PRINTF (2, 3);

/* Returns the first line of the newest warning or error that has not been
 * shown in the list, or NULL; and the list of all. Free them with g_free(). */
gchar *play_session_print_message (PlaySession * self);
gchar *play_session_print_messages (PlaySession * self);

/* Returns the values of the parameters, or without @all the selected one,
 * and what is known of the frames, a line each; free it with g_free().
 * Measures the rate of frames since the last call. */
gchar *play_session_print_values (PlaySession * self, gboolean all);

/* Returns a line for each key; free it with g_free(). */
gchar *play_session_print_help (void);

/* Prints the command lines that make what is shown to standard output. */
void play_session_print_commands (PlaySession * self);

G_END_DECLS
