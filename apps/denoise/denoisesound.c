/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisesound.h"

#include "denoiseversions.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

/* Target codecs for audio. The encoder gets the nearest of its channel
 * layouts. */
static const struct
{
  const gchar *name;
  const gchar *encoder;
  const gchar *layouts;
  gint64 bit_rate;              /* bit rate of a channel. 0: lossless */
  const gchar *rates;           /* sample rates that the filter keeps, or "" */
} codecs[] = {
  [DENOISE_CONTAINER_MATROSKA] = {"FLAC", "flac",
      "mono|stereo|3.0|quad|5.0|5.1|6.1|7.1", 0, ""},
  [DENOISE_CONTAINER_MP4] = {"AAC", "aac",
      "mono|stereo|3.0|4.0|5.0|5.1|7.1(wide)", 96000, ""},
  [DENOISE_CONTAINER_WEBM] = {"Opus", "libopus",
      "mono|stereo|3.0|quad|5.0|5.1|6.1|7.1", 96000, ":sample_rates=48000"},
  [DENOISE_CONTAINER_MOV] = {"AAC", "aac",
      "mono|stereo|3.0|4.0|5.0|5.1|7.1(wide)", 96000, ""}
};

typedef struct
{
  DenoiseTrack track;
  AVCodecContext *decoder;
  AVCodecContext *encoder;      /* NULL before the first frame */
  AVFilterGraph *graph;
  AVFilterContext *source;
  AVFilterContext *sink;
  AVFrame *frame;
  gint64 next;                  /* time of the next sample to encode */
} Sound;

static gboolean
open_sound (DenoiseTrack * track)
{
  Sound *self = (Sound *) track;

  denoise_report_note (track->studio->report, "%s is converted to %s, "
      "because %s cannot hold its codec", track->name,
      codecs[track->studio->options->container].name,
      denoise_container_get_suffix (track->studio->options->container));
  self->frame = av_frame_alloc ();
  self->decoder = denoise_track_open_decoder (track);
  return self->frame && self->decoder;
}

static gint
create_filter (Sound * self, const gchar * name, const gchar * arguments,
    AVFilterContext ** filter)
{
  return avfilter_graph_create_filter (filter, avfilter_get_by_name (name),
      NULL, arguments, NULL, self->graph);
}

/* The sample formats of the encoder, as an option of the filter. */
static gchar *
list_formats (const AVCodec * encoder)
{
  const enum AVSampleFormat *formats =
      denoise_encoder_get_sample_formats (encoder);
  GString *names = g_string_new (av_get_sample_fmt_name (formats[0]));

  for (guint i = 1; formats[i] != AV_SAMPLE_FMT_NONE; i++)
    g_string_append_printf (names, "|%s", av_get_sample_fmt_name (formats[i]));
  return g_string_free (names, FALSE);
}

/* Builds the conversion from frames with the properties of self->frame to those
 * of the encoder. */
static gint
build_graph (Sound * self, const AVCodec * encoder)
{
  const AVFrame *frame = self->frame;
  const AVRational time_base = self->track.stream->time_base;
  g_autofree gchar *formats = list_formats (encoder);
  g_autofree gchar *output = g_strdup_printf
      ("sample_fmts=%s:channel_layouts=%s%s", formats,
      codecs[self->track.studio->options->container].layouts,
      codecs[self->track.studio->options->container].rates);
  gchar layout[64] = "";
  AVFilterContext *converter;
  gint code;

  av_channel_layout_describe (&frame->ch_layout, layout, sizeof (layout));
  g_autofree gchar *input = g_strdup_printf
      ("time_base=%d/%d:sample_rate=%d:sample_fmt=%s:channel_layout=%s",
      time_base.num, time_base.den, frame->sample_rate,
      av_get_sample_fmt_name (frame->format), layout);
  self->graph = avfilter_graph_alloc ();
  if (!self->graph)
    return AVERROR (ENOMEM);
  if ((code = create_filter (self, "abuffer", input, &self->source)) < 0
      || (code = create_filter (self, "aformat", output, &converter)) < 0
      || (code = create_filter (self, "abuffersink", NULL, &self->sink)) < 0
      || (code = avfilter_link (self->source, 0, converter, 0)) < 0
      || (code = avfilter_link (converter, 0, self->sink, 0)) < 0)
    return code;
  return avfilter_graph_config (self->graph, NULL);
}

static gint
open_encoder (Sound * self, const AVCodec * codec)
{
  const DenoiseStudio *studio = self->track.studio;
  gint code;

  self->encoder = avcodec_alloc_context3 (codec);
  if (!self->encoder)
    return AVERROR (ENOMEM);
  code = av_buffersink_get_ch_layout (self->sink, &self->encoder->ch_layout);
  if (code < 0)
    return code;
  self->encoder->sample_fmt = av_buffersink_get_format (self->sink);
  self->encoder->sample_rate = av_buffersink_get_sample_rate (self->sink);
  self->encoder->time_base = (AVRational) {
  1, self->encoder->sample_rate};
  self->encoder->bit_rate = codecs[studio->options->container].bit_rate
      * self->encoder->ch_layout.nb_channels;
  self->encoder->bits_per_raw_sample = self->decoder->bits_per_raw_sample;
  self->encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  code = avcodec_open2 (self->encoder, codec, NULL);
  if (code >= 0 && self->encoder->frame_size > 0)
    av_buffersink_set_frame_size (self->sink, self->encoder->frame_size);
  return code;
}

static gboolean
start (Sound * self)
{
  DenoiseTrack *track = &self->track;
  const AVCodec *codec = avcodec_find_encoder_by_name
      (codecs[track->studio->options->container].encoder);
  gint code = codec ? build_graph (self, codec) : AVERROR_ENCODER_NOT_FOUND;

  if (code >= 0)
    code = open_encoder (self, codec);
  if (code < 0)
    return denoise_track_fail (track, code);

  const gint before = self->frame->ch_layout.nb_channels;
  const gint after = self->encoder->ch_layout.nb_channels;
  if (after < before)
    denoise_report_loss (track->studio->report, "%d channels of %s (%d are "
        "kept)", before, track->name, after);
  return denoise_track_set_encoder (track, self->encoder)
      && denoise_output_start_track (track->studio->output, track->target);
}

/* Encodes all output of the filters. */
static gboolean
encode (Sound * self)
{
  const AVRational time_base = av_buffersink_get_time_base (self->sink);

  while (av_buffersink_get_frame (self->sink, self->frame) >= 0) {
    if (self->frame->pts != AV_NOPTS_VALUE)
      self->next = av_rescale_q (self->frame->pts, time_base,
          self->encoder->time_base);
    self->frame->pts = self->next;
    self->next += self->frame->nb_samples;
    const gboolean encoded =
        denoise_track_encode (&self->track, self->encoder, self->frame);
    av_frame_unref (self->frame);
    if (!encoded)
      return FALSE;
  }
  return TRUE;
}

static gboolean
take_frame (Sound * self)
{
  AVChannelLayout *layout = &self->frame->ch_layout;
  gint code;

  /* A filter assigns default positions to channels without positions, and with
   * FFmpeg 6.1 it then rejects frames without positions. */
  if (layout->order == AV_CHANNEL_ORDER_UNSPEC)
    av_channel_layout_default (layout, layout->nb_channels);
  self->frame->pts = self->frame->best_effort_timestamp;
  if (!self->encoder && !start (self))
    return FALSE;
  code = av_buffersrc_add_frame (self->source, self->frame);
  av_frame_unref (self->frame);
  return code < 0 ? denoise_track_fail (&self->track, code) : encode (self);
}

static gboolean
finish (Sound * self)
{
  if (!self->encoder) {
    denoise_report_error (self->track.studio->report, "cannot decode %s",
        self->track.name);
    return FALSE;
  }
  const gint code = av_buffersrc_add_frame (self->source, NULL);
  if (code < 0)
    return denoise_track_fail (&self->track, code);
  if (!encode (self))
    return FALSE;
  return denoise_track_encode (&self->track, self->encoder, NULL);
}

static gboolean
feed_sound (DenoiseTrack * track, AVPacket * packet)
{
  Sound *self = (Sound *) track;
  const gint64 time = packet ? packet->pts : AV_NOPTS_VALUE;
  gint code = avcodec_send_packet (self->decoder, packet);

  if (code < 0 && code != AVERROR_EOF
      && !denoise_track_take_damage (track, time))
    return FALSE;
  for (;;) {
    code = avcodec_receive_frame (self->decoder, self->frame);
    if (code == AVERROR (EAGAIN) || code == AVERROR_EOF)
      return packet || finish (self);
    if (code < 0 ? !denoise_track_take_damage (track, time)
        : !take_frame (self))
      return FALSE;
  }
}

static void
clear_sound (DenoiseTrack * track)
{
  Sound *self = (Sound *) track;

  avcodec_free_context (&self->decoder);
  avcodec_free_context (&self->encoder);
  avfilter_graph_free (&self->graph);
  av_frame_free (&self->frame);
}

const DenoiseTrackClass denoise_sound_class = {
  sizeof (Sound), open_sound, feed_sound, NULL, clear_sound
};
