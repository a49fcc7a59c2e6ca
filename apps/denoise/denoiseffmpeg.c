/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseffmpeg.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavformat/avformat.h>

#define HAS_FRAME_FLAGS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT (58, 7, 100))
#define HAS_FRAME_DURATION \
    (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT (57, 30, 100))
#define HAS_CODED_DATA \
    (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT (60, 30, 100))
#define HAS_DELAYS (LIBAVFORMAT_VERSION_MAJOR >= 60)
#define HAS_CONFIGURATIONS \
    (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT (61, 13, 100))

gboolean
denoise_frame_is_interlaced (const AVFrame * frame)
{
#if HAS_FRAME_FLAGS
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

gboolean
denoise_frame_is_top_first (const AVFrame * frame)
{
#if HAS_FRAME_FLAGS
  return (frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST) != 0;
#else
  return frame->top_field_first;
#endif
}

void
denoise_frame_set_fields (AVFrame * frame, gboolean interlaced,
    gboolean top_first)
{
#if HAS_FRAME_FLAGS
  frame->flags &= ~(AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST);
  frame->flags |= (interlaced ? AV_FRAME_FLAG_INTERLACED : 0)
      | (top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
  frame->interlaced_frame = interlaced;
  frame->top_field_first = top_first;
#endif
}

gint64
denoise_frame_get_duration (const AVFrame * frame)
{
#if HAS_FRAME_DURATION
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

#if HAS_CODED_DATA

gconstpointer
denoise_stream_get_data (const AVStream * stream,
    enum AVPacketSideDataType type, gsize * size)
{
  const AVCodecParameters *parameters = stream->codecpar;
  const AVPacketSideData *data =
      av_packet_side_data_get (parameters->coded_side_data,
      parameters->nb_coded_side_data, type);

  *size = data ? data->size : 0;
  return data ? data->data : NULL;
}

gboolean
denoise_stream_add_data (AVStream * stream, enum AVPacketSideDataType type,
    gconstpointer data, gsize size)
{
  AVCodecParameters *parameters = stream->codecpar;
  AVPacketSideData *added =
      av_packet_side_data_new (&parameters->coded_side_data,
      &parameters->nb_coded_side_data, type, size, 0);

  if (added)
    memcpy (added->data, data, size);
  return added != NULL;
}

gboolean
denoise_stream_copy_data (AVStream * stream, const AVStream * from)
{
  /* avcodec_parameters_copy() has done so. */
  (void) stream;
  (void) from;
  return TRUE;
}

#else

gconstpointer
denoise_stream_get_data (const AVStream * stream,
    enum AVPacketSideDataType type, gsize * size)
{
  return av_stream_get_side_data (stream, type, size);
}

gboolean
denoise_stream_add_data (AVStream * stream, enum AVPacketSideDataType type,
    gconstpointer data, gsize size)
{
  uint8_t *added = av_stream_new_side_data (stream, type, size);

  if (added)
    memcpy (added, data, size);
  return added != NULL;
}

gboolean
denoise_stream_copy_data (AVStream * stream, const AVStream * from)
{
  for (gint i = 0; i < from->nb_side_data; i++) {
    if (!denoise_stream_add_data (stream, from->side_data[i].type,
            from->side_data[i].data, from->side_data[i].size))
      return FALSE;
  }
  return TRUE;
}

#endif

#if HAS_CONFIGURATIONS

static gconstpointer
get_configurations (const AVCodec * codec, enum AVCodecConfig kind)
{
  gconstpointer values = NULL;

  return avcodec_get_supported_config (NULL, codec, kind, 0, &values, NULL)
      >= 0 ? values : NULL;
}

const enum AVPixelFormat *
denoise_encoder_get_formats (const AVCodec * codec)
{
  return get_configurations (codec, AV_CODEC_CONFIG_PIX_FORMAT);
}

const enum AVSampleFormat *
denoise_encoder_get_sample_formats (const AVCodec * codec)
{
  return get_configurations (codec, AV_CODEC_CONFIG_SAMPLE_FORMAT);
}

#else

const enum AVPixelFormat *
denoise_encoder_get_formats (const AVCodec * codec)
{
  return codec->pix_fmts;
}

const enum AVSampleFormat *
denoise_encoder_get_sample_formats (const AVCodec * codec)
{
  return codec->sample_fmts;
}

#endif

gint64
denoise_matroska_get_delay (const AVCodecParameters * parameters)
{
  if (parameters->codec_type != AVMEDIA_TYPE_AUDIO
      || parameters->sample_rate <= 0
      || (!HAS_DELAYS && parameters->codec_id != AV_CODEC_ID_OPUS))
    return 0;
  return av_rescale (parameters->initial_padding, AV_TIME_BASE,
      parameters->sample_rate);
}

gboolean
denoise_matroska_adds_delay (void)
{
  return HAS_DELAYS;
}

#define BLOCK_BYTES (256 * 1024)

/* The bytes to write are const from FFmpeg 7 on. */
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t Written;
#else
typedef uint8_t Written;
#endif

static int
read_block (void *opaque, uint8_t * data, int size)
{
  ssize_t n;

  do {
    n = read (GPOINTER_TO_INT (opaque), data, size);
  } while (n < 0 && errno == EINTR);
  return n < 0 ? AVERROR (errno) : n == 0 ? AVERROR_EOF : (int) n;
}

static int
write_block (void *opaque, Written * data, int size)
{
  int written = 0;

  while (written < size) {
    const ssize_t n =
        write (GPOINTER_TO_INT (opaque), data + written, size - written);

    if (n < 0 && errno != EINTR)
      return AVERROR (errno);
    written += MAX (n, 0);
  }
  return size;
}

static int64_t
seek (void *opaque, int64_t offset, int whence)
{
  const gint fd = GPOINTER_TO_INT (opaque);
  struct stat status;

  if (whence & AVSEEK_SIZE)
    return fstat (fd, &status) == 0 ? status.st_size : AVERROR (errno);
  const off_t place = lseek (fd, offset, whence & ~AVSEEK_FORCE);
  return place < 0 ? AVERROR (errno) : place;
}

AVIOContext *
denoise_io_new (gint fd, gboolean writes, gboolean is_pipe)
{
  uint8_t *block = av_malloc (BLOCK_BYTES);
  AVIOContext *io = NULL;

  if (block)
    io = avio_alloc_context (block, BLOCK_BYTES, writes, GINT_TO_POINTER (fd),
        read_block, write_block, is_pipe ? NULL : seek);
  if (!io)
    av_free (block);
  else if (!is_pipe && lseek (fd, 0, SEEK_SET) < 0)
    io->error = AVERROR (errno);
  return io;
}

void
denoise_io_free (AVIOContext ** io)
{
  if (*io)
    av_freep (&(*io)->buffer);
  avio_context_free (io);
}
