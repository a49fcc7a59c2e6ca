/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file with the values of an element's properties, in the format of
 * GstPreset: in a folder of GST_PRESET_PATH, under the name of the element's
 * type with .prs appended, GStreamer finds it, too.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sets the properties of the first element of @elements that is of the type
 * that the file names. Sets @error where the file cannot be read, no element is
 * of its type, or a property does not exist; properties before it are set
 * then. */
gboolean play_preset_load (const gchar * location, const GList * elements,
    GError ** error);

/* Writes the properties of @element that are not at their default, in place of
 * what the file had. */
gboolean play_preset_save (const gchar * location, GstElement * element,
    GError ** error);

G_END_DECLS
