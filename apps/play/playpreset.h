/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file with the values of an element's properties, in the format of
 * GstPreset. GStreamer finds it in a folder of GST_PRESET_PATH, under the name
 * of the element's type with the suffix .prs.
 *
 * All functions are for the main thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Sets the properties of the first element in @elements of the type in the
 * file. Sets @error if the file cannot be read, no element has this type, or a
 * property does not exist. Previous properties are set then. */
gboolean play_preset_load (const gchar * location, const GList * elements,
    GError ** error);

/* Replaces the file by the properties of @element that differ from their
 * defaults. */
gboolean play_preset_save (const gchar * location, GstElement * element,
    GError ** error);

G_END_DECLS
