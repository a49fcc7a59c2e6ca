/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One track of a film, from the queue behind the demuxer to the muxer. */
#pragma once

#include "denoisemeter.h"
#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* The objects that all tracks of a film share. The struct outlives the
 * tracks. */
typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  GstBin *pipeline;
  GstElement *muxer;
} DenoiseStudio;

typedef enum
{
  DENOISE_TRACK_VIDEO,
  DENOISE_TRACK_AUDIO,
  DENOISE_TRACK_SUBTITLES,
  DENOISE_TRACK_OTHER
} DenoiseTrackKind;

typedef struct
{
  const DenoiseStudio *studio;
  DenoiseTrackKind kind;
  guint number;                 /* among the tracks of its kind, from 1 */
  gchar *codec;                 /* of the input, for people */
  GstPad *source;               /* pad with the data from the demuxer */
  GstPad *decoded_pad;          /* behind a decoder, or NULL */
  GstPad *muxer_pad;            /* or NULL */
  gboolean kept;
  GstElement *filter;           /* video only, or NULL; the pipeline owns it */

  /* Count the output of the demuxer, the output of the decoder, and the input
   * of the muxer. */
  DenoiseMeter demuxed;
  DenoiseMeter decoded;
  DenoiseMeter muxed;
} DenoiseTrack;

/* Creates a track for @source, a pad that gives no data yet and will give data
 * with @caps. @number is the track's number among all tracks of its kind. The
 * track is not linked yet, see denoiselink.h. */
DenoiseTrack *denoise_track_new (const DenoiseStudio * studio,
    GstPad * source, const GstCaps * caps, DenoiseTrackKind kind, guint number);
/* Frees a track. Must be called after the pipeline has stopped. */
void denoise_track_free (DenoiseTrack * track);

DenoiseTrackKind denoise_track_get_kind (const GstCaps * caps);

/* Returns a name such as "video 1 (H.264)". The caller frees it. */
gchar *denoise_track_dup_name (const DenoiseTrack * track);

/* Returns whether @pad has a tag named @name. */
gboolean denoise_track_has_tag (GstPad * pad, const gchar * name);

/* Returns how the frames must be rotated, from the tag image-orientation, or
 * "rotate-0" if there is no such tag. The caller frees the text. */
gchar *denoise_track_dup_orientation (const DenoiseTrack * track);

/* The following functions are for the code that links tracks: denoiselink.h,
 * denoisevideo.h and denoisecopy.h. */

/* Creates @n elements from the factories @names, adds them to the pipeline and
 * links them. Returns FALSE, and sets the report's error, if an element is
 * missing or cannot be linked. */
gboolean denoise_track_build (DenoiseTrack * track,
    const gchar * const *names, GstElement ** elements, guint n);
/* Sets the elements to the state of the pipeline, the last element first. */
void denoise_track_start (GstElement ** elements, guint n);

/* Requests a pad of the muxer for the track. Returns NULL if the muxer has no
 * pad for this kind of track. The caller unrefs the pad. */
GstPad *denoise_track_request_muxer_pad (DenoiseTrack * track);

/* Links a decoder to @source. The decoder decodes to raw video or audio with
 * @caps. It is linked to @sink as soon as it knows its output. Returns FALSE if
 * it cannot be linked. */
gboolean denoise_track_decode (DenoiseTrack * track, GstPad * source,
    GstElement * sink, const gchar * caps);

G_END_DECLS
