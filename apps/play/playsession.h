/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What keys do, and what is said about the frames. It needs no window: the
 * window passes keys on and shows what this object says.
 *
 * All functions are for the main thread. */

#pragma once

#include "playpipeline.h"

G_BEGIN_DECLS

/**
 * PlaySession:
 * @pipeline: not owned
 * @shows_values: whether the values are drawn on the picture
 * @shows_help: whether the keys are drawn on the picture
 * @is_full_screen: whether the window covers the screen
 * @quits: whether the program ends
 *
 * The window reads these fields after each key.
 */
typedef struct
{
  PlayPipeline *pipeline;
  gboolean shows_values;
  gboolean shows_help;
  gboolean is_full_screen;
  gboolean quits;
  /*< private > */
  const GList *elements;        /* the pipeline's */
  GPtrArray *params;
  guint selected;
  gchar *preset;                /* the file for presets, or NULL */
  gchar *note;                  /* what the last key did */
  guint n_pictures;
  guint n_preset;               /* the next of the element's presets */
  guint64 n_frames;             /* when the rate was measured last */
  gint64 time;
  gdouble rate;
} PlaySession;

/* @preset is the file that a key saves the properties in, or NULL. */
PlaySession *play_session_new (PlayPipeline * pipeline, const gchar * preset);
void play_session_free (PlaySession * self);

/* Does what the key does, a keysym such as GDK_KEY_Up. Returns whether there is
 * such a key. */
gboolean play_session_press (PlaySession * self, guint key);

/* Sets the place of the split, from 0 to 1, and shows a split picture. */
void play_session_split (PlaySession * self, gdouble split);

/* Returns the values of the parameters and what is known of the frames, a line
 * each; free it with g_free(). Measures the rate of frames since the last
 * call. */
gchar *play_session_print_values (PlaySession * self);

/* Returns a line for each key; free it with g_free(). */
gchar *play_session_print_help (void);

/* Prints the command lines that make what is shown to standard output. */
void play_session_print_commands (PlaySession * self);

G_END_DECLS
