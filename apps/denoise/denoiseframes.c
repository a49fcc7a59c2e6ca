/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseframes.h"

#include "denoisecodec.h"
#include "denoiseffmpeg.h"
#include "denoiseformat.h"
#include "denoiseparts.h"
#include "denoisepipeline.h"
#include "denoisesei.h"

#include <string.h>
#include <time.h>

#include <libavutil/common.h>

#define TICK (GST_SECOND / 4)
/* Maximum number of frames in the pipeline. If it outputs nothing for
 * STALL_TICKS, it needs more frames. After HANG_TICKS without processor time it
 * hangs. Drivers may compile kernels for minutes on a busy machine, so only one
 * in WORK_TICKS of the ticks with processor time is counted. */
#define MAX_IN_FLIGHT 16
#define STALL_TICKS 8
#define HANG_TICKS 480
#define WORK_TICKS 10
/* Processor time of a tick that counts as work. */
#define MIN_WORK (TICK / 50)
#define NANOSECONDS ((AVRational) {1, 1000000000})

/* Data of a frame, except its samples. */
typedef struct
{
  AVFrame *frame;               /* without samples */
  GstClockTime time;            /* in the pipeline */
} Properties;

/* Data added to the packet of a frame. */
typedef struct
{
  gboolean is_progressive;      /* progressive, in a video with interlaced
                                 * frames */
  AVBufferRef *hdr10plus;       /* or NULL */
  AVBufferRef *captions;        /* or NULL */
} Additions;

struct _DenoiseFrames
{
  DenoiseTrack *track;
  AVRational time_base;         /* of frames and of the encoder */
  AVRational rate;
  gint64 start;                 /* of the first frame */
  GstVideoInfo info;            /* of the input frames of the pipeline */
  DenoisePipeline *pipeline;    /* NULL before the first frame */
  /* With --compare: an unfiltered pipeline, and its last frame. */
  DenoiseOptions plain_options;
  DenoisePipeline *plain;
  GstBuffer *plain_buffer;
  GstVideoInfo plain_info;
  GQueue *in_flight;            /* Properties */
  guint max_in_flight;
  guint n_still;                /* ticks since the last output frame */
  guint n_idle;                 /* ticks without work times WORK_TICKS, plus
                                 * those with work */
  GstClockTime work;            /* of the process, at the last tick */
  Properties *current;          /* of the last output frame, or NULL */

  const DenoiseCodec *codec;
  const AVCodec *encoder_codec;
  AVCodecContext *encoder;      /* NULL before the first output frame */
  GstVideoFormat encoded_format;
  guint64 n_encoded;
  gint64 first_encoded;         /* time of the first one */
  gint64 position;              /* of the last one, in microseconds */
  GHashTable *additions;        /* Additions, by the time of the frame */

  /* Range of frames to encode. */
  gboolean is_part;
  gboolean is_probe;
  gint64 first;
  gint64 end;
};

static void
free_properties (gpointer data)
{
  Properties *properties = data;

  if (!properties)
    return;
  av_frame_free (&properties->frame);
  g_free (properties);
}

static void
free_additions (gpointer data)
{
  Additions *additions = data;

  av_buffer_unref (&additions->hdr10plus);
  av_buffer_unref (&additions->captions);
  g_free (additions);
}

DenoiseFrames *
denoise_frames_new (DenoiseTrack * track, AVRational time_base)
{
  DenoiseFrames *self = g_new0 (DenoiseFrames, 1);

  self->track = track;
  self->time_base = time_base;
  self->rate = denoise_frames_get_rate (track->stream);
  self->additions = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      free_additions);
  self->in_flight = g_queue_new ();
  self->max_in_flight = MAX_IN_FLIGHT;
  self->position = AV_NOPTS_VALUE;
  return self;
}

void
denoise_frames_free (DenoiseFrames * self)
{
  if (!self)
    return;
  denoise_pipeline_free (self->pipeline);
  denoise_pipeline_free (self->plain);
  gst_clear_buffer (&self->plain_buffer);
  g_queue_free_full (self->in_flight, free_properties);
  free_properties (self->current);
  avcodec_free_context (&self->encoder);
  g_hash_table_unref (self->additions);
  g_free (self);
}

void
denoise_frames_set_rate (DenoiseFrames * self, AVRational rate)
{
  self->rate = rate;
}

void
denoise_frames_set_range (DenoiseFrames * self, gint64 start, gint64 first,
    gint64 end)
{
  self->is_part = TRUE;
  self->start = start;
  self->first = first;
  self->end = end;
}

void
denoise_frames_set_probe (DenoiseFrames * self)
{
  self->is_probe = TRUE;
}

const AVCodecContext *
denoise_frames_get_encoder (const DenoiseFrames * self)
{
  return self->encoder;
}

/* Returns the rotation by videoflip for frames that are to be shown upright
 * without a matrix, or NULL. Some versions of the Matroska muxer do not write
 * the matrix. */
static const gchar *
get_turn (const DenoiseTrack * track)
{
  static const struct
  {
    gint x_of_x, y_of_x, x_of_y, y_of_y;
    const gchar *turn;
  } turns[] = {
    {0, 1, -1, 0, "90r"}, {-1, 0, 0, -1, "180"}, {0, -1, 1, 0, "90l"},
    {-1, 0, 0, 1, "horiz"}, {1, 0, 0, -1, "vert"}, {0, 1, 1, 0, "ul-lr"},
    {0, -1, -1, 0, "ur-ll"}
  };
  gsize size;
  const gint32 *matrix = denoise_stream_get_data (track->stream,
      AV_PKT_DATA_DISPLAYMATRIX, &size);

  /* Only .mp4 and .mov keep the tag. */
  if (track->studio->options->film_container == DENOISE_CONTAINER_MP4
      || track->studio->options->film_container == DENOISE_CONTAINER_MOV
      || !matrix || size < 9 * sizeof (gint32))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (turns); i++) {
    if (FFSIGN (matrix[0]) == turns[i].x_of_x
        && FFSIGN (matrix[1]) == turns[i].y_of_x
        && FFSIGN (matrix[3]) == turns[i].x_of_y
        && FFSIGN (matrix[4]) == turns[i].y_of_y)
      return turns[i].turn;
  }
  return NULL;
}

gboolean
denoise_frames_may_have_fields (const AVStream * stream, const AVFrame * frame)
{
  const enum AVFieldOrder order = stream->codecpar->field_order;

  return denoise_frame_is_interlaced (frame)
      || (order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE);
}

/* The average rate is at most the base rate, unless it was estimated from a few
 * frames with wrong times. */
AVRational
denoise_frames_get_rate (const AVStream * stream)
{
  const AVRational usual = { 25, 1 };
  const AVRational mean = stream->avg_frame_rate;
  const AVRational base = stream->r_frame_rate;

  if (mean.num > 0 && (base.num <= 0 || av_q2d (mean) <= 1.01 * av_q2d (base)))
    return mean;
  return base.num > 0 ? base : usual;
}

/* Returns the field order of the video, from the container or @frame. */
static enum AVFieldOrder
get_found_order (const DenoiseTrack * track)
{
  return track->number == 1 ? track->studio->field_order : AV_FIELD_UNKNOWN;
}

static gboolean
start_pipeline (DenoiseFrames * self, const AVFrame * frame)
{
  DenoiseTrack *track = self->track;
  g_autoptr (GError) error = NULL;

  if (!denoise_pixels_fill_info (&self->info, frame)) {
    denoise_report_error (track->studio->report, "%s: unknown kind of track",
        track->name);
    return FALSE;
  }
  if (!self->is_part || frame->pts < self->start)
    self->start = frame->pts;
  self->info.fps_n = self->rate.num;
  self->info.fps_d = self->rate.den;
  if (!track->studio->options->deinterlace
      && (denoise_frames_may_have_fields (track->stream, frame)
          || get_found_order (track) != AV_FIELD_UNKNOWN))
    self->info.interlace_mode = GST_VIDEO_INTERLACE_MODE_MIXED;
  const gchar *turn = get_turn (track);

  self->codec = denoise_codec_choose (track->studio->options, &self->info);
  if (denoise_codec_is_held (self->codec, track->studio->output, &error))
    self->encoder_codec = denoise_codec_find_encoder (self->codec,
        track->studio->options, &self->info, turn && strcmp (turn, "180") != 0
        && strcmp (turn, "horiz") != 0 && strcmp (turn, "vert") != 0,
        track->studio->keeps_size, &error);
  if (!self->encoder_codec) {
    denoise_report_error (track->studio->report, "%s", error->message);
    return FALSE;
  }
  g_autoptr (GstCaps) caps = denoise_codec_choose_caps (self->encoder_codec,
      track->studio->options, &self->info);
  self->pipeline = denoise_pipeline_new (track->studio->options,
      track->studio->report, &self->info, turn, caps);
  if (!self->pipeline)
    return FALSE;
  track->filter = denoise_pipeline_get_filter (self->pipeline);
  if (track->studio->options->compare) {
    self->plain_options.filter = (gchar *) "identity";
    self->plain = denoise_pipeline_new (&self->plain_options,
        track->studio->report, &self->info, turn, caps);
    return self->plain != NULL;
  }
  return TRUE;
}

/* Returns whether @frame has the properties of the first one. */
static gboolean
check_frame (DenoiseFrames * self, const AVFrame * frame)
{
  const GstVideoFormat format = denoise_pixels_get_video_format (frame->format);

  if (frame->width == GST_VIDEO_INFO_WIDTH (&self->info)
      && frame->height == GST_VIDEO_INFO_HEIGHT (&self->info)
      && format == GST_VIDEO_INFO_FORMAT (&self->info))
    return TRUE;
  if (format != GST_VIDEO_INFO_FORMAT (&self->info))
    denoise_report_error (self->track->studio->report, "the format of the "
        "frames changes from %s to %s, which a track cannot hold. Use "
        "--scale-to-first to convert them",
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (&self->info)),
        gst_video_format_to_string (format));
  else
    denoise_report_error (self->track->studio->report, "the size of the "
        "frames changes from %dx%d to %dx%d, which a track cannot hold. Use "
        "--scale-to-first to scale them",
        GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info),
        frame->width, frame->height);
  return FALSE;
}

/* Saves the data of @frame until it has been filtered. */
static gboolean
push_frame (DenoiseFrames * self, const AVFrame * frame)
{
  const gint64 duration = denoise_frame_get_duration (frame);
  Properties *properties = g_new0 (Properties, 1);
  GstBuffer *buffer;

  g_queue_push_tail (self->in_flight, properties);
  properties->frame = av_frame_alloc ();
  properties->time = av_rescale_q (frame->pts - self->start, self->time_base,
      NANOSECONDS);
  if (!properties->frame || av_frame_copy_props (properties->frame, frame) < 0
      || !(buffer = denoise_pixels_wrap_frame (frame, &self->info)))
    return denoise_track_fail (self->track, AVERROR (ENOMEM));
  GST_BUFFER_PTS (buffer) = properties->time;
  if (duration > 0)
    GST_BUFFER_DURATION (buffer) = av_rescale_q (duration, self->time_base,
        NANOSECONDS);
  if (denoise_frame_is_interlaced (frame))
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  if (denoise_frame_is_top_first (frame))
    GST_BUFFER_FLAG_SET (buffer, GST_VIDEO_BUFFER_FLAG_TFF);
  if (self->plain)
    denoise_pipeline_push (self->plain, gst_buffer_ref (buffer));
  denoise_pipeline_push (self->pipeline, buffer);
  return TRUE;
}

/* Returns the saved data of the frame with @time in the pipeline. Previous
 * frames were dropped, or replaced by several. */
static const Properties *
find_properties (DenoiseFrames * self, GstClockTime time)
{
  while (!g_queue_is_empty (self->in_flight)) {
    const Properties *next = g_queue_peek_head (self->in_flight);

    if (self->current && next->time > time)
      break;
    free_properties (self->current);
    self->current = g_queue_pop_head (self->in_flight);
  }
  return self->current;
}

/* Reports the data of @frame that the encoder does not write, and saves the
 * data that can be added to the packet. */
static gboolean
check_data (DenoiseFrames * self, const AVFrame * frame, gboolean has_fields)
{
  static const struct
  {
    enum AVFrameSideDataType type;
    const gchar *name;
  } lost[] = {
    {AV_FRAME_DATA_DOVI_RPU_BUFFER, "Dolby Vision metadata"},
    {AV_FRAME_DATA_DOVI_METADATA, "Dolby Vision metadata"},
    {AV_FRAME_DATA_DYNAMIC_HDR_VIVID, "HDR Vivid metadata"},
    {AV_FRAME_DATA_AFD, "active format description"},
    {AV_FRAME_DATA_S12M_TIMECODE, "timecodes of frames"},
    {AV_FRAME_DATA_ICC_PROFILE, "colour profile"}
  };
  const DenoiseTrack *track = self->track;
  const enum AVCodecID codec = self->encoder->codec_id;
  const gboolean is_pipe = codec == AV_CODEC_ID_WRAPPED_AVFRAME;
  const AVFrameSideData *captions =
      av_frame_get_side_data (frame, AV_FRAME_DATA_A53_CC);
  const gboolean has_hdr10plus = frame->opaque_ref
      || av_frame_get_side_data (frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS);
  const gboolean is_progressive = codec == AV_CODEC_ID_H264 && !has_fields
      && self->encoder->field_order > AV_FIELD_PROGRESSIVE;
  Additions *additions;

  for (guint i = 0; i < G_N_ELEMENTS (lost); i++) {
    if (av_frame_get_side_data (frame, lost[i].type))
      denoise_report_loss (track->studio->report, "%s of %s", lost[i].name,
          track->name);
  }
  if (has_hdr10plus && (codec != AV_CODEC_ID_HEVC || !frame->opaque_ref))
    denoise_report_loss (track->studio->report, "HDR10+ metadata of %s%s",
        track->name, codec != AV_CODEC_ID_HEVC && !is_pipe
        ? " (kept by --codec h265)" : "");
  if (captions && codec != AV_CODEC_ID_H264 && codec != AV_CODEC_ID_HEVC)
    denoise_report_loss (track->studio->report, "captions of %s%s",
        track->name, is_pipe ? "" : " (kept by --codec h264 and h265)");
  if (!is_progressive && (codec != AV_CODEC_ID_HEVC
          || (!frame->opaque_ref && !captions)))
    return TRUE;

  additions = g_new0 (Additions, 1);
  additions->is_progressive = is_progressive;
  g_hash_table_replace (self->additions,
      g_memdup2 (&frame->pts, sizeof (frame->pts)), additions);
  if (codec != AV_CODEC_ID_HEVC)
    return TRUE;
  if (captions)
    additions->captions =
        denoise_sei_create_captions (captions->data, captions->size);
  if (frame->opaque_ref)
    additions->hdr10plus = av_buffer_ref (frame->opaque_ref);
  return (!captions || additions->captions)
      && (!frame->opaque_ref || additions->hdr10plus);
}

gboolean
denoise_frames_edit (DenoiseFrames * self, AVPacket * packet)
{
  const Additions *additions =
      g_hash_table_lookup (self->additions, &packet->pts);
  gboolean edited;

  if (!additions)
    return TRUE;
  edited = (!additions->is_progressive || denoise_sei_set_progressive (packet))
      && (!additions->captions || denoise_sei_add (packet, additions->captions))
      && (!additions->hdr10plus
      || denoise_sei_add (packet, additions->hdr10plus));
  g_hash_table_remove (self->additions, &packet->pts);
  return edited || denoise_track_fail (self->track, AVERROR_INVALIDDATA);
}

/* Sets the properties of the frame to encode from @info and @buffer. */
static gboolean
complete_frame (DenoiseFrames * self, AVFrame * frame, GstBuffer * buffer,
    const GstVideoInfo * info)
{
  const GstClockTime time = GST_BUFFER_PTS (buffer);
  const Properties *properties = find_properties (self, time);
  const gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (info);
  const gboolean has_fields =
      GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED)
      && GST_VIDEO_INFO_IS_INTERLACED (info);

  if (!properties || av_frame_copy_props (frame, properties->frame) < 0)
    return denoise_track_fail (self->track, AVERROR (ENOMEM));
  frame->pict_type = AV_PICTURE_TYPE_NONE;
  frame->pts = properties->frame->pts;
  if (time != properties->time)
    frame->pts += av_rescale_q ((gint64) time - (gint64) properties->time,
        NANOSECONDS, self->time_base);
  if (is_rgb != GST_VIDEO_INFO_IS_RGB (&self->info))
    denoise_pixels_set_colors (frame, info);
  if (frame->sample_aspect_ratio.num > 0 || info->par_n != info->par_d)
    frame->sample_aspect_ratio = (AVRational) {
    info->par_n, info->par_d};
  denoise_frame_set_fields (frame, has_fields,
      GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_TFF));
  return TRUE;
}

/* Copies the metadata of the track that applies to all frames. */
static gboolean
copy_stream_data (DenoiseFrames * self, const AVFrame * frame)
{
  static const struct
  {
    enum AVPacketSideDataType type;
    enum AVFrameSideDataType of_frame;
    gboolean has_frame_type;
  } kinds[] = {
    {AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
        AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, TRUE},
    {AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, TRUE},
    {AV_PKT_DATA_SPHERICAL, 0, FALSE}, {AV_PKT_DATA_STEREO3D, 0, FALSE},
    {AV_PKT_DATA_DISPLAYMATRIX, 0, FALSE}
  };
  AVStream *stream = self->track->target->stream;
  const gboolean is_upright = get_turn (self->track) != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gsize size = 0;
    gconstpointer data = is_upright
        && kinds[i].type == AV_PKT_DATA_DISPLAYMATRIX ? NULL
        : denoise_stream_get_data (self->track->stream, kinds[i].type, &size);
    const AVFrameSideData *of_frame = data || !kinds[i].has_frame_type ? NULL
        : av_frame_get_side_data (frame, kinds[i].of_frame);

    if (of_frame) {
      data = of_frame->data;
      size = of_frame->size;
    }
    if (data && !denoise_stream_add_data (stream, kinds[i].type, data, size))
      return denoise_track_fail (self->track, AVERROR (ENOMEM));
  }
  return TRUE;
}

/* Returns the first field of the video: from its first frame or, if that frame
 * is progressive, from the container or a later frame. */
static enum AVFieldOrder
get_field_order (const DenoiseFrames * self, const AVFrame * frame)
{
  if (denoise_frame_is_interlaced (frame))
    return denoise_frame_is_top_first (frame) ? AV_FIELD_TT : AV_FIELD_BB;
  if (self->track->studio->options->deinterlace)
    return AV_FIELD_PROGRESSIVE;
  switch (self->track->stream->codecpar->field_order > AV_FIELD_PROGRESSIVE
      ? self->track->stream->codecpar->field_order
      : get_found_order (self->track)) {
    case AV_FIELD_TT:
    case AV_FIELD_BT:
      return AV_FIELD_TT;
    case AV_FIELD_BB:
    case AV_FIELD_TB:
      return AV_FIELD_BB;
    default:
      return AV_FIELD_PROGRESSIVE;
  }
}

/* Reports the data of a track that y4m does not support. */
static void
report_pipe (const DenoiseFrames * self, const AVFrame * frame)
{
  static const struct
  {
    enum AVPacketSideDataType type;
    const gchar *name;
  } kinds[] = {
    {AV_PKT_DATA_SPHERICAL, "projection"}, {AV_PKT_DATA_STEREO3D, "stereo mode"}
  };
  const DenoiseTrack *track = self->track;
  DenoiseReport *report = track->studio->report;
  g_autofree gchar *colours = denoise_codec_describe_colours (frame);
  gsize size;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (denoise_stream_get_data (track->stream, kinds[i].type, &size))
      denoise_report_loss (report, "%s of %s", kinds[i].name, track->name);
  }
  if (!colours)
    return;
  denoise_report_loss (report, "%s of %s",
      strstr (colours, "max-cll") || strstr (colours, "master-display")
      ? "colours and HDR metadata" : "colours", track->name);
  denoise_report_note (report, "Options of x265 for the colours: %s", colours);
}

/* Reports times that differ from the constant frame rate of y4m. */
static void
check_rate (DenoiseFrames * self, const AVFrame * frame)
{
  const gint64 expected = self->first_encoded + av_rescale_q (self->n_encoded,
      av_inv_q (self->rate), self->time_base);
  const gint64 length = MAX (1, av_rescale_q (1, av_inv_q (self->rate),
          self->time_base));

  if (2 * ABS (frame->pts - expected) > length)
    denoise_report_loss (self->track->studio->report, "timestamps of %s: "
        "the frame rate is not constant at %.3f", self->track->name,
        av_q2d (self->rate));
}

static gboolean
start_encoder (DenoiseFrames * self, const AVFrame * frame)
{
  DenoiseTrack *track = self->track;
  AVStream *stream = track->target->stream;
  const gboolean is_global =
      track->studio->output->format->oformat->flags & AVFMT_GLOBALHEADER;
  g_autoptr (GError) error = NULL;

  self->encoder = denoise_codec_open (self->codec, self->encoder_codec,
      track->studio->options, frame, get_field_order (self, frame),
      self->time_base, self->rate, is_global, &error);
  if (!self->encoder) {
    denoise_report_error (track->studio->report, "%s: %s", track->name,
        error->message);
    return FALSE;
  }
  self->first_encoded = frame->pts;
  if (track->studio->options->container == DENOISE_CONTAINER_Y4M)
    report_pipe (self, frame);
  if (!denoise_track_set_encoder (track, self->encoder)
      || !copy_stream_data (self, frame))
    return FALSE;
  /* The y4m muxer uses the time base as the frame rate. */
  if (track->studio->options->container == DENOISE_CONTAINER_Y4M)
    stream->time_base = av_inv_q (self->rate);
  stream->avg_frame_rate = self->rate;
  stream->sample_aspect_ratio = frame->sample_aspect_ratio;
  stream->codecpar->sample_aspect_ratio = frame->sample_aspect_ratio;
  denoise_output_start_track (track->studio->output);
  return TRUE;
}

/* Reports fields that the encoder cannot mark. The encoder needs the field
 * order even for progressive frames, because x264 applies a new order to the
 * whole video. */
static void
check_fields (DenoiseFrames * self, AVFrame * frame)
{
  const DenoiseTrack *track = self->track;
  const gboolean has_fields = denoise_frame_is_interlaced (frame);

  if (!has_fields)
    denoise_frame_set_fields (frame, FALSE,
        self->encoder->field_order == AV_FIELD_TT);
  else if (!denoise_codec_has_fields (self->codec))
    denoise_report_loss (track->studio->report, "fields of %s: its frames "
        "are not marked as interlaced (use --codec h264 to mark them, or "
        "--deinterlace to make them progressive)", track->name);
  else if (self->encoder->field_order == AV_FIELD_PROGRESSIVE)
    denoise_report_loss (track->studio->report, "fields of %s, which begins "
        "with progressive frames (use --deinterlace to make all frames "
        "progressive)", track->name);
}

static gboolean
encode_buffer (DenoiseFrames * self, GstBuffer * buffer,
    const GstVideoInfo * info)
{
  const enum AVPixelFormat pixels = denoise_pixels_find
      (denoise_codec_get_formats (self->encoder_codec),
      GST_VIDEO_INFO_FORMAT (info));
  AVFrame *frame = denoise_pixels_wrap_buffer (buffer, info, pixels);
  gboolean done = frame ? complete_frame (self, frame, buffer, info)
      : denoise_track_fail (self->track, AVERROR (ENOMEM));

  const gboolean is_wanted = done && (!self->is_part
      || (frame->pts >= self->first && frame->pts < self->end));

  if (is_wanted && !self->is_probe)
    self->position = av_rescale_q (frame->pts, self->time_base, AV_TIME_BASE_Q);
  if (is_wanted
      && self->track->studio->options->container == DENOISE_CONTAINER_PART)
    frame->pts += denoise_parts_get_offset (self->time_base);
  if (is_wanted && !self->encoder) {
    self->encoded_format = GST_VIDEO_INFO_FORMAT (info);
    done = start_encoder (self, frame);
  }
  if (done && is_wanted) {
    const gboolean has_fields = denoise_frame_is_interlaced (frame);

    check_fields (self, frame);
    if (self->track->studio->options->container == DENOISE_CONTAINER_Y4M)
      check_rate (self, frame);
    done = check_data (self, frame, has_fields)
        || denoise_track_fail (self->track, AVERROR (ENOMEM));
  }
  if (done && is_wanted && !self->is_probe) {
    done = denoise_track_encode (self->track, self->encoder, frame);
    self->n_encoded += done;
  }
  av_frame_free (&frame);
  return done;
}

/* Handles a tick without an output frame. */
static gboolean
wait_on (DenoiseFrames * self)
{
  const DenoiseStudio *studio = self->track->studio;
  struct timespec now = { 0, 0 };

  (void) clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  const GstClockTime work = GST_TIMESPEC_TO_TIME (now);
  self->n_idle += work - self->work < MIN_WORK ? WORK_TICKS : 1;
  self->work = work;
  self->n_still++;
  if (self->n_still % STALL_TICKS == 0
      && denoise_pipeline_is_hungry (self->pipeline))
    self->max_in_flight *= 2;
  if (self->n_idle > HANG_TICKS * WORK_TICKS) {
    denoise_report_error (studio->report, "the filter has not output a "
        "frame for %d s", (int) (self->n_still * TICK / GST_SECOND));
    return FALSE;
  }
  return studio->tick (studio->user_data);
}

/* Copies the left half of each row of @from, up to a position with a chroma
 * sample. */
static void
copy_left_half (GstVideoFrame * to, const GstVideoFrame * from)
{
  const GstVideoFormatInfo *format = to->info.finfo;
  const gint half = GST_VIDEO_FRAME_WIDTH (to) / 8 * 4;

  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (to); i++) {
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (format, i, components);
    const gint component = components[0];
    const gsize bytes = (gsize) GST_VIDEO_FORMAT_INFO_PSTRIDE (format,
        component) * GST_VIDEO_FORMAT_INFO_SCALE_WIDTH (format, component,
        half);

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (to, component); y++)
      memcpy ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (to, i)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (to, i),
          (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (from, i)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (from, i), bytes);
  }
}

/* Replaces the left half of *@buffer by that of the unfiltered frame. */
static gboolean
compare_halves (DenoiseFrames * self, GstBuffer ** buffer,
    const GstVideoInfo * info)
{
  DenoiseReport *report = self->track->studio->report;
  GstVideoFrame to, from;

  while (!self->plain_buffer
      || GST_BUFFER_PTS (self->plain_buffer) < GST_BUFFER_PTS (*buffer)) {
    GstBuffer *next = NULL;
    const DenoisePull pull = denoise_pipeline_pull (self->plain, TICK, &next,
        &self->plain_info);

    if (pull == DENOISE_PULL_ERROR || pull == DENOISE_PULL_END
        || (pull == DENOISE_PULL_NONE && !wait_on (self))) {
      denoise_report_error (report, "--compare: an unfiltered frame is "
          "missing");
      return FALSE;
    }
    if (next) {
      gst_clear_buffer (&self->plain_buffer);
      self->plain_buffer = next;
    }
  }
  if (GST_VIDEO_INFO_WIDTH (info) != GST_VIDEO_INFO_WIDTH (&self->plain_info)
      || GST_VIDEO_INFO_HEIGHT (info)
      != GST_VIDEO_INFO_HEIGHT (&self->plain_info)) {
    denoise_report_error (report, "--compare: the filter changes the size "
        "of the frames");
    return FALSE;
  }
  *buffer = gst_buffer_make_writable (*buffer);
  if (!gst_video_frame_map (&to, info, *buffer, GST_MAP_READWRITE))
    return denoise_track_fail (self->track, AVERROR (ENOMEM));
  const gboolean is_mapped = gst_video_frame_map (&from, &self->plain_info,
      self->plain_buffer, GST_MAP_READ);

  if (is_mapped) {
    copy_left_half (&to, &from);
    gst_video_frame_unmap (&from);
  }
  gst_video_frame_unmap (&to);
  return is_mapped || denoise_track_fail (self->track, AVERROR (ENOMEM));
}

/* Encodes the filtered frames. Waits while there are too many frames in the
 * pipeline, or, if @all is set, until it has ended. */
static gboolean
pull_frames (DenoiseFrames * self, gboolean all)
{
  for (;;) {
    const gboolean waits = all
        || g_queue_get_length (self->in_flight) >= self->max_in_flight;
    GstBuffer *buffer = NULL;
    GstVideoInfo info;

    switch (denoise_pipeline_pull (self->pipeline, waits ? TICK : 0, &buffer,
            &info)) {
      case DENOISE_PULL_FRAME:
        self->n_still = self->n_idle = 0;
        const gboolean done = (!self->plain
            || compare_halves (self, &buffer, &info))
            && encode_buffer (self, buffer, &info);
        gst_buffer_unref (buffer);
        if (!done)
          return FALSE;
        break;
      case DENOISE_PULL_NONE:
        if (!waits)
          return TRUE;
        if (!wait_on (self))
          return FALSE;
        break;
      case DENOISE_PULL_END:
        return TRUE;
      case DENOISE_PULL_ERROR:
        return FALSE;
    }
  }
}

gboolean
denoise_frames_take (DenoiseFrames * self, const AVFrame * frame)
{
  if (!self->pipeline ? !start_pipeline (self, frame)
      : !check_frame (self, frame))
    return FALSE;
  if (denoise_frame_is_interlaced (frame)
      && !GST_VIDEO_INFO_IS_INTERLACED (&self->info)) {
    self->info.interlace_mode = GST_VIDEO_INTERLACE_MODE_MIXED;
    denoise_pipeline_set_info (self->pipeline, &self->info);
    if (self->plain)
      denoise_pipeline_set_info (self->plain, &self->info);
  }
  return push_frame (self, frame) && pull_frames (self, FALSE);
}

gboolean
denoise_frames_finish (DenoiseFrames * self)
{
  if (!self->pipeline) {
    self->track->studio->report->is_partless |= self->is_part;
    denoise_report_error (self->track->studio->report, "--start: %s ends "
        "earlier", self->track->name);
    return FALSE;
  }
  denoise_pipeline_end (self->pipeline);
  if (self->plain)
    denoise_pipeline_end (self->plain);
  if (!pull_frames (self, TRUE))
    return FALSE;
  if (!self->encoder) {
    self->track->studio->report->is_partless |= self->is_part;
    denoise_report_error (self->track->studio->report, "the filter has "
        "output no frame of %s", self->track->name);
    return FALSE;
  }
  return self->is_probe
      || denoise_track_encode (self->track, self->encoder, NULL);
}

gint64
denoise_frames_get_position (const DenoiseFrames * self)
{
  return self->position;
}

guint64
denoise_frames_count (const DenoiseFrames * self)
{
  return self->n_encoded;
}

void
denoise_frames_report (const DenoiseFrames * self)
{
  const DenoiseTrack *track = self->track;
  DenoiseReport *report = track->studio->report;
  const GstVideoFormat decoded = GST_VIDEO_INFO_FORMAT (&self->info);
  g_autofree gchar *filter_loss = denoise_format_describe_loss (decoded,
      denoise_pipeline_get_filter_format (self->pipeline));
  g_autofree gchar *loss =
      denoise_format_describe_loss (decoded, self->encoded_format);

  denoise_report_note (report, "%s: %dx%d, %s, %u bits%s%s", track->name,
      self->encoder->width, self->encoder->height,
      denoise_format_get_layout (self->encoded_format),
      denoise_format_get_bits (self->encoded_format),
      self->encoder->field_order > AV_FIELD_PROGRESSIVE ? ", interlaced" : "",
      get_turn (track) ? ", rotated upright" : "");
  if (loss)
    denoise_report_loss (report, "%s of %s", loss, track->name);
  else if (filter_loss)
    denoise_report_loss (report, "%s of %s, lost in the filter", filter_loss,
        track->name);
}
