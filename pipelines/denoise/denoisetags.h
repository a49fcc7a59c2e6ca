/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* matroskamux writes the text of a tag as GStreamer writes it in a pipeline, in
 * quotes and with escapes where it has blanks or accents. Here it becomes
 * text. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Repairs what @muxer, a matroskamux, will write. */
void denoise_tags_repair (GstElement * muxer);

G_END_DECLS
