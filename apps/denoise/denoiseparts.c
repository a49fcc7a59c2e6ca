/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseparts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <libavutil/crc.h>

/* Delay of x265, in frames. x265 does not report it to FFmpeg. */
#define MIN_DELAY 2
#define OFFSET (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)
#define TAG "comment"
#define TAG_FORMAT "glopencl %" G_GINT64_FORMAT ":%" G_GINT64_FORMAT
#define TAG_PREFIX "glopencl "
/* The first line of a part: size and checksum of the rest, because the
 * container has no packet checksums. NUT demuxers skip it. */
#define SEAL_FORMAT "glopencl-part %020" G_GINT64_FORMAT " %08x\n"
#define SEAL_BYTES 44
/* Maximum number of bytes of the output's name in the name of a folder. */
#define NAME_BYTES 100
#define DIGEST_LENGTH 16
#define FOLDER_SUFFIX ".parts"
#define LOCK "lock"
#define PART_SUFFIX ".nut"

struct _DenoiseParts
{
  gchar **names;                /* of the parts that are left */
  DenoiseReport *report;
  AVFormatContext *format;      /* of the current part, or NULL */
  gint64 next;                  /* where the next part begins */
  const AVCodecContext *encoder;
  gint64 length;
  /* The smallest timestamps of the packets so far, as many as the encoder
   * reorders, because the container has no decoding timestamps. */
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

  /* In case only a part of the line is written. */
  errno = ENOSPC;
  return pwrite (fd, line, SEAL_BYTES, 0) == SEAL_BYTES;
}

static gboolean
fail (DenoiseParts * self, const gchar * name, const gchar * reason)
{
  self->report->is_partless = TRUE;
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

/* Verifies the first line of a part. Returns why it cannot be used, which the
 * caller frees, or NULL. */
static gchar *
check_seal (const gchar * name)
{
  const gint fd = g_open (name, O_RDONLY | O_CLOEXEC, 0);
  gchar line[SEAL_BYTES + 1] = { 0 };
  gint64 size, found_size;
  guint32 sum, found_sum;

  if (fd < 0)
    return g_strdup (g_strerror (errno));
  const gboolean is_read = pread (fd, line, SEAL_BYTES, 0) >= 0
      && compute_sum (fd, &found_size, &found_sum);
  const gint error = errno;

  close (fd);
  if (!is_read)
    return g_strdup (g_strerror (error));
  if (sscanf (line, "glopencl-part %" G_GINT64_MODIFIER "d %x", &size, &sum)
      != 2)
    return g_strdup ("not written with --part, or not completely");
  if (size != found_size)
    return g_strdup_printf ("the part has %" G_GINT64_FORMAT
        " bytes but was written with %" G_GINT64_FORMAT ". Write it again",
        found_size + SEAL_BYTES, size + SEAL_BYTES);
  return sum == found_sum ? NULL
      : g_strdup ("the part is damaged, its checksum is wrong. Write it "
      "again");
}

gboolean
denoise_parts_is_sound (const gchar * name)
{
  g_autofree gchar *reason = check_seal (name);

  return !reason;
}

static gboolean
open_part (DenoiseParts * self, const gchar * name)
{
  g_autofree gchar *broken = check_seal (name);
  const AVDictionaryEntry *tag;
  DenoiseSegment segment;

  if (broken)
    return fail (self, name, broken);
  g_autofree gchar *url = g_strconcat ("file:", name, NULL);
  const gint code = avformat_open_input (&self->format, url,
      av_find_input_format ("nut"), NULL);

  if (code < 0) {
    g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_DEMUXER, code);

    return fail (self, name, reason);
  }
  tag = av_dict_get (self->format->metadata, TAG, NULL, 0);
  if (self->format->nb_streams != 1 || !tag
      || !g_str_has_prefix (tag->value, TAG_PREFIX)
      || !denoise_segment_parse (tag->value + strlen (TAG_PREFIX), &segment))
    return fail (self, name, "not written with --part");
  if (segment.first != self->next)
    return fail (self, name, "does not begin at the end of the previous "
        "part");
  if (!is_of_encoder (self, self->format->streams[0]->codecpar))
    return fail (self, name, "written with other settings, or by another "
        "version of the encoder");
  self->next = segment.end;
  return TRUE;
}

/* Returns the decoding timestamp of a packet that is shown at @time: the sorted
 * timestamps of the track, delayed by the number of frames that the encoder
 * reorders. */
static gint64
find_decoding_time (DenoiseParts * self, gint64 time)
{
  /* Some encoders do not report how many frames they reorder. A larger number
   * does no harm. */
  const AVCodecDescriptor *codec =
      avcodec_descriptor_get (self->encoder->codec_id);
  const gint least = codec && codec->props & AV_CODEC_PROP_REORDER
      ? MIN_DELAY : 0;
  const guint delay = MAX (self->encoder->has_b_frames, least);
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

/* Returns FALSE if the encoder reorders more frames than it reports. */
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
          "unknown frame order");
    if (code != AVERROR_EOF)
      return fail (self, self->names[-1], "cannot be read to the end");
    avformat_close_input (&self->format);
  }
}

/* Returns the common prefix of the names of all parts folders of the output. */
static gchar *
name_prefix (const DenoiseOptions * options)
{
  g_autofree gchar *name = g_path_get_basename (options->target);
  gsize length = strlen (name);

  /* Some file systems reject an incomplete character. */
  if (length > NAME_BYTES) {
    length = NAME_BYTES;
    while (length > NAME_BYTES - 3 && (name[length] & 0xc0) == 0x80)
      length--;
  }
  return g_strdup_printf (".%.*s-", (int) length, name);
}

gchar *
denoise_parts_name_folder (const DenoiseOptions * options)
{
  g_autofree gchar *base = g_path_get_dirname (options->target);
  g_autofree gchar *prefix = name_prefix (options);
  g_autofree gchar *input = g_canonicalize_filename (options->input, NULL);
  struct stat status = { 0 };

  (void) !stat (options->input, &status);
  g_autofree gchar *text = g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT
      "\n%" G_GINT64_FORMAT ".%ld\n%s\n%s\n%s\n%s\n%s\n%d %d %d %d %d %d %d",
      GLOPENCL_VERSION, input, (gint64) status.st_size,
      (gint64) status.st_mtim.tv_sec, status.st_mtim.tv_nsec, options->filter,
      options->preset ? options->preset : "",
      options->device ? options->device : "",
      options->codec ? options->codec : "",
      options->speed ? options->speed : "", options->quality, options->bits,
      options->lossless, options->deinterlace, options->partial,
      options->scale_to_first, options->film_container);
  g_autofree gchar *digest =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree gchar *name = g_strdup_printf ("%s%.*s" FOLDER_SUFFIX, prefix,
      DIGEST_LENGTH, digest);

  return g_build_filename (base, name, NULL);
}

gint
denoise_parts_lock (const gchar * folder)
{
  g_autofree gchar *name = g_build_filename (folder, LOCK, NULL);

  if (g_mkdir (folder, 0700) != 0 && errno != EEXIST)
    return -1;
  const gint fd = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
      0600);

  /* Some file systems do not support locks. */
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close (fd);
    return -1;
  }
  return fd;
}

guint
denoise_parts_measure (const gchar * folder, gint64 * bytes)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint n = 0;

  *bytes = 0;
  while (files && (name = g_dir_read_name (files))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);
    struct stat status;

    if (g_lstat (path, &status) == 0)
      *bytes += status.st_size;
    n += g_str_has_suffix (name, PART_SUFFIX);
  }
  return n;
}

/* Removes the files of a folder, except the lock if @keeps_lock is set. */
static void
remove_files (const gchar * folder, gboolean keeps_lock)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (files && (name = g_dir_read_name (files))) {
    g_autofree gchar *path = g_build_filename (folder, name, NULL);

    if (!keeps_lock || !g_str_equal (name, LOCK))
      (void) g_unlink (path);
  }
}

/* The lock contains the checksum. */
void
denoise_parts_check_filter (const gchar * folder, gint lock,
    const gchar * description)
{
  g_autofree gchar *sum =
      g_compute_checksum_for_string (G_CHECKSUM_SHA256, description, -1);
  const gsize length = strlen (sum);
  gchar found[2 * 256 / 8 + 1] = "";

  if (pread (lock, found, sizeof found - 1, 0) == (gssize) length
      && g_str_equal (found, sum))
    return;
  remove_files (folder, TRUE);
  /* Without the checksum, the next run removes the parts. */
  (void) !pwrite (lock, sum, length, 0);
}

void
denoise_parts_remove_folder (const gchar * folder)
{
  if (!g_file_test (folder, G_FILE_TEST_IS_DIR)
      || g_file_test (folder, G_FILE_TEST_IS_SYMLINK))
    return;

  const gint lock = denoise_parts_lock (folder);

  if (lock < 0)
    return;
  remove_files (folder, FALSE);
  (void) g_rmdir (folder);
  close (lock);
}

void
denoise_parts_remove (const DenoiseOptions * options)
{
  g_autofree gchar *base = g_path_get_dirname (options->target);
  g_autofree gchar *prefix = name_prefix (options);
  g_autoptr (GDir) files = g_dir_open (base, 0, NULL);
  const gsize length = strlen (prefix) + DIGEST_LENGTH + strlen (FOLDER_SUFFIX);
  const gchar *name;

  while (files && (name = g_dir_read_name (files))) {
    g_autofree gchar *path = g_build_filename (base, name, NULL);

    if (strlen (name) == length && g_str_has_prefix (name, prefix)
        && g_str_has_suffix (name, FOLDER_SUFFIX)
        && strspn (name + strlen (prefix), "0123456789abcdef") == DIGEST_LENGTH)
      denoise_parts_remove_folder (path);
  }
}
