/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The window of glopencl-play, in GTK 3: its GStreamer sink is packaged
 * everywhere, and receives keys under X11 and Wayland. GStreamer's own windows
 * receive none under Wayland.
 *
 * All functions are for the main thread. */

#pragma once

#include <gtk/gtk.h>

#include "playsession.h"

G_BEGIN_DECLS

typedef struct _PlayWindow PlayWindow;

/**
 * PlayWindowActions:
 * @open: opens an input, by its URI
 * @close: ends the program, because the window was closed or a key quits
 *
 * Functions that the window calls, with the data given to play_window_new().
 */
typedef struct
{
  void (*open) (const gchar * uri, gpointer data);
  void (*close) (gpointer data);
} PlayWindowActions;

/* Shows a window that asks for a file. @actions must remain valid. Free it with
 * play_window_free(). */
PlayWindow *play_window_new (PlaySession * session,
    const PlayWindowActions * actions, gpointer data);

/* Stops filtering a file. */
void play_window_free (PlayWindow * self);

/* Shows the session's video, after its pipeline has changed. @video is the
 * widget of a GStreamer sink. */
void play_window_set_film (PlayWindow * self, GtkWidget * video,
    const gchar * title);

G_END_DECLS
