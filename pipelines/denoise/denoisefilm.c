/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *   filesrc ! parsebin ! multiqueue ! tracks (denoisetrack.h) ! muxer ! fdsink
 *
 * parsebin shows all tracks before any track has data flow, so that the muxer
 * knows all tracks. The multiqueue grows until each track has some buffers,
 * because sound may begin long after the picture. */
#include "denoisefilm.h"

#include "denoisechecks.h"
#include "denoisefilter.h"
#include "denoisegl.h"
#include "denoiselink.h"
#include "denoiseprogress.h"
#include "denoisereport.h"
#include "denoisetags.h"
#include "denoisetrack.h"
#include "denoiseverify.h"

#include <gst/pbutils/pbutils.h>

#include <string.h>

#define TICK (GST_SECOND / 4)
/* Of a track while all have some: two seconds of usual sound. */
#define QUEUE_BUFFERS 100
/* Nothing has moved for so long: some track needs more than is in the queue.
 * Then for so long: more does not help. */
#define STALL_TICKS 16
#define HANG_TICKS 480
#define MAX_DETAIL 200

typedef struct
{
  DenoiseStudio studio;
  DenoiseReport report;
  DenoiseProgress progress;
  GstElement *queue;

  GMutex mutex;                 /* guards tracks while they come */
  GPtrArray *tracks;            /* of DenoiseTrack */
  guint n_of_kind[DENOISE_TRACK_OTHER + 1];

  DenoiseInventory inventory;   /* as the input's header says */
  GstClockTime duration;        /* likewise */
  guint64 last_moved;
  guint n_still;
  GPtrArray *held;              /* of HeldPad, until all tracks are known */
  gint n_searching;             /* demuxers that may find more; atomic */
  gboolean matroska;            /* the input is; before the first track */
  gboolean ended;
} Film;

typedef struct
{
  GstPad *pad;
  gulong probe;
} HeldPad;

static void
free_held (gpointer data)
{
  HeldPad *held = data;

  gst_pad_remove_probe (held->pad, held->probe);
  gst_object_unref (held->pad);
  g_free (held);
}

/* Some demuxers find tracks while others flow already. With the mutex. */
static void
hold_pad (Film * film, GstPad * pad)
{
  HeldPad *held = g_new0 (HeldPad, 1);

  if (g_atomic_int_get (&film->n_searching) == 0) {
    g_free (held);
    return;
  }
  held->pad = gst_object_ref (pad);
  held->probe = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
      NULL, NULL, NULL);
  g_ptr_array_add (film->held, held);
}

static void
release_pads (Film * film)
{
  g_mutex_lock (&film->mutex);
  g_ptr_array_set_size (film->held, 0);
  g_mutex_unlock (&film->mutex);
}

/* A demuxer has all its tracks. On its thread. */
static void
handle_all_tracks (GstElement * demuxer, gpointer user_data)
{
  Film *film = user_data;

  (void) demuxer;
  if (g_atomic_int_dec_and_test (&film->n_searching))
    release_pads (film);
}

static void
watch_part (GstBin * bin, GstBin * sub_bin, GstElement * element,
    gpointer user_data)
{
  Film *film = user_data;
  GstElementFactory *factory = gst_element_get_factory (element);

  (void) bin;
  (void) sub_bin;
  if (!factory || !gst_element_factory_list_is_type (factory,
          GST_ELEMENT_FACTORY_TYPE_DEMUXER))
    return;
  if (g_str_equal (GST_OBJECT_NAME (factory), "matroskademux"))
    film->matroska = TRUE;
  g_atomic_int_inc (&film->n_searching);
  g_signal_connect (element, "no-more-pads", G_CALLBACK (handle_all_tracks),
      film);
}

/* matroskademux takes the first time of a file for its start, and may change
 * its mind. Times stay what they are in the file. */
static GstPadProbeReturn
keep_start (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstSegment segment;

  (void) pad;
  (void) user_data;
  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT)
    return GST_PAD_PROBE_OK;
  gst_event_copy_segment (event, &segment);
  segment.start = segment.time = segment.base = 0;
  GST_PAD_PROBE_INFO_DATA (info) = gst_event_new_segment (&segment);
  gst_event_unref (event);
  return GST_PAD_PROBE_OK;
}

/* What @pad will give, or, where its parser has not seen enough of it to say,
 * what the parser gets. Caller unrefs. */
static GstCaps *
get_track_caps (GstPad * pad)
{
  g_autoptr (GstPad) at = gst_object_ref (pad);
  GstCaps *caps = gst_pad_get_current_caps (at);

  while (!caps && at) {
    g_autoptr (GstPad) target = GST_IS_GHOST_PAD (at)
        ? gst_ghost_pad_get_target (GST_GHOST_PAD (at)) : gst_object_ref (at);
    g_autoptr (GstElement) element =
        target ? gst_pad_get_parent_element (target) : NULL;
    g_autoptr (GstPad) sink =
        element ? gst_element_get_static_pad (element, "sink") : NULL;
    if (sink)
      caps = gst_pad_get_current_caps (sink);
    gst_object_unref (g_steal_pointer (&at));
    at = sink ? gst_pad_get_peer (sink) : NULL;
  }
  return caps ? caps : gst_pad_query_caps (pad, NULL);
}

/* On parsebin's thread. */
static void
add_track (GstElement * parser, GstPad * pad, gpointer user_data)
{
  Film *film = user_data;
  g_autoptr (GstCaps) caps = get_track_caps (pad);
  g_autoptr (GstPad) queue_sink =
      gst_element_request_pad_simple (film->queue, "sink_%u");
  g_autofree gchar *name = gst_pad_get_name (queue_sink);
  g_autofree gchar *source_name = g_strdup_printf ("src_%s",
      name + sizeof "sink_" - 1);
  g_autoptr (GstPad) queue_source =
      gst_element_get_static_pad (film->queue, source_name);

  (void) parser;
  DenoiseTrackKind kind = denoise_track_get_kind (caps);
  if (gst_pad_link (pad, queue_sink) != GST_PAD_LINK_OK) {
    denoise_report_error (&film->report, "a track cannot be linked");
    return;
  }
  if (film->matroska)
    gst_pad_add_probe (queue_source, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
        keep_start, NULL, NULL);
  g_mutex_lock (&film->mutex);
  hold_pad (film, queue_source);
  DenoiseTrack *track = denoise_track_new (&film->studio, queue_source, caps,
      kind, ++film->n_of_kind[kind]);
  g_ptr_array_add (film->tracks, track);
  denoise_link_track (track, caps);
  g_mutex_unlock (&film->mutex);
}

/* Subtitles stay as they are; denoisecopy.c knows what a container needs. */
static gboolean
continue_parsing (GstElement * parser, GstPad * pad, GstCaps * caps,
    gpointer user_data)
{
  (void) parser;
  (void) pad;
  (void) user_data;
  return denoise_track_get_kind (caps) != DENOISE_TRACK_SUBTITLES;
}

static void
report_unknown (GstElement * parser, GstPad * pad, GstCaps * caps,
    gpointer user_data)
{
  Film *film = user_data;
  g_autofree gchar *codec = gst_pb_utils_get_codec_description (caps);

  (void) parser;
  (void) pad;
  denoise_report_loss (&film->report, "a track of an unknown kind (%s)", codec);
}

static GstElement *
add_element (Film * film, const gchar * name)
{
  GstElement *element = gst_element_factory_make (name, NULL);

  if (element)
    gst_bin_add (film->studio.pipeline, element);
  else
    denoise_report_error (&film->report, "GStreamer's element %s is missing",
        name);
  return element;
}

static gboolean
build (Film * film, gint part)
{
  static const gchar *const muxers[] = {
    [DENOISE_CONTAINER_MATROSKA] = "matroskamux",
    [DENOISE_CONTAINER_MP4] = "mp4mux"
  };
  const DenoiseOptions *options = film->studio.options;
  GstElement *source = add_element (film, "filesrc");
  GstElement *parser = add_element (film, "parsebin");
  GstElement *sink = add_element (film, "fdsink");

  film->queue = add_element (film, "multiqueue");
  film->studio.muxer = add_element (film, muxers[options->container]);
  if (!source || !parser || !sink || !film->queue || !film->studio.muxer)
    return FALSE;
  g_object_set (source, "location", options->input, NULL);
  g_object_set (sink, "fd", part, "sync", FALSE, NULL);
  g_object_set (film->queue, "max-size-buffers", QUEUE_BUFFERS,
      "max-size-bytes", 0, "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  g_signal_connect (parser, "pad-added", G_CALLBACK (add_track), film);
  g_signal_connect (parser, "autoplug-continue",
      G_CALLBACK (continue_parsing), film);
  g_signal_connect (parser, "unknown-type", G_CALLBACK (report_unknown), film);
  g_signal_connect (parser, "deep-element-added", G_CALLBACK (watch_part),
      film);
  if (options->container == DENOISE_CONTAINER_MATROSKA)
    denoise_tags_repair (film->studio.muxer);
  return gst_element_link (source, parser)
      && gst_element_link (film->studio.muxer, sink);
}

/* Whether it is a part of what reads the file. */
static gboolean
is_decoding (GstObject * object)
{
  g_autoptr (GstObject) part = gst_object_ref (object);

  while (part) {
    GstElementFactory *factory = GST_IS_ELEMENT (part)
        ? gst_element_get_factory (GST_ELEMENT (part)) : NULL;
    if (factory && (g_str_equal (GST_OBJECT_NAME (factory), "parsebin")
            || g_str_equal (GST_OBJECT_NAME (factory), "decodebin")))
      return TRUE;
    GstObject *parent = gst_object_get_parent (part);
    gst_object_unref (part);
    part = parent;
  }
  return FALSE;
}

/* The one line that tells why. */
static void
handle_error (Film * film, GstMessage * message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  gst_message_parse_error (message, &error, &debug);
  /* What comes behind the last colon is the element's own word. */
  const gchar *detail = debug ? g_strrstr (debug, ":\n") : NULL;
  g_autofree gchar *line = g_strdup (detail ? detail + 2 : "");
  g_strdelimit (line, "\n", ' ');
  g_strstrip (line);
  if (g_str_has_suffix (error->message, "."))
    error->message[strlen (error->message) - 1] = '\0';
  if (strlen (line) > MAX_DETAIL)
    line[MAX_DETAIL] = '\0';
  gboolean decoding = error->domain == GST_STREAM_ERROR
      && is_decoding (GST_MESSAGE_SRC (message));
  denoise_report_error (&film->report, "%s%s%s%s%s",
      decoding ? "GStreamer cannot decode it: " : "", error->message,
      *line ? " (" : "", line, *line ? ")" : "");
}

static void
handle_message (Film * film, GstMessage * message)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_EOS:
      film->ended = TRUE;
      break;
    case GST_MESSAGE_ERROR:
      handle_error (film, message);
      break;
    default:
      break;
  }
}

/* Where the track that is behind is, with the frames of all video tracks. */
static GstClockTime
get_position (Film * film, guint64 * n_frames, guint64 * n_moved)
{
  GstClockTime position = GST_CLOCK_TIME_NONE;

  *n_frames = *n_moved = 0;
  g_mutex_lock (&film->mutex);
  for (guint i = 0; i < film->tracks->len; i++) {
    DenoiseTrack *track = film->tracks->pdata[i];
    DenoiseCount muxed = denoise_meter_get (&track->muxed);
    DenoiseCount decoded = denoise_meter_get (&track->decoded);

    *n_moved += muxed.n_buffers + decoded.n_buffers;
    if (track->kind != DENOISE_TRACK_VIDEO)
      continue;
    *n_frames += muxed.n_buffers;
    /* NONE is the largest number. */
    position = MIN (position, denoise_count_get_end (&muxed));
  }
  g_mutex_unlock (&film->mutex);
  return position;
}

static void
make_room (Film * film, guint64 n_moved)
{
  guint size;

  film->n_still = n_moved == film->last_moved ? film->n_still + 1 : 0;
  film->last_moved = n_moved;
  if (film->n_still > HANG_TICKS)
    denoise_report_error (&film->report,
        "nothing has come out of the filter, or " "of a decoder, for %d s",
        (int) (HANG_TICKS * TICK / GST_SECOND));
  if (film->n_still == 0 || film->n_still % STALL_TICKS != 0)
    return;
  release_pads (film);
  g_object_get (film->queue, "max-size-buffers", &size, NULL);
  if (size <= G_MAXINT)
    g_object_set (film->queue, "max-size-buffers", size * 2, NULL);
}

/* Returns the noise that was found in the first track, or -1. */
static gdouble
get_noise (Film * film)
{
  GstElement *filter = NULL;

  g_mutex_lock (&film->mutex);
  for (guint i = 0; i < film->tracks->len && !filter; i++) {
    DenoiseTrack *track = film->tracks->pdata[i];

    filter = g_atomic_pointer_get (&track->filter);
  }
  g_mutex_unlock (&film->mutex);
  return filter ? denoise_filter_get_noise (filter) : -1.0;
}

static void
tick (Film * film)
{
  gint64 duration;
  guint64 n_frames;
  guint64 n_moved;
  GstClockTime position = get_position (film, &n_frames, &n_moved);

  if (!GST_CLOCK_TIME_IS_VALID (film->duration)
      && gst_element_query_duration (GST_ELEMENT (film->studio.pipeline),
          GST_FORMAT_TIME, &duration) && duration > 0)
    film->duration = duration;
  denoise_progress_show (&film->progress, position, film->duration, n_frames,
      get_noise (film));
  make_room (film, n_moved);
}

/* Returns when all is written, or the report has an error. */
static void
play (Film * film)
{
  GstElement *pipeline = GST_ELEMENT (film->studio.pipeline);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autofree gchar *error = NULL;

  denoise_gl_prepare (pipeline);
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE && !gst_bus_have_pending (bus))
    denoise_report_error (&film->report, "the pipeline cannot be started");
  error = denoise_report_dup_error (&film->report);
  for (gint64 next = 0; !film->ended && !error;) {
    g_autoptr (GstMessage) message = gst_bus_timed_pop (bus, TICK);
    if (message)
      handle_message (film, message);
    if (g_get_monotonic_time () >= next) {
      tick (film);
      next = g_get_monotonic_time () + GST_TIME_AS_USECONDS (TICK);
    }
    g_free (error);
    error = denoise_report_dup_error (&film->report);
  }
}

static void
finish (Film * film, gint part)
{
  static const gchar *const kinds[] = {
    [DENOISE_TRACK_AUDIO] = "sound",[DENOISE_TRACK_SUBTITLES] = "subtitles"
  };
  const DenoiseChecks checks = {
    film->studio.options, &film->report, film->tracks, film->n_of_kind,
    &film->inventory, film->duration
  };
  guint n_kept[DENOISE_TRACK_OTHER + 1] = { 0 };

  denoise_checks_run (&checks);
  if (!film->report.error)
    denoise_verify (film->tracks, part, &film->report);
  for (guint i = 0; i < film->tracks->len; i++) {
    DenoiseTrack *track = film->tracks->pdata[i];
    if (track->filter)
      denoise_filter_note_stats (track->filter, &film->report);
    if (track->kept)
      n_kept[track->kind]++;
  }
  for (guint kind = DENOISE_TRACK_AUDIO; kind < G_N_ELEMENTS (kinds); kind++)
    if (n_kept[kind] > 0)
      denoise_report_note (&film->report, "%u of %u tracks of %s",
          n_kept[kind], film->n_of_kind[kind], kinds[kind]);
}

static void
print_result (Film * film, gdouble seconds, FILE * terminal)
{
  g_autofree gchar *error = denoise_report_dup_error (&film->report);
  const DenoiseOptions *options = film->studio.options;
  guint64 n_frames;
  guint64 n_moved;

  if (error) {
    fprintf (terminal, "denoise: %s: %s; %s was not written\n",
        options->input, error, options->output);
    return;
  }
  get_position (film, &n_frames, &n_moved);
  fprintf (terminal, "%" G_GUINT64_FORMAT " frames in %.1f s, %.1f frames/s\n",
      n_frames, seconds, n_frames / seconds);
  denoise_report_print (&film->report, terminal);
}

static gboolean
is_filter (const DenoiseOptions * options, FILE * terminal)
{
  g_autoptr (GError) error = NULL;
  GstElement *filter = denoise_filter_create (options, &error);

  gst_clear_object (&filter);
  if (error)
    fprintf (terminal, "denoise: %s\n", error->message);
  return !error;
}

gboolean
denoise_film_write (const DenoiseOptions * options, gint part, FILE * terminal)
{
  Film *film;
  GstElement *pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));

  if (!is_filter (options, terminal)) {
    gst_object_unref (pipeline);
    return FALSE;
  }
  film = g_new0 (Film, 1);
  film->duration = GST_CLOCK_TIME_NONE;
  film->studio.options = options;
  film->studio.report = &film->report;
  film->studio.pipeline = GST_BIN (pipeline);
  film->tracks = g_ptr_array_new_with_free_func ((GDestroyNotify)
      denoise_track_free);
  film->held = g_ptr_array_new_with_free_func (free_held);
  g_mutex_init (&film->mutex);
  denoise_report_init (&film->report);
  denoise_report_watch_log (&film->report);
  denoise_progress_start (&film->progress, terminal);

  denoise_inventory_read (&film->inventory, options->input);
  if (build (film, part))
    play (film);
  if (film->ended)
    finish (film, part);
  print_result (film, denoise_progress_end (&film->progress), terminal);
  if (film->report.error)
    /* What has failed, for want of memory, say, may never stop: its threads
     * keep the film until the process ends, which is now. */
    return FALSE;
  gst_element_set_state (pipeline, GST_STATE_NULL);

  gst_object_unref (pipeline);
  g_ptr_array_unref (film->held);
  g_ptr_array_unref (film->tracks);
  g_mutex_clear (&film->mutex);
  denoise_report_watch_log (NULL);
  denoise_report_clear (&film->report);
  g_free (film);
  return TRUE;
}
