/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One track of a film, from the packets of the input to packets of the output.
 * One thread calls all functions. */
#pragma once

#include "denoiseoptions.h"
#include "denoiseoutput.h"
#include "denoisereport.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct _DenoiseTrack DenoiseTrack;

/* The objects that all tracks of a film share. The struct outlives the
 * tracks. */
typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  DenoiseOutput *output;
  /* Where only a part of the film is written, this is the part, and the filter
   * needs so many frames behind it. */
  const DenoiseSegment *segment;
  guint n_behind;
  enum AVFieldOrder field_order;        /* of the first video, or UNKNOWN */
  gboolean keeps_size;          /* the filter changes no size of frames */
  /* Is called a few times in a second while a track waits for frames. Returns
   * FALSE if the film cannot be written. */
  gboolean (*tick) (gpointer user_data);
  gpointer user_data;
} DenoiseStudio;

/* A kind of track. Functions return FALSE, and the report has an error, if the
 * film cannot be written. */
typedef struct
{
  gsize size;                   /* of the struct that begins with a
                                 * DenoiseTrack */
  gboolean (*open) (DenoiseTrack * track);
  /* Takes @packet, which it may change. NULL says that none follows. */
  gboolean (*feed) (DenoiseTrack * track, AVPacket * packet);
  /* Changes a packet of the encoder before it is written. May be NULL. */
  gboolean (*edit) (DenoiseTrack * track, AVPacket * packet);
  void (*clear) (DenoiseTrack * track);
} DenoiseTrackClass;

struct _DenoiseTrack
{
  const DenoiseTrackClass *class;
  const DenoiseStudio *studio;
  const AVStream *stream;       /* of the input */
  DenoiseOutputTrack *target;
  gchar *name;                  /* for people: "audio 1 (AAC)" */
  guint number;                 /* among the tracks of its kind, from 1 */
  guint64 n_damaged;            /* packets or frames */
};

/* Creates a track of the output for a stream of the input. Returns NULL, and
 * the report has an error, on failure. */
DenoiseTrack *denoise_track_new (const DenoiseTrackClass * class,
    const DenoiseStudio * studio, const AVStream * stream, guint number);
void denoise_track_free (DenoiseTrack * track);

gboolean denoise_track_feed (DenoiseTrack * track, AVPacket * packet);

/* Returns a name such as "video 1 (H.264)", which the caller frees. */
gchar *denoise_track_dup_name (const AVStream * stream, guint number);

/* Opens a decoder for the track. Returns NULL, and the report has an error, on
 * failure. */
AVCodecContext *denoise_track_open_decoder (DenoiseTrack * track);

/* Sets the codec of the output's track to that of @encoder. Then its side data
 * can be added, and denoise_output_start_track() be called. */
gboolean denoise_track_set_encoder (DenoiseTrack * track,
    const AVCodecContext * encoder);

/* Gives @frame (NULL at the end) to @encoder, and writes what comes out of
 * it. */
gboolean denoise_track_encode (DenoiseTrack * track, AVCodecContext * encoder,
    AVFrame * frame);

/* Sets the error of the report to what @code means. Returns FALSE. */
gboolean denoise_track_fail (DenoiseTrack * track, gint code);

/* Returns whether @time may follow @last, both in the time base of the stream.
 * Times that go far back begin another film: then the report has an error. */
gboolean denoise_track_check_time (DenoiseTrack * track, gint64 last,
    gint64 time);

/* Names damage of the track at @time, in the time base of its stream: an error
 * or, with --partial, a loss that is reported at the end. Returns whether the
 * film is still written. */
gboolean denoise_track_take_damage (DenoiseTrack * track, gint64 time);

G_END_DECLS
