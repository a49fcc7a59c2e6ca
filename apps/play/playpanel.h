/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sliders and menus for the parameters of a session, made from the properties:
 * a slider has the range and the step, a double click sets the default.
 *
 * All functions are for the main thread. */

#pragma once

#include <gtk/gtk.h>

#include "playsession.h"

G_BEGIN_DECLS

typedef struct _PlayPanel PlayPanel;

/* Free it with play_panel_free(), after the widget that it is in. */
PlayPanel *play_panel_new (PlaySession * session);
void play_panel_free (PlayPanel * self);

/* Returns the widget, which the container that it is added to owns. */
GtkWidget *play_panel_get_widget (PlayPanel * self);

/* Shows the values as they are now, whoever has changed them, and other
 * parameters after elements have changed theirs. */
void play_panel_update (PlayPanel * self);

/* Has GStreamer's debug log say where the widget is in the window, whenever it
 * gets another place there: for tests, which click on it. @name has to stay
 * valid. */
void play_panel_log_place (GtkWidget * widget, const gchar * name);

G_END_DECLS
