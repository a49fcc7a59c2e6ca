/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The settings of elements as text: their properties, the command lines for the
 * current settings of a window, and preset files.
 *
 * All functions are for the main thread. */

#pragma once

#include "playpipeline.h"

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

/* Returns the elements with their current properties, for the parser of
 * pipelines: the enabled ones, or all. Free it with g_free(). */
gchar *play_command_print_elements (PlayPipeline * pipeline, gboolean all);

/* Return a shell command for the current elements and properties:
 * gst-launch-1.0 to show the input, or glopencl-denoise to write a file. NULL
 * if glopencl-denoise cannot read the input, because it requires a file. Free
 * it with g_free(). */
gchar *play_command_print_launch (PlayPipeline * pipeline);
gchar *play_command_print_denoise (PlayPipeline * pipeline);

/* A file with the values of an element's properties, in the format of
 * GstPreset. GStreamer finds it in a folder of GST_PRESET_PATH, under the name
 * of the element's type with the suffix .prs.
 *
 * Sets the properties of the first element in @elements of the type in the
 * file. Sets @error if the file cannot be read, no element has this type, or a
 * property does not exist. Previous properties are set then. */
gboolean play_preset_load (const gchar * location, const GList * elements,
    GError ** error);

/* Replaces the file by the properties of @element that differ from their
 * defaults. */
gboolean play_preset_save (const gchar * location, GstElement * element,
    GError ** error);

G_END_DECLS
