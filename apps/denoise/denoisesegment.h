/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of a film that is filtered by itself: which frames are written, and
 * which ones the filter needs besides, so that each written frame is what it
 * is when the whole film is filtered in one go. Times are in the time base of
 * the first video. One thread calls all functions. */
#pragma once

#include <glib.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 first;                 /* of the frames that are written */
  gint64 end;                   /* of the frame behind them, or G_MAXINT64 */
  /* denoise_segment_seek() sets these. */
  gint64 key;                   /* where decoding begins, or AV_NOPTS_VALUE for
                                 * the start of the film */
  gint64 lead;                  /* of the first frame that the filter gets */
} DenoiseSegment;

/* Parses "FIRST:END", two integers of which either may be left out. Returns
 * FALSE if @text is something else, or if END is not behind FIRST. */
gboolean denoise_segment_parse (const gchar * text, DenoiseSegment * self);

/* Has the next packets of the stream @stream be those from a key frame on,
 * the packet with the time @key, from which on there are @n_before frames
 * before the segment, or else those of the start of the film. Packets before
 * the key frame may come first. Reads packets of @format, but decodes
 * nothing. Returns FALSE if @format cannot go there. */
gboolean denoise_segment_seek (DenoiseSegment * self, AVFormatContext * format,
    gint stream, guint n_before);

G_END_DECLS
