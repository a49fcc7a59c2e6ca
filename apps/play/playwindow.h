/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The window of glopencl-play, in GTK 3: the sink of GStreamer for it is
 * packaged everywhere, and gets keys under X11 and Wayland, where GStreamer's
 * own windows get none.
 *
 * All functions are for the main thread. */

#pragma once

#include <gtk/gtk.h>

#include "playsession.h"

G_BEGIN_DECLS

typedef struct _PlayWindow PlayWindow;

/**
 * PlayWindowActions:
 * @open: opens a film, by its URI
 * @close: ends the program, because the window was closed or a key quits
 *
 * Functions that the window calls, with the data given to play_window_new().
 */
typedef struct
{
  void (*open) (const gchar * uri, gpointer data);
  void (*close) (gpointer data);
} PlayWindowActions;

/* Shows a window that asks for a film. @actions has to stay valid. Free it with
 * play_window_free(). */
PlayWindow *play_window_new (PlaySession * session,
    const PlayWindowActions * actions, gpointer data);

/* Stops to filter a film. */
void play_window_free (PlayWindow * self);

/* Shows the session's film, after its pipeline has changed: @video belongs to a
 * sink of GStreamer. */
void play_window_set_film (PlayWindow * self, GtkWidget * video,
    const gchar * title);

G_END_DECLS
