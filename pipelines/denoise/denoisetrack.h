/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One track of a film, from the queue behind the demuxer to the muxer. */
#pragma once

#include "denoisemeter.h"
#include "denoiseoptions.h"
#include "denoisereport.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* What the tracks of a film share. It outlives them. */
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
  guint number;                 /* among those of its kind, from 1 */
  gchar *codec;                 /* of the input, for people */
  GstPad *source;               /* what comes from the demuxer */
  GstPad *decoded_pad;          /* behind a decoder, or NULL */
  GstPad *muxer_pad;            /* or NULL */
  gboolean kept;
  GstElement *filter;           /* of video, once it is there; the pipeline's */

  /* What came out of the demuxer, of the decoder, and what the muxer got. */
  DenoiseMeter demuxed;
  DenoiseMeter decoded;
  DenoiseMeter muxed;
} DenoiseTrack;

/* A track of @source, a pad that gives nothing yet and will give what @caps
 * say; @number is among all tracks of its kind. It is not linked yet, see
 * denoiselink.h. */
DenoiseTrack *denoise_track_new (const DenoiseStudio * studio,
    GstPad * source, const GstCaps * caps, DenoiseTrackKind kind, guint number);
/* When the pipeline has stopped. */
void denoise_track_free (DenoiseTrack * track);

DenoiseTrackKind denoise_track_get_kind (const GstCaps * caps);

/* "video 1 (H.264)". Caller frees. */
gchar *denoise_track_dup_name (const DenoiseTrack * track);

/* Whether a tag of that name is on @pad. */
gboolean denoise_track_has_tag (GstPad * pad, const gchar * name);

/* How the frames are to be turned, as the tag image-orientation says:
 * "rotate-0" where there is none. Caller frees. */
gchar *denoise_track_dup_orientation (const DenoiseTrack * track);

/* The rest is for what links tracks: denoiselink.h, denoisevideo.h and
 * denoisecopy.h. */

/* Adds @n elements of these factories to the pipeline and links them. Returns
 * FALSE, with the report's error, where one is missing. */
gboolean denoise_track_build (DenoiseTrack * track,
    const gchar * const *names, GstElement ** elements, guint n);
/* They get the pipeline's state, the last one first. */
void denoise_track_start (GstElement ** elements, guint n);

/* A pad of the muxer. NULL where it has none for this kind. Caller unrefs. */
GstPad *denoise_track_request_muxer_pad (DenoiseTrack * track);

/* Puts a decoder behind @source and in front of @sink, which takes raw video or
 * audio, once it says what it gives. */
gboolean denoise_track_decode (DenoiseTrack * track, GstPad * source,
    GstElement * sink, const gchar * caps);

G_END_DECLS
