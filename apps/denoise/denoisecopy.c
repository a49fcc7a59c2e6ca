/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecopy.h"

#include "denoiseversions.h"

#include <string.h>

typedef struct
{
  DenoiseTrack track;
  gint64 last;                  /* time of the last packet, or AV_NOPTS_VALUE */
} Copy;

/* Returns the tag of a codec that the container defines for it, or 0 to let the
 * muxer choose. */
static guint32
choose_tag (const AVOutputFormat * container,
    const AVCodecParameters * parameters)
{
  guint tag;

  return !container->codec_tag
      || av_codec_get_id (container->codec_tag, parameters->codec_tag)
      == parameters->codec_id
      || !av_codec_get_tag2 (container->codec_tag, parameters->codec_id, &tag)
      ? parameters->codec_tag : 0;
}

static gboolean
open_copy (DenoiseTrack * track)
{
  AVStream *stream = track->target->stream;
  const gint code =
      avcodec_parameters_copy (stream->codecpar, track->stream->codecpar);

  if (code < 0 || !denoise_stream_copy_data (stream, track->stream))
    return denoise_track_fail (track, AVERROR (ENOMEM));
  stream->codecpar->codec_tag = choose_tag
      (track->studio->output->format->oformat, track->stream->codecpar);
  stream->avg_frame_rate = track->stream->avg_frame_rate;
  ((Copy *) track)->last = AV_NOPTS_VALUE;
  return denoise_output_start_track (track->studio->output, track->target);
}

/* Returns whether an edit list hides a packet, because the output has no edit
 * list. Audio decoders need the packet just before the start for the first
 * one. */
static gboolean
is_hidden (const AVPacket * packet)
{
  return packet->flags & AV_PKT_FLAG_DISCARD
      && packet->pts + packet->duration < 0;
}

static gboolean
feed_copy (DenoiseTrack * track, AVPacket * packet)
{
  Copy *copy = (Copy *) track;

  if (!packet || is_hidden (packet))
    return TRUE;
  packet->flags &= ~AV_PKT_FLAG_DISCARD;
  if (packet->dts != AV_NOPTS_VALUE) {
    if (copy->last != AV_NOPTS_VALUE
        && !denoise_track_check_time (track, copy->last, packet->dts))
      return FALSE;
    copy->last = packet->dts;
  }
  return denoise_output_write (track->studio->output, track->target, packet,
      track->stream->time_base);
}

const DenoiseTrackClass denoise_copy_class = {
  sizeof (Copy), open_copy, feed_copy, NULL, NULL
};

static const struct
{
  enum AVCodecID codec;
  const gchar *name;
  const gchar *type;
} pictures[] = {
  {AV_CODEC_ID_PNG, "cover.png", "image/png"},
  {AV_CODEC_ID_BMP, "cover.bmp", "image/bmp"},
  {AV_CODEC_ID_GIF, "cover.gif", "image/gif"},
  {AV_CODEC_ID_WEBP, "cover.webp", "image/webp"},
  {AV_CODEC_ID_MJPEG, "cover.jpg", "image/jpeg"}
};

static void
name_picture (AVStream * stream, enum AVCodecID codec)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (pictures) - 1 && pictures[i].codec != codec)
    i++;
  if (!av_dict_get (stream->metadata, "filename", NULL, 0))
    av_dict_set (&stream->metadata, "filename", pictures[i].name, 0);
  if (!av_dict_get (stream->metadata, "mimetype", NULL, 0))
    av_dict_set (&stream->metadata, "mimetype", pictures[i].type, 0);
}

static gboolean
open_cover (DenoiseTrack * track)
{
  const AVPacket *picture = &track->stream->attached_pic;
  AVStream *stream = track->target->stream;
  AVCodecParameters *parameters = stream->codecpar;

  parameters->extradata =
      av_mallocz (picture->size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!parameters->extradata)
    return denoise_track_fail (track, AVERROR (ENOMEM));
  memcpy (parameters->extradata, picture->data, picture->size);
  parameters->extradata_size = picture->size;
  parameters->codec_type = AVMEDIA_TYPE_ATTACHMENT;
  parameters->codec_id = track->stream->codecpar->codec_id;
  stream->disposition = 0;
  name_picture (stream, parameters->codec_id);
  return denoise_output_start_track (track->studio->output, track->target);
}

static gboolean
feed_cover (DenoiseTrack * track, AVPacket * packet)
{
  (void) track;
  (void) packet;
  return TRUE;
}

const DenoiseTrackClass denoise_cover_class = {
  sizeof (DenoiseTrack), open_cover, feed_cover, NULL, NULL
};
