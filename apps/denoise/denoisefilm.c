/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *   input (denoiseinput.h) ─ packets ─ tracks (denoisetrack.h) ─ packets
 *       ─ output (denoiseoutput.h)
 *
 * A track copies its packets or converts them for the container
 * (denoisetrack.h), or decodes, filters and encodes them (denoisevideo.h). */
#include "denoisefilm.h"

#include "denoiseframes.h"
#include "denoiseinput.h"
#include "denoiseoutput.h"
#include "denoiseparts.h"
#include "denoisepipeline.h"
#include "denoisereport.h"
#include "denoisetrack.h"
#include "denoisevideo.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <libavutil/avstring.h>

/* Interval of progress updates, in microseconds. */
#define TICK (G_USEC_PER_SEC / 4)
/* Timestamps of a container have milliseconds. This is in microseconds. */
#define ROUNDING 1000
/* Number of frames that the filter gets before a preview in addition to its
 * lead, if the frames are not indexed. */
#define SPARE_FRAMES 16
/* Packets with equal times are within this many microseconds of a file. */
#define MAX_INTERLEAVE (10 * AV_TIME_BASE)
/* A video of at least LONG_FILM is written in parts of PART_LENGTH, in
 * microseconds, if its container is SEEKABLE: it has an index, or it is a
 * transport stream. */
#define LONG_FILM (G_GINT64_CONSTANT (150) * AV_TIME_BASE)
#define PART_LENGTH (G_GINT64_CONSTANT (60) * AV_TIME_BASE)
#define SEEKABLE "matroska,mov,mpegts"
#define LOSSES_SUFFIX ".losses"
/* In levels of 8 bits. Weaker noise is invisible. */
#define LEAST_NOISE 0.5

/* State shared by the parts of a video. */
typedef struct
{
  FILE *terminal;
  DenoiseProgress progress;
  gdouble most_noise;           /* maximum over all ticks */
  enum AVFieldOrder field_order;        /* of the first video, or UNKNOWN */
  GPtrArray *losses;            /* losses of the parts, or NULL */
  gchar *reason;                /* why the video has no parts, or NULL */
} Session;

typedef struct
{
  const DenoiseOptions *options;
  Session *session;
  DenoiseReport report;
  DenoiseInput input;
  DenoiseOutput output;
  DenoiseStudio studio;
  DenoiseSegment segment;       /* of a part, or of a preview */
  /* Range of a preview, in microseconds of the input, or the whole video. */
  gint64 range_start;
  gint64 range_end;
  gboolean *is_past;            /* by stream: a packet after the range was
                                 * read */
  gboolean is_cut;              /* the rest of the input was skipped */
  DenoiseTrack **tracks;        /* by stream of the input. NULL: not kept */
  guint n_of_kind[AVMEDIA_TYPE_NB];
  guint n_kept[AVMEDIA_TYPE_NB];
  gint64 next_tick;
} Film;

/* Returns the position of the slowest video, from the start of the output, in
 * microseconds, and sets @n_frames to the frames of all videos. */
static gint64
get_position (Film * film, guint64 * n_frames)
{
  gint64 position = AV_NOPTS_VALUE;

  *n_frames = 0;
  for (guint i = 0; i < film->input.n_streams; i++) {
    gint64 own;

    if (!film->tracks[i] || film->tracks[i]->class != &denoise_video_class)
      continue;
    *n_frames += denoise_video_get_position (film->tracks[i], &own);
    if (position == AV_NOPTS_VALUE || own < position)
      position = own;
  }
  if (position == AV_NOPTS_VALUE)
    return position;
  return position + (film->range_start != -G_MAXINT64 ? -film->range_start
      : film->input.offset);
}

/* Returns the noise of the first video, or -1, and keeps the maximum. It
 * changes slowly, because it is a mean over frames. */
static gdouble
get_noise (Film * film)
{
  gdouble noise = -1.0;

  for (guint i = 0; i < film->input.n_streams; i++) {
    if (film->tracks[i] && film->tracks[i]->filter) {
      noise = denoise_filter_get_noise (film->tracks[i]->filter);
      break;
    }
  }
  film->session->most_noise = MAX (film->session->most_noise, noise);
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
  const gint64 position = get_position (film, &n_frames);
  /* Joining parts takes seconds. */
  if (!film->options->parts)
    denoise_progress_show (&film->session->progress, position, duration,
        n_frames, get_noise (film));
  /* GStreamer reports here that it cannot start a thread. */
  g_autofree gchar *error = denoise_report_dup_error (&film->report);
  return !error;
}

/* Returns whether too little is known of a stream to write it: it is declared,
 * but has no data at the start of the file. Some files have no timestamps. */
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

/* Returns whether a stream is a cover. Pictures of chapters are no covers. */
static gboolean
is_cover (const AVStream * stream)
{
  return stream->disposition & AV_DISPOSITION_ATTACHED_PIC
      && !(stream->disposition & AV_DISPOSITION_TIMED_THUMBNAILS);
}

/* Returns the track class of a stream, or NULL if the container cannot hold
 * it. */
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

/* Returns why a supported stream is omitted, or NULL. Only the first video has
 * a range, and y4m has one video. */
static const gchar *
find_reason (const Film * film, guint index)
{
  const AVStream *stream = film->input.format->streams[index];

  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || is_cover (stream)
      || (gint) index == denoise_input_find_video (&film->input))
    return NULL;
  return film->options->container == DENOISE_CONTAINER_Y4M
      ? ", because y4m has one video" :
      denoise_options_have_range (film->options)
      ? ", because a preview has one video" : NULL;
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
  /* The demuxer converts some data to chapters, or to the timecode of a
   * video. */
  const gboolean is_elsewhere =
      stream->codecpar->codec_type == AVMEDIA_TYPE_DATA
      && (stream->discard >= AVDISCARD_ALL
      || stream->codecpar->codec_tag == MKTAG ('t', 'm', 'c', 'd'));
  stream->discard = AVDISCARD_ALL;
  if (!is_elsewhere) {
    g_autofree gchar *name = denoise_track_dup_name (stream, number);

    denoise_report_loss (&film->report, "%s%s", name, reason ? reason : "");
    film->input.is_partly_read = TRUE;
  }
  return TRUE;
}

/* Returns whether there is a video to filter. */
static gboolean
has_video (Film * film)
{
  const AVFormatContext *format = film->input.format;
  const gint video = denoise_input_find_video (&film->input);
  gboolean has_sound = FALSE;

  if (video >= 0 && format->streams[video]->codecpar->width > 0)
    return TRUE;
  if (video >= 0) {
    denoise_report_error (&film->report, "cannot decode the video%s",
        format->streams[video]->codecpar->codec_id == AV_CODEC_ID_WEBP
        ? ": this FFmpeg does not support animated WebP. Convert it to "
        "another format first" : "");
    return FALSE;
  }
  for (guint i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];

    has_sound |= stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  }
  denoise_report_error (&film->report, has_sound
      ? "the file has audio but no video" : "the file has no video");
  return FALSE;
}

/* Seeks to the first frame of a part. */
static gboolean
go_to_segment (Film * film, guint n_before)
{
  film->segment = film->options->segment;
  film->studio.segment = &film->segment;
  if (denoise_input_seek (&film->input, &film->segment, n_before))
    return TRUE;
  film->report.is_partless = TRUE;
  denoise_report_error (&film->report, "the file has no index for seeking "
      "to a part");
  return FALSE;
}

/* Seeks to the first frame of a preview: to a key frame or, if the input has no
 * index, to its start. */
static gboolean
go_to_range (Film * film, guint n_before)
{
  const AVFormatContext *format = film->input.format;
  const AVStream *stream =
      format->streams[denoise_input_find_video (&film->input)];
  const gint64 first = format->start_time == AV_NOPTS_VALUE
      ? 0 : format->start_time;
  const DenoiseOptions *options = film->options;
  DenoiseSegment *segment = &film->segment;

  if (film->input.duration != AV_NOPTS_VALUE && !film->input.is_estimate
      && options->start >= film->input.duration) {
    denoise_report_error (&film->report, "--start: the video ends after "
        "%.1f seconds", film->input.duration / 1e6);
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
      && !denoise_input_seek (&film->input, segment, n_before)) {
    denoise_report_error (&film->report, "--start: cannot seek in this "
        "file. Create one with an index first: ffmpeg -i INPUT -map 0 -c "
        "copy film.mkv");
    return FALSE;
  }
  /* Frames from the start on are decoded, but not filtered. */
  if (segment->lead == -G_MAXINT64)
    segment->lead = segment->first - (n_before + SPARE_FRAMES) * MAX (1,
        av_rescale_q (1, av_inv_q (denoise_frames_get_rate (stream)),
            stream->time_base));
  return TRUE;
}

static gboolean
open_film (Film * film, gint part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) filter = NULL;
  guint n_before;

  if (!denoise_input_open (&film->input, film->options, &film->report)
      || !has_video (film))
    return FALSE;
  filter = denoise_filter_create (film->options, &error);
  if (!filter) {
    denoise_report_error (&film->report, "%s", error->message);
    return FALSE;
  }
  denoise_filter_get_reach (filter, &n_before, &film->studio.n_behind);
  film->studio.keeps_size = denoise_filter_is_own (filter);
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
  if (denoise_input_is_cropped (&film->input))
    denoise_report_loss (&film->report, "the crop of a video: the output "
        "shows the whole frame");
  film->tracks = g_new0 (DenoiseTrack *, film->input.n_streams);
  film->is_past = g_new0 (gboolean, film->input.n_streams);
  for (guint i = 0; i < film->input.n_streams; i++) {
    if (!add_track (film, i))
      return FALSE;
  }
  return film->options->container == DENOISE_CONTAINER_PART
      || denoise_output_copy_film (&film->output, film->input.format);
}

/* Returns whether a copied packet belongs to the written range. Shortens a
 * packet that begins earlier. */
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

/* Returns whether no packet after one with the time @time, in microseconds of
 * the input, is needed. */
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
      going_on = track->class->feed (track, packet);
    av_packet_unref (packet);
    going_on = going_on && tick (film);
    if (has_range && is_range_complete (film, time)) {
      film->is_cut = TRUE;
      break;
    }
  }
  av_packet_free (&packet);
  for (guint i = 0; going_on && i < film->input.n_streams; i++)
    going_on = !film->tracks[i]
        || film->tracks[i]->class->feed (film->tracks[i], NULL);
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
      denoise_filter_note_stats (track->filter, &film->report);
    } else if (track && track->n_damaged > 0) {
      denoise_report_loss (&film->report, "%" G_GUINT64_FORMAT
          " damaged packets of %s", track->n_damaged, track->name);
    }
  }
  /* Parts form a video only when they are joined. */
  if (!film->options->parts)
    get_noise (film);
  if (film->options->measures_noise
      && (!film->options->parts || film->session->losses)
      && film->options->container != DENOISE_CONTAINER_PART
      && film->session->most_noise < LEAST_NOISE)
    denoise_report_note (&film->report,
        "No noise found. Use --noise 5 to set it by hand");
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (film->n_kept[kinds[i].type] > 0)
      denoise_report_note (&film->report, "%u of %u tracks of %s",
          film->n_kept[kinds[i].type], film->n_of_kind[kinds[i].type],
          kinds[i].name);
  }
}

/* Writes the file. Returns whether it can be written. The report may have the
 * reason. */
static gboolean
write_film (Film * film, gint part)
{
  if (!open_film (film, part) || !feed_tracks (film))
    return FALSE;
  /* The join checks that the parts are complete. */
  if (film->options->container != DENOISE_CONTAINER_PART && !film->is_cut)
    denoise_input_check (&film->input);
  report_tracks (film);
  if (film->range_start == -G_MAXINT64
      && film->output.offset - film->input.offset > ROUNDING)
    denoise_report_note (&film->report, "All timestamps are shifted by %.0f "
        "ms: a track begins before the video",
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

/* Prints the result, and the losses of all parts. */
static void
print_result (Film * film)
{
  Session *session = film->session;
  const gdouble seconds = denoise_progress_end (&session->progress);
  g_autofree gchar *error = denoise_report_dup_error (&film->report);
  guint64 n_frames;

  if (error) {
    const gboolean is_file = film->options->container != DENOISE_CONTAINER_Y4M;

    fprintf (session->terminal, "glopencl-denoise: %s: %s (%s %s)\n",
        denoise_options_name_input (film->options), error,
        is_file ? film->options->output : "standard output",
        is_file ? "was not written" : "is incomplete");
    return;
  }
  get_position (film, &n_frames);
  if (session->losses)
    n_frames = session->progress.frames_before;
  fprintf (session->terminal, "%" G_GUINT64_FORMAT " frames in %.1f s, %.1f "
      "frames/s\n", n_frames, seconds, n_frames / seconds);
  if (session->reason)
    fprintf (session->terminal, "Filtered as a whole, without parts: %s\n",
        session->reason);
  for (guint i = 0; session->losses && i < session->losses->len; i++)
    denoise_report_loss (&film->report, "%s",
        (gchar *) session->losses->pdata[i]);
  denoise_report_print (&film->report, session->terminal);
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

/* Writes a file with the losses of a part, one per line, after the noise,
 * because another run of the program may join it. */
static gboolean
record_losses (Film * film, const gchar * name)
{
  g_autoptr (GString) text = g_string_new ("");
  gchar noise[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text, "%s\n", g_ascii_dtostr (noise, sizeof (noise),
          film->session->most_noise));
  for (guint i = 0; i < film->report.losses->len; i++)
    g_string_append_printf (text, "%s\n",
        (gchar *) film->report.losses->pdata[i]);
  if (!g_file_set_contents (name, text->str, text->len, &error))
    denoise_report_error (&film->report, "%s", error->message);
  return !error;
}

/* Writes the output of @options to @part. @record: the file for the losses of a
 * part, or NULL to print the result. After a failure because the video cannot
 * be split into parts, sets the reason of @session. */
static gboolean
run (Session * session, const DenoiseOptions * options, gint part,
    const gchar * record)
{
  Film *film = g_new0 (Film, 1);
  guint64 n_frames;

  film->options = options;
  film->session = session;
  film->range_start = -G_MAXINT64;
  film->range_end = G_MAXINT64;
  film->studio.options = options;
  film->studio.report = &film->report;
  film->studio.output = &film->output;
  film->studio.field_order = session->field_order;
  film->studio.tick = tick;
  film->studio.user_data = film;
  denoise_report_init (&film->report);
  denoise_report_watch_log (&film->report);
  /* The first error is kept. A failure without an error is due to missing
   * memory. */
  if (!write_film (film, part))
    denoise_report_error (&film->report, "not enough memory");
  if (record && !film->report.error)
    record_losses (film, record);
  if (film->report.error && film->report.is_partless
      && (record || session->losses)) {
    session->reason = denoise_report_dup_error (&film->report);
    denoise_report_watch_log (NULL);
    return FALSE;
  }
  if (film->report.error || !record)
    print_result (film);
  if (film->report.error)
    /* After a failure, for instance of memory allocation, threads may never
     * stop. They use the film until the process ends, which is now. */
    return FALSE;
  get_position (film, &n_frames);
  denoise_progress_end_part (&session->progress, n_frames);
  clear_film (film);
  return TRUE;
}

/* Returns the boundaries of the parts, or an empty array if the video is
 * written as a whole: because it is short, has no index, or because a result of
 * its filter may depend on all previous frames, such as that of a kernel that
 * reads the frame number. Sets @filter_text to the description of the filter.
 * The caller frees both. */
static GArray *
plan_parts (const DenoiseOptions * options, gchar ** filter_text)
{
  GArray *segments = g_array_new (FALSE, FALSE, sizeof (DenoiseSegment));
  DenoiseReport report;
  DenoiseInput input = { 0 };
  g_autoptr (GstElement) filter = NULL;

  if (options->container == DENOISE_CONTAINER_Y4M
      || options->container == DENOISE_CONTAINER_PART || options->parts
      || options->compare || denoise_options_have_range (options)
      || g_str_equal (options->input, DENOISE_PIPE))
    return segments;
  denoise_report_init (&report);
  filter = denoise_filter_create (options, NULL);
  if (filter && denoise_filter_is_own (filter)
      && !strstr (options->filter, "kernel")
      && denoise_input_open (&input, options, &report)
      && av_match_list (input.format->iformat->name, SEEKABLE, ',')
      && input.duration != AV_NOPTS_VALUE && (!input.is_estimate
          || input.format->iformat->flags & AVFMT_TS_DISCONT)
      && denoise_input_find_video (&input) >= 0) {
    const AVStream *video =
        input.format->streams[denoise_input_find_video (&input)];
    const gint64 start = video->start_time == AV_NOPTS_VALUE
        ? 0 : video->start_time;
    const gint64 n = input.duration < LONG_FILM ? 0
        : input.duration / PART_LENGTH;
    DenoiseSegment segment = {.first = -G_MAXINT64 };

    for (gint64 i = 1; i <= n; i++) {
      segment.end = i == n ? G_MAXINT64 : start + av_rescale_q (i * PART_LENGTH,
          AV_TIME_BASE_Q, video->time_base);
      g_array_append_val (segments, segment);
      segment.first = segment.end;
    }
    *filter_text = denoise_filter_describe (filter);
  }
  denoise_input_clear (&input);
  denoise_report_clear (&report);
  return segments;
}

/* Writes a part, unless it exists. */
static gboolean
write_part (Session * session, const DenoiseOptions * options,
    const DenoiseSegment * segment, const gchar * name)
{
  DenoiseOptions one = *options;
  g_autofree gchar *record = g_strconcat (name, LOSSES_SUFFIX, NULL);
  g_autofree gchar *unfinished = g_strconcat (name, ".unfinished", NULL);
  gboolean written;
  gint fd;

  if (g_file_test (record, G_FILE_TEST_EXISTS) && denoise_parts_is_sound (name))
    return TRUE;
  fd = g_open (unfinished, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) {
    fprintf (session->terminal, "glopencl-denoise: %s: %s\n", unfinished,
        g_strerror (errno));
    return FALSE;
  }
  one.container = DENOISE_CONTAINER_PART;
  one.segment = *segment;
  written = run (session, &one, fd, record);
  close (fd);
  if (written && g_rename (unfinished, name) != 0) {
    fprintf (session->terminal, "glopencl-denoise: %s: %s\n", name,
        g_strerror (errno));
    written = FALSE;
  }
  return written;
}

/* Reads the losses of a part, and its noise. */
static void
read_losses (Session * session, const gchar * name)
{
  g_autofree gchar *record = g_strconcat (name, LOSSES_SUFFIX, NULL);
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (record, &text, NULL, NULL))
    return;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  session->most_noise = MAX (session->most_noise,
      lines[0] ? g_ascii_strtod (lines[0], NULL) : 0.0);
  for (guint i = 1; lines[0] && lines[i]; i++) {
    if (*lines[i])
      g_ptr_array_add (session->losses, g_strdup (lines[i]));
  }
}

/* Writes a video in parts, and joins them. Resumes an interrupted run at its
 * current part. */
static gboolean
write_in_parts (Session * session, const DenoiseOptions * options,
    const gchar * folder, const GArray * segments, gint part)
{
  DenoiseOptions join = *options;
  g_auto (GStrv) names = g_new0 (gchar *, segments->len + 1);
  gint64 bytes;
  const guint n_done = denoise_parts_measure (folder, &bytes);
  gboolean written = TRUE;

  if (n_done > 0)
    fprintf (session->terminal, "Resuming after %u of %u parts, in %s\n",
        n_done, segments->len, folder);
  else
    fprintf (session->terminal, "Writing %u parts to %s, which need as much "
        "disk space as the output. Run the same command to resume after an "
        "interrupt\n", segments->len, folder);
  for (guint i = 0; written && i < segments->len; i++) {
    names[i] = g_strdup_printf ("%s/%05u.nut", folder, i);
    written = write_part (session, options,
        &g_array_index (segments, DenoiseSegment, i), names[i]);
  }
  if (!written)
    return FALSE;
  for (guint i = 0; i < segments->len; i++)
    read_losses (session, names[i]);
  join.parts = names;
  return run (session, &join, part, NULL);
}

/* Returns the field order of the video, which the encoder needs before the
 * first frame. Returns AV_FIELD_UNKNOWN if it is unknown, if the codec has no
 * fields, or if the output is only a part of the video. */
static enum AVFieldOrder
find_fields (const DenoiseOptions * options, FILE * terminal)
{
  g_autoptr (GstElement) filter = NULL;

  if (options->container == DENOISE_CONTAINER_PART || options->parts
      || options->container == DENOISE_CONTAINER_WEBM
      || options->deinterlace || denoise_options_have_range (options)
      || g_str_equal (options->input, DENOISE_PIPE)
      || (options->codec && strcmp (options->codec, "h264") != 0
          && strcmp (options->codec, "ffv1") != 0))
    return AV_FIELD_UNKNOWN;
  /* Reports an invalid filter immediately. */
  filter = denoise_filter_create (options, NULL);
  return filter ? denoise_input_find_fields (options, terminal)
      : AV_FIELD_UNKNOWN;
}

gboolean
denoise_film_write (const DenoiseOptions * options, gint part, FILE * terminal)
{
  Session session = {.terminal = terminal };
  g_autofree gchar *folder = NULL;
  g_autofree gchar *filter_text = NULL;
  g_autoptr (GArray) segments = NULL;
  gboolean written = FALSE;
  gint lock = -1;

  denoise_log_start ();
  denoise_progress_start (&session.progress, terminal);
  session.field_order = find_fields (options, terminal);
  segments = plan_parts (options, &filter_text);
  if (segments->len > 0) {
    if (options->restart)
      denoise_parts_remove (options);
    folder = denoise_parts_name_folder (options);
    lock = denoise_parts_lock (folder);
  }
  if (lock >= 0) {
    denoise_parts_check_filter (folder, lock, filter_text);
    session.losses = g_ptr_array_new_with_free_func (g_free);
    written = write_in_parts (&session, options, folder, segments, part);
    g_clear_pointer (&session.losses, g_ptr_array_unref);
  }
  /* Without a reason, parts are not the cause of the failure. */
  if (lock < 0 || (!written && session.reason))
    written = (!session.reason || ftruncate (part, 0) == 0)
        && run (&session, options, part, NULL);
  if (lock >= 0)
    close (lock);
  g_free (session.reason);
  return written;
}
