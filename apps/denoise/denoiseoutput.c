/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseoutput.h"

#include "denoiseffmpeg.h"

#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>

/* A track without a packet among this many packets begins later. */
#define MAX_WAITING 256

static const gchar *const muxers[] = {
  [DENOISE_CONTAINER_MATROSKA] = "matroska",
  [DENOISE_CONTAINER_MP4] = "mp4",
  [DENOISE_CONTAINER_WEBM] = "webm",
  [DENOISE_CONTAINER_MOV] = "mov",
  [DENOISE_CONTAINER_Y4M] = "yuv4mpegpipe",
  [DENOISE_CONTAINER_PART] = "nut"
};

/* Tags that describe the source container. Matroska muxers write packet counts
 * as tags, which would be wrong for another file. */
static const gchar *const foreign_tags[] = {
  "major_brand", "minor_version", "compatible_brands", "vendor_id", "encoder",
  "DURATION", "BPS", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES",
  "_STATISTICS_WRITING_APP", "_STATISTICS_WRITING_DATE_UTC",
  "_STATISTICS_TAGS", "handler_name"
};

static void
init_count (DenoiseCount * count)
{
  count->n_packets = 0;
  count->first = count->last = count->end = AV_NOPTS_VALUE;
}

/* Counts a packet with times in @time_base. */
static void
count_packet (DenoiseCount * count, const AVPacket * packet,
    AVRational time_base)
{
  count->n_packets++;
  if (packet->pts == AV_NOPTS_VALUE)
    return;

  const gint64 time = av_rescale_q (packet->pts, time_base, AV_TIME_BASE_Q);
  const gint64 end = av_rescale_q (packet->pts + MAX (packet->duration, 0),
      time_base, AV_TIME_BASE_Q);

  if (count->first == AV_NOPTS_VALUE || time < count->first)
    count->first = time;
  /* No timestamp is less than AV_NOPTS_VALUE. */
  count->last = MAX (count->last, time);
  count->end = MAX (count->end, end);
}

static gboolean
report_code (DenoiseOutput * self, const gchar * what, gint code)
{
  g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_OTHER, code);

  denoise_report_error (self->report, "%s: %s", what, reason);
  return FALSE;
}

static void
free_track (gpointer data)
{
  DenoiseOutputTrack *track = data;

  g_free (track->name);
  g_free (track);
}

static void
free_packet (gpointer data)
{
  AVPacket *packet = data;

  av_packet_free (&packet);
}

gboolean
denoise_output_open (DenoiseOutput * self, const DenoiseOptions * options,
    gint part, DenoiseReport * report)
{
  gint code;

  self->options = options;
  self->is_matroska = options->container == DENOISE_CONTAINER_MATROSKA
      || options->container == DENOISE_CONTAINER_WEBM;
  self->report = report;
  self->tracks = g_ptr_array_new_with_free_func (free_track);
  self->waiting = g_queue_new ();
  code = avformat_alloc_output_context2 (&self->format, NULL,
      muxers[options->container], NULL);
  if (code < 0)
    return report_code (self, "FFmpeg has no muxer for the output", code);
  self->format->pb = denoise_io_new (part, TRUE,
      options->container == DENOISE_CONTAINER_Y4M);
  if (!self->format->pb)
    return report_code (self, "the output cannot be opened", AVERROR (ENOMEM));
  /* A few codecs are new in .mp4, such as TrueHD and FLAC. */
  self->format->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
  if (options->container == DENOISE_CONTAINER_MOV)
    av_opt_set (self->format->priv_data, "movflags", "use_metadata_tags", 0);
  if (self->is_matroska) {
    av_opt_set (self->format->priv_data, "default_mode", "passthrough", 0);
    /* The muxer would lose the delay of Opus before its first packet. */
    self->format->avoid_negative_ts = AVFMT_AVOID_NEG_TS_DISABLED;
  }
  return TRUE;
}

void
denoise_output_clear (DenoiseOutput * self)
{
  if (self->format) {
    AVIOContext *io = self->format->pb;

    denoise_io_free (&io);
    avformat_free_context (self->format);
  }
  g_ptr_array_unref (self->tracks);
  g_queue_free_full (self->waiting, free_packet);
}

gboolean
denoise_output_holds (const DenoiseOutput * self, enum AVCodecID codec)
{
  /* Few players support these samples in a .mp4, and some versions of FFmpeg do
   * not write them. */
  if (self->options->container == DENOISE_CONTAINER_MP4
      && g_str_has_prefix (avcodec_get_name (codec), "pcm_"))
    return FALSE;
  /* The .mov muxer rejects them only when it writes the header. */
  if (self->options->container == DENOISE_CONTAINER_MOV
      && (codec == AV_CODEC_ID_OPUS || codec == AV_CODEC_ID_FLAC
          || codec == AV_CODEC_ID_TRUEHD || codec == AV_CODEC_ID_VP9
          || codec == AV_CODEC_ID_AV1))
    return FALSE;
  return avformat_query_codec (self->format->oformat, codec,
      FF_COMPLIANCE_EXPERIMENTAL) == 1;
}

gboolean
denoise_output_holds_data (const DenoiseOutput * self,
    const AVCodecParameters * parameters)
{
  const struct AVCodecTag *const *tags = self->format->oformat->codec_tag;

  /* The Matroska muxer rejects data tracks. */
  return !self->is_matroska && tags
      && parameters->codec_id != AV_CODEC_ID_NONE
      && av_codec_get_id (tags, parameters->codec_tag) == parameters->codec_id;
}

static gboolean
copy_tags (AVDictionary ** to, const AVDictionary * from)
{
  if (av_dict_copy (to, from, 0) < 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (foreign_tags); i++)
    av_dict_set (to, foreign_tags[i], NULL, 0);
  return TRUE;
}

/* Omits a chapter outside of the written range. */
static gboolean
copy_chapter (DenoiseOutput * self, const AVChapter * from)
{
  AVFormatContext *format = self->format;
  const gint64 shift = av_rescale_q (self->offset, AV_TIME_BASE_Q,
      from->time_base);
  const gint64 end = self->options->duration == G_MAXINT64 ? G_MAXINT64
      : av_rescale_q (self->options->duration, AV_TIME_BASE_Q, from->time_base);
  gint n = format->nb_chapters;

  if (denoise_options_have_range (self->options)
      && (from->end + shift <= 0 || from->start + shift >= end))
    return TRUE;
  AVChapter *chapter = av_mallocz (sizeof (*chapter));

  if (!chapter)
    return FALSE;
  chapter->id = from->id;
  chapter->time_base = from->time_base;
  chapter->start = MAX (from->start + shift, 0);
  chapter->end = CLAMP (from->end + shift, chapter->start, end);
  av_dynarray_add (&format->chapters, &n, chapter);
  format->nb_chapters = n;
  return n > 0 && copy_tags (&chapter->metadata, from->metadata);
}

gboolean
denoise_output_copy_film (DenoiseOutput * self, const AVFormatContext * film)
{
  gboolean copied = copy_tags (&self->format->metadata, film->metadata);

  if (self->options->container == DENOISE_CONTAINER_Y4M) {
    if (av_dict_count (self->format->metadata) > 0)
      denoise_report_loss (self->report, "tags of the file");
    if (film->nb_chapters > 0)
      denoise_report_loss (self->report, "%u chapters", film->nb_chapters);
    return copied;
  }

  for (guint i = 0; copied && i < film->nb_chapters; i++)
    copied = copy_chapter (self, film->chapters[i]);
  return copied || report_code (self, "tags and chapters", AVERROR (ENOMEM));
}

DenoiseOutputTrack *
denoise_output_add_track (DenoiseOutput * self, const AVStream * from,
    const gchar * name)
{
  DenoiseOutputTrack *track = g_new0 (DenoiseOutputTrack, 1);
  const AVDictionaryEntry *title;

  track->name = g_strdup (name);
  track->last_dts = AV_NOPTS_VALUE;
  init_count (&track->count);
  g_ptr_array_add (self->tracks, track);
  self->n_unknown++;
  track->stream = avformat_new_stream (self->format, NULL);
  if (!track->stream || !copy_tags (&track->stream->metadata, from->metadata)) {
    report_code (self, name, AVERROR (ENOMEM));
    return NULL;
  }
  title = av_dict_get (from->metadata, "title", NULL, 0);
  /* A .mp4 has no other place for it. */
  if (title)
    av_dict_set (&track->stream->metadata, "handler_name", title->value, 0);
  track->stream->disposition = from->disposition;
  track->stream->sample_aspect_ratio = from->sample_aspect_ratio;
  track->stream->time_base = from->time_base;
  return track;
}

/* Shifts all times so that no packet that waits is before 0. */
static void
shift_times (DenoiseOutput * self)
{
  const gint64 before = self->offset;

  for (const GList * l = self->waiting->head; l; l = l->next) {
    const AVPacket *packet = l->data;
    const DenoiseOutputTrack *track = self->tracks->pdata[packet->stream_index];

    if (packet->pts != AV_NOPTS_VALUE)
      self->offset = MAX (self->offset, -av_rescale_q (packet->pts,
              packet->time_base, AV_TIME_BASE_Q)
          - denoise_matroska_get_delay (track->stream->codecpar));
  }
  for (guint i = 0; i < self->format->nb_chapters; i++) {
    AVChapter *chapter = self->format->chapters[i];
    const gint64 shift = av_rescale_q (self->offset - before, AV_TIME_BASE_Q,
        chapter->time_base);

    chapter->start += shift;
    chapter->end += shift;
  }
}

/* Writes the queued packets, in order of arrival. */
static gboolean
write_header (DenoiseOutput * self)
{
  gint code;

  if (self->is_matroska)
    shift_times (self);
  code = avformat_write_header (self->format, NULL);
  if (code < 0)
    return report_code (self, "cannot write the header", code);
  self->has_header = TRUE;
  while (!g_queue_is_empty (self->waiting)) {
    AVPacket *packet = g_queue_pop_head (self->waiting);
    const gboolean written = denoise_output_write (self,
        self->tracks->pdata[packet->stream_index], packet, packet->time_base);

    av_packet_free (&packet);
    if (!written)
      return FALSE;
  }
  return TRUE;
}

void
denoise_output_start_track (DenoiseOutput * self)
{
  self->n_unknown--;
}

/* Returns whether the header can be written. */
static gboolean
is_known (const DenoiseOutput * self)
{
  if (self->n_unknown > 0)
    return FALSE;
  if (g_queue_get_length (self->waiting) >= MAX_WAITING)
    return TRUE;
  for (guint i = 0; i < self->tracks->len; i++) {
    const DenoiseOutputTrack *track = self->tracks->pdata[i];

    if (!track->has_packet
        && track->stream->codecpar->codec_type <= AVMEDIA_TYPE_AUDIO)
      return FALSE;
  }
  return TRUE;
}

static gboolean
keep_packet (DenoiseOutput * self, AVPacket * packet, AVRational time_base)
{
  AVPacket *kept = av_packet_alloc ();

  if (!kept)
    return report_code (self, "a packet", AVERROR (ENOMEM));
  av_packet_move_ref (kept, packet);
  kept->time_base = time_base;
  g_queue_push_tail (self->waiting, kept);
  return !is_known (self) || write_header (self);
}

/* Adds the offset. A muxer needs increasing timestamps, and audio needs the
 * duration of its last packet. */
static void
adjust_times (DenoiseOutput * self, DenoiseOutputTrack * track,
    AVPacket * packet)
{
  const gint64 offset = av_rescale_q (self->offset, AV_TIME_BASE_Q,
      track->stream->time_base);
  const gint64 least = track->last_dts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE
      : track->last_dts + !(self->format->oformat->flags & AVFMT_TS_NONSTRICT);

  if (packet->pts != AV_NOPTS_VALUE)
    packet->pts += offset;
  packet->dts = packet->dts == AV_NOPTS_VALUE ? packet->pts
      : packet->dts + offset;
  /* For a video of one frame, x265 leaves it unset. */
  if (packet->pts != AV_NOPTS_VALUE)
    packet->dts = MIN (packet->dts, packet->pts);
  if (track->stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) {
    if (packet->duration <= 0)
      packet->duration = track->last_duration;
    track->last_duration = packet->duration;
  }
  if (packet->dts != AV_NOPTS_VALUE && least != AV_NOPTS_VALUE
      && packet->dts < least) {
    packet->dts = least;
    if (packet->pts != AV_NOPTS_VALUE)
      packet->pts = MAX (packet->pts, packet->dts);
  }
  if (packet->dts != AV_NOPTS_VALUE) {
    if (track->last_dts != AV_NOPTS_VALUE && track->last_duration == 0)
      track->last_duration = packet->dts - track->last_dts;
    track->last_dts = packet->dts;
  }
}

gboolean
denoise_output_write (DenoiseOutput * self, DenoiseOutputTrack * track,
    AVPacket * packet, AVRational time_base)
{
  gint code;

  packet->stream_index = track->stream->index;
  track->has_packet = TRUE;
  if (!self->has_header)
    return keep_packet (self, packet, time_base);
  av_packet_rescale_ts (packet, time_base, track->stream->time_base);
  packet->time_base = track->stream->time_base;
  packet->pos = -1;
  adjust_times (self, track, packet);
  if (packet->dts == AV_NOPTS_VALUE
      && !(track->stream->disposition & AV_DISPOSITION_ATTACHED_PIC)) {
    denoise_report_error (self->report, "a packet of %s has no timestamp",
        track->name);
    return FALSE;
  }
  count_packet (&track->count, packet, track->stream->time_base);
  /* A step that the muxer of some versions lacks. */
  const gint64 delay = denoise_matroska_get_delay (track->stream->codecpar);

  if (delay != 0 && self->is_matroska && !denoise_matroska_adds_delay ()) {
    packet->pts += av_rescale_q (delay, AV_TIME_BASE_Q,
        track->stream->time_base);
    packet->dts = packet->pts;
  }
  code = av_interleaved_write_frame (self->format, packet);
  return code >= 0 || report_code (self, track->name, code);
}

gboolean
denoise_output_finish (DenoiseOutput * self)
{
  gint code;

  if (!self->has_header && !write_header (self))
    return FALSE;
  code = av_write_trailer (self->format);
  avio_flush (self->format->pb);
  if (code >= 0)
    code = self->format->pb->error;
  return code >= 0 || report_code (self, "cannot write the trailer", code);
}

/* Timestamps are rounded to a millisecond, and may all be shifted by the delay
 * of an audio codec before the first sample. */
#define MAX_ROUNDING (2 * 1000)
#define MAX_SHIFT (25 * 1000)
#define FLAGS (AV_DISPOSITION_DEFAULT | AV_DISPOSITION_FORCED \
    | AV_DISPOSITION_HEARING_IMPAIRED | AV_DISPOSITION_VISUAL_IMPAIRED \
    | AV_DISPOSITION_ORIGINAL | AV_DISPOSITION_COMMENT)

static gboolean
read_all (AVFormatContext * format, DenoiseCount * counts)
{
  AVPacket *packet = av_packet_alloc ();
  gint code = packet ? 0 : AVERROR (ENOMEM);

  while (code >= 0) {
    code = av_read_frame (format, packet);
    if (code >= 0) {
      count_packet (&counts[packet->stream_index], packet,
          format->streams[packet->stream_index]->time_base);
      av_packet_unref (packet);
    }
  }
  av_packet_free (&packet);
  return code == AVERROR_EOF;
}

/* Returns whether there is a stream for the track. A .mp4 omits tracks without
 * packets. */
static gboolean
is_there (const DenoiseOutputTrack * track, gboolean is_matroska)
{
  return (is_matroska || track->count.n_packets > 0)
      && track->stream->codecpar->codec_type != AVMEDIA_TYPE_ATTACHMENT
      && !(track->stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

/* Subtitles of a .mp4 have empty packets between them. */
static gboolean
may_have_more (const AVStream * stream)
{
  return stream->codecpar->codec_id == AV_CODEC_ID_MOV_TEXT;
}

/* Returns the offset of all timestamps, measured at the first track. Tracks
 * with packets come first in the file. */
static gint64
get_shift (const DenoiseOutput * output, const DenoiseCount * counts,
    gboolean is_matroska)
{
  guint n = 0;

  for (guint i = 0; i < output->tracks->len; i++) {
    const DenoiseOutputTrack *track = output->tracks->pdata[i];

    if (!is_there (track, is_matroska))
      continue;
    if (track->count.first != AV_NOPTS_VALUE
        && counts[n].first != AV_NOPTS_VALUE)
      return counts[n].first - track->count.first;
    n++;
  }
  return 0;
}

static void
compare_flags (const DenoiseOutputTrack * track, const AVStream * found,
    gboolean is_matroska, DenoiseReport * report)
{
  const gint before = track->stream->disposition & FLAGS;
  const gint lost = before & ~found->disposition;
  const gint added = found->disposition & FLAGS & ~before;

  if (lost != 0 && is_matroska)
    denoise_report_error (report, "flags of %s were not written", track->name);
  else if (lost != 0)
    denoise_report_loss (report, "flags of %s", track->name);
  else if (added != 0 && is_matroska)
    denoise_report_error (report, "%s has unexpected flags", track->name);
}

static void
compare_track (const DenoiseOutputTrack * track, const AVStream * found,
    const DenoiseCount * count, gint64 shift, DenoiseReport * report)
{
  const DenoiseCount *written = &track->count;

  if (count->n_packets < written->n_packets
      || (count->n_packets > written->n_packets && !may_have_more (found)))
    denoise_report_error (report, "%s: %" G_GUINT64_FORMAT " packets were "
        "written, but the file has %" G_GUINT64_FORMAT, track->name,
        written->n_packets, count->n_packets);
  else if (written->n_packets > 0 && written->first != AV_NOPTS_VALUE
      && (ABS (count->last - written->last - shift) > MAX_ROUNDING
          || (ABS (count->first - written->first - shift) > MAX_ROUNDING
              && !may_have_more (found))))
    denoise_report_error (report, "%s was written from %.3f to %.3f s, but "
        "the file has it from %.3f to %.3f s", track->name,
        written->first / 1e6, written->last / 1e6, count->first / 1e6,
        count->last / 1e6);
}

static void
compare (const DenoiseOutput * output, const AVFormatContext * format,
    const DenoiseCount * counts, DenoiseReport * report)
{
  const gboolean is_matroska = output->is_matroska;
  guint n_wanted = 0;
  guint n = 0;

  for (guint i = 0; i < output->tracks->len; i++)
    n_wanted += is_there (output->tracks->pdata[i], is_matroska);
  if (format->nb_streams < n_wanted) {
    denoise_report_error (report, "%u tracks expected, %u written", n_wanted,
        format->nb_streams);
    return;
  }

  const gint64 shift = get_shift (output, counts, is_matroska);
  if (ABS (shift) > MAX_SHIFT)
    denoise_report_error (report, "all timestamps were shifted by %.3f s",
        shift / 1e6);
  else if (ABS (shift) > MAX_ROUNDING)
    denoise_report_note (report, "All timestamps are shifted by %.0f ms: an "
        "audio codec begins before the video", shift / 1e3);
  for (guint i = 0; i < output->tracks->len; i++) {
    const DenoiseOutputTrack *track = output->tracks->pdata[i];

    if (!is_there (track, is_matroska))
      continue;
    compare_track (track, format->streams[n], &counts[n], shift, report);
    compare_flags (track, format->streams[n], is_matroska, report);
    n++;
  }
}

void
denoise_verify (const DenoiseOutput * output, gint part, DenoiseReport * report)
{
  AVFormatContext *format = avformat_alloc_context ();
  AVIOContext *io = format ? denoise_io_new (part, FALSE, FALSE) : NULL;
  g_autofree DenoiseCount *counts = NULL;
  gint code = io ? 0 : AVERROR (ENOMEM);

  if (code >= 0) {
    format->pb = io;
    code = avformat_open_input (&format, NULL, NULL, NULL);
  }
  if (code >= 0) {
    counts = g_new (DenoiseCount, format->nb_streams);
    for (guint i = 0; i < format->nb_streams; i++)
      init_count (&counts[i]);
    if (!read_all (format, counts))
      code = AVERROR_INVALIDDATA;
  }
  if (code >= 0) {
    compare (output, format, counts, report);
  } else {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_DEMUXER, code);

    denoise_report_error (report, "cannot read the output again: %s", reason);
  }
  avformat_close_input (&format);
  denoise_io_free (&io);
}
