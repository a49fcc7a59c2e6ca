/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseparts.h"

#include "denoiselog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <libavutil/crc.h>

/* Of frames: those of x265, which does not tell FFmpeg. */
#define MIN_DELAY 2
#define OFFSET (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)
#define TAG "comment"
#define TAG_FORMAT "glopencl %" G_GINT64_FORMAT ":%" G_GINT64_FORMAT
#define TAG_PREFIX "glopencl "
/* The first line of a part: size and checksum of the rest, as the container has
 * no checksum of its packets. Demuxers of NUT skip it. */
#define SEAL_FORMAT "glopencl-part %020" G_GINT64_FORMAT " %08x\n"
#define SEAL_BYTES 44

struct _DenoiseParts
{
  gchar **names;                /* of the parts that are left */
  DenoiseReport *report;
  AVFormatContext *format;      /* of the part that is read, or NULL */
  gint64 next;                  /* the time where the next part begins */
  const AVCodecContext *encoder;
  gint64 length;
  /* The smallest times of the packets that have come, as many as the encoder
   * reorders: the container has no times of decoding. */
  GArray *times;
  guint64 n_read;
  gint64 first;
};

DenoiseParts *
denoise_parts_new (gchar ** names, DenoiseReport * report)
{
  DenoiseParts *self = g_new0 (DenoiseParts, 1);

  self->names = names;
  self->report = report;
  self->next = -G_MAXINT64;
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  return self;
}

void
denoise_parts_free (DenoiseParts * self)
{
  if (!self)
    return;
  avformat_close_input (&self->format);
  g_array_unref (self->times);
  g_free (self);
}

void
denoise_parts_set_encoder (DenoiseParts * self,
    const AVCodecContext * encoder, gint64 length)
{
  self->encoder = encoder;
  self->length = length;
}

gint64
denoise_parts_get_offset (AVRational time_base)
{
  return av_rescale_q (OFFSET, AV_TIME_BASE_Q, time_base);
}

void
denoise_parts_tag (AVFormatContext * format, const DenoiseSegment * segment)
{
  g_autofree gchar *text = g_strdup_printf (TAG_FORMAT, segment->first,
      segment->end);

  av_dict_set (&format->metadata, TAG, text, 0);
}

/* Computes size and checksum of a part without its first line. Returns FALSE
 * and sets errno on failure. */
static gboolean
compute_sum (gint fd, gint64 * size, guint32 * sum)
{
  const AVCRC *table = av_crc_get_table (AV_CRC_32_IEEE_LE);
  guint8 block[64 * 1024];
  ssize_t n;

  *size = 0;
  *sum = G_MAXUINT32;
  while ((n = pread (fd, block, sizeof block, SEAL_BYTES + *size)) != 0) {
    if (n < 0 && errno != EINTR)
      return FALSE;
    if (n > 0) {
      *sum = av_crc (table, *sum, block, n);
      *size += n;
    }
  }
  return TRUE;
}

void
denoise_parts_reserve_seal (AVIOContext * io)
{
  const guint8 line[SEAL_BYTES] = { 0 };

  avio_write (io, line, SEAL_BYTES);
}

gboolean
denoise_parts_seal (gint fd)
{
  gint64 size;
  guint32 sum;

  if (!compute_sum (fd, &size, &sum))
    return FALSE;
  g_autofree gchar *line = g_strdup_printf (SEAL_FORMAT, size, sum);

  /* If only a part of the line is written. */
  errno = ENOSPC;
  return pwrite (fd, line, SEAL_BYTES, 0) == SEAL_BYTES;
}

static gboolean
fail (DenoiseParts * self, const gchar * name, const gchar * reason)
{
  denoise_report_error (self->report, "%s: %s", name, reason);
  return FALSE;
}

static gboolean
is_of_encoder (const DenoiseParts * self, const AVCodecParameters * parameters)
{
  const AVCodecContext *encoder = self->encoder;

  return parameters->codec_id == encoder->codec_id
      && parameters->width == encoder->width
      && parameters->height == encoder->height
      && parameters->extradata_size == encoder->extradata_size
      && (encoder->extradata_size == 0 || memcmp (parameters->extradata,
          encoder->extradata, encoder->extradata_size) == 0);
}

static gboolean
check_part (DenoiseParts * self, const gchar * name)
{
  const AVDictionaryEntry *tag = av_dict_get (self->format->metadata, TAG,
      NULL, 0);
  DenoiseSegment segment;

  if (self->format->nb_streams != 1 || !tag
      || !g_str_has_prefix (tag->value, TAG_PREFIX)
      || !denoise_segment_parse (tag->value + strlen (TAG_PREFIX), &segment))
    return fail (self, name, "it was not written with --part");
  if (segment.first != self->next)
    return fail (self, name, "it does not begin where the part before ends");
  if (!is_of_encoder (self, self->format->streams[0]->codecpar))
    return fail (self, name, "it was made with other settings, or by another "
        "version of the encoder");
  self->next = segment.end;
  return TRUE;
}

/* Compares a part with its first line. */
static gboolean
check_seal (DenoiseParts * self, const gchar * name)
{
  const gint fd = g_open (name, O_RDONLY | O_CLOEXEC, 0);
  gchar line[SEAL_BYTES + 1] = { 0 };
  gint64 size, found_size;
  guint32 sum, found_sum;

  if (fd < 0)
    return fail (self, name, g_strerror (errno));
  const gboolean is_read = pread (fd, line, SEAL_BYTES, 0) >= 0
      && compute_sum (fd, &found_size, &found_sum);
  const gint error = errno;

  close (fd);
  if (!is_read)
    return fail (self, name, g_strerror (error));
  if (sscanf (line, "glopencl-part %" G_GINT64_MODIFIER "d %x", &size, &sum)
      != 2)
    return fail (self, name,
        "it was not written with --part, or not completely");
  if (size != found_size) {
    g_autofree gchar *reason = g_strdup_printf ("the part has %" G_GINT64_FORMAT
        " bytes but was written with %" G_GINT64_FORMAT ": write it again",
        found_size + SEAL_BYTES, size + SEAL_BYTES);

    return fail (self, name, reason);
  }
  return sum == found_sum || fail (self, name, "the part is damaged, its "
      "checksum is wrong: write it again");
}

static gboolean
open_part (DenoiseParts * self, const gchar * name)
{
  if (!check_seal (self, name))
    return FALSE;
  g_autofree gchar *url = g_strconcat ("file:", name, NULL);
  const gint code = avformat_open_input (&self->format, url,
      av_find_input_format ("nut"), NULL);

  if (code < 0) {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_DEMUXER, code);

    return fail (self, name, reason);
  }
  return check_part (self, name);
}

/* Returns how many frames a decoder may have to wait for. Not every encoder
 * says so; more than there are do no harm. */
static guint
get_delay (const DenoiseParts * self)
{
  const AVCodecDescriptor *codec =
      avcodec_descriptor_get (self->encoder->codec_id);
  const gint least = codec && codec->props & AV_CODEC_PROP_REORDER
      ? MIN_DELAY : 0;

  return MAX (self->encoder->has_b_frames, least);
}

/* Returns when a packet is decoded that is shown at @time: the times of a track
 * in their order, delayed by as many frames as the encoder reorders. */
static gint64
find_decoding_time (DenoiseParts * self, gint64 time)
{
  const guint delay = get_delay (self);
  guint place = self->times->len;

  if (self->n_read++ == 0)
    self->first = time;
  while (place > 0 && g_array_index (self->times, gint64, place - 1) > time)
    place--;
  g_array_insert_val (self->times, place, time);
  if (self->times->len <= delay)
    return self->first - (gint64) (delay - self->times->len + 1) * self->length;

  const gint64 decoded = g_array_index (self->times, gint64, 0);
  g_array_remove_index (self->times, 0);
  return decoded;
}

/* Returns FALSE if the encoder reorders more frames than it says. */
static gboolean
set_times (DenoiseParts * self, AVPacket * packet)
{
  const AVRational time_base = self->encoder->time_base;

  packet->pts = av_rescale_q (packet->pts, self->format->streams[0]->time_base,
      time_base) - denoise_parts_get_offset (time_base);
  packet->dts = find_decoding_time (self, packet->pts);
  packet->duration = 0;
  packet->stream_index = 0;
  return packet->dts <= packet->pts;
}

gboolean
denoise_parts_read (DenoiseParts * self, AVPacket * packet)
{
  for (;;) {
    if (!self->format) {
      if (!*self->names)
        return self->next == G_MAXINT64
            ? FALSE : fail (self, "--join", "the last part is missing");
      if (!open_part (self, *self->names++))
        return FALSE;
    }
    const gint code = av_read_frame (self->format, packet);

    if (code >= 0)
      return set_times (self, packet) || fail (self, self->names[-1],
          "its frames are in an order that is not known");
    if (code != AVERROR_EOF)
      return fail (self, self->names[-1], "it cannot be read to its end");
    avformat_close_input (&self->format);
  }
}
