/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisepipeline.h"

#include "denoisefilter.h"
#include "denoiseformat.h"
#include "denoisegl.h"

#include <string.h>

#include <gst/app/app.h>

#define QUEUE_FRAMES 2
#define MAX_DETAIL 200

struct _DenoisePipeline
{
  const DenoiseOptions *options;
  DenoiseReport *report;
  GstElement *pipeline;
  GstElement *source;
  GstElement *sink;
  GstElement *filter;
  GstElement *last;             /* last linked element */
  GstVideoFormat prepared;      /* the narrowest format before the filter */
  GstVideoFormat filter_format;
};

static void
report_missing (DenoisePipeline * self, const gchar * name)
{
  denoise_report_error (self->report, "the GStreamer element %s is missing",
      name);
}

/* Adds @element after the last one. */
static gboolean
append (DenoisePipeline * self, GstElement * element)
{
  gst_bin_add (GST_BIN (self->pipeline), element);
  if (self->last && !gst_element_link (self->last, element)) {
    denoise_report_error (self->report, "cannot link %s to %s",
        GST_OBJECT_NAME (self->last), GST_OBJECT_NAME (element));
    return FALSE;
  }
  self->last = element;
  return TRUE;
}

/* Returns the new element, which the pipeline owns, or NULL. */
static GstElement *
append_new (DenoisePipeline * self, const gchar * name)
{
  GstElement *element = gst_element_factory_make (name, NULL);

  if (!element)
    report_missing (self, name);
  return element && append (self, element) ? element : NULL;
}

/* Appends a conversion to @caps, on all threads and without dithering. */
static gboolean
append_converter (DenoisePipeline * self, const GstCaps * caps)
{
  GstElement *converter = append_new (self, "videoconvert");
  GstElement *setter = converter ? append_new (self, "capsfilter") : NULL;

  if (!setter)
    return FALSE;
  gst_util_set_object_arg (G_OBJECT (converter), "dither", "none");
  g_object_set (converter, "n-threads", 0, NULL);
  g_object_set (setter, "caps", caps, NULL);
  return TRUE;
}

static gboolean
append_queue (DenoisePipeline * self)
{
  GstElement *queue = append_new (self, "queue");

  if (queue)
    g_object_set (queue, "max-size-buffers", QUEUE_FRAMES, "max-size-bytes", 0,
        "max-size-time", G_GUINT64_CONSTANT (0), NULL);
  return queue != NULL;
}

/* Returns the formats that an element supports, excluding passed-through
 * ones. */
static GstCaps *
get_own_caps (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);

  return gst_caps_copy_nth (all, 0);
}

/* Appends an element before the upload to OpenGL, in the format with the least
 * loss. */
static gboolean
append_preparation (DenoisePipeline * self, const GstVideoInfo * info,
    const gchar * name, const gchar * property, const gchar * value)
{
  GstElement *element = gst_element_factory_make (name, NULL);

  if (!element) {
    report_missing (self, name);
    return FALSE;
  }
  gst_object_ref_sink (element);

  g_autoptr (GstCaps) own = get_own_caps (element);
  self->prepared = denoise_format_choose (self->prepared, own, 0);
  g_autoptr (GstCaps) caps = denoise_format_create_caps (info, self->prepared);
  gst_util_set_object_arg (G_OBJECT (element), property, value);
  const gboolean appended =
      append_converter (self, caps) && append (self, element);
  gst_object_unref (element);
  return appended;
}

/* Appends the upload to OpenGL, the filter, and the download. The formats that
 * the filter accepts are known when it is linked to an element in READY. */
static gboolean
append_filter (DenoisePipeline * self, const GstVideoInfo * info)
{
  g_autoptr (GError) error = NULL;
  GstElement *before = self->last;
  GstElement *uploader;

  self->filter = denoise_filter_create (self->options, &error);
  if (!self->filter) {
    denoise_report_error (self->report, "%s", error->message);
    return FALSE;
  }
  self->last = NULL;
  uploader = append_new (self, "glupload");
  if (!uploader || !append (self, self->filter)
      || !append_new (self, "gldownload") || !append_queue (self)
      || gst_element_set_state (self->pipeline, GST_STATE_READY)
      == GST_STATE_CHANGE_FAILURE)
    return FALSE;

  g_autoptr (GstPad) pad = gst_element_get_static_pad (uploader, "sink");
  g_autoptr (GstCaps) taken = gst_pad_query_caps (pad, NULL);
  GstElement *after = self->last;
  self->filter_format = denoise_format_choose (self->prepared, taken, 0);
  if (self->filter_format == GST_VIDEO_FORMAT_UNKNOWN) {
    denoise_report_error (self->report, "the filter does not accept video "
        "such as %s", gst_video_format_to_string (self->prepared));
    return FALSE;
  }
  g_autoptr (GstCaps) caps =
      denoise_format_create_caps (info, self->filter_format);
  self->last = before;
  if (!append_converter (self, caps) || !append_queue (self)
      || !gst_element_link (self->last, uploader))
    return FALSE;
  self->last = after;
  return TRUE;
}

static gboolean
append_sink (DenoisePipeline * self, const GstCaps * caps)
{
  if (!append_converter (self, caps))
    return FALSE;
  self->sink = append_new (self, "appsink");
  if (self->sink)
    g_object_set (self->sink, "sync", FALSE, "qos", FALSE, NULL);
  return self->sink != NULL;
}

static gboolean
build (DenoisePipeline * self, const GstVideoInfo * info, const gchar * turn,
    const GstCaps * encoder_caps)
{
  self->source = append_new (self, "appsrc");
  if (!self->source)
    return FALSE;
  g_object_set (self->source, "format", GST_FORMAT_TIME, "max-bytes",
      G_GUINT64_CONSTANT (0), NULL);
  denoise_pipeline_set_info (self, info);
  if (turn && !append_preparation (self, info, "videoflip", "video-direction",
          turn))
    return FALSE;
  return append_filter (self, info) && append_sink (self, encoder_caps);
}

DenoisePipeline *
denoise_pipeline_new (const DenoiseOptions * options, DenoiseReport * report,
    const GstVideoInfo * info, const gchar * turn, const GstCaps * encoder_caps)
{
  DenoisePipeline *self = g_new0 (DenoisePipeline, 1);

  self->options = options;
  self->report = report;
  self->prepared = GST_VIDEO_INFO_FORMAT (info);
  self->pipeline = gst_object_ref_sink (gst_pipeline_new (NULL));
  denoise_gl_prepare (self->pipeline);
  if (build (self, info, turn, encoder_caps)
      && gst_element_set_state (self->pipeline, GST_STATE_PLAYING)
      != GST_STATE_CHANGE_FAILURE)
    return self;
  /* A failed element has posted the reason. */
  denoise_pipeline_pull (self, 0, NULL, NULL);
  denoise_report_error (report, "cannot start the pipeline");
  denoise_pipeline_free (self);
  return NULL;
}

void
denoise_pipeline_free (DenoisePipeline * self)
{
  if (!self)
    return;
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->pipeline);
  g_free (self);
}

void
denoise_pipeline_set_info (DenoisePipeline * self, const GstVideoInfo * info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  gst_app_src_set_caps (GST_APP_SRC (self->source), caps);
}

gboolean
denoise_pipeline_push (DenoisePipeline * self, GstBuffer * buffer)
{
  return gst_app_src_push_buffer (GST_APP_SRC (self->source), buffer)
      == GST_FLOW_OK;
}

gboolean
denoise_pipeline_is_hungry (const DenoisePipeline * self)
{
  return gst_app_src_get_current_level_buffers (GST_APP_SRC (self->source))
      == 0;
}

void
denoise_pipeline_end (DenoisePipeline * self)
{
  gst_app_src_end_of_stream (GST_APP_SRC (self->source));
}

/* Reports in one line why the pipeline has failed. */
static void
handle_error (DenoisePipeline * self, GstMessage * message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL;

  gst_message_parse_error (message, &error, &debug);
  /* The text after the last colon is the element's own message. */
  const gchar *detail = debug ? g_strrstr (debug, ":\n") : NULL;
  g_autofree gchar *line = g_strdup (detail ? detail + 2 : "");
  g_strdelimit (line, "\n", ' ');
  g_strstrip (line);
  if (g_str_has_suffix (error->message, "."))
    error->message[strlen (error->message) - 1] = '\0';
  if (strlen (line) > MAX_DETAIL)
    line[MAX_DETAIL] = '\0';
  denoise_report_error (self->report, "%s%s%s%s", error->message,
      *line ? " (" : "", line, *line ? ")" : "");
}

static gboolean
has_failed (DenoisePipeline * self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  if (message)
    handle_error (self, message);
  return message != NULL;
}

DenoisePull
denoise_pipeline_pull (DenoisePipeline * self, GstClockTime timeout,
    GstBuffer ** buffer, GstVideoInfo * info)
{
  g_autoptr (GstSample) sample = NULL;

  if (has_failed (self))
    return DENOISE_PULL_ERROR;
  if (!self->sink)
    return DENOISE_PULL_NONE;
  sample = gst_app_sink_try_pull_sample (GST_APP_SINK (self->sink), timeout);
  if (!sample) {
    if (has_failed (self))
      return DENOISE_PULL_ERROR;
    return gst_app_sink_is_eos (GST_APP_SINK (self->sink))
        ? DENOISE_PULL_END : DENOISE_PULL_NONE;
  }
  if (!gst_video_info_from_caps (info, gst_sample_get_caps (sample))) {
    denoise_report_error (self->report, "the filter does not output raw "
        "video");
    return DENOISE_PULL_ERROR;
  }
  *buffer = gst_buffer_ref (gst_sample_get_buffer (sample));
  return DENOISE_PULL_FRAME;
}

GstVideoFormat
denoise_pipeline_get_filter_format (const DenoisePipeline * self)
{
  return self->filter_format;
}

GstElement *
denoise_pipeline_get_filter (const DenoisePipeline * self)
{
  return self->filter;
}
