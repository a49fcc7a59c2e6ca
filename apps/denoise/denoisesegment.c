/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisesegment.h"

/* The first seek goes this many frames further back than necessary, each
 * further seek four times as far. */
#define SPARE_FRAMES 16
#define STEP 4

static gboolean
parse_time (const gchar * text, gint64 if_empty, gint64 * time)
{
  *time = if_empty;
  return *text == '\0' || g_ascii_string_to_signed (text, 10, -G_MAXINT64,
      G_MAXINT64, time, NULL);
}

gboolean
denoise_segment_parse (const gchar * text, DenoiseSegment * self)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 3);

  return g_strv_length (parts) == 2
      && parse_time (parts[0], -G_MAXINT64, &self->first)
      && parse_time (parts[1], G_MAXINT64, &self->end)
      && self->first < self->end;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  const gint64 difference = *(const gint64 *) a - *(const gint64 *) b;

  return (difference > 0) - (difference < 0);
}

/* Sets @key to the time of the next key frame of a stream, and returns the
 * sorted times of the frames from it to before @end. The caller frees the
 * array. */
static GArray *
list_times (AVFormatContext * format, gint stream, gint64 end, gint64 * key)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
  AVPacket *packet = av_packet_alloc ();
  gboolean more = packet != NULL;

  *key = AV_NOPTS_VALUE;
  while (more && av_read_frame (format, packet) >= 0) {
    if (packet->stream_index == stream && packet->pts != AV_NOPTS_VALUE) {
      if (*key == AV_NOPTS_VALUE && packet->flags & AV_PKT_FLAG_KEY)
        *key = packet->pts;
      if (*key != AV_NOPTS_VALUE && packet->pts >= *key && packet->pts < end)
        g_array_append_val (times, packet->pts);
      /* Frames arrive in decoding order. */
      more = (packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts) < end;
    }
    av_packet_unref (packet);
  }
  av_packet_free (&packet);
  g_array_sort (times, compare_times);
  return times;
}

/* Searches from @target on. Returns whether there are enough frames. */
static gboolean
look_from (DenoiseSegment * self, AVFormatContext * format, gint stream,
    gint64 target, guint n_before)
{
  if (av_seek_frame (format, stream, target, AVSEEK_FLAG_BACKWARD) < 0)
    return FALSE;
  g_autoptr (GArray) times = list_times (format, stream, self->first,
      &self->key);

  if (self->key == AV_NOPTS_VALUE || self->key > self->first
      || times->len < n_before)
    return FALSE;
  self->lead = n_before == 0 ? self->first
      : g_array_index (times, gint64, times->len - n_before);
  return TRUE;
}

gboolean
denoise_segment_seek (DenoiseSegment * self, AVFormatContext * format,
    gint stream, guint n_before)
{
  const AVStream *video = format->streams[stream];
  const AVRational rate = video->avg_frame_rate.num > 0
      ? video->avg_frame_rate : (AVRational) { 25, 1 };
  gint64 step = av_rescale_q (n_before + SPARE_FRAMES, av_inv_q (rate),
      video->time_base);
  const gint64 start = video->start_time != AV_NOPTS_VALUE
      ? video->start_time : 0;

  /* The first part has no start time. */
  while (self->first > start && step < self->first - start) {
    /* A container without an index may seek to different positions for the same
     * time. */
    if (look_from (self, format, stream, self->first - step, n_before))
      return av_seek_frame (format, stream, self->first - step,
          AVSEEK_FLAG_BACKWARD) >= 0;
    step = step < G_MAXINT64 / STEP ? step * STEP : G_MAXINT64;
  }
  self->key = AV_NOPTS_VALUE;
  self->lead = -G_MAXINT64;
  return self->first <= start
      || av_seek_frame (format, stream, start, AVSEEK_FLAG_BACKWARD) >= 0;
}
