/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisetrack.h"

#include <gst/pbutils/pbutils.h>

static const gchar *const kind_names[] = {
  [DENOISE_TRACK_VIDEO] = "video",
  [DENOISE_TRACK_AUDIO] = "audio",
  [DENOISE_TRACK_SUBTITLES] = "subtitles",
  [DENOISE_TRACK_OTHER] = "data"
};

static const gchar *const muxer_pads[] = {
  [DENOISE_TRACK_VIDEO] = "video_%u",
  [DENOISE_TRACK_AUDIO] = "audio_%u",
  [DENOISE_TRACK_SUBTITLES] = "subtitle_%u"
};

DenoiseTrackKind
denoise_track_get_kind (const GstCaps * caps)
{
  static const struct
  {
    const gchar *prefix;
    DenoiseTrackKind kind;
  } prefixes[] = {
    {"video/", DENOISE_TRACK_VIDEO},
    {"image/", DENOISE_TRACK_VIDEO},
    {"audio/", DENOISE_TRACK_AUDIO},
    {"text/", DENOISE_TRACK_SUBTITLES},
    {"subtitle/", DENOISE_TRACK_SUBTITLES},
    {"subpicture/", DENOISE_TRACK_SUBTITLES},
    {"application/x-ssa", DENOISE_TRACK_SUBTITLES},
    {"application/x-ass", DENOISE_TRACK_SUBTITLES},
    {"application/x-usf", DENOISE_TRACK_SUBTITLES},
    {"application/x-subtitle", DENOISE_TRACK_SUBTITLES}
  };
  const gchar *name = gst_structure_get_name (gst_caps_get_structure (caps,
          0));

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i].prefix))
      return prefixes[i].kind;
  return DENOISE_TRACK_OTHER;
}

gchar *
denoise_track_dup_name (const DenoiseTrack * track)
{
  return g_strdup_printf ("%s %u (%s)", kind_names[track->kind],
      track->number, track->codec);
}

gchar *
denoise_track_dup_orientation (const DenoiseTrack * track)
{
  gchar *orientation = NULL;
  GstEvent *event;

  for (guint i = 0; !orientation
      && (event = gst_pad_get_sticky_event (track->source, GST_EVENT_TAG, i));
      i++) {
    GstTagList *tags;
    gst_event_parse_tag (event, &tags);
    gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &orientation);
    gst_event_unref (event);
  }
  return orientation ? orientation : g_strdup ("rotate-0");
}

gboolean
denoise_track_build (DenoiseTrack * track, const gchar * const *names,
    GstElement ** elements, guint n)
{
  for (guint i = 0; i < n; i++) {
    elements[i] = gst_element_factory_make (names[i], NULL);
    if (!elements[i]) {
      denoise_report_error (track->studio->report, "GStreamer's element %s is "
          "missing", names[i]);
      return FALSE;
    }
    gst_bin_add (track->studio->pipeline, elements[i]);
    if (i > 0 && !gst_element_link (elements[i - 1], elements[i])) {
      denoise_report_error (track->studio->report, "%s cannot be linked to %s",
          names[i - 1], names[i]);
      return FALSE;
    }
  }
  return TRUE;
}

void
denoise_track_start (GstElement ** elements, guint n)
{
  while (n-- > 0)
    gst_element_sync_state_with_parent (elements[n]);
}

gboolean
denoise_track_has_tag (GstPad * pad, const gchar * name)
{
  gboolean found = FALSE;
  GstEvent *event;

  for (guint i = 0; !found
      && (event = gst_pad_get_sticky_event (pad, GST_EVENT_TAG, i)); i++) {
    GstTagList *tags;
    gst_event_parse_tag (event, &tags);
    found = gst_tag_list_get_tag_size (tags, name) > 0;
    gst_event_unref (event);
  }
  return found;
}

/* Matroska takes English for what nobody has said. */
static GstPadProbeReturn
complete_language (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  (void) info;
  (void) user_data;
  if (!denoise_track_has_tag (pad, GST_TAG_LANGUAGE_CODE))
    gst_pad_send_event (pad, gst_event_new_tag (gst_tag_list_new
            (GST_TAG_LANGUAGE_CODE, "und", NULL)));
  return GST_PAD_PROBE_REMOVE;
}

GstPad *
denoise_track_request_muxer_pad (DenoiseTrack * track)
{
  GstPad *pad = gst_element_request_pad_simple (track->studio->muxer,
      muxer_pads[track->kind]);

  if (pad) {
    track->kept = TRUE;
    track->muxer_pad = gst_object_ref (pad);
    denoise_meter_attach (&track->muxed, pad);
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, complete_language,
        NULL, NULL);
  }
  return pad;
}

/* On the decoder's thread. */
static void
link_decoder (GstElement * decoder, GstPad * pad, gpointer user_data)
{
  GstPad *sink = user_data;

  (void) decoder;
  if (!gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
}

gboolean
denoise_track_decode (DenoiseTrack * track, GstPad * source,
    GstElement * sink, const gchar * caps)
{
  static const gchar *const names[] = { "decodebin" };
  g_autoptr (GstPad) sink_pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstCaps) raw = gst_caps_from_string (caps);
  GstElement *decoder;

  if (!denoise_track_build (track, names, &decoder, 1))
    return FALSE;
  denoise_meter_attach (&track->decoded, sink_pad);
  track->decoded_pad = gst_object_ref (sink_pad);
  g_object_set (decoder, "caps", raw, NULL);
  g_signal_connect_object (decoder, "pad-added", G_CALLBACK (link_decoder),
      sink_pad, 0);
  denoise_track_start (&decoder, 1);

  g_autoptr (GstPad) decoder_pad = gst_element_get_static_pad (decoder, "sink");
  return gst_pad_link (source, decoder_pad) == GST_PAD_LINK_OK;
}

/* Of caps that are not fixed yet only the name is told. */
static gchar *
describe_codec (const GstCaps * caps)
{
  const gchar *name = gst_structure_get_name (gst_caps_get_structure (caps,
          0));
  g_autoptr (GstCaps) simple = gst_caps_new_empty_simple (name);
  gchar *codec = gst_caps_is_fixed (caps)
      ? gst_pb_utils_get_codec_description (caps) : NULL;

  if (!codec)
    codec = gst_pb_utils_get_codec_description (simple);
  return codec ? codec : g_strdup (name);
}

DenoiseTrack *
denoise_track_new (const DenoiseStudio * studio, GstPad * source,
    const GstCaps * caps, DenoiseTrackKind kind, guint number)
{
  DenoiseTrack *track = g_new0 (DenoiseTrack, 1);

  track->studio = studio;
  track->kind = kind;
  track->number = number;
  track->source = gst_object_ref (source);
  track->codec = describe_codec (caps);
  denoise_meter_init (&track->demuxed);
  denoise_meter_init (&track->decoded);
  denoise_meter_init (&track->muxed);
  denoise_meter_attach (&track->demuxed, source);
  return track;
}

void
denoise_track_free (DenoiseTrack * track)
{
  denoise_meter_clear (&track->demuxed);
  denoise_meter_clear (&track->decoded);
  denoise_meter_clear (&track->muxed);
  gst_object_unref (track->source);
  g_clear_object (&track->decoded_pad);
  g_clear_object (&track->muxer_pad);
  g_free (track->codec);
  g_free (track);
}
