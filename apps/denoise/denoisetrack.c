/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisetrack.h"

#include "denoiselog.h"

#include <string.h>

/* A larger backward jump of timestamps, in seconds, begins another video. */
#define MAX_BACK 0.5

static const gchar *
get_kind (const AVCodecParameters * parameters)
{
  switch (parameters->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
      return "video";
    case AVMEDIA_TYPE_AUDIO:
      return "audio";
    case AVMEDIA_TYPE_SUBTITLE:
      return "subtitles";
    case AVMEDIA_TYPE_ATTACHMENT:
      return "attachment";
    default:
      return "data";
  }
}

/* The common name of a codec precedes other names and explanations. */
static gchar *
dup_codec (enum AVCodecID id)
{
  const AVCodecDescriptor *codec = avcodec_descriptor_get (id);
  gchar *name = g_strdup (codec && codec->long_name ? codec->long_name
      : avcodec_get_name (id));

  for (gchar * at = name; *at; at++) {
    if (at > name && (g_str_has_prefix (at, " / ")
            || g_str_has_prefix (at, " (")))
      *at-- = '\0';
  }
  return name;
}

gchar *
denoise_track_dup_name (const AVStream * stream, guint number)
{
  const AVCodecParameters *parameters = stream->codecpar;
  g_autofree gchar *codec = dup_codec (parameters->codec_id);
  gchar tag[AV_FOURCC_MAX_STRING_SIZE];

  /* The container's name, if FFmpeg has none. */
  if (parameters->codec_tag != 0 && (parameters->codec_id == AV_CODEC_ID_NONE
          || parameters->codec_id == AV_CODEC_ID_BIN_DATA)) {
    g_free (codec);
    codec = g_strdup (av_fourcc_make_string (tag, parameters->codec_tag));
  }
  return g_strdup_printf ("%s %u (%s)", get_kind (parameters), number, codec);
}

DenoiseTrack *
denoise_track_new (const DenoiseTrackClass * class,
    const DenoiseStudio * studio, const AVStream * stream, guint number)
{
  DenoiseTrack *track = g_malloc0 (class->size);

  track->class = class;
  track->studio = studio;
  track->stream = stream;
  track->number = number;
  track->name = denoise_track_dup_name (stream, number);
  track->target = denoise_output_add_track (studio->output, stream,
      track->name);
  if (track->target && class->open (track))
    return track;
  denoise_track_free (track);
  return NULL;
}

void
denoise_track_free (DenoiseTrack * track)
{
  if (track->class->clear)
    track->class->clear (track);
  g_free (track->name);
  g_free (track);
}

gboolean
denoise_track_feed (DenoiseTrack * track, AVPacket * packet)
{
  return track->class->feed (track, packet);
}

gboolean
denoise_track_fail (DenoiseTrack * track, gint code)
{
  g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_OTHER, code);

  denoise_report_error (track->studio->report, "%s: %s", track->name, reason);
  return FALSE;
}

AVCodecContext *
denoise_track_open_decoder (DenoiseTrack * track)
{
  const AVCodecParameters *parameters = track->stream->codecpar;
  const AVCodec *codec = avcodec_find_decoder (parameters->codec_id);
  AVCodecContext *decoder = codec ? avcodec_alloc_context3 (codec) : NULL;
  gint code = codec ? AVERROR (ENOMEM) : AVERROR_DECODER_NOT_FOUND;

  if (decoder) {
    code = avcodec_parameters_to_context (decoder, parameters);
    decoder->pkt_timebase = track->stream->time_base;
    decoder->thread_count = 0;
    decoder->err_recognition = AV_EF_CRCCHECK;
    if (code >= 0)
      code = avcodec_open2 (decoder, codec, NULL);
  }
  if (code < 0) {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_DECODER, code);

    denoise_report_error (track->studio->report, "cannot decode %s: %s",
        track->name, reason);
    avcodec_free_context (&decoder);
  }
  return decoder;
}

gboolean
denoise_track_set_encoder (DenoiseTrack * track, const AVCodecContext * encoder)
{
  AVStream *stream = track->target->stream;
  const gint code = avcodec_parameters_from_context (stream->codecpar, encoder);

  if (code < 0)
    return denoise_track_fail (track, code);
  stream->time_base = encoder->time_base;
  return TRUE;
}

gboolean
denoise_track_encode (DenoiseTrack * track, AVCodecContext * encoder,
    AVFrame * frame)
{
  AVPacket *packet = av_packet_alloc ();
  gint code = packet ? avcodec_send_frame (encoder, frame) : AVERROR (ENOMEM);
  gboolean written = TRUE;

  while (code >= 0 && written) {
    code = avcodec_receive_packet (encoder, packet);
    if (code >= 0)
      written = (!track->class->edit || track->class->edit (track, packet))
          && denoise_output_write (track->studio->output, track->target,
          packet, encoder->time_base);
  }
  av_packet_free (&packet);
  if (code < 0 && code != AVERROR (EAGAIN) && code != AVERROR_EOF)
    return denoise_track_fail (track, code);
  return written;
}

gboolean
denoise_track_take_damage (DenoiseTrack * track, gint64 time)
{
  const gdouble seconds = time == AV_NOPTS_VALUE ? 0.0
      : time * av_q2d (track->stream->time_base);
  g_autofree gchar *last = denoise_log_dup_last (DENOISE_LOG_DECODER);

  track->n_damaged++;
  if (track->studio->options->partial)
    return TRUE;
  denoise_report_error (track->studio->report, "%s is damaged at %.1f "
      "s%s%s%s. Use --partial to keep the readable frames", track->name,
      seconds, last ? " (" : "", last ? last : "", last ? ")" : "");
  return FALSE;
}

gboolean
denoise_track_check_time (DenoiseTrack * track, gint64 last, gint64 time)
{
  const gdouble unit = av_q2d (track->stream->time_base);

  if (time >= last || (last - time) * unit <= MAX_BACK)
    return TRUE;
  denoise_report_error (track->studio->report, "the timestamps of %s jump "
      "back from %.1f s: several videos in one file. Split them, or fix "
      "the timestamps (ffmpeg -i INPUT -map 0 -c copy fixed.mkv)", track->name,
      last * unit);
  return FALSE;
}
