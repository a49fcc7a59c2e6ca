/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One track, from the packets of the input to packets of the output. Must be
 * called from one thread. */
#pragma once

#include "denoiseoptions.h"
#include "denoiseoutput.h"
#include "denoisereport.h"

#include <gst/gst.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

G_BEGIN_DECLS

typedef struct _DenoiseTrack DenoiseTrack;

/* The objects shared by all tracks of a file. The struct outlives the
 * tracks. */
typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  DenoiseOutput *output;
  /* The part to write, if only a part is written, and the number of following
   * frames that the filter needs. */
  const DenoiseSegment *segment;
  guint n_behind;
  enum AVFieldOrder field_order;        /* of the first video, or UNKNOWN */
  gboolean keeps_size;          /* the filter keeps the frame size */
  /* Called a few times per second while a track waits for frames. Returns FALSE
   * if the video cannot be written. */
  gboolean (*tick) (gpointer user_data);
  gpointer user_data;
} DenoiseStudio;

/* A kind of track. Functions return FALSE and set the report's error if the
 * file cannot be written. */
typedef struct
{
  gsize size;                   /* of the struct that begins with a
                                 * DenoiseTrack */
  gboolean (*open) (DenoiseTrack * track);
  /* Takes @packet, and may change it. NULL signals the end. */
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
  gchar *name;                  /* for messages: "audio 1 (AAC)" */
  guint number;                 /* among the tracks of its kind, from 1 */
  guint64 n_damaged;            /* packets or frames */
  GstElement *filter;           /* of a video, from its first frame on. The
                                 * track owns it */
};

/* Creates an output track for a stream of the input. Returns NULL and sets the
 * report's error on failure. */
DenoiseTrack *denoise_track_new (const DenoiseTrackClass * class,
    const DenoiseStudio * studio, const AVStream * stream, guint number);
void denoise_track_free (DenoiseTrack * track);

/* Returns a name such as "video 1 (H.264)", which the caller frees. */
gchar *denoise_track_dup_name (const AVStream * stream, guint number);

/* Opens a decoder for the track. Returns NULL and sets the report's error on
 * failure. */
AVCodecContext *denoise_track_open_decoder (DenoiseTrack * track);

/* Sets the codec of the output track to that of @encoder. Afterwards, side data
 * can be added and denoise_output_start_track() can be called. */
gboolean denoise_track_set_encoder (DenoiseTrack * track,
    const AVCodecContext * encoder);

/* Passes @frame (NULL at the end) to @encoder, and writes its packets. */
gboolean denoise_track_encode (DenoiseTrack * track, AVCodecContext * encoder,
    AVFrame * frame);

/* Sets the report's error to the description of @code. Returns FALSE. */
gboolean denoise_track_fail (DenoiseTrack * track, gint code);

/* Returns whether @time may follow @last, both in the time base of the stream.
 * A large backward jump means that another video begins. Then sets the report's
 * error. */
gboolean denoise_track_check_time (DenoiseTrack * track, gint64 last,
    gint64 time);

/* Reports damage of the track at @time, in the time base of its stream: an
 * error or, with --partial, a loss that is reported at the end. Returns whether
 * the file is still written. */
gboolean denoise_track_take_damage (DenoiseTrack * track, gint64 time);

/* The packets are copied unchanged. */
extern const DenoiseTrackClass denoise_copy_class;

/* A cover picture. Matroska stores it as an attached file. */
extern const DenoiseTrackClass denoise_cover_class;

/* Audio that the container does not support. It is encoded as FLAC in a .mkv,
 * and as AAC in a .mp4. */
extern const DenoiseTrackClass denoise_sound_class;

/* Text subtitles of a kind that the container does not support. They are
 * converted to SubRip in a .mkv, and to 3GPP timed text in a .mp4. */
extern const DenoiseTrackClass denoise_subtitles_class;

/* Returns whether subtitles are text and can be converted. */
gboolean denoise_subtitles_are_text (enum AVCodecID codec);

G_END_DECLS
