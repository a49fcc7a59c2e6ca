/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisechecks.h"

#include <gst/video/video.h>

/* Rounding, a last sound block that is filled up. */
#define MAX_MISSING (GST_SECOND / 2)
/* The same where the length is estimated, or that of a track that is not
 * shown. */
#define MAX_UNSURE GST_SECOND
#define UNSURE_PART 50          /* of the length */
#define MAX_LAG (GST_SECOND / 4)
/* Of sound, against what its header says: a few blocks. */
#define MAX_MISSING_SOUND (GST_SECOND / 10)
/* Frames before the first one that needs no other. */
#define MAX_UNDECODED 8

static void
check_video (const DenoiseChecks * self)
{
  if (self->n_of_kind[DENOISE_TRACK_VIDEO] == 0)
    denoise_report_error (self->report,
        self->inventory->n_videos > 0
        ? "GStreamer does not show the video in it"
        : self->n_of_kind[DENOISE_TRACK_AUDIO] > 0
        ? "there is sound but no video in it" : "there is no video in it");
}

/* Headers promise; only the last buffers tell what there was. */
static void
check_track (const DenoiseChecks * self, DenoiseTrack * track)
{
  DenoiseCount demuxed = denoise_meter_get (&track->demuxed);
  DenoiseCount decoded = denoise_meter_get (&track->decoded);
  DenoiseCount muxed = denoise_meter_get (&track->muxed);
  g_autofree gchar *name = denoise_track_dup_name (track);

  if (!track->kept || demuxed.n_buffers == 0)
    return;
  if (muxed.n_buffers == 0)
    denoise_report_error (self->report, "nothing of %s could be decoded", name);
  else if (GST_CLOCK_TIME_IS_VALID (demuxed.last)
      && GST_CLOCK_TIME_IS_VALID (muxed.last)
      && demuxed.last > muxed.last + MAX_LAG)
    denoise_report_error (self->report, "%s ends after %.1f of %.1f seconds",
        name, (gdouble) muxed.last / GST_SECOND,
        (gdouble) demuxed.last / GST_SECOND);
  else if (track->kind == DENOISE_TRACK_VIDEO
      && !self->options->deinterlace && decoded.n_buffers != muxed.n_buffers)
    denoise_report_error (self->report, "%s: of %" G_GUINT64_FORMAT
        " frames %" G_GUINT64_FORMAT " were written", name, decoded.n_buffers,
        muxed.n_buffers);
}

/* Damage, which decoders leave out without an error. What an edit list hides is
 * left out, too; some codecs have packets that are never shown, and fields may
 * come one by one. */
static void
check_decoded (const DenoiseChecks * self, DenoiseTrack * track)
{
  const DenoiseCount demuxed = denoise_meter_get (&track->demuxed);
  const DenoiseCount decoded = denoise_meter_get (&track->decoded);
  g_autoptr (GstCaps) raw = gst_pad_get_current_caps (track->decoded_pad);
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (track->source);
  g_autofree gchar *name = denoise_track_dup_name (track);
  GstVideoInfo info;
  guint64 wanted = demuxed.n_shown;

  if (raw && gst_video_info_from_caps (&info, raw)
      && GST_VIDEO_INFO_IS_INTERLACED (&info))
    wanted /= 2;
  if (caps && gst_structure_has_name (gst_caps_get_structure (caps, 0),
          "video/x-vp8"))
    wanted -= wanted / 8;
  if (decoded.n_buffers + MAX_UNDECODED + wanted / 100 >= wanted)
    return;
  if (self->options->partial)
    denoise_report_loss (self->report, "%" G_GUINT64_FORMAT " frames of %s "
        "that are damaged", wanted - decoded.n_buffers, name);
  else
    denoise_report_error (self->report, "%s is damaged: %" G_GUINT64_FORMAT
        " of its frames cannot be decoded; --partial takes what there is",
        name, wanted - decoded.n_buffers);
}

/* What was decoded and encoded again can have fewer channels then. */
static void
check_channels (const DenoiseChecks * self, DenoiseTrack * track)
{
  g_autoptr (GstCaps) raw = gst_pad_get_current_caps (track->decoded_pad);
  g_autoptr (GstCaps) muxed = gst_pad_get_current_caps (track->muxer_pad);
  g_autofree gchar *name = denoise_track_dup_name (track);
  gint before, after;

  if (raw && muxed
      && gst_structure_get_int (gst_caps_get_structure (raw, 0), "channels",
          &before)
      && gst_structure_get_int (gst_caps_get_structure (muxed, 0), "channels",
          &after) && after < before)
    denoise_report_loss (self->report, "%d channels of %s (%d are kept)",
        before, name, after);
}

/* Where the film ends, and where the first of its pictures and sounds does. */
static GstClockTime
get_end (const DenoiseChecks * self, GstClockTime * first)
{
  GstClockTime end = 0;

  *first = GST_CLOCK_TIME_NONE;
  for (guint i = 0; i < self->tracks->len; i++) {
    DenoiseTrack *track = self->tracks->pdata[i];
    const DenoiseCount demuxed = denoise_meter_get (&track->demuxed);
    const GstClockTime last = denoise_count_get_end (&demuxed);

    if (!GST_CLOCK_TIME_IS_VALID (last))
      continue;
    end = MAX (end, last);
    if (track->kind <= DENOISE_TRACK_AUDIO)
      *first = MIN (*first, last);
  }
  return end;
}

/* Whether a track of the file may be longer than all that are shown. */
static gboolean
has_hidden_tracks (const DenoiseChecks * self)
{
  const DenoiseInventory *inventory = self->inventory;

  return inventory->n_videos > self->n_of_kind[DENOISE_TRACK_VIDEO]
      || inventory->n_sounds > self->n_of_kind[DENOISE_TRACK_AUDIO]
      || inventory->n_subtitles > self->n_of_kind[DENOISE_TRACK_SUBTITLES]
      || inventory->n_others > self->n_of_kind[DENOISE_TRACK_OTHER];
}

/* Where nothing else says that a file is cut off, tracks that end apart may. */
static void
doubt_length (const DenoiseChecks * self, GstClockTime first, GstClockTime end)
{
  const gboolean known = GST_CLOCK_TIME_IS_VALID (self->duration);
  const gdouble seconds = (gdouble) end / GST_SECOND;

  if (known && end + MAX_MISSING < self->duration)
    denoise_report_note (self->report, "It ends after %.1f of some %.1f "
        "seconds: perhaps the file is cut off", seconds,
        (gdouble) self->duration / GST_SECOND);
  else if (self->inventory->is_broken)
    denoise_report_note (self->report, "The last packet of a track is not "
        "whole: perhaps the file is cut off");
  else if (!(known && self->inventory->has_length)
      && GST_CLOCK_TIME_IS_VALID (first) && first + MAX_MISSING < end)
    denoise_report_note (self->report, "One track ends after %.1f seconds, "
        "another after %.1f: perhaps the file is cut off",
        (gdouble) first / GST_SECOND, seconds);
}

/* What a file that is cut off has of its longest track. */
static void
check_length (const DenoiseChecks * self)
{
  const gboolean sure =
      self->inventory->has_length && !has_hidden_tracks (self);
  GstClockTime first;
  const GstClockTime end = get_end (self, &first);
  g_autofree gchar *missing = NULL;

  if (self->inventory->is_cut_off)
    missing = g_strdup_printf ("it ends after %.1f seconds, within one of its "
        "parts", (gdouble) end / GST_SECOND);
  else if (GST_CLOCK_TIME_IS_VALID (self->duration)
      && end + (sure ? MAX_MISSING : MAX (MAX_UNSURE, self->duration
              / UNSURE_PART)) < self->duration)
    missing = g_strdup_printf ("it ends after %.1f of %.1f seconds",
        (gdouble) end / GST_SECOND, (gdouble) self->duration / GST_SECOND);
  if (!missing) {
    doubt_length (self, first, end);
    return;
  }
  if (self->options->partial)
    denoise_report_loss (self->report, "what is cut off: %s", missing);
  else
    denoise_report_error (self->report, "it is cut off: %s; --partial takes "
        "what there is", missing);
}

/* Demuxers may leave out what a header says there is. */
static void
check_sound (const DenoiseChecks * self, DenoiseTrack * track)
{
  const DenoiseInventory *inventory = self->inventory;
  const gboolean known = track->number <= DENOISE_MAX_SOUNDS
      && inventory->n_sounds == self->n_of_kind[DENOISE_TRACK_AUDIO];
  GstClockTime first;
  /* Some headers say that all tracks are as long as the film. */
  const GstClockTime wanted = known ? MIN (get_end (self, &first),
      inventory->sound_ends[track->number - 1]) : 0;
  const DenoiseCount muxed = denoise_meter_get (&track->muxed);
  const GstClockTime end = denoise_count_get_end (&muxed);
  g_autofree gchar *name = denoise_track_dup_name (track);

  if (GST_CLOCK_TIME_IS_VALID (end) && end + MAX_MISSING_SOUND < wanted)
    denoise_report_loss (self->report, "%.1f s at the end of %s, which "
        "GStreamer does not show", (gdouble) (wanted - end) / GST_SECOND, name);
}

/* What belongs to the whole film is on each of its tracks. */
static void
report_metadata (const DenoiseChecks * self, DenoiseTrack * track)
{
  if (denoise_track_has_tag (track->source, GST_TAG_ATTACHMENT))
    denoise_report_loss (self->report, "attachments");
  if (denoise_track_has_tag (track->source, GST_TAG_IMAGE)
      || denoise_track_has_tag (track->source, GST_TAG_PREVIEW_IMAGE))
    denoise_report_loss (self->report, "cover pictures");

  GstEvent *event = gst_pad_get_sticky_event (track->source, GST_EVENT_TOC, 0);
  if (event && self->options->container == DENOISE_CONTAINER_MP4)
    denoise_report_loss (self->report, "chapters (.mp4 holds none)");
  g_clear_pointer (&event, gst_event_unref);
}

static void
report_hidden (const DenoiseChecks * self, guint n, DenoiseTrackKind kind,
    const gchar * what)
{
  if (n > self->n_of_kind[kind])
    denoise_report_loss (self->report,
        "%u of %u tracks of %s, which GStreamer does not show",
        n - self->n_of_kind[kind], n, what);
}

static void
report_inventory (const DenoiseChecks * self)
{
  const DenoiseInventory *inventory = self->inventory;

  report_hidden (self, inventory->n_videos, DENOISE_TRACK_VIDEO, "video");
  report_hidden (self, inventory->n_sounds, DENOISE_TRACK_AUDIO, "sound");
  report_hidden (self, inventory->n_subtitles, DENOISE_TRACK_SUBTITLES,
      "subtitles");
  report_hidden (self, inventory->n_others, DENOISE_TRACK_OTHER,
      "timecode or data");
  if (inventory->n_programs > 1)
    denoise_report_loss (self->report, "%u of %u programs",
        inventory->n_programs - 1, inventory->n_programs);
}

void
denoise_checks_run (const DenoiseChecks * self)
{
  check_video (self);
  check_length (self);
  report_inventory (self);
  for (guint i = 0; i < self->tracks->len; i++) {
    DenoiseTrack *track = self->tracks->pdata[i];
    report_metadata (self, track);
    check_track (self, track);
    if (track->kept && track->kind == DENOISE_TRACK_AUDIO)
      check_sound (self, track);
    if (track->kept && track->kind == DENOISE_TRACK_VIDEO)
      check_decoded (self, track);
    else if (track->kept && track->decoded_pad)
      check_channels (self, track);
  }
}
