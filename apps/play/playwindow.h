/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The window of glopencl-play, in GTK 3: the sink of GStreamer for it is
 * packaged everywhere, and keys arrive under X11 and Wayland, where GStreamer's
 * own windows get none.
 *
 * All functions are for the main thread. */

#pragma once

#include <gtk/gtk.h>

#include "playsession.h"

G_BEGIN_DECLS

typedef struct _PlayWindow PlayWindow;

/* Is called when the window is closed, or a key quits. */
typedef void (*PlayWindowClosed) (gpointer data);

/* Shows a window with @widget, which belongs to a sink of GStreamer. Calls
 * @closed with @data. Free it with play_window_free(). */
PlayWindow *play_window_new (GtkWidget * widget, PlaySession * session,
    const gchar * title, PlayWindowClosed closed, gpointer data);
void play_window_free (PlayWindow * self);

G_END_DECLS
