/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sliders and menus for the parameters of a session, made from the properties.
 * A slider has the range and the step, and a double click resets it.
 *
 * All functions are for the main thread. */

#pragma once

#include <gtk/gtk.h>

#include "playsession.h"

G_BEGIN_DECLS

typedef struct _PlayPanel PlayPanel;

/* Free it with play_panel_free(), after its parent widget. */
PlayPanel *play_panel_new (PlaySession * session);
void play_panel_free (PlayPanel * self);

/* Returns the widget, which its container owns. */
GtkWidget *play_panel_get_widget (PlayPanel * self);

/* Shows the current values, regardless of who changed them, and other
 * parameters after elements have changed theirs. */
void play_panel_update (PlayPanel * self);

/* Logs the position of the widget in the window with GStreamer's debug log when
 * it changes, for tests that click on it. @name must remain valid. */
void play_panel_log_place (GtkWidget * widget, const gchar * name);

G_END_DECLS
