/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* matroskamux writes the text of a tag as in a GStreamer launch line: a text
 * with blanks or accents gets quotes and escapes. This code turns it into plain
 * text again. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Repairs the tags that @muxer, a matroskamux, will write. */
void denoise_tags_repair (GstElement * muxer);

G_END_DECLS
