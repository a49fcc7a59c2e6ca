/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecopy.h"

#include <gst/pbutils/pbutils.h>

#include <string.h>

/* What sound becomes that a container cannot hold. */
static const struct
{
  const gchar *name;
  const gchar *encoder;
  const gchar *parser;
  gint bitrate;                 /* 0: it is lossless */
} audio_codecs[] = {
  [DENOISE_CONTAINER_MATROSKA] = {"FLAC", "flacenc", "flacparse", 0},
  [DENOISE_CONTAINER_MP4] = {"AAC", "avenc_aac", "aacparse", 192000}
};

/* What demuxers of Matroska did to plain text, undone. */
static GString *
decode_entities (const gchar * text)
{
  static const gchar *const entities[][2] = {
    {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""},
    {"&apos;", "'"}, {"&#39;", "'"}
  };
  GString *plain = g_string_new (NULL);

  while (*text) {
    guint n = 0;
    while (n < G_N_ELEMENTS (entities)
        && !g_str_has_prefix (text, entities[n][0]))
      n++;
    if (n < G_N_ELEMENTS (entities)) {
      g_string_append (plain, entities[n][1]);
      text += strlen (entities[n][0]);
    } else {
      g_string_append_c (plain, *text++);
    }
  }
  return plain;
}

/* The tags that SubRip has, and the overrides that players take from ASS.
 * Returns whether there were some. */
static gboolean
strip_styles (GString * text)
{
  g_autoptr (GRegex) styles = g_regex_new
      ("</?(b|i|u|s|font)(\\s[^>]*)?>|\\{\\\\[^}]*\\}", G_REGEX_CASELESS, 0,
      NULL);
  g_autofree gchar *plain = g_regex_replace_literal (styles, text->str, -1, 0,
      "", 0, NULL);

  if (!plain || g_str_equal (plain, text->str))
    return FALSE;
  g_string_assign (text, plain);
  return TRUE;
}

/* On the thread of the subtitles. */
static GstPadProbeReturn
convert_subtitle (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  DenoiseTrack *track = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstMapInfo map;

  (void) pad;
  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return GST_PAD_PROBE_OK;
  g_autofree gchar *text = g_strndup ((const gchar *) map.data, map.size);
  GString *plain = decode_entities (text);
  gst_buffer_unmap (buffer, &map);
  if (track->studio->options->container == DENOISE_CONTAINER_MP4
      && strip_styles (plain))
    denoise_report_loss (track->studio->report, "styles of subtitles %u",
        track->number);

  gsize length = plain->len;
  GstBuffer *converted = gst_buffer_new_wrapped (g_string_free (plain, FALSE),
      length);
  gst_buffer_copy_into (converted, buffer, GST_BUFFER_COPY_METADATA, 0, -1);
  gst_buffer_unref (buffer);
  GST_PAD_PROBE_INFO_DATA (info) = converted;
  return GST_PAD_PROBE_OK;
}

static gboolean
is_markup (const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return gst_structure_has_name (structure, "text/x-raw")
      && g_strcmp0 (gst_structure_get_string (structure, "format"),
      "pango-markup") == 0;
}

static gboolean
is_ass (const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  return gst_structure_has_name (structure, "application/x-ass")
      || gst_structure_has_name (structure, "application/x-ssa");
}

/* Where it is ASS, its styles go. */
static gboolean
link_markup (DenoiseTrack * track, GstPad * source, GstPad * muxer_pad,
    gboolean ass)
{
  static const gchar *const names[] = { "ssaparse", "capssetter" };
  g_autoptr (GstCaps) utf8 = gst_caps_from_string ("text/x-raw, format=utf8");
  const guint first = ass ? 0 : 1;
  GstElement *elements[G_N_ELEMENTS (names)];

  if (!denoise_track_build (track, &names[first], &elements[first],
          G_N_ELEMENTS (names) - first))
    return FALSE;
  g_object_set (elements[1], "join", FALSE, "replace", TRUE, "caps", utf8,
      NULL);
  denoise_track_start (&elements[first], G_N_ELEMENTS (names) - first);
  if (ass)
    denoise_report_loss (track->studio->report, "styles of subtitles %u",
        track->number);
  g_autoptr (GstPad) setter_sink =
      gst_element_get_static_pad (elements[first], "sink");
  g_autoptr (GstPad) setter_source =
      gst_element_get_static_pad (elements[1], "src");
  gst_pad_add_probe (setter_source, GST_PAD_PROBE_TYPE_BUFFER,
      convert_subtitle, track, NULL);
  return gst_pad_link (setter_source, muxer_pad) == GST_PAD_LINK_OK
      && gst_pad_link (source, setter_sink) == GST_PAD_LINK_OK;
}

static gboolean
has_structure (const GstCaps * caps, const gchar * name)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++)
    if (gst_structure_has_name (gst_caps_get_structure (caps, i), name))
      return TRUE;
  return FALSE;
}

/* A parser between what is there and what the muxer takes, as of AAC in
 * transport streams: another form of the same codec. NULL where there is none.
 * Caller unrefs. */
static GstElementFactory *
find_parser (const GstCaps * from, const GstCaps * to)
{
  if (!has_structure (to, gst_structure_get_name (gst_caps_get_structure (from,
                  0))))
    return NULL;

  GList *all = gst_element_factory_list_get_elements
      (GST_ELEMENT_FACTORY_TYPE_PARSER, GST_RANK_MARGINAL);
  GList *takers = gst_element_factory_list_filter (all, from, GST_PAD_SINK,
      FALSE);
  GList *makers = gst_element_factory_list_filter (takers, to, GST_PAD_SRC,
      FALSE);
  GstElementFactory *found = makers ? gst_object_ref (makers->data) : NULL;

  gst_plugin_feature_list_free (all);
  gst_plugin_feature_list_free (takers);
  gst_plugin_feature_list_free (makers);
  return found;
}

static gboolean
link_parser (DenoiseTrack * track, GstPad * source, GstPad * muxer_pad,
    GstElementFactory * factory)
{
  const gchar *names[] = { GST_OBJECT_NAME (factory) };
  GstElement *parser;

  if (!denoise_track_build (track, names, &parser, 1))
    return FALSE;
  denoise_track_start (&parser, 1);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (parser, "sink");
  g_autoptr (GstPad) parsed = gst_element_get_static_pad (parser, "src");
  return gst_pad_link (parsed, muxer_pad) == GST_PAD_LINK_OK
      && gst_pad_link (source, sink) == GST_PAD_LINK_OK;
}

static gboolean
encode (DenoiseTrack * track, GstPad * source, GstPad * muxer_pad)
{
  DenoiseContainer container = track->studio->options->container;
  const gchar *names[] = { "queue", "audioconvert", "audioresample",
    audio_codecs[container].encoder, audio_codecs[container].parser
  };
  GstElement *elements[G_N_ELEMENTS (names)];
  g_autofree gchar *name = denoise_track_dup_name (track);

  if (!denoise_track_build (track, names, elements, G_N_ELEMENTS (names)))
    return FALSE;
  if (audio_codecs[container].bitrate > 0)
    g_object_set (elements[3], "bitrate", audio_codecs[container].bitrate,
        NULL);
  denoise_track_start (elements, G_N_ELEMENTS (elements));
  denoise_report_note (track->studio->report,
      "%s becomes %s, as %s cannot hold it", name,
      audio_codecs[container].name, denoise_container_get_suffix (container));
  g_autoptr (GstPad) encoded = gst_element_get_static_pad (elements[4], "src");
  return gst_pad_link (encoded, muxer_pad) == GST_PAD_LINK_OK
      && denoise_track_decode (track, source, elements[0], "audio/x-raw");
}

/* The muxer says that it takes them, and refuses them then. */
static gboolean
is_unknown_text (const GstCaps * caps)
{
  return gst_structure_has_name (gst_caps_get_structure (caps, 0),
      "application/x-subtitle-unknown");
}

/* The muxer's pads of this kind take these. Caller unrefs. */
static GstCaps *
get_muxer_caps (DenoiseTrack * track)
{
  const gchar *name = track->kind == DENOISE_TRACK_AUDIO ? "audio_%u"
      : "subtitle_%u";
  GstPadTemplate *template =
      gst_element_get_pad_template (track->studio->muxer, name);

  return template ? gst_pad_template_get_caps (template)
      : gst_caps_new_empty ();
}

gboolean
denoise_copy_build (DenoiseTrack * track, GstPad * source, const GstCaps * caps)
{
  g_autoptr (GstCaps) muxer_caps = get_muxer_caps (track);
  gboolean direct = gst_caps_can_intersect (caps, muxer_caps)
      && !is_unknown_text (caps);
  g_autoptr (GstElementFactory) parser =
      direct ? NULL : find_parser (caps, muxer_caps);

  const gboolean text = is_markup (caps) || is_ass (caps);
  if (!direct && !text && !parser && track->kind != DENOISE_TRACK_AUDIO)
    return TRUE;

  g_autoptr (GstPad) muxer_pad = denoise_track_request_muxer_pad (track);
  if (!muxer_pad)
    return FALSE;
  if (direct)
    return gst_pad_link (source, muxer_pad) == GST_PAD_LINK_OK;
  if (text)
    return link_markup (track, source, muxer_pad, is_ass (caps));
  if (parser)
    return link_parser (track, source, muxer_pad, parser);
  return encode (track, source, muxer_pad);
}
