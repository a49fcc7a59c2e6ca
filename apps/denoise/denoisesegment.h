/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of a video that is filtered separately: the frames to write, and the
 * other frames that the filter needs, so that each written frame is identical
 * to that of a run over the complete video. Times are in the time base of the
 * first video. Must be called from one thread. */
#pragma once

#include <glib.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 first;                 /* time of the first frame to write */
  gint64 end;                   /* time of the frame after the last one, or
                                 * G_MAXINT64 */
  /* denoise_segment_seek() sets these. */
  gint64 key;                   /* where decoding begins, or AV_NOPTS_VALUE for
                                 * the start of the video */
  gint64 lead;                  /* time of the first frame that the filter
                                 * needs */
} DenoiseSegment;

/* Parses "FIRST:END", two integers of which either may be omitted. Returns
 * FALSE if @text is invalid, or if END is not after FIRST. */
gboolean denoise_segment_parse (const gchar * text, DenoiseSegment * self);

/* Seeks the stream @stream to a key frame with at least @n_before frames before
 * the segment, or to the start of the video. @key is set to the time of the key
 * frame. Packets before the key frame may come first. Reads packets of @format,
 * but decodes nothing. Returns FALSE if seeking in @format fails. */
gboolean denoise_segment_seek (DenoiseSegment * self, AVFormatContext * format,
    gint stream, guint n_before);

G_END_DECLS
