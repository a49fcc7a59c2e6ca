/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of an element and of its children, as text.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Called for a property of @object, which is the element or a child of it.
 * @name is in gst-launch syntax: spatial-sigma, or bilateral0::spatial-sigma of
 * a child. */
typedef void (*PlayPropertyFunc) (GObject * object, GParamSpec * pspec,
    const gchar * name, gpointer data);

/* Calls @func for all properties of @element, and of its children, that are
 * readable and can be set while playing. */
void play_properties_foreach (GstElement * element, PlayPropertyFunc func,
    gpointer data);

/* Prints a value by the nicks of flags and choices, instead of the descriptions
 * that some versions of GStreamer print. Free it with g_free(). */
gchar *play_properties_serialize (const GValue * value);

/* Prints the value in gst-launch syntax, without quotes. Returns NULL for the
 * default, for types without a text form, such as objects, and for the overlay
 * of histograms, which belongs to the window and not to the file. Free it with
 * g_free(). */
gchar *play_properties_print (GObject * object, GParamSpec * pspec);

/* Sets the property @name of @element or of a child, in the form above. Sets
 * @error if it does not exist or @text is invalid. */
gboolean play_properties_set (GstElement * element, const gchar * name,
    const gchar * text, GError ** error);

G_END_DECLS
