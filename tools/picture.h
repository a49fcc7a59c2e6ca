/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames to measure with: packed RGBA. Any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A frame of shapes on a gradient with noise, the same every time; free it with
 * g_free(). */
guint8 *picture_draw (gint width, gint height);

G_END_DECLS
