/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What draws with OpenGL in windows. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether OpenGL draws windows on the CPU, or not at all. Makes a
 * window that is not shown, asks its context, and frees both. For the main
 * thread, after gtk_init(). */
gboolean play_renderer_is_software (void);

G_END_DECLS
