/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseinput.h"

#include "denoiseffmpeg.h"
#include "denoisesei.h"

#include <string.h>
#include <unistd.h>

#include <libavutil/avstring.h>

/* FFmpeg's names of the accepted formats: containers, coded video, and images
 * that contain all of their data. Playlists, scripts, file name patterns and
 * other texts that make FFmpeg open further files are excluded. */
#define FORMATS "matroska,mov,avi,mpegts,mpegtsraw,mpeg,flv,live_flv,asf,ogg," \
    "mxf,nut,gxf,dv,ivf,rm,wtv,ty,nsv,nuv,lxf,mlv,dhav,lvf,pva,r3d,swf,xmv," \
    "ivr,vividas,vivo,luodat,kux,amv,sdr2,smjpeg,ser,cine,rpl,mtv," \
    "mpegvideo,h261,h263,h264,hevc,vvc,evc,av1,obu,avs2,avs3,cavsvideo,m4v," \
    "vc1,vc1test,dirac,dnxhd,mjpeg,mjpeg_2000,mpjpeg,ingenient," \
    "yuv4mpegpipe,4xm,bfi,bink,c93,cdxl,dsicin,dxa,ea,film_cpk,filmstrip," \
    "flic,gdv,hnm,idcin,ipmovie,iv8,jv,mm,moflex,mv,mvi,mxg,paf,pmp," \
    "psxstr,rl2,roq,sga,siff,smk,smush,thp,tiertexseq,tmv,txd,vmd,wc3movie," \
    "wsvqa,xa,yop,bethsoftvid," \
    "gif,apng,png_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim," \
    "webp_pipe,tiff_pipe,bmp_pipe,dpx_pipe,exr_pipe,j2k_pipe,gif_pipe," \
    "qoi_pipe,ppm_pipe,pgm_pipe,pgmyuv_pipe,pbm_pipe,pam_pipe,pfm_pipe," \
    "phm_pipe,psd_pipe,pcx_pipe,sgi_pipe,sunrast_pipe,dds_pipe,hdr_pipe"

/* Tracks may begin late in a container without a header. */
#define PROBE_BYTES "100000000"
#define PROBE_TIME "20000000"
#define PROBE_PIPE 4096         /* bytes that show whether a pipe is y4m */
/* Allowed gap at the end: rounding, or a last audio block. MAX_UNSURE applies
 * if the duration is an estimate, as does a fraction of the duration. */
#define MAX_MISSING (AV_TIME_BASE / 2)
#define MAX_UNSURE AV_TIME_BASE
#define UNSURE_PART 50
/* In microseconds. */
#define MAX_SILENCE (3 * G_USEC_PER_SEC)
/* Of a transport stream (ISO/IEC 13818-1). */
#define SYNC_BYTE 0x47
#define SURE_PACKETS 4
/* Packets at the end that may be incomplete without further doubt. */
#define LAST_PACKETS 64

/* Messages of demuxers about a truncated file. */
static const gchar *const cut_off_words[] = {
  "ended prematurely", "partial file", "truncat"
};

static gboolean
fail (DenoiseInput * self, gint code)
{
  g_autofree gchar *reason = denoise_log_explain (DENOISE_LOG_DEMUXER, code);

  denoise_report_error (self->report, "cannot be read as a video: %s", reason);
  return FALSE;
}

static void
find_times (DenoiseInput * self)
{
  const AVFormatContext *format = self->format;

  self->duration = format->duration;
  self->is_estimate =
      format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM;
  /* The AVI demuxer derives the duration from the file size, unless the header
   * contains the number of frames. */
  for (guint i = 0; g_str_equal (format->iformat->name, "avi")
      && i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];

    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
        && stream->nb_frames > 0 && stream->r_frame_rate.num > 0) {
      self->duration = MAX (self->duration, av_rescale_q (stream->nb_frames,
              av_inv_q (stream->r_frame_rate), AV_TIME_BASE_Q));
      self->is_estimate = FALSE;
    }
  }
  if (format->iformat->flags & AVFMT_TS_DISCONT
      && format->start_time != AV_NOPTS_VALUE)
    self->offset = -format->start_time;
}

/* Returns the format of the file @url, or NULL with an error in the report. */
static const AVInputFormat *
find_format (DenoiseInput * self, const gchar * url)
{
  const AVInputFormat *format = NULL;
  AVIOContext *io = NULL;
  gint code = avio_open (&io, url, AVIO_FLAG_READ);

  if (code >= 0)
    code = av_probe_input_buffer2 (io, &format, url, NULL, 0, 0);
  /* The file name could be a pattern. The content is sufficient. */
  if (code >= 0 && g_str_equal (format->name, "image2")) {
    format = NULL;
    code = av_probe_input_buffer2 (io, &format, "", NULL, 0, 0);
  }
  avio_closep (&io);
  if (code < 0) {
    fail (self, code);
    return NULL;
  }
  if (av_match_list (format->name, FORMATS, ','))
    return format;
  denoise_report_error (self->report,
      "%s is not supported as input, because a playlist or script refers to "
      "other files. Pass the video file itself. Convert another format "
      "first: ffmpeg -i INPUT -map 0 -c copy film.mkv",
      format->long_name ? format->long_name : format->name);
  return NULL;
}

/* Opens standard input, which is not seekable. */
static gint
open_pipe (DenoiseInput * self)
{
  const AVInputFormat *format = NULL;

  self->format = avformat_alloc_context ();
  self->io = denoise_io_new (STDIN_FILENO, FALSE, TRUE);
  if (!self->format || !self->io)
    return AVERROR (ENOMEM);
  if (av_probe_input_buffer2 (self->io, &format, "", NULL, 0, PROBE_PIPE) < 0
      || !g_str_equal (format->name, "yuv4mpegpipe")) {
    denoise_report_error (self->report, "not y4m. Pass other formats as a "
        "file, or convert them: ffmpeg -i FILM -f yuv4mpegpipe -strict -1 - "
        "| glopencl-denoise - OUTPUT");
    return AVERROR_INVALIDDATA;
  }
  self->format->pb = self->io;
  return avformat_open_input (&self->format, NULL, format, NULL);
}

static gint
open_file (DenoiseInput * self)
{
  /* A name may look like a URI. */
  g_autofree gchar *url = g_strconcat ("file:", self->options->input, NULL);
  const AVInputFormat *format = find_format (self, url);
  AVDictionary *settings = NULL;

  if (!format)
    return AVERROR_INVALIDDATA;
  av_dict_set (&settings, "protocol_whitelist", "file", 0);
  av_dict_set (&settings, "probesize", PROBE_BYTES, 0);
  av_dict_set (&settings, "analyzeduration", PROBE_TIME, 0);
  const gint code = avformat_open_input (&self->format, url, format, &settings);
  av_dict_free (&settings);
  return code;
}

gboolean
denoise_input_open (DenoiseInput * self, const DenoiseOptions * options,
    DenoiseReport * report)
{
  gint code;

  self->options = options;
  self->report = report;
  self->end = AV_NOPTS_VALUE;
  self->last_corrupt = self->packet_end = -1;
  code = g_str_equal (options->input, DENOISE_PIPE) ? open_pipe (self)
      : open_file (self);
  if (code >= 0)
    code = avformat_find_stream_info (self->format, NULL);
  if (code < 0)
    return fail (self, code);
  self->is_y4m = g_str_equal (self->format->iformat->name, "yuv4mpegpipe");
  if (self->format->pb == self->io && self->io)
    denoise_report_note (report, "y4m contains frames only. Audio, colours, "
        "HDR metadata and tags of the original are not in the input");
  self->n_streams = self->format->nb_streams;
  self->n_errors = denoise_log_count (DENOISE_LOG_DEMUXER);
  self->n_corrupt = denoise_log_count_corrupt ();
  find_times (self);
  return TRUE;
}

void
denoise_input_clear (DenoiseInput * self)
{
  avformat_close_input (&self->format);
  denoise_io_free (&self->io);
}

gint
denoise_input_find_video (const DenoiseInput * self)
{
  for (guint i = 0; i < self->n_streams; i++) {
    const AVStream *stream = self->format->streams[i];

    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO
        && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC))
      return i;
  }
  return -1;
}

/* Reads the packets of a stream up to the first interlaced frame. */
static enum AVFieldOrder
scan_fields (DenoiseInput * self, gint video, FILE * terminal)
{
  const AVCodecParameters *parameters = self->format->streams[video]->codecpar;
  AVCodecParserContext *parser = av_parser_init (parameters->codec_id);
  AVCodecContext *context = avcodec_alloc_context3 (NULL);
  AVPacket *packet = av_packet_alloc ();
  enum AVFieldOrder order = AV_FIELD_UNKNOWN;
  gint64 patience = g_get_monotonic_time () + MAX_SILENCE;

  if (!parser || !context || !packet
      || avcodec_parameters_to_context (context, parameters) < 0) {
    av_parser_close (parser);
    avcodec_free_context (&context);
    av_packet_free (&packet);
    return order;
  }
  parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
  while (order <= AV_FIELD_PROGRESSIVE
      && av_read_frame (self->format, packet) >= 0) {
    uint8_t *data;
    int size;

    if (packet->stream_index == video) {
      (void) av_parser_parse2 (parser, context, &data, &size, packet->data,
          packet->size, packet->pts, packet->dts, packet->pos);
      order = parser->field_order;
      if (parser->picture_structure == AV_PICTURE_STRUCTURE_TOP_FIELD)
        order = AV_FIELD_TT;
      else if (parser->picture_structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD)
        order = AV_FIELD_BB;
    }
    av_packet_unref (packet);
    if (g_get_monotonic_time () > patience) {
      fprintf (terminal, "Looking for interlaced frames\n");
      patience = G_MAXINT64;
    }
  }
  av_parser_close (parser);
  avcodec_free_context (&context);
  av_packet_free (&packet);
  return order <= AV_FIELD_PROGRESSIVE ? AV_FIELD_UNKNOWN : order;
}

enum AVFieldOrder
denoise_input_find_fields (const DenoiseOptions * options, FILE * terminal)
{
  DenoiseInput input = { 0 };
  DenoiseReport report;
  enum AVFieldOrder order = AV_FIELD_UNKNOWN;

  denoise_report_init (&report);
  const gint video = denoise_input_open (&input, options, &report)
      ? denoise_input_find_video (&input) : -1;
  if (video >= 0) {
    const AVCodecParameters *parameters =
        input.format->streams[video]->codecpar;

    for (guint i = 0; i < input.n_streams; i++)
      input.format->streams[i]->discard =
          (gint) i == video ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    if (parameters->field_order <= AV_FIELD_PROGRESSIVE
        && denoise_sei_may_have_fields (parameters))
      order = scan_fields (&input, video, terminal);
  }
  denoise_input_clear (&input);
  denoise_report_clear (&report);
  return order;
}

static void
note_packet (DenoiseInput * self, const AVPacket * packet)
{
  const AVStream *stream = self->format->streams[packet->stream_index];
  const gint64 time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;

  const guint n_corrupt = denoise_log_count_corrupt ();

  if (n_corrupt != self->n_corrupt)
    self->last_corrupt = self->n_packets;
  self->n_corrupt = n_corrupt;
  self->packet_end = packet->pos < 0 ? -1 : packet->pos + packet->size;
  self->n_packets++;
  if (time != AV_NOPTS_VALUE)
    self->end = MAX (self->end, av_rescale_q (time + MAX (packet->duration, 0),
            stream->time_base, AV_TIME_BASE_Q));
}

gboolean
denoise_input_read (DenoiseInput * self, AVPacket * packet)
{
  for (;;) {
    const gint code = av_read_frame (self->format, packet);

    if (code == AVERROR (EAGAIN))
      continue;
    if (code == AVERROR_EOF)
      return FALSE;
    if (code < 0 && self->n_packets == 0)
      return fail (self, code);
    if (code < 0) {
      g_autofree gchar *reason =
          denoise_log_explain (DENOISE_LOG_DEMUXER, code);

      if (self->options->partial)
        denoise_report_loss (self->report, "unreadable data: %s", reason);
      else
        denoise_report_error (self->report, "cannot be read to the end: %s. "
            "Use --partial to keep the readable frames", reason);
      return FALSE;
    }
    note_packet (self, packet);
    if ((guint) packet->stream_index < self->n_streams)
      return TRUE;
    self->n_late++;
    av_packet_unref (packet);
  }
}

/* Returns whether the file is a transport stream that ends within a packet. All
 * packets have one of three sizes. Each has the sync byte at its start, or
 * after a timestamp. */
static gboolean
ends_within_packet (const DenoiseInput * self)
{
  static const struct
  {
    gsize size, start;
  } kinds[] = { {188, 0}, {192, 4}, {204, 0} };
  g_autoptr (GMappedFile) file = NULL;

  if (strcmp (self->format->iformat->name, "mpegts") != 0)
    return FALSE;
  file = g_mapped_file_new (self->options->input, FALSE, NULL);

  const gsize length = file ? g_mapped_file_get_length (file) : 0;
  const gchar *bytes = file ? g_mapped_file_get_contents (file) : NULL;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gsize n = 0;

    while (n < SURE_PACKETS
        && n * kinds[i].size + kinds[i].start < length
        && bytes[n * kinds[i].size + kinds[i].start] == SYNC_BYTE)
      n++;
    if (n == SURE_PACKETS)
      return length % kinds[i].size != 0;
  }
  return FALSE;
}

/* Returns a description of the missing end, which the caller frees, or NULL. */
static gchar *
describe_cut (const DenoiseInput * self)
{
  g_autofree gchar *said = denoise_log_dup_last (DENOISE_LOG_DEMUXER);
  const gdouble seconds = (gdouble) MAX (self->end, 0) / AV_TIME_BASE;
  /* Other containers count from 0, and not from the first timestamp. */
  const gint64 end = self->end + self->offset;
  const gint64 allowed = self->is_estimate
      ? MAX (MAX_UNSURE, self->duration / UNSURE_PART) : MAX_MISSING;
  /* The demuxer drops an incomplete last frame. */
  gboolean is_cut = ends_within_packet (self) || (self->is_y4m
      && self->packet_end >= 0
      && avio_tell (self->format->pb) > self->packet_end);

  if (denoise_log_count (DENOISE_LOG_DEMUXER) == self->n_errors)
    g_clear_pointer (&said, g_free);
  for (guint i = 0; said && i < G_N_ELEMENTS (cut_off_words); i++)
    is_cut |= strstr (said, cut_off_words[i]) != NULL;
  if (is_cut)
    return g_strdup_printf ("ends after %.1f seconds, within a packet",
        seconds);
  if (self->is_partly_read || self->duration == AV_NOPTS_VALUE
      || self->end == AV_NOPTS_VALUE || end + allowed >= self->duration)
    return NULL;
  return g_strdup_printf ("ends after %.1f of %.1f seconds",
      (gdouble) end / AV_TIME_BASE, (gdouble) self->duration / AV_TIME_BASE);
}

static void
check_damage (DenoiseInput * self)
{
  g_autofree gchar *said = denoise_log_dup_last (DENOISE_LOG_DEMUXER);
  const guint n = denoise_log_count (DENOISE_LOG_DEMUXER) - self->n_errors;

  if (n == 0)
    return;
  if (self->options->partial)
    denoise_report_loss (self->report, "damaged data in the container (%u "
        "errors: %s)", n, said);
  else
    denoise_report_error (self->report, "the container is damaged (%u "
        "errors: %s). Use --partial to keep the readable frames", n, said);
}

void
denoise_input_check (DenoiseInput * self)
{
  g_autofree gchar *missing = describe_cut (self);

  if (missing && self->options->partial)
    denoise_report_loss (self->report, "truncated data: %s", missing);
  else if (missing)
    denoise_report_error (self->report, "truncated: %s. Use --partial to "
        "keep the readable frames", missing);
  else if (denoise_log_count_corrupt () != self->n_corrupt
      || self->last_corrupt >= MAX (self->n_packets - LAST_PACKETS, 0))
    denoise_report_note (self->report, "The last packet of a track is "
        "incomplete. The file may be truncated");
  else if (self->last_corrupt >= 0)
    denoise_report_note (self->report, "Some packets are incomplete. Check "
        "the output");
  if (!missing)
    check_damage (self);
  if (self->n_late > 0)
    denoise_report_loss (self->report, "%u packets of tracks that begin "
        "late", self->n_late);
}

/* The first seek goes this many frames further back than necessary, each
 * further seek four times as far. */
#define SPARE_FRAMES 16
#define STEP 4

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
look_from (AVFormatContext * format, gint stream, gint64 target,
    DenoiseSegment * segment, guint n_before)
{
  if (av_seek_frame (format, stream, target, AVSEEK_FLAG_BACKWARD) < 0)
    return FALSE;
  g_autoptr (GArray) times = list_times (format, stream, segment->first,
      &segment->key);

  if (segment->key == AV_NOPTS_VALUE || segment->key > segment->first
      || times->len < n_before)
    return FALSE;
  segment->lead = n_before == 0 ? segment->first
      : g_array_index (times, gint64, times->len - n_before);
  return TRUE;
}

gboolean
denoise_input_seek (DenoiseInput * self, DenoiseSegment * segment,
    guint n_before)
{
  AVFormatContext *format = self->format;
  const gint stream = denoise_input_find_video (self);
  const AVStream *video = format->streams[stream];
  const AVRational rate = video->avg_frame_rate.num > 0
      ? video->avg_frame_rate : (AVRational) { 25, 1 };
  gint64 step = av_rescale_q (n_before + SPARE_FRAMES, av_inv_q (rate),
      video->time_base);
  const gint64 start = video->start_time != AV_NOPTS_VALUE
      ? video->start_time : 0;

  /* The first part has no start time. */
  while (segment->first > start && step < segment->first - start) {
    /* A container without an index may seek to different positions for the same
     * time. */
    if (look_from (format, stream, segment->first - step, segment, n_before))
      return av_seek_frame (format, stream, segment->first - step,
          AVSEEK_FLAG_BACKWARD) >= 0;
    step = step < G_MAXINT64 / STEP ? step * STEP : G_MAXINT64;
  }
  segment->key = AV_NOPTS_VALUE;
  segment->lead = -G_MAXINT64;
  if (segment->first <= start)
    return TRUE;
  /* A seek by time in a transport stream finds a packet with this decoding
   * timestamp, which need not be the first one. */
  return g_str_equal (format->iformat->name, "mpegts")
      ? av_seek_frame (format, -1, 0, AVSEEK_FLAG_BYTE) >= 0
      : av_seek_frame (format, stream, start, AVSEEK_FLAG_BACKWARD) >= 0;
}

/* Maximum nesting of containers down to a crop. */
#define MAX_DEPTH 8

typedef struct
{
  const guint8 *at, *end;
} Bytes;

/* Reads @n bytes, most significant first. The caller has checked that they
 * exist. */
static guint64
read_number (const guint8 * at, gsize n)
{
  guint64 number = 0;

  while (n-- > 0)
    number = number << 8 | *at++;
  return number;
}

/* Reads the next element of Matroska (RFC 8794): its ID and content. An element
 * of unknown size reaches to the end of its parent. Returns FALSE at the end,
 * and for invalid data. */
static gboolean
take_element (Bytes * parent, guint64 * id, Bytes * content)
{
  guint64 numbers[2];

  for (guint i = 0; i < 2; i++) {
    gsize n = 1;

    if (parent->at >= parent->end || *parent->at == 0)
      return FALSE;
    while (!(*parent->at & 0x100 >> n))
      n++;
    if ((gsize) (parent->end - parent->at) < n)
      return FALSE;
    numbers[i] = read_number (parent->at, n);
    /* A size is without the bit that marks its length. */
    if (i == 1) {
      numbers[i] &= (G_GUINT64_CONSTANT (1) << 7 * n) - 1;
      if (numbers[i] == (G_GUINT64_CONSTANT (1) << 7 * n) - 1)
        numbers[i] = G_MAXUINT64;
    }
    parent->at += n;
  }
  *id = numbers[0];
  content->at = parent->at;
  content->end = parent->at + MIN (numbers[1],
      (guint64) (parent->end - parent->at));
  parent->at = content->end;
  return TRUE;
}

static gboolean
matroska_is_cropped (Bytes bytes, guint depth)
{
  enum
  {
    SEGMENT = 0x18538067, TRACKS = 0x1654ae6b, TRACK = 0xae, VIDEO = 0xe0,
    CROP_BOTTOM = 0x54aa, CROP_TOP = 0x54bb, CROP_LEFT = 0x54cc,
    CROP_RIGHT = 0x54dd, CLUSTER = 0x1f43b675
  };
  Bytes content;
  guint64 id;

  while (take_element (&bytes, &id, &content)) {
    switch (id) {
      case SEGMENT:
      case TRACKS:
      case TRACK:
      case VIDEO:
        if (depth < MAX_DEPTH && matroska_is_cropped (content, depth + 1))
          return TRUE;
        break;
      case CROP_BOTTOM:
      case CROP_TOP:
      case CROP_LEFT:
      case CROP_RIGHT:
        if (content.end - content.at <= 8
            && read_number (content.at, content.end - content.at) > 0)
          return TRUE;
        break;
        /* Tracks precede them. */
      case CLUSTER:
        return FALSE;
    }
  }
  return FALSE;
}

/* Reads the next box of a .mp4 (ISO/IEC 14496-12). Returns FALSE at the end,
 * and for invalid data. */
static gboolean
take_box (Bytes * parent, guint32 * type, Bytes * content)
{
  const guint64 left = parent->end - parent->at;
  gsize header = 8;
  guint64 size;

  if (left < header)
    return FALSE;
  size = read_number (parent->at, 4);
  *type = read_number (parent->at + 4, 4);
  if (size == 1 && left >= 16) {
    header = 16;
    size = read_number (parent->at + 8, 8);
  } else if (size == 0) {
    size = left;
  }
  if (size < header || size > left)
    return FALSE;
  content->at = parent->at + header;
  content->end = parent->at + size;
  parent->at = content->end;
  return TRUE;
}

/* Returns whether a clean aperture is smaller than the frame. */
static gboolean
is_smaller (Bytes aperture, guint64 width, guint64 height)
{
  if (aperture.end - aperture.at < 16)
    return FALSE;
  return read_number (aperture.at, 4)
      < width * MAX (read_number (aperture.at + 4, 4), 1)
      || read_number (aperture.at + 8, 4)
      < height * MAX (read_number (aperture.at + 12, 4), 1);
}

/* @width and @height are those of the frame in its description. */
static gboolean
mp4_is_cropped (Bytes bytes, guint64 width, guint64 height, guint depth)
{
  /* Size of a video description in stsd before its boxes. */
  const gsize entry_bytes = 78;
  Bytes content;
  guint32 type;

  while (take_box (&bytes, &type, &content)) {
    const gsize size = content.end - content.at;

    switch (type) {
      case 0x6d6f6f76:         /* moov */
      case 0x7472616b:         /* trak */
      case 0x6d646961:         /* mdia */
      case 0x6d696e66:         /* minf */
      case 0x7374626c:         /* stbl */
        if (depth < MAX_DEPTH && mp4_is_cropped (content, 0, 0, depth + 1))
          return TRUE;
        break;
        /* stsd has a version and a number before its boxes. */
      case 0x73747364:
        content.at += MIN (size, 8);
        while (take_box (&content, &type, &bytes)) {
          const gboolean is_video =
              (gsize) (bytes.end - bytes.at) > entry_bytes;
          const guint8 *size_at = bytes.at + 24;
          const Bytes boxes = { bytes.at + entry_bytes, bytes.end };

          if (is_video && mp4_is_cropped (boxes, read_number (size_at, 2),
                  read_number (size_at + 2, 2), depth + 1))
            return TRUE;
        }
        return FALSE;
      case 0x636c6170:         /* clap */
        if (is_smaller (content, width, height))
          return TRUE;
        break;
    }
  }
  return FALSE;
}

gboolean
denoise_input_is_cropped (const DenoiseInput * self)
{
  const gchar *format = self->format->iformat->name;
  g_autoptr (GMappedFile) file =
      g_mapped_file_new (self->options->input, FALSE, NULL);
  const guint8 *at = file ? (guint8 *) g_mapped_file_get_contents (file) : NULL;
  Bytes bytes = { at, at + (at ? g_mapped_file_get_length (file) : 0) };

  if (!at)
    return FALSE;
  if (g_str_has_prefix (format, "matroska"))
    return matroska_is_cropped (bytes, 0);
  return g_str_has_prefix (format, "mov") && mp4_is_cropped (bytes, 0, 0, 0);
}
