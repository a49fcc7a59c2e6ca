/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseverify.h"

#include "denoiseio.h"
#include "denoiselog.h"

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
      denoise_count_add (&counts[packet->stream_index], packet,
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
      denoise_count_init (&counts[i]);
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
