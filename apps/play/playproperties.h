/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Properties of an element and of its children, as text.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Is called for a property of @object, which is the element or a child of it.
 * @name is as gst-launch-1.0 takes it: spatial-sigma, or
 * bilateral0::spatial-sigma of a child. */
typedef void (*PlayPropertyFunc) (GObject * object, GParamSpec * pspec,
    const gchar * name, gpointer data);

/* Calls @func for all properties of @element, and of its children, that can be
 * read and can be set while frames pass. */
void play_properties_foreach (GstElement * element, PlayPropertyFunc func,
    gpointer data);

/* Prints a value by the names of flags and choices, which GStreamer of some
 * versions describes instead; free it with g_free(). */
gchar *play_properties_serialize (const GValue * value);

/* Prints the value as gst-launch-1.0 takes it, without quotes. Returns NULL for
 * the default, for what is not set as text, such as an object, and for the
 * overlay of histograms, which belongs to the window and not to the film; free
 * it with g_free(). */
gchar *play_properties_print (GObject * object, GParamSpec * pspec);

/* Sets the property @name of @element or of a child, in the form above. Sets
 * @error where it does not exist or @text is no value of it. */
gboolean play_properties_set (GstElement * element, const gchar * name,
    const gchar * text, GError ** error);

G_END_DECLS
