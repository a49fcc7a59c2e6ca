/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisecodec.h"
#include "denoisefilter.h"
#include "denoiseformat.h"
#include "denoisevideo.h"

/* What the muxer takes. */
#define MIN_MP4_SIDE 16

/* A video track whose decoder has not given a frame yet. */
typedef struct
{
  DenoiseTrack *track;
  GstPad *muxer_pad;
  const gchar *field_order;     /* of the first frame, NULL: it has no fields */
  gint width;                   /* of the first frame */
  gint height;
} PendingVideo;

static void
free_pending (gpointer data)
{
  PendingVideo *pending = data;

  gst_object_unref (pending->muxer_pad);
  g_free (pending);
}

static GstElement *
add_filter (DenoiseTrack * track)
{
  g_autoptr (GError) error = NULL;
  GstElement *filter = denoise_filter_create (track->studio->options, &error);

  if (!filter) {
    denoise_report_error (track->studio->report, "%s", error->message);
    return NULL;
  }
  gst_bin_add (track->studio->pipeline, filter);
  return filter;
}

/* On all threads, and without noise. */
static void
configure_converter (GstElement * converter)
{
  gst_util_set_object_arg (G_OBJECT (converter), "dither", "none");
  g_object_set (converter, "n-threads", 0, NULL);
}

/* Format and colours of what is given to @converter's follower @setter. */
static void
set_caps (GstElement * setter, const GstVideoInfo * info, GstVideoFormat format)
{
  g_autoptr (GstCaps) caps = denoise_format_create_caps (info, format);

  g_object_set (setter, "caps", caps, NULL);
}

static gboolean
build_encoder (DenoiseTrack * track, const GstVideoInfo * info,
    GstElement * filtered, GstPad * muxer_pad, GstVideoFormat * encoded)
{
  const DenoiseOptions *options = track->studio->options;
  const DenoiseCodec *codec = denoise_codec_choose (options, info);
  const gchar *names[] = { "queue", "videoconvert", "capsfilter",
    codec->encoder, codec->parser
  };
  guint n = codec->parser ? 5 : 4;
  GstElement *elements[G_N_ELEMENTS (names)];

  if (!denoise_track_build (track, names, elements, n))
    return FALSE;
  codec->configure (elements[3], options);
  configure_converter (elements[1]);
  g_autoptr (GstCaps) caps = denoise_codec_choose_caps (elements[3], options,
      info);
  if (options->container == DENOISE_CONTAINER_MP4
      && MIN (GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info))
      < MIN_MP4_SIDE) {
    denoise_report_error (track->studio->report, "a .mp4 holds no frames of "
        "%dx%d; a .mkv does", GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }
  if (!caps) {
    denoise_report_error (track->studio->report, "%s has no frames of %dx%d; "
        "--codec names another codec", codec->encoder,
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    return FALSE;
  }
  g_object_set (elements[2], "caps", caps, NULL);
  denoise_track_start (elements, n);
  *encoded = gst_video_format_from_string (gst_structure_get_string
      (gst_caps_get_structure (caps, 0), "format"));

  g_autoptr (GstPad) source = gst_element_get_static_pad (elements[n - 1],
      "src");
  return gst_element_link (filtered, elements[0])
      && gst_pad_link (source, muxer_pad) == GST_PAD_LINK_OK;
}

/* Muxers of GStreamer write how frames are to be turned from 1.26 on; before,
 * they are turned here. */
static gboolean
has_to_turn (const DenoiseTrack * track)
{
  g_autofree gchar *orientation = denoise_track_dup_orientation (track);

  guint major, minor, micro, nano;

  gst_version (&major, &minor, &micro, &nano);
  return !g_str_equal (orientation, "rotate-0") && major == 1 && minor < 26;
}

/* Formats that the element of @pad takes by itself, and not only hands on.
 * Caller unrefs. */
static GstCaps *
get_own_caps (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);

  return gst_caps_copy_nth (all, 0);
}

/* What is done before frames get to OpenGL: turned, made of fields. Each of
 * these works on the format that loses least. Returns the last element. */
static GstElement *
build_preparation (DenoiseTrack * track, const GstVideoInfo * info,
    const gchar * name, GstElement * next, GstVideoFormat * format)
{
  const gchar *names[] = { "videoconvert", "capsfilter", name };
  GstElement *elements[G_N_ELEMENTS (names)];

  if (!denoise_track_build (track, names, elements, G_N_ELEMENTS (names)))
    return NULL;
  g_autoptr (GstCaps) own = get_own_caps (elements[2]);
  *format = denoise_format_choose (GST_VIDEO_INFO_FORMAT (info), own, 0);
  configure_converter (elements[0]);
  set_caps (elements[1], info, *format);
  if (g_str_equal (name, "videoflip"))
    gst_util_set_object_arg (G_OBJECT (elements[2]), "video-direction", "auto");
  else
    gst_util_set_object_arg (G_OBJECT (elements[2]), "mode", "interlaced");
  if (!gst_element_link (elements[2], next))
    return NULL;
  denoise_track_start (elements, G_N_ELEMENTS (elements));
  return elements[0];
}

/* The format that OpenGL gets, of those that the filter takes. */
static gboolean
set_upload_format (DenoiseTrack * track, const GstVideoInfo * info,
    GstElement * uploader, GstElement * setter, GstVideoFormat * format)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (uploader, "sink");
  g_autoptr (GstCaps) taken = gst_pad_query_caps (pad, NULL);

  *format = denoise_format_choose (GST_VIDEO_INFO_FORMAT (info), taken, 0);
  if (*format == GST_VIDEO_FORMAT_UNKNOWN) {
    denoise_report_error (track->studio->report, "the filter takes no video "
        "such as %s",
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)));
    return FALSE;
  }
  set_caps (setter, info, *format);
  return TRUE;
}

/* From raw video to what GL's memory holds, filtered, and back. @format is that
 * of the filter, or one before it that holds less. */
static gboolean
build_filter (DenoiseTrack * track, const GstVideoInfo * info,
    GstPad * source, GstElement ** filtered, GstVideoFormat * format)
{
  static const gchar *const names[] = { "videoconvert", "capsfilter",
    "glupload"
  };
  static const gchar *const downloaders[] = { "gldownload" };
  GstElement *elements[G_N_ELEMENTS (names)];
  GstVideoFormat prepared = GST_VIDEO_INFO_FORMAT (info);

  if (!denoise_track_build (track, downloaders, filtered, 1))
    return FALSE;
  /* The main thread asks it for the noise. */
  g_atomic_pointer_set (&track->filter, add_filter (track));
  if (!track->filter
      || !denoise_track_build (track, names, elements, G_N_ELEMENTS (names))
      || !gst_element_link (track->filter, *filtered)
      || !gst_element_link (elements[2], track->filter))
    return FALSE;
  denoise_track_start (filtered, 1);
  gst_element_sync_state_with_parent (track->filter);
  denoise_track_start (&elements[2], 1);
  configure_converter (elements[0]);
  if (!set_upload_format (track, info, elements[2], elements[1], format))
    return FALSE;
  denoise_track_start (elements, 2);

  GstElement *first = elements[0];
  if (track->studio->options->deinterlace)
    first = build_preparation (track, info, "deinterlace", first, &prepared);
  if (first && has_to_turn (track))
    first = build_preparation (track, info, "videoflip", first, &prepared);
  if (!first)
    return FALSE;
  g_autofree gchar *loss =
      denoise_format_describe_loss (GST_VIDEO_INFO_FORMAT (info), prepared);
  if (loss)
    *format = prepared;
  g_autoptr (GstPad) sink = gst_element_get_static_pad (first, "sink");
  return gst_pad_link (source, sink) == GST_PAD_LINK_OK;
}

static void
report_formats (DenoiseTrack * track, const GstVideoInfo * info,
    GstVideoFormat filtered, GstVideoFormat encoded)
{
  GstVideoFormat decoded = GST_VIDEO_INFO_FORMAT (info);
  g_autofree gchar *name = denoise_track_dup_name (track);
  g_autofree gchar *filter_loss =
      denoise_format_describe_loss (decoded, filtered);
  g_autofree gchar *loss = denoise_format_describe_loss (decoded, encoded);

  denoise_report_note (track->studio->report, "%s: %dx%d, %s, %u bits%s%s",
      name, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info),
      denoise_format_get_layout (encoded), denoise_format_get_bits (encoded),
      GST_VIDEO_INFO_IS_INTERLACED (info) ? ", interlaced" : "",
      has_to_turn (track) ? ", turned upright" : "");
  if (loss)
    denoise_report_loss (track->studio->report, "%s of %s", loss, name);
  else if (filter_loss)
    denoise_report_loss (track->studio->report, "%s of %s, by the filter",
        filter_loss, name);
}

/* Where it fails the report has an error. */
static void
build_rest (PendingVideo * pending, GstPad * source, const GstCaps * caps)
{
  DenoiseTrack *track = pending->track;
  GstElement *filtered;
  GstVideoFormat filter_format;
  GstVideoFormat encoded_format;
  GstVideoInfo info;

  if (!gst_video_info_from_caps (&info, caps)) {
    denoise_report_error (track->studio->report, "video of an unknown kind");
    return;
  }
  pending->width = GST_VIDEO_INFO_WIDTH (&info);
  pending->height = GST_VIDEO_INFO_HEIGHT (&info);
  if (!build_filter (track, &info, source, &filtered, &filter_format)
      || !build_encoder (track, &info, filtered, pending->muxer_pad,
          &encoded_format))
    denoise_report_error (track->studio->report,
        "the elements for the video cannot be linked");
  else
    report_formats (track, &info, filter_format, encoded_format);
}

static gboolean
is_mixed (const GstCaps * caps)
{
  return g_strcmp0 (gst_structure_get_string (gst_caps_get_structure (caps, 0),
          "interlace-mode"), "mixed") == 0;
}

/* Whether frames may have fields, and @caps do not say which is the first:
 * encoders take the bottom one for it. Decoders say "mixed" where frames only
 * might differ. */
static gboolean
lacks_field_order (const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);
  const gchar *mode = gst_structure_get_string (structure, "interlace-mode");
  const gchar *order = gst_structure_get_string (structure, "field-order");

  return is_mixed (caps) || (g_strcmp0 (mode, "interleaved") == 0
      && (!order || g_str_equal (order, "unknown")));
}

/* The first frame tells. Caller unrefs. */
static GstCaps *
complete_caps (const PendingVideo * pending, GstCaps * caps)
{
  GstCaps *completed = denoise_format_complete_caps (caps);

  if (pending->field_order && lacks_field_order (caps)) {
    completed = gst_caps_make_writable (completed);
    gst_caps_set_simple (completed, "interlace-mode", G_TYPE_STRING,
        "interleaved", "field-order", G_TYPE_STRING, pending->field_order,
        NULL);
  }
  return completed;
}

static GstPadProbeReturn
watch_frame (PendingVideo * pending, GstPad * pad, GstBuffer * buffer)
{
  if (gst_pad_is_linked (pad))
    return GST_PAD_PROBE_OK;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  /* The flag means something in mixed streams only. */
  if (!is_mixed (caps)
      || GST_BUFFER_FLAG_IS_SET (buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED))
    pending->field_order = GST_BUFFER_FLAG_IS_SET (buffer,
        GST_VIDEO_BUFFER_FLAG_TFF) ? "top-field-first" : "bottom-field-first";
  g_autoptr (GstCaps) completed = complete_caps (pending, caps);
  build_rest (pending, pad, completed);
  return GST_PAD_PROBE_OK;
}

/* No container keeps more than one size of a track. */
static void
check_size (PendingVideo * pending, const GstCaps * caps)
{
  GstVideoInfo info;

  if (gst_video_info_from_caps (&info, caps)
      && (GST_VIDEO_INFO_WIDTH (&info) != pending->width
          || GST_VIDEO_INFO_HEIGHT (&info) != pending->height))
    denoise_report_error (pending->track->studio->report, "the size of the "
        "picture changes from %dx%d to %dx%d, which a track cannot hold",
        pending->width, pending->height, GST_VIDEO_INFO_WIDTH (&info),
        GST_VIDEO_INFO_HEIGHT (&info));
}

/* Where possible all is built before the decoder asks for a pool of frames. */
static GstPadProbeReturn
watch_caps (PendingVideo * pending, GstPad * pad, GstPadProbeInfo * info)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  g_autoptr (GstCaps) completed = complete_caps (pending, caps);
  if (gst_pad_is_linked (pad))
    check_size (pending, completed);
  else if (!lacks_field_order (completed))
    build_rest (pending, pad, completed);
  GST_PAD_PROBE_INFO_DATA (info) = gst_event_new_caps (completed);
  gst_event_unref (event);
  return GST_PAD_PROBE_OK;
}

/* On the decoder's thread, behind the queue. */
static GstPadProbeReturn
watch_decoded (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    return watch_frame (user_data, pad, GST_PAD_PROBE_INFO_BUFFER (info));
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_CAPS)
    return watch_caps (user_data, pad, info);
  return GST_PAD_PROBE_OK;
}

gboolean
denoise_video_build (DenoiseTrack * track, GstPad * source)
{
  /* Decoders that keep their frames elsewhere give them to the host here. */
  static const gchar *const names[] = { "capsfilter", "queue" };
  g_autoptr (GstCaps) raw = gst_caps_from_string ("video/x-raw");
  GstElement *elements[2];
  PendingVideo *pending;

  g_autoptr (GstPad) muxer_pad = denoise_track_request_muxer_pad (track);
  if (!muxer_pad
      || !denoise_track_build (track, names, elements, G_N_ELEMENTS (names)))
    return FALSE;
  g_object_set (elements[0], "caps", raw, NULL);
  g_object_set (elements[1], "max-size-buffers", 4, "max-size-bytes", 0,
      "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  denoise_track_start (elements, G_N_ELEMENTS (elements));

  pending = g_new0 (PendingVideo, 1);
  pending->track = track;
  pending->muxer_pad = gst_object_ref (muxer_pad);
  g_autoptr (GstPad) decoded = gst_element_get_static_pad (elements[1], "src");
  gst_pad_add_probe (decoded, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM
      | GST_PAD_PROBE_TYPE_BUFFER, watch_decoded, pending, free_pending);
  return denoise_track_decode (track, source, elements[0], "video/x-raw");
}
