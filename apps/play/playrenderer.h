/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Detects the OpenGL renderer of windows. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether windows use software OpenGL, or no OpenGL at all. Creates a
 * hidden window, checks its context, and frees both. Must be called from the
 * main thread, after gtk_init(). */
gboolean play_renderer_is_software (void);

G_END_DECLS
