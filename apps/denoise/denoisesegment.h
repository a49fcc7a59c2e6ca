/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of a film that is filtered by itself: which frames are written, and
 * which ones the filter needs besides, so that each written frame is what it
 * is when the whole film is filtered in one go. Times are in the time base of
 * the first video. One thread calls all functions. */
#pragma once

#include "denoisereport.h"

#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 first;                 /* of the frames that are written */
  gint64 end;                   /* of the frame behind them, or G_MAXINT64 */
  /* denoise_segment_find() sets these. */
  gint64 key;                   /* where decoding begins, or AV_NOPTS_VALUE for
                                 * the start of the film */
  gint64 lead;                  /* of the first frame that the filter gets */
} DenoiseSegment;

/* Parses "FIRST:END", two integers of which either may be left out. Returns
 * FALSE if @text is something else, or if END is not behind FIRST. */
gboolean denoise_segment_parse (const gchar * text, DenoiseSegment * self);

/* Returns the first video that is not a cover, or -1. */
gint denoise_segment_find_video (const AVFormatContext * format);

/* Finds a key frame of the first video of the file @name from which on there
 * are @n_before frames before the segment, or else the start. Reads the file,
 * but decodes nothing. Returns FALSE, and sets the report's error, if the file
 * cannot be read. */
gboolean denoise_segment_find (DenoiseSegment * self, const gchar * name,
    guint n_before, DenoiseReport * report);

G_END_DECLS
