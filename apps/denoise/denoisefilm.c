/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *   input (denoiseinput.h) ─ packets ─ tracks (denoisetrack.h) ─ packets
 *       ─ output (denoiseoutput.h)
 *
 * A track copies its packets (denoisecopy.h), or decodes, filters and encodes
 * them (denoisevideo.h), or makes what the container can hold of them
 * (denoisesound.h, denoisesubtitles.h). */
#include "denoisefilm.h"

#include "denoisecopy.h"
#include "denoisecrop.h"
#include "denoisefilter.h"
#include "denoiseframes.h"
#include "denoiseinput.h"
#include "denoiselog.h"
#include "denoiseoutput.h"
#include "denoiseparts.h"
#include "denoiseprogress.h"
#include "denoisereport.h"
#include "denoisesound.h"
#include "denoisesubtitles.h"
#include "denoiseverify.h"
#include "denoisevideo.h"

#include <errno.h>

/* The film is shown to be at work so often, in microseconds. */
#define TICK (G_USEC_PER_SEC / 4)
/* A container has milliseconds; this is in microseconds. */
#define ROUNDING 1000
/* The filter gets so many frames more before a preview than it needs, where the
 * frames are not known. */
#define SPARE_FRAMES 16
/* Packets of one time are within so many microseconds of a file. */
#define MAX_INTERLEAVE (10 * AV_TIME_BASE)
/* In levels of 8 bits: less is not seen. */
#define LEAST_NOISE 0.5

typedef struct
{
  const DenoiseOptions *options;
  DenoiseReport report;
  DenoiseProgress progress;
  DenoiseInput input;
  DenoiseOutput output;
  DenoiseStudio studio;
  DenoiseSegment segment;       /* of a part, or of a preview */
  /* The range of a preview, in microseconds of the input; all of the film
   * otherwise. */
  gint64 range_start;
  gint64 range_end;
  gboolean *is_past;            /* by stream: a packet came from after it */
  gboolean is_cut;              /* the rest of the input was not read */
  DenoiseTrack **tracks;        /* by stream of the input; NULL: not kept */
  guint n_of_kind[AVMEDIA_TYPE_NB];
  guint n_kept[AVMEDIA_TYPE_NB];
  gint64 next_tick;
  gdouble most_noise;           /* of those that ticks have seen */
} Film;

/* Where the video that is behind is, with the frames of all videos. */
static GstClockTime
get_position (Film * film, guint64 * n_frames)
{
  GstClockTime position = GST_CLOCK_TIME_NONE;

  *n_frames = 0;
  for (guint i = 0; i < film->input.n_streams; i++) {
    GstClockTime own;

    if (!film->tracks[i] || film->tracks[i]->class != &denoise_video_class)
      continue;
    *n_frames += denoise_video_get_position (film->tracks[i], &own);
    /* NONE is the largest number. */
    position = MIN (position, own);
  }
  return position;
}

/* Returns the noise of the first video, or -1, and keeps the most there was. It
 * changes slowly, since it is a mean over frames. */
static gdouble
get_noise (Film * film)
{
  gdouble noise = -1.0;

  for (guint i = 0; i < film->input.n_streams; i++) {
    GstElement *filter = film->tracks[i]
        && film->tracks[i]->class == &denoise_video_class
        ? denoise_video_get_filter (film->tracks[i]) : NULL;

    if (filter) {
      noise = denoise_filter_get_noise (filter);
      break;
    }
  }
  film->most_noise = MAX (film->most_noise, noise);
  return noise;
}

static gboolean
tick (gpointer user_data)
{
  Film *film = user_data;
  const gint64 now = g_get_monotonic_time ();
  guint64 n_frames;

  if (now < film->next_tick)
    return TRUE;
  film->next_tick = now + TICK;

  const gint64 length = film->input.duration;
  const gint64 duration = length == AV_NOPTS_VALUE
      ? film->options->duration == G_MAXINT64 ? length : film->options->duration
      : MIN (length - film->options->start, film->options->duration);
  const GstClockTime position = get_position (film, &n_frames);
  denoise_progress_show (&film->progress, position,
      duration == AV_NOPTS_VALUE ? GST_CLOCK_TIME_NONE
      : (GstClockTime) duration * GST_USECOND, n_frames, get_noise (film));
  /* GStreamer says here that it cannot start a thread. */
  g_autofree gchar *error = denoise_report_dup_error (&film->report);
  return !error;
}

/* Whether the demuxer has made something else of a stream's data: chapters,
 * and the timecode of a video. */
static gboolean
is_elsewhere (const AVStream * stream)
{
  return stream->codecpar->codec_type == AVMEDIA_TYPE_DATA
      && (stream->discard >= AVDISCARD_ALL
      || stream->codecpar->codec_tag == MKTAG ('t', 'm', 'c', 'd'));
}

/* Whether too little is known of a stream to write it: it is announced, but has
 * no data where the film begins. Some films have no times at all. */
static gboolean
is_empty (const AVStream * stream, guint number)
{
  const AVCodecParameters *parameters = stream->codecpar;

  switch (parameters->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
      return parameters->width <= 0
          || (number > 1 && stream->start_time == AV_NOPTS_VALUE);
    case AVMEDIA_TYPE_AUDIO:
      return parameters->sample_rate <= 0;
    case AVMEDIA_TYPE_SUBTITLE:
      return parameters->codec_id == AV_CODEC_ID_NONE;
    default:
      return FALSE;
  }
}

/* A picture of the film. Pictures of chapters are no covers. */
static gboolean
is_cover (const AVStream * stream)
{
  return stream->disposition & AV_DISPOSITION_ATTACHED_PIC
      && !(stream->disposition & AV_DISPOSITION_TIMED_THUMBNAILS);
}

/* Returns how a stream is written, or NULL if the container cannot hold it. */
static const DenoiseTrackClass *
choose_class (const Film * film, const AVStream * stream)
{
  const AVCodecParameters *parameters = stream->codecpar;
  const DenoiseContainer container = film->options->container;
  const gboolean is_matroska = container == DENOISE_CONTAINER_MATROSKA;
  const gboolean is_held =
      denoise_output_holds (&film->output, parameters->codec_id);

  if (is_cover (stream))
    return is_matroska ? &denoise_cover_class
        : container == DENOISE_CONTAINER_MP4 ? &denoise_copy_class : NULL;
  if (stream->disposition & AV_DISPOSITION_ATTACHED_PIC)
    return NULL;
  if (parameters->codec_type == AVMEDIA_TYPE_VIDEO)
    return &denoise_video_class;
  if (container == DENOISE_CONTAINER_Y4M)
    return NULL;
  switch (parameters->codec_type) {
    case AVMEDIA_TYPE_AUDIO:
      return is_held ? &denoise_copy_class : &denoise_sound_class;
    case AVMEDIA_TYPE_SUBTITLE:
      return is_held ? &denoise_copy_class
          : denoise_subtitles_are_text (parameters->codec_id)
          ? &denoise_subtitles_class : NULL;
    case AVMEDIA_TYPE_ATTACHMENT:
      return is_matroska ? &denoise_copy_class : NULL;
    case AVMEDIA_TYPE_DATA:
      return denoise_output_holds_data (&film->output, parameters)
          ? &denoise_copy_class : NULL;
    default:
      return NULL;
  }
}

/* Why a stream that the container holds is left out, or NULL: only the first
 * video has a range, and y4m has one video. */
static const gchar *
find_reason (const Film * film, guint index)
{
  const AVStream *stream = film->input.format->streams[index];

  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || is_cover (stream)
      || (gint) index == denoise_input_find_video (&film->input))
    return NULL;
  return film->options->container == DENOISE_CONTAINER_Y4M
      ? ", as y4m has one video" : denoise_options_have_range (film->options)
      ? ", as a preview has one video" : NULL;
}

static gboolean
add_track (Film * film, guint index)
{
  AVStream *stream = film->input.format->streams[index];

  /* A part has the first video only. */
  if (film->options->container == DENOISE_CONTAINER_PART
      && (gint) index != denoise_input_find_video (&film->input)) {
    stream->discard = AVDISCARD_ALL;
    return TRUE;
  }
  const gint type = stream->codecpar->codec_type < 0 ? AVMEDIA_TYPE_DATA
      : stream->codecpar->codec_type;
  const gboolean is_counted = !is_cover (stream);
  const guint number = is_counted ? ++film->n_of_kind[type] : 1;
  const gchar *reason = is_empty (stream, number) ? ", which has no data"
      : find_reason (film, index);
  const DenoiseTrackClass *class = reason ? NULL : choose_class (film, stream);

  if (class) {
    film->tracks[index] =
        denoise_track_new (class, &film->studio, stream, number);
    film->n_kept[type] += is_counted;
    return film->tracks[index] != NULL;
  }
  const gboolean is_lost = !is_elsewhere (stream);
  stream->discard = AVDISCARD_ALL;
  if (is_lost) {
    g_autofree gchar *name = denoise_track_dup_name (stream, number);

    denoise_report_loss (&film->report, "%s%s", name, reason ? reason : "");
    film->input.is_partly_read = TRUE;
  }
  return TRUE;
}

/* Without a video there is nothing to filter. */
static gboolean
has_video (Film * film)
{
  const AVFormatContext *format = film->input.format;
  const gint video = denoise_input_find_video (&film->input);
  gboolean has_sound = FALSE;

  if (video >= 0 && format->streams[video]->codecpar->width > 0)
    return TRUE;
  if (video >= 0) {
    denoise_report_error (&film->report, "its video cannot be decoded%s",
        format->streams[video]->codecpar->codec_id == AV_CODEC_ID_WEBP
        ? ": this FFmpeg does not support animated WebP; convert it to another "
        "format first" : "");
    return FALSE;
  }
  for (guint i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];

    has_sound |= stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  }
  denoise_report_error (&film->report, has_sound
      ? "there is sound but no video in it" : "there is no video in it");
  return FALSE;
}

/* Goes to where the frames of a part begin. */
static gboolean
go_to_segment (Film * film, guint n_before)
{
  film->segment = film->options->segment;
  film->studio.segment = &film->segment;
  if (denoise_segment_seek (&film->segment, film->input.format,
          denoise_input_find_video (&film->input), n_before))
    return TRUE;
  denoise_report_error (&film->report, "it has no index to find a part with");
  return FALSE;
}

/* Goes to where the frames of a preview begin: to a key frame or, where the
 * input has no index, to its start. */
static gboolean
go_to_range (Film * film, guint n_before)
{
  const gint video = denoise_input_find_video (&film->input);
  AVFormatContext *format = film->input.format;
  const AVStream *stream = format->streams[video];
  const gint64 first = format->start_time == AV_NOPTS_VALUE
      ? 0 : format->start_time;
  const DenoiseOptions *options = film->options;
  DenoiseSegment *segment = &film->segment;

  if (film->input.duration != AV_NOPTS_VALUE && !film->input.is_estimate
      && options->start >= film->input.duration) {
    denoise_report_error (&film->report, "--start: the film ends after %.1f "
        "seconds", film->input.duration / 1e6);
    return FALSE;
  }
  segment->key = AV_NOPTS_VALUE;
  segment->first = segment->lead = -G_MAXINT64;
  segment->end = G_MAXINT64;
  film->studio.segment = segment;
  if (options->duration != G_MAXINT64) {
    film->range_end = first + options->start + options->duration;
    segment->end = av_rescale_q (film->range_end, AV_TIME_BASE_Q,
        stream->time_base);
  }
  if (options->start == 0)
    return TRUE;
  film->range_start = first + options->start;
  segment->first = av_rescale_q (film->range_start, AV_TIME_BASE_Q,
      stream->time_base);
  if (format->pb && format->pb->seekable
      && !denoise_segment_seek (segment, format, video, n_before)) {
    denoise_report_error (&film->report, "--start: nothing can be found in "
        "this film; ffmpeg -i INPUT -map 0 -c copy film.mkv makes one with an "
        "index");
    return FALSE;
  }
  /* Each frame from the start on is decoded, but not filtered. */
  if (segment->lead == -G_MAXINT64)
    segment->lead = segment->first - (n_before + SPARE_FRAMES) * MAX (1,
        av_rescale_q (1, av_inv_q (denoise_frames_get_rate (stream)),
            stream->time_base));
  return TRUE;
}

/* Tries the filter, and finds out what it reads of other frames. */
static gboolean
try_filter (Film * film, guint * n_before)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) filter = denoise_filter_create (film->options, &error);

  if (!filter) {
    denoise_report_error (&film->report, "%s", error->message);
    return FALSE;
  }
  denoise_filter_get_reach (filter, n_before, &film->studio.n_behind);
  film->studio.keeps_size = denoise_filter_is_own (filter);
  return TRUE;
}

static gboolean
open_film (Film * film, gint part)
{
  guint n_before;

  if (!denoise_input_open (&film->input, film->options, &film->report)
      || !has_video (film) || !try_filter (film, &n_before))
    return FALSE;
  if (film->options->container == DENOISE_CONTAINER_PART
      ? !go_to_segment (film, n_before)
      : denoise_options_have_range (film->options)
      && !go_to_range (film, n_before))
    return FALSE;
  if (!denoise_output_open (&film->output, film->options, part, &film->report))
    return FALSE;
  if (film->options->container == DENOISE_CONTAINER_PART) {
    denoise_parts_tag (film->output.format, &film->options->segment);
    denoise_parts_reserve_seal (film->output.format->pb);
  } else if (film->range_start == -G_MAXINT64) {
    film->output.offset = film->input.offset;
  } else {
    film->output.offset = -film->range_start;
  }
  if (denoise_crop_is_in (film->options->input,
          film->input.format->iformat->name))
    denoise_report_loss (&film->report, "the crop of a video: the output shows "
        "the whole frame");
  film->tracks = g_new0 (DenoiseTrack *, film->input.n_streams);
  film->is_past = g_new0 (gboolean, film->input.n_streams);
  for (guint i = 0; i < film->input.n_streams; i++) {
    if (!add_track (film, i))
      return FALSE;
  }
  return film->options->container == DENOISE_CONTAINER_PART
      || denoise_output_copy_film (&film->output, film->input.format);
}

/* Whether a packet that is copied belongs to the range that is written. Cuts
 * what is shown from before on. */
static gboolean
is_in_range (Film * film, AVPacket * packet)
{
  const AVRational unit = film->input.format->streams
      [packet->stream_index]->time_base;
  const gint64 time = packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;

  if (time == AV_NOPTS_VALUE)
    return TRUE;
  if (av_compare_ts (time, unit, film->range_end, AV_TIME_BASE_Q) >= 0) {
    film->is_past[packet->stream_index] = TRUE;
    return FALSE;
  }
  if (film->range_start == -G_MAXINT64
      || av_compare_ts (time, unit, film->range_start, AV_TIME_BASE_Q) >= 0)
    return TRUE;
  if (film->input.format->streams[packet->stream_index]->codecpar->codec_type
      != AVMEDIA_TYPE_SUBTITLE || av_compare_ts (time + packet->duration, unit,
          film->range_start, AV_TIME_BASE_Q) <= 0)
    return FALSE;
  packet->duration += packet->pts;
  packet->pts = packet->dts =
      av_rescale_q (film->range_start, AV_TIME_BASE_Q, unit);
  packet->duration -= packet->pts;
  return TRUE;
}

/* Whether no packet is needed that comes after one with the time @time, in
 * microseconds of the input. */
static gboolean
is_range_complete (const Film * film, gint64 time)
{
  for (guint i = 0; i < film->input.n_streams; i++) {
    const DenoiseTrack *track = film->tracks[i];

    if (!track)
      continue;
    if (track->class == &denoise_video_class) {
      if (!denoise_video_is_complete (track))
        return FALSE;
    } else if (track->stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO
        && !film->is_past[i]
        && time < film->range_end + MAX_INTERLEAVE) {
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
feed_tracks (Film * film)
{
  AVPacket *packet = av_packet_alloc ();
  const gboolean has_range = film->studio.segment != NULL;
  gboolean going_on = packet != NULL;

  while (going_on && denoise_input_read (&film->input, packet)) {
    DenoiseTrack *track = film->tracks[packet->stream_index];
    const gboolean is_video = track && track->class == &denoise_video_class;
    const gint64 time = packet->dts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE
        : av_rescale_q (packet->dts,
        film->input.format->streams[packet->stream_index]->time_base,
        AV_TIME_BASE_Q);

    if (track && (is_video ? !denoise_video_is_complete (track)
            : is_in_range (film, packet)))
      going_on = denoise_track_feed (track, packet);
    av_packet_unref (packet);
    going_on = going_on && tick (film);
    if (has_range && is_range_complete (film, time)) {
      film->is_cut = TRUE;
      break;
    }
  }
  av_packet_free (&packet);
  for (guint i = 0; going_on && i < film->input.n_streams; i++)
    going_on = !film->tracks[i] || denoise_track_feed (film->tracks[i], NULL);
  return going_on;
}

static void
report_tracks (Film * film)
{
  static const struct
  {
    enum AVMediaType type;
    const gchar *name;
  } kinds[] = {
    {AVMEDIA_TYPE_AUDIO, "sound"}, {AVMEDIA_TYPE_SUBTITLE, "subtitles"}
  };

  for (guint i = 0; i < film->input.n_streams; i++) {
    DenoiseTrack *track = film->tracks[i];

    if (track && track->class == &denoise_video_class) {
      denoise_video_check (track);
      denoise_filter_note_stats (denoise_video_get_filter (track),
          &film->report);
    } else if (track && track->n_damaged > 0) {
      denoise_report_loss (&film->report, "%" G_GUINT64_FORMAT " packets of "
          "%s that are damaged", track->n_damaged, track->name);
    }
  }
  /* What is filtered in parts is a film only when they are joined. */
  get_noise (film);
  if (film->options->measures_noise && !film->options->parts
      && film->options->container != DENOISE_CONTAINER_PART
      && film->most_noise < LEAST_NOISE)
    denoise_report_note (&film->report,
        "no noise found, --noise 5 sets it by hand");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (film->n_kept[kinds[i].type] > 0)
      denoise_report_note (&film->report, "%u of %u tracks of %s",
          film->n_kept[kinds[i].type], film->n_of_kind[kinds[i].type],
          kinds[i].name);
  }
}

/* Writes the film. Returns whether it can be written; the report may say why
 * not. */
static gboolean
write_film (Film * film, gint part)
{
  if (!open_film (film, part) || !feed_tracks (film))
    return FALSE;
  /* Whether all of the film is there is seen where it is joined. */
  if (film->options->container != DENOISE_CONTAINER_PART && !film->is_cut)
    denoise_input_check (&film->input);
  report_tracks (film);
  if (film->range_start == -G_MAXINT64
      && film->output.offset - film->input.offset > ROUNDING)
    denoise_report_note (&film->report, "All times are %.0f ms later: a track "
        "begins before the film",
        (film->output.offset - film->input.offset) / 1e3);
  if (film->report.error || !denoise_output_finish (&film->output))
    return FALSE;
  if (film->options->container == DENOISE_CONTAINER_PART
      && !denoise_parts_seal (part)) {
    denoise_report_error (&film->report, "%s", g_strerror (errno));
    return FALSE;
  }
  if (film->options->container != DENOISE_CONTAINER_Y4M)
    denoise_verify (&film->output, part, &film->report);
  return TRUE;
}

static void
print_result (Film * film, gdouble seconds, FILE * terminal)
{
  g_autofree gchar *error = denoise_report_dup_error (&film->report);
  guint64 n_frames;

  if (error) {
    const gboolean is_file = film->options->container != DENOISE_CONTAINER_Y4M;

    fprintf (terminal, "glopencl-denoise: %s: %s; %s %s\n",
        denoise_options_name_input (film->options), error,
        is_file ? film->options->output : "standard output",
        is_file ? "was not written" : "is incomplete");
    return;
  }
  get_position (film, &n_frames);
  fprintf (terminal, "%" G_GUINT64_FORMAT " frames in %.1f s, %.1f frames/s\n",
      n_frames, seconds, n_frames / seconds);
  denoise_report_print (&film->report, terminal);
}

static void
clear_film (Film * film)
{
  for (guint i = 0; i < film->input.n_streams; i++) {
    if (film->tracks[i])
      denoise_track_free (film->tracks[i]);
  }
  g_free (film->tracks);
  g_free (film->is_past);
  denoise_output_clear (&film->output);
  denoise_input_clear (&film->input);
  denoise_report_watch_log (NULL);
  denoise_report_clear (&film->report);
  g_free (film);
}

gboolean
denoise_film_write (const DenoiseOptions * options, gint part, FILE * terminal)
{
  Film *film = g_new0 (Film, 1);

  film->options = options;
  film->range_start = -G_MAXINT64;
  film->range_end = G_MAXINT64;
  film->studio.options = options;
  film->studio.report = &film->report;
  film->studio.output = &film->output;
  film->studio.tick = tick;
  film->studio.user_data = film;
  denoise_report_init (&film->report);
  denoise_report_watch_log (&film->report);
  denoise_log_start ();
  denoise_progress_start (&film->progress, terminal);
  /* The first error counts; what has failed without one had no memory. */
  if (!write_film (film, part))
    denoise_report_error (&film->report, "there is not enough memory");
  print_result (film, denoise_progress_end (&film->progress), terminal);
  if (film->report.error)
    /* What has failed, for want of memory, say, may never stop: its threads
     * keep the film until the process ends, which is now. */
    return FALSE;
  clear_film (film);
  return TRUE;
}
