/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mends presets with texts: GStreamer escapes a text twice when it saves a
 * preset, and unescapes it once when it loads the preset.
 *
 * The functions may be called from any thread. */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes @interface, which has GStreamer's functions, remember which object it
 * loads a preset for. */
void gst_gl_opencl_presets_init (GstPresetInterface * interface);

/* Returns @text, which may be NULL, as it was when the preset was saved, if
 * this thread loads a preset for @object, and otherwise a copy of @text. The
 * caller frees the result. */
gchar *gst_gl_opencl_presets_get_text (gpointer object, const gchar * text);

G_END_DECLS
