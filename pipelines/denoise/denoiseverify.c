/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoiseverify.h"

#include <unistd.h>

/* Two blocks of sound. */
#define MAX_MISSING (50 * GST_MSECOND)
/* Parsers leave out a packet at the beginning or the end that they cannot check
 * with another one. */
#define MAX_PACKETS 2
/* Nothing was read for so long. */
#define HANG (30 * GST_SECOND)

/* What the file has. */
typedef struct
{
  DenoiseTrackKind kind;
  DenoiseMeter meter;
} Found;

typedef struct
{
  GstElement *pipeline;
  GMutex mutex;                 /* guards what follows */
  GPtrArray *found;             /* of Found */
} Verifier;

static void
free_found (gpointer data)
{
  Found *found = data;

  denoise_meter_clear (&found->meter);
  g_free (found);
}

/* On a thread of parsebin's. */
static void
add_found (GstElement * parser, GstPad * pad, gpointer user_data)
{
  Verifier *self = user_data;
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  g_autoptr (GstPad) sink_pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  Found *found = g_new0 (Found, 1);

  (void) parser;
  if (!caps)
    caps = gst_pad_query_caps (pad, NULL);
  g_object_set (sink, "async", FALSE, NULL);
  found->kind = denoise_track_get_kind (caps);
  denoise_meter_init (&found->meter);
  denoise_meter_attach (&found->meter, sink_pad);
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->found, found);
  g_mutex_unlock (&self->mutex);
  gst_bin_add (GST_BIN (self->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  gst_pad_link (pad, sink_pad);
}

static guint64
count_packets (Verifier * self)
{
  guint64 n = 0;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < self->found->len; i++) {
    Found *found = self->found->pdata[i];

    n += denoise_meter_get (&found->meter).n_buffers;
  }
  g_mutex_unlock (&self->mutex);
  return n;
}

/* Whether all could be read. */
static gboolean
read_all (Verifier * self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  GstMessage *message;
  guint64 n_before;

  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  do {
    n_before = count_packets (self);
    message = gst_bus_timed_pop_filtered (bus, HANG,
        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  } while (!message && count_packets (self) > n_before);

  const gboolean ok = message && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  g_clear_pointer (&message, gst_message_unref);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  return ok;
}

/* The @n-th of its kind, or NULL. */
static Found *
find (Verifier * self, DenoiseTrackKind kind, guint n)
{
  for (guint i = 0; i < self->found->len; i++) {
    Found *found = self->found->pdata[i];

    if (found->kind == kind && n-- == 0)
      return found;
  }
  return NULL;
}

/* Packets of sound that is copied; 0 of what may be cut in another way. */
static guint64
count_sound (const DenoiseTrack * track, const DenoiseCount * count)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (track->muxer_pad);

  if (track->decoded_pad || !caps
      || gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "audio/x-raw"))
    return 0;
  return count->n_buffers - count->n_headers;
}

static GstClockTime
get_length (const DenoiseCount * count)
{
  return GST_CLOCK_TIME_IS_VALID (count->first)
      ? denoise_count_get_end (count) - count->first : 0;
}

/* GStreamer writes the size that frames are shown in, rounded down. */
static void
check_aspect (const DenoiseTrack * track, DenoiseReport * report,
    const gchar * name)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (track->muxer_pad);
  const GstStructure *structure =
      caps ? gst_caps_get_structure (caps, 0) : NULL;
  gint n, d, width, height;

  if (track->studio->options->container != DENOISE_CONTAINER_MATROSKA
      || !structure || !gst_structure_get_int (structure, "width", &width)
      || !gst_structure_get_int (structure, "height", &height)
      || !gst_structure_get_fraction (structure, "pixel-aspect-ratio", &n, &d))
    return;
  if (n > d ? (gint64) width * n % d != 0 : (gint64) height * d % n != 0)
    denoise_report_loss (report, "the pixel aspect %d:%d of %s, which is "
        "rounded", n, d, name);
}

static void
check_track (DenoiseTrack * track, Found * found, DenoiseReport * report)
{
  const DenoiseCount written = denoise_meter_get (&track->muxed);
  const DenoiseCount kept = denoise_meter_get (&found->meter);
  const GstClockTime wanted = get_length (&written);
  g_autofree gchar *name = denoise_track_dup_name (track);

  if (kept.n_buffers == 0)
    denoise_report_error (report, "nothing of %s is in what was written%s",
        name, GST_CLOCK_TIME_IS_VALID (written.first) ? "" :
        ": the input does not say when it is to be heard or seen");
  else if (track->kind == DENOISE_TRACK_VIDEO
      && kept.n_shown < written.n_buffers)
    denoise_report_loss (report, "%" G_GUINT64_FORMAT " frames of %s, which "
        "the container hides", written.n_buffers - kept.n_shown, name);
  else if (track->kind == DENOISE_TRACK_AUDIO
      && get_length (&kept) + MAX_MISSING < wanted)
    denoise_report_loss (report, "%.2f s of %s, which GStreamer's muxer leaves "
        "out", (gdouble) (wanted - get_length (&kept)) / GST_SECOND, name);
  else if (track->kind == DENOISE_TRACK_AUDIO
      && count_sound (track, &kept) + MAX_PACKETS
      < count_sound (track, &written))
    denoise_report_loss (report, "%" G_GUINT64_FORMAT " packets of %s, which "
        "GStreamer's muxer leaves out",
        count_sound (track, &written) - count_sound (track, &kept), name);
  else if (track->kind == DENOISE_TRACK_SUBTITLES
      && kept.n_buffers < written.n_buffers)
    denoise_report_loss (report, "%" G_GUINT64_FORMAT " of %s",
        written.n_buffers - kept.n_buffers, name);
  if (track->kind == DENOISE_TRACK_VIDEO)
    check_aspect (track, report, name);
}

static void
check_tracks (Verifier * self, GPtrArray * tracks, DenoiseReport * report)
{
  guint n_of_kind[DENOISE_TRACK_OTHER + 1] = { 0 };

  for (guint i = 0; i < tracks->len; i++) {
    DenoiseTrack *track = tracks->pdata[i];

    if (!track->kept || denoise_meter_get (&track->muxed).n_buffers == 0)
      continue;
    Found *found = find (self, track->kind, n_of_kind[track->kind]++);
    g_autofree gchar *name = denoise_track_dup_name (track);

    if (found)
      check_track (track, found, report);
    else
      denoise_report_error (report, "%s is not in what was written", name);
  }
}

void
denoise_verify (GPtrArray * tracks, gint part, DenoiseReport * report)
{
  g_autofree gchar *name = g_strdup_printf ("/dev/fd/%d", part);
  GstElement *source = gst_element_factory_make ("filesrc", NULL);
  GstElement *parser = gst_element_factory_make ("parsebin", NULL);
  Verifier self = { NULL, };

  if (!source || !parser || access (name, R_OK) != 0
      || lseek (part, 0, SEEK_SET) != 0) {
    denoise_report_note (report, "What was written could not be read again: "
        "there is no %s", name);
    gst_clear_object (&source);
    gst_clear_object (&parser);
    return;
  }
  self.pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  g_mutex_init (&self.mutex);
  self.found = g_ptr_array_new_with_free_func (free_found);
  g_object_set (source, "location", name, NULL);
  gst_bin_add_many (GST_BIN (self.pipeline), source, parser, NULL);
  gst_element_link (source, parser);
  g_signal_connect (parser, "pad-added", G_CALLBACK (add_found), &self);
  if (read_all (&self))
    check_tracks (&self, tracks, report);
  else
    denoise_report_error (report, "what was written cannot be read again");
  g_ptr_array_unref (self.found);
  g_mutex_clear (&self.mutex);
  gst_object_unref (self.pipeline);
}
