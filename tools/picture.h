/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Draws test pictures for measurements, in packed RGBA. Functions may be called
 * from any thread. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Draws shapes on a gradient, with noise. The result is always equal for one
 * size. The caller frees it with g_free(). */
guint8 *picture_draw (gint width, gint height);

G_END_DECLS
