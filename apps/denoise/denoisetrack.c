/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisetrack.h"

#include "denoiseffmpeg.h"

#include <string.h>

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>

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

typedef struct
{
  DenoiseTrack track;
  gint64 last;                  /* time of the last packet, or AV_NOPTS_VALUE */
} Copy;

static gboolean
open_copy (DenoiseTrack * track)
{
  const AVCodecParameters *parameters = track->stream->codecpar;
  const struct AVCodecTag *const *tags =
      track->studio->output->format->oformat->codec_tag;
  AVStream *stream = track->target->stream;
  guint tag;

  if (avcodec_parameters_copy (stream->codecpar, parameters) < 0
      || !denoise_stream_copy_data (stream, track->stream))
    return denoise_track_fail (track, AVERROR (ENOMEM));
  /* The muxer chooses a tag if the container has another one for the codec. */
  if (tags && av_codec_get_id (tags, parameters->codec_tag)
      != parameters->codec_id
      && av_codec_get_tag2 (tags, parameters->codec_id, &tag))
    stream->codecpar->codec_tag = 0;
  stream->avg_frame_rate = track->stream->avg_frame_rate;
  ((Copy *) track)->last = AV_NOPTS_VALUE;
  denoise_output_start_track (track->studio->output);
  return TRUE;
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

static gboolean
open_cover (DenoiseTrack * track)
{
  /* The last one is also used for other codecs. */
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
  const AVPacket *picture = &track->stream->attached_pic;
  AVStream *stream = track->target->stream;
  AVCodecParameters *parameters = stream->codecpar;
  guint i = 0;

  parameters->extradata =
      av_mallocz (picture->size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!parameters->extradata)
    return denoise_track_fail (track, AVERROR (ENOMEM));
  memcpy (parameters->extradata, picture->data, picture->size);
  parameters->extradata_size = picture->size;
  parameters->codec_type = AVMEDIA_TYPE_ATTACHMENT;
  parameters->codec_id = track->stream->codecpar->codec_id;
  stream->disposition = 0;
  while (i < G_N_ELEMENTS (pictures) - 1
      && pictures[i].codec != parameters->codec_id)
    i++;
  if (!av_dict_get (stream->metadata, "filename", NULL, 0))
    av_dict_set (&stream->metadata, "filename", pictures[i].name, 0);
  if (!av_dict_get (stream->metadata, "mimetype", NULL, 0))
    av_dict_set (&stream->metadata, "mimetype", pictures[i].type, 0);
  denoise_output_start_track (track->studio->output);
  return TRUE;
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

/* Target sound_codecs for audio. The encoder gets the nearest of its channel
 * layouts. */
static const struct
{
  const gchar *name;
  const gchar *encoder;
  const gchar *layouts;
  gint64 bit_rate;              /* bit rate of a channel. 0: lossless */
  const gchar *rates;           /* sample rates that the filter keeps, or "" */
} sound_codecs[] = {
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
      sound_codecs[track->studio->options->container].name,
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

/* Builds the conversion from frames with the properties of self->frame to those
 * of the encoder. */
static gint
build_graph (Sound * self, const AVCodec * encoder)
{
  const AVFrame *frame = self->frame;
  const AVRational time_base = self->track.stream->time_base;
  const enum AVSampleFormat *formats =
      denoise_encoder_get_sample_formats (encoder);
  g_autoptr (GString) output = g_string_new ("sample_fmts=");
  gchar layout[64] = "";
  AVFilterContext *converter;
  gint code;

  for (guint i = 0; formats[i] != AV_SAMPLE_FMT_NONE; i++)
    g_string_append_printf (output, "%s%s", i > 0 ? "|" : "",
        av_get_sample_fmt_name (formats[i]));
  g_string_append_printf (output, ":channel_layouts=%s%s",
      sound_codecs[self->track.studio->options->container].layouts,
      sound_codecs[self->track.studio->options->container].rates);
  av_channel_layout_describe (&frame->ch_layout, layout, sizeof (layout));
  g_autofree gchar *input = g_strdup_printf
      ("time_base=%d/%d:sample_rate=%d:sample_fmt=%s:channel_layout=%s",
      time_base.num, time_base.den, frame->sample_rate,
      av_get_sample_fmt_name (frame->format), layout);
  self->graph = avfilter_graph_alloc ();
  if (!self->graph)
    return AVERROR (ENOMEM);
  if ((code = create_filter (self, "abuffer", input, &self->source)) < 0
      || (code = create_filter (self, "aformat", output->str, &converter)) < 0
      || (code = create_filter (self, "abuffersink", NULL, &self->sink)) < 0
      || (code = avfilter_link (self->source, 0, converter, 0)) < 0
      || (code = avfilter_link (converter, 0, self->sink, 0)) < 0)
    return code;
  return avfilter_graph_config (self->graph, NULL);
}

static gint
open_sound_encoder (Sound * self, const AVCodec * codec)
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
  self->encoder->bit_rate = sound_codecs[studio->options->container].bit_rate
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
      (sound_codecs[track->studio->options->container].encoder);
  gint code = codec ? build_graph (self, codec) : AVERROR_ENCODER_NOT_FOUND;

  if (code >= 0)
    code = open_sound_encoder (self, codec);
  if (code < 0)
    return denoise_track_fail (track, code);

  const gint before = self->frame->ch_layout.nb_channels;
  const gint after = self->encoder->ch_layout.nb_channels;
  if (after < before)
    denoise_report_loss (track->studio->report, "%d channels of %s (%d are "
        "kept)", before, track->name, after);
  if (!denoise_track_set_encoder (track, self->encoder))
    return FALSE;
  denoise_output_start_track (track->studio->output);
  return TRUE;
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

/* Maximum size of a subtitle, large enough except for pages of styles. */
#define MAX_BYTES (1024 * 1024)
#define TIME_BASE ((AVRational) {1, 1000})

static const enum AVCodecID subtitle_codecs[] = {
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
open_subtitle_encoder (Subtitles * self)
{
  const AVCodec *codec = avcodec_find_encoder
      (subtitle_codecs[self->track.studio->options->container]);

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
  code = open_subtitle_encoder (self);
  if (code < 0)
    return denoise_track_fail (track, code);
  if (track->stream->codecpar->codec_id == AV_CODEC_ID_ASS)
    denoise_report_loss (track->studio->report, "positions and styles of %s",
        track->name);
  if (!denoise_track_set_encoder (track, self->encoder))
    return FALSE;
  denoise_output_start_track (track->studio->output);
  return TRUE;
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
