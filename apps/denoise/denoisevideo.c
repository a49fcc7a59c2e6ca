/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisevideo.h"

#include "denoiseffmpeg.h"
#include "denoiseformat.h"
#include "denoiseframes.h"
#include "denoiseparts.h"
#include "denoisesei.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/avutil.h>
#include <libavutil/dovi_meta.h>
#include <libswscale/swscale.h>

#define FILTER "mode=send_field:parity=auto:deint=interlaced"

/* Makes each field of interlaced frames a frame (FFmpeg's bwdif) and passes
 * progressive frames on unchanged, including in mixed video. Must be called
 * from one thread. */
typedef struct
{
  AVRational time_base;
  AVFilterGraph *graph;         /* NULL before the first frame */
  AVFilterContext *source;
  AVFilterContext *sink;
  AVFrame *next;                /* frame of another size or format, waiting for
                                 * the end of the graph, or empty */
  gint width, height, format;   /* of the frames in the graph */
  gboolean is_ended;
  GQueue times;                 /* gint64, of the frames in the graph, in the
                                 * unit of the output */
} Deinterlacer;

/* Creates a deinterlacer for frames with times in @time_base. Times of output
 * frames are in half of this unit, because the second field of a frame begins
 * between two frames. */
static Deinterlacer *
deinterlacer_new (AVRational time_base)
{
  Deinterlacer *self = g_new0 (Deinterlacer, 1);

  self->time_base = time_base;
  self->next = av_frame_alloc ();
  g_queue_init (&self->times);
  return self;
}

/* @self may be NULL. */
static void
deinterlacer_free (Deinterlacer * self)
{
  if (!self)
    return;
  avfilter_graph_free (&self->graph);
  av_frame_free (&self->next);
  g_queue_clear_full (&self->times, g_free);
  g_free (self);
}

/* Builds the graph for frames with the properties of @frame. */
static gint
build_graph (Deinterlacer * self, const AVFrame * frame)
{
  g_autofree gchar *input = g_strdup_printf ("video_size=%dx%d:pix_fmt=%d:"
      "time_base=%d/%d:pixel_aspect=%d/%d", frame->width, frame->height,
      frame->format, self->time_base.num, self->time_base.den,
      frame->sample_aspect_ratio.num, MAX (frame->sample_aspect_ratio.den, 1));
  AVFilterContext *filter;
  gint code;

  avfilter_graph_free (&self->graph);
  self->graph = avfilter_graph_alloc ();
  if (!self->graph)
    return AVERROR (ENOMEM);
  self->width = frame->width;
  self->height = frame->height;
  self->format = frame->format;
  if ((code = avfilter_graph_create_filter (&self->source,
              avfilter_get_by_name ("buffer"), NULL, input, NULL,
              self->graph)) < 0
      || (code = avfilter_graph_create_filter (&filter,
              avfilter_get_by_name ("bwdif"), NULL, FILTER, NULL,
              self->graph)) < 0
      || (code = avfilter_graph_create_filter (&self->sink,
              avfilter_get_by_name ("buffersink"), NULL, NULL, NULL,
              self->graph)) < 0
      || (code = avfilter_link (self->source, 0, filter, 0)) < 0
      || (code = avfilter_link (filter, 0, self->sink, 0)) < 0)
    return code;
  return avfilter_graph_config (self->graph, NULL);
}

static gint
add_frame (Deinterlacer * self, AVFrame * frame)
{
  gint64 *time = g_new (gint64, 1);

  *time = 2 * frame->pts;
  g_queue_push_tail (&self->times, time);
  return av_buffersrc_add_frame (self->source, frame);
}

/* Takes the content of @frame, which has a time, or NULL at the end. All output
 * frames must be pulled first. Returns an FFmpeg error code. */
static gint
deinterlacer_push (Deinterlacer * self, AVFrame * frame)
{
  gint code;

  if (!self->next)
    return AVERROR (ENOMEM);
  if (!frame) {
    self->is_ended = TRUE;
    return self->graph ? av_buffersrc_add_frame (self->source, NULL) : 0;
  }
  if (!self->graph) {
    code = build_graph (self, frame);
    return code < 0 ? code : add_frame (self, frame);
  }
  if (frame->width == self->width && frame->height == self->height
      && frame->format == self->format)
    return add_frame (self, frame);
  av_frame_move_ref (self->next, frame);
  return av_buffersrc_add_frame (self->source, NULL);
}

/* Fills @frame, which must be empty, with the next output frame. Captions of a
 * frame stay with its first field. Returns AVERROR (EAGAIN) or AVERROR_EOF if
 * there is none, or another FFmpeg error code. */
static gint
deinterlacer_pull (Deinterlacer * self, AVFrame * frame)
{
  gint code;

  if (!self->graph)
    return self->is_ended ? AVERROR_EOF : AVERROR (EAGAIN);
  code = av_buffersink_get_frame (self->sink, frame);
  if (code == AVERROR_EOF && self->next->buf[0]) {
    code = build_graph (self, self->next);
    if (code >= 0)
      code = add_frame (self, self->next);
    if (code >= 0)
      code = av_buffersink_get_frame (self->sink, frame);
  }
  if (code < 0)
    return code;

  const gint64 *first = g_queue_peek_head (&self->times);
  if (first && *first == frame->pts)
    g_free (g_queue_pop_head (&self->times));
  else
    av_frame_remove_side_data (frame, AV_FRAME_DATA_A53_CC);
  return code;
}

/* The first frames may have references that are missing in the file. */
#define START_FRAMES 16

typedef struct
{
  DenoiseTrack track;
  AVCodecContext *decoder;
  AVFrame *frame;               /* decoded frame */
  Deinterlacer *deinterlacer;   /* or NULL */
  struct SwsContext *scaler;    /* conversion to a GStreamer format, or to the
                                 * first size */
  gint width, height;           /* of the first converted frame */
  enum AVPixelFormat format;    /* likewise */
  guint64 n_scaled;
  DenoiseFrames *frames;
  /* HDR10+ metadata (AVBufferRef) of packets whose frames are not decoded yet,
   * by their time. NULL if the codec does not have any. */
  GHashTable *hdr10plus;
  gint64 last;                  /* time of the last frame, if any */
  gint64 joined;                /* of the last packet while parts are joined */
  gint64 first;                 /* time of the first frame, if any */
  GArray *early;                /* times of the packets before it, as gint64 */
  guint n_early;                /* packets of these that gave no frame */
  guint64 n_decoded;
  guint64 n_wanted;             /* number of frames to write */
  guint n_of_start;             /* damaged frames among the first ones */
  guint n_errors;               /* position in the log of the decoders */
  guint n_doubts;               /* errors without a damaged frame */

  /* Set for the first video if only a part of it is written. The range is in
   * the time base of the filtered frames. */
  const DenoiseSegment *segment;
  gint64 range_first;
  gint64 range_end;
  guint n_left;                 /* following frames that the filter needs */
  gboolean has_key;             /* the packet of the key frame was read */
  gboolean is_started;
  /* Set for the first video if it is joined from parts. */
  DenoiseParts *parts;
  AVPacket *packet;             /* of a part */
  gboolean has_packet;
  guint64 n_joined;
} Video;

/* Sets the range of frames to write, or the parts to join. */
static gboolean
choose_way (Video * self)
{
  const AVStream *stream = self->track.stream;
  const DenoiseOptions *options = self->track.studio->options;

  if (self->track.number != 1)
    return TRUE;
  if (options->parts) {
    self->parts = denoise_parts_new (options->parts,
        self->track.studio->report);
    self->packet = av_packet_alloc ();
    denoise_frames_set_probe (self->frames);
    return self->packet != NULL;
  }
  if (self->track.studio->segment) {
    const gint unit = self->deinterlacer ? 2 : 1;

    self->segment = self->track.studio->segment;
    self->n_left = self->track.studio->n_behind;
    if (self->segment->first != -G_MAXINT64)
      self->range_first = self->segment->first * unit;
    if (self->segment->end != G_MAXINT64)
      self->range_end = self->segment->end * unit;
    denoise_frames_set_range (self->frames,
        stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time * unit,
        self->range_first, self->range_end);
  }
  return TRUE;
}

/* Reports the loss of Dolby Vision. Refuses a video whose base layer alone has
 * wrong colours. */
static gboolean
check_dolby_vision (DenoiseTrack * track)
{
  gsize size;
  const AVDOVIDecoderConfigurationRecord *record = denoise_stream_get_data
      (track->stream, AV_PKT_DATA_DOVI_CONF, &size);

  if (!record || size < sizeof (*record))
    return TRUE;
  if (record->dv_bl_signal_compatibility_id == 0
      && !track->studio->options->partial) {
    denoise_report_error (track->studio->report,
        "%s is Dolby Vision of profile %u, whose colours are wrong without "
        "metadata that would be lost. Use a version for other players, or "
        "--partial to filter it anyway", track->name, record->dv_profile);
    return FALSE;
  }
  denoise_report_loss (track->studio->report, "Dolby Vision metadata of %s%s",
      track->name, record->dv_bl_signal_compatibility_id == 0
      ? " (the colours are wrong without it)" : "");
  return TRUE;
}

static void
unref_buffer (gpointer data)
{
  AVBufferRef *buffer = data;

  av_buffer_unref (&buffer);
}

static gboolean
open_video (DenoiseTrack * track)
{
  Video *self = (Video *) track;

  AVRational time_base = track->stream->time_base;

  self->last = self->first = self->joined = AV_NOPTS_VALUE;
  self->range_first = -G_MAXINT64;
  self->range_end = G_MAXINT64;
  self->early = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (track->stream->codecpar->codec_id == AV_CODEC_ID_HEVC)
    self->hdr10plus = g_hash_table_new_full (g_int64_hash, g_int64_equal,
        g_free, unref_buffer);
  if (track->studio->options->deinterlace) {
    self->deinterlacer = deinterlacer_new (time_base);
    time_base.den *= 2;
  }
  self->frames = denoise_frames_new (track, time_base);
  self->frame = av_frame_alloc ();
  if (!self->frame || !check_dolby_vision (track))
    return FALSE;
  self->decoder = denoise_track_open_decoder (track);
  self->n_errors = denoise_log_count (DENOISE_LOG_DECODER);
  return self->decoder && choose_way (self);
}

/* Converts self->frame to a format of GStreamer, to top-down rows and, with
 * --scale-to-first, to the properties of the first frame. */
static gboolean
convert (Video * self)
{
  AVFrame *frame = self->frame;
  enum AVPixelFormat format = denoise_pixels_choose (frame->format);
  gint width = frame->width, height = frame->height;
  AVFrame *converted;
  gint code;

  if (self->width == 0) {
    self->width = width;
    self->height = height;
    self->format = format;
  } else if (self->track.studio->options->scale_to_first) {
    width = self->width;
    height = self->height;
    format = self->format;
  }
  const gboolean scales = width != frame->width || height != frame->height;

  if (scales && denoise_frame_is_interlaced (frame)) {
    denoise_report_error (self->track.studio->report, "--scale-to-first: "
        "the fields of interlaced frames cannot be scaled. Use "
        "--deinterlace to make frames of them");
    return FALSE;
  }
  if (scales && self->n_scaled++ == 0)
    denoise_report_loss (self->track.studio->report, "the frame size of %s "
        "(%dx%d, scaled to %dx%d)", self->track.name, frame->width,
        frame->height, width, height);
  if (format == frame->format && !scales && frame->linesize[0] > 0)
    return TRUE;
  self->scaler = sws_getCachedContext (self->scaler, frame->width,
      frame->height, frame->format, width, height, format,
      (scales ? SWS_BICUBIC : SWS_POINT) | SWS_ACCURATE_RND
      | SWS_FULL_CHR_H_INP | SWS_FULL_CHR_H_INT, NULL, NULL, NULL);
  converted = av_frame_alloc ();
  if (!self->scaler || !converted) {
    av_frame_free (&converted);
    return denoise_track_fail (&self->track, AVERROR (EINVAL));
  }
  code = av_frame_copy_props (converted, frame);
  converted->width = width;
  converted->height = height;
  converted->format = format;
  if (code >= 0)
    code = sws_scale_frame (self->scaler, converted, frame);
  if (code < 0) {
    av_frame_free (&converted);
    return denoise_track_fail (&self->track, code);
  }
  av_frame_free (&self->frame);
  self->frame = converted;
  return TRUE;
}

/* Sets the time of self->frame. Times increase. */
static gboolean
set_time (Video * self)
{
  AVFrame *frame = self->frame;
  const AVStream *stream = self->track.stream;
  const gint64 length = MAX (1, av_rescale_q (1,
          av_inv_q (denoise_frames_get_rate (stream)), stream->time_base));

  frame->pts = frame->best_effort_timestamp;
  if (self->last != AV_NOPTS_VALUE) {
    if (frame->pts == AV_NOPTS_VALUE)
      frame->pts = self->last + length;
    if (!denoise_track_check_time (&self->track, self->last, frame->pts))
      return FALSE;
    frame->pts = MAX (frame->pts, self->last + 1);
  } else if (frame->pts == AV_NOPTS_VALUE) {
    frame->pts = 0;
  }
  self->last = frame->pts;
  return TRUE;
}

/* Returns whether frames may have references that are missing in the file. */
static gboolean
is_at_start (const Video * self)
{
  const AVCodecDescriptor *codec =
      avcodec_descriptor_get (self->track.stream->codecpar->codec_id);

  return self->n_decoded < START_FRAMES
      && !(codec && codec->props & AV_CODEC_PROP_INTRA_ONLY);
}

/* Damage is marked in a frame, or only reported in the decoder's log. */
static gboolean
look_for_damage (Video * self)
{
  const guint n_errors = denoise_log_count (DENOISE_LOG_DECODER);
  const gboolean is_doubtful = n_errors != self->n_errors;
  const gboolean is_damaged = self->frame->decode_error_flags != 0
      || self->frame->flags & AV_FRAME_FLAG_CORRUPT;

  self->n_errors = n_errors;
  if (is_at_start (self)) {
    self->n_of_start += is_damaged || is_doubtful;
    return TRUE;
  }
  if (is_damaged)
    return denoise_track_take_damage (&self->track,
        self->frame->best_effort_timestamp);
  self->n_doubts += is_doubtful;
  return TRUE;
}

/* Returns whether the filter gets self->frame. */
static gboolean
is_needed (Video * self)
{
  if (!self->segment || self->frame->pts < self->segment->end)
    return !self->segment || self->frame->pts >= self->segment->lead;
  if (self->n_left == 0)
    return FALSE;
  self->n_left--;
  return TRUE;
}

/* Returns whether decoding began early enough for a part. Some frames that a
 * container marks as key frames cannot be decoded alone. */
static gboolean
check_start (Video * self)
{
  if (!self->segment || self->segment->key == AV_NOPTS_VALUE || self->is_started
      || self->frame->pts <= self->segment->lead) {
    self->is_started = TRUE;
    return TRUE;
  }
  self->track.studio->report->is_partless = TRUE;
  denoise_report_error (self->track.studio->report, "%s: no usable key "
      "frame. Run without --part", self->track.name);
  return FALSE;
}

/* Filters and encodes self->frame. */
static gboolean
give_frame (Video * self)
{
  if (!convert (self))
    return FALSE;
  self->n_wanted += self->frame->pts >= self->range_first
      && self->frame->pts < self->range_end;
  return denoise_frames_take (self->frames, self->frame);
}

/* Deinterlaces self->frame, or, at the end, the remaining frames. */
static gboolean
deinterlace (Video * self, gboolean is_end)
{
  gint code = deinterlacer_push (self->deinterlacer,
      is_end ? NULL : self->frame);

  while (code >= 0) {
    av_frame_unref (self->frame);
    code = deinterlacer_pull (self->deinterlacer, self->frame);
    if (code >= 0 && !give_frame (self))
      return FALSE;
  }
  return code == AVERROR (EAGAIN) || code == AVERROR_EOF
      || denoise_track_fail (&self->track, code);
}

/* Sets the properties of the track when the first frame has been decoded. */
static void
take_first_frame (Video * self)
{
  AVRational rate = denoise_frames_get_rate (self->track.stream);

  if (self->deinterlacer
      && denoise_frames_may_have_fields (self->track.stream, self->frame))
    rate.num *= 2;
  denoise_frames_set_rate (self->frames, rate);
  self->first = self->frame->best_effort_timestamp;
  for (guint i = 0; i < self->early->len; i++)
    self->n_early += g_array_index (self->early, gint64, i) < self->first;
  g_array_set_size (self->early, 0);
}

static gboolean
take_frame (Video * self)
{
  AVFrame *frame = self->frame;
  gpointer time, metadata;

  if (!look_for_damage (self))
    return FALSE;
  if (self->n_decoded++ == 0)
    take_first_frame (self);
  if (self->hdr10plus && g_hash_table_steal_extended (self->hdr10plus,
          &frame->pts, &time, &metadata)) {
    g_free (time);
    av_buffer_unref (&frame->opaque_ref);
    frame->opaque_ref = metadata;
  }
  frame->sample_aspect_ratio = av_guess_sample_aspect_ratio (NULL,
      (AVStream *) self->track.stream, frame);
  if (!set_time (self) || !check_start (self))
    return FALSE;
  if (!is_needed (self))
    return TRUE;
  return self->deinterlacer ? deinterlace (self, FALSE) : give_frame (self);
}

/* Handles a decoder error for the packet at @time. */
static gboolean
take_refusal (Video * self, gint64 time)
{
  self->n_errors = denoise_log_count (DENOISE_LOG_DECODER);
  if (is_at_start (self)) {
    self->n_of_start++;
    return TRUE;
  }
  return denoise_track_take_damage (&self->track, time);
}

/* At the end, decoders with threads may return an error before more frames. */
static gboolean
take_frames (Video * self)
{
  for (;;) {
    const gint code = avcodec_receive_frame (self->decoder, self->frame);
    gboolean taken;

    if (code == AVERROR (EAGAIN) || code == AVERROR_EOF)
      return TRUE;
    taken = code < 0 ? take_refusal (self, self->last) : take_frame (self);
    av_frame_unref (self->frame);
    if (!taken)
      return FALSE;
  }
}

static gboolean
finish (Video * self)
{
  if (self->n_decoded > 0)
    return (!self->deinterlacer || deinterlace (self, TRUE))
        && denoise_frames_finish (self->frames);

  g_autofree gchar *last = denoise_log_dup_last (DENOISE_LOG_DECODER);

  denoise_report_error (self->track.studio->report, "cannot decode %s%s%s%s",
      self->track.name, last ? " (" : "", last ? last : "", last ? ")" : "");
  return FALSE;
}

/* Writes the packets of the parts before @time (of decoding, in the time base
 * of the input), so that tracks are interleaved. */
static gboolean
join_parts (Video * self, gint64 time)
{
  DenoiseTrack *track = &self->track;
  const AVCodecContext *encoder = denoise_frames_get_encoder (self->frames);

  if (self->n_joined == 0 && !self->has_packet) {
    const AVRational rate = denoise_frames_get_rate (track->stream);

    denoise_parts_set_encoder (self->parts, encoder, MAX (1, av_rescale_q (1,
                av_inv_q (rate), encoder->time_base)));
  }
  for (;;) {
    if (!self->has_packet)
      self->has_packet = denoise_parts_read (self->parts, self->packet);
    if (!self->has_packet)
      return track->studio->report->error == NULL;
    if (time != G_MAXINT64 && av_compare_ts (self->packet->dts,
            encoder->time_base, time, track->stream->time_base) > 0)
      return TRUE;
    self->has_packet = FALSE;
    self->n_joined++;
    if (!denoise_output_write (track->studio->output, track->target,
            self->packet, encoder->time_base))
      return FALSE;
  }
}

/* Saves the data of @packet until its frame has been decoded. */
static void
note_packet (Video * self, const AVPacket * packet)
{
  AVBufferRef *metadata;

  /* An edit list hides some frames. */
  if (packet->pts == AV_NOPTS_VALUE || packet->flags & AV_PKT_FLAG_DISCARD)
    return;
  if (self->n_decoded == 0)
    g_array_append_val (self->early, packet->pts);
  else
    self->n_early += self->first != AV_NOPTS_VALUE && packet->pts < self->first;
  metadata = self->hdr10plus ? denoise_sei_find_hdr10plus (packet,
      self->track.stream->codecpar) : NULL;
  if (metadata)
    g_hash_table_replace (self->hdr10plus,
        g_memdup2 (&packet->pts, sizeof (packet->pts)), metadata);
}

static gboolean
feed_decoder (Video * self, AVPacket * packet)
{
  gint code;

  /* Packets before the key frame cannot be decoded. */
  if (packet && self->segment && self->segment->key != AV_NOPTS_VALUE
      && !self->has_key) {
    self->has_key = packet->pts == self->segment->key;
    if (!self->has_key)
      return TRUE;
  }
  if (packet)
    note_packet (self, packet);
  code = avcodec_send_packet (self->decoder, packet);
  /* A full decoder accepts a packet after it has returned all frames. */
  if (code == AVERROR (EAGAIN)) {
    if (!take_frames (self))
      return FALSE;
    code = avcodec_send_packet (self->decoder, packet);
  }
  if (code < 0 && code != AVERROR_EOF
      && !take_refusal (self, packet ? packet->pts : self->last))
    return FALSE;
  return take_frames (self) && (packet || finish (self));
}

/* The first frames are filtered to get the properties of the track. */
static gboolean
feed_video (DenoiseTrack * track, AVPacket * packet)
{
  Video *self = (Video *) track;

  if (!self->parts)
    return feed_decoder (self, packet);
  if (!denoise_frames_get_encoder (self->frames)
      && !feed_decoder (self, packet))
    return FALSE;
  if (!denoise_frames_get_encoder (self->frames))
    return TRUE;
  /* Parts do not detect several videos in one file. */
  if (packet && packet->dts != AV_NOPTS_VALUE) {
    if (self->joined != AV_NOPTS_VALUE
        && !denoise_track_check_time (track, self->joined, packet->dts))
      return FALSE;
    self->joined = packet->dts;
  }
  return join_parts (self, packet ? packet->dts : G_MAXINT64);
}

static void
clear_video (DenoiseTrack * track)
{
  Video *self = (Video *) track;

  denoise_frames_free (self->frames);
  deinterlacer_free (self->deinterlacer);
  denoise_parts_free (self->parts);
  g_clear_pointer (&self->hdr10plus, g_hash_table_unref);
  g_clear_pointer (&self->early, g_array_unref);
  av_packet_free (&self->packet);
  avcodec_free_context (&self->decoder);
  av_frame_free (&self->frame);
  sws_freeContext (self->scaler);
}

static gboolean
edit_video (DenoiseTrack * track, AVPacket * packet)
{
  return denoise_frames_edit (((Video *) track)->frames, packet);
}

const DenoiseTrackClass denoise_video_class = {
  sizeof (Video), open_video, feed_video, edit_video, clear_video
};

guint64
denoise_video_get_position (const DenoiseTrack * track, gint64 * position)
{
  const Video *self = (const Video *) track;

  *position = denoise_frames_get_position (self->frames);
  return self->parts ? self->n_joined : denoise_frames_count (self->frames);
}

gboolean
denoise_video_is_complete (const DenoiseTrack * track)
{
  const Video *self = (const Video *) track;

  return self->segment && self->last != AV_NOPTS_VALUE && self->n_left == 0
      && self->last >= self->segment->end;
}

void
denoise_video_check (DenoiseTrack * track)
{
  const Video *self = (const Video *) track;
  DenoiseReport *report = track->studio->report;
  const guint64 n_encoded = denoise_frames_count (self->frames);

  if (!self->parts && n_encoded != self->n_wanted) {
    denoise_report_error (report, "%s: %" G_GUINT64_FORMAT " frames "
        "expected, %" G_GUINT64_FORMAT " written", track->name, self->n_wanted,
        n_encoded);
    return;
  }
  denoise_frames_report (self->frames);
  if (track->n_damaged > 0)
    denoise_report_loss (report, "%" G_GUINT64_FORMAT " damaged frames of %s",
        track->n_damaged, track->name);
  if (self->n_early > 0 && !self->segment)
    denoise_report_loss (report, "%u frames at the start of %s, before a "
        "key frame", self->n_early, track->name);
  if (self->n_of_start > 0 && !self->segment)
    denoise_report_note (report, "%s: %u frames at the start have "
        "references that are not in the file", track->name, self->n_of_start);
  if (self->n_doubts > 0) {
    g_autofree gchar *last = denoise_log_dup_last (DENOISE_LOG_DECODER);

    denoise_report_note (report, "%s: the decoder reports %u doubtful "
        "frames (%s). Check them", track->name, self->n_doubts, last);
  }
}
