/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisesubtitles.h"

#include <string.h>

/* Maximum size of a subtitle, large enough except for pages of styles. */
#define MAX_BYTES (1024 * 1024)
#define TIME_BASE ((AVRational) {1, 1000})

static const enum AVCodecID codecs[] = {
  [DENOISE_CONTAINER_MATROSKA] = AV_CODEC_ID_SUBRIP,
  [DENOISE_CONTAINER_MP4] = AV_CODEC_ID_MOV_TEXT,
  [DENOISE_CONTAINER_WEBM] = AV_CODEC_ID_WEBVTT,
  [DENOISE_CONTAINER_MOV] = AV_CODEC_ID_MOV_TEXT
};

typedef struct
{
  DenoiseTrack track;
  AVCodecContext *decoder;
  AVCodecContext *encoder;
} Subtitles;

gboolean
denoise_subtitles_are_text (enum AVCodecID codec)
{
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get (codec);

  return descriptor && descriptor->props & AV_CODEC_PROP_TEXT_SUB
      && avcodec_find_decoder (codec);
}

static gint
open_encoder (Subtitles * self)
{
  const AVCodec *codec = avcodec_find_encoder
      (codecs[self->track.studio->options->container]);

  self->encoder = codec ? avcodec_alloc_context3 (codec) : NULL;
  if (!self->encoder)
    return AVERROR_ENCODER_NOT_FOUND;
  self->encoder->time_base = TIME_BASE;
  if (self->decoder->subtitle_header_size > 0) {
    self->encoder->subtitle_header =
        av_mallocz (self->decoder->subtitle_header_size + 1);
    if (!self->encoder->subtitle_header)
      return AVERROR (ENOMEM);
    memcpy (self->encoder->subtitle_header, self->decoder->subtitle_header,
        self->decoder->subtitle_header_size);
    self->encoder->subtitle_header_size = self->decoder->subtitle_header_size;
  }
  return avcodec_open2 (self->encoder, codec, NULL);
}

static gboolean
open_subtitles (DenoiseTrack * track)
{
  Subtitles *self = (Subtitles *) track;
  gint code;

  self->decoder = denoise_track_open_decoder (track);
  if (!self->decoder)
    return FALSE;
  code = open_encoder (self);
  if (code < 0)
    return denoise_track_fail (track, code);
  if (track->stream->codecpar->codec_id == AV_CODEC_ID_ASS)
    denoise_report_loss (track->studio->report, "positions and styles of %s",
        track->name);
  return denoise_track_set_encoder (track, self->encoder)
      && denoise_output_start_track (track->studio->output, track->target);
}

static gboolean
write_subtitle (Subtitles * self, AVSubtitle * subtitle,
    const AVPacket * source)
{
  g_autofree guint8 *bytes = g_malloc (MAX_BYTES);
  AVPacket *packet = av_packet_alloc ();
  gboolean written;
  gint size;

  if (!packet)
    return denoise_track_fail (&self->track, AVERROR (ENOMEM));
  size = avcodec_encode_subtitle (self->encoder, bytes, MAX_BYTES, subtitle);
  if (size <= 0 || av_new_packet (packet, size) < 0) {
    av_packet_free (&packet);
    return size == 0
        || denoise_track_fail (&self->track, size < 0 ? size
        : AVERROR (ENOMEM));
  }
  memcpy (packet->data, bytes, size);
  /* The end of television captions is known only when they end. */
  packet->pts = packet->dts = subtitle->pts == AV_NOPTS_VALUE ? source->pts
      : av_rescale_q (subtitle->pts, AV_TIME_BASE_Q,
      self->track.stream->time_base);
  packet->duration = source->duration;
  if (subtitle->end_display_time > 0
      && subtitle->end_display_time != G_MAXUINT32)
    packet->duration = av_rescale_q (subtitle->end_display_time, TIME_BASE,
        self->track.stream->time_base);
  packet->flags = AV_PKT_FLAG_KEY;
  written = denoise_output_write (self->track.studio->output,
      self->track.target, packet, self->track.stream->time_base);
  av_packet_free (&packet);
  return written;
}

/* Decodes @packet and sets @has_subtitle. */
static gboolean
decode (Subtitles * self, AVPacket * packet, gint * has_subtitle)
{
  DenoiseTrack *track = &self->track;
  AVSubtitle subtitle;

  *has_subtitle = 0;
  memset (&subtitle, 0, sizeof (subtitle));
  if (avcodec_decode_subtitle2 (self->decoder, &subtitle, has_subtitle,
          packet) < 0)
    return denoise_track_take_damage (track, packet->pts);

  const gboolean written = !*has_subtitle || subtitle.num_rects == 0
      || write_subtitle (self, &subtitle, packet);
  avsubtitle_free (&subtitle);
  return written;
}

static gboolean
feed_subtitles (DenoiseTrack * track, AVPacket * packet)
{
  Subtitles *self = (Subtitles *) track;
  gint has_subtitle;
  gboolean written;

  if (packet)
    return decode (self, packet, &has_subtitle);
  if (!(self->decoder->codec->capabilities & AV_CODEC_CAP_DELAY))
    return TRUE;
  packet = av_packet_alloc ();
  if (!packet)
    return denoise_track_fail (track, AVERROR (ENOMEM));
  do {
    written = decode (self, packet, &has_subtitle);
  } while (written && has_subtitle);
  av_packet_free (&packet);
  return written;
}

static void
clear_subtitles (DenoiseTrack * track)
{
  Subtitles *self = (Subtitles *) track;

  avcodec_free_context (&self->decoder);
  avcodec_free_context (&self->encoder);
}

const DenoiseTrackClass denoise_subtitles_class = {
  sizeof (Subtitles), open_subtitles, feed_subtitles, NULL, clear_subtitles
};
