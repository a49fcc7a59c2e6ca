/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisepipeline.h"

#include "denoiseformat.h"

#include <string.h>

#include <CL/cl.h>
#include <gst/app/app.h>
#include <gst/gl/gl.h>

/* Frames needed by deinterlacing on each side. */
#define N_FIELDS 4

/* Returns the elements in a bin, which the array owns. */
static GPtrArray *
list_elements (GstElement * filter)
{
  GPtrArray *elements = g_ptr_array_new_with_free_func (gst_object_unref);
  g_autoptr (GstIterator) iterator = gst_bin_iterate_recurse (GST_BIN (filter));
  GValue item = G_VALUE_INIT;

  while (gst_iterator_next (iterator, &item) == GST_ITERATOR_OK) {
    g_ptr_array_add (elements, g_value_dup_object (&item));
    g_value_reset (&item);
  }
  if (G_IS_VALUE (&item))
    g_value_unset (&item);
  return elements;
}

/* Returns the names of the presets of all elements, in one line. */
static gchar *
list_presets (const GPtrArray * elements)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < elements->len; i++) {
    g_auto (GStrv) own = GST_IS_PRESET (elements->pdata[i])
        ? gst_preset_get_preset_names (elements->pdata[i]) : NULL;

    for (guint j = 0; own && own[j]; j++)
      g_ptr_array_add (names, g_strdup (own[j]));
  }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (gchar **) names->pdata);
}

/* Loads a preset into the first element that has it. */
static gboolean
load_preset (GstElement * filter, const gchar * name, GError ** error)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  /* The last one in the bin is the first one in the text. */
  for (guint i = 0; i < elements->len; i++) {
    if (GST_IS_PRESET (elements->pdata[i])
        && gst_preset_load_preset (elements->pdata[i], name))
      return TRUE;
  }
  g_autofree gchar *names = list_presets (elements);
  g_set_error (error, DENOISE_ERROR, 0, "--preset: no preset %s. Available: "
      "%s. For a preset of the encoder use --speed", name,
      names[0] ? names : "none");
  return FALSE;
}

/* Sets the device of the elements of this plugin that have none. */
static void
set_device (GstElement * filter, const gchar * device)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    GObjectClass *class = G_OBJECT_GET_CLASS (elements->pdata[i]);
    g_autofree gchar *own = NULL;

    if (!g_object_class_find_property (class, "active-device"))
      continue;
    g_object_get (elements->pdata[i], "device", &own, NULL);
    if (!own || !*own)
      g_object_set (elements->pdata[i], "device", device, NULL);
  }
}

/* GObject's warning about an invalid property value, which it ignores. */
static void
take_refusal (const gchar * domain, GLogLevelFlags level, const gchar * message,
    gpointer user_data)
{
  gchar **refusal = user_data;

  (void) domain;
  (void) level;
  if (!*refusal)
    *refusal = g_strdup (message);
}

GstElement *
denoise_filter_create (const DenoiseOptions * options, GError ** error)
{
  g_autoptr (GError) parsing = NULL;
  g_autofree gchar *refusal = NULL;
  const guint handler = g_log_set_handler ("GLib-GObject",
      G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL, take_refusal, &refusal);
  GstElement *filter =
      gst_parse_bin_from_description (options->filter, TRUE, &parsing);

  g_log_remove_handler ("GLib-GObject", handler);
  if (refusal && !parsing)
    parsing = g_error_new_literal (DENOISE_ERROR, 0, refusal);
  if (parsing) {
    g_set_error (error, DENOISE_ERROR, 0, "--filter: %s", parsing->message);
    gst_clear_object (&filter);
    return NULL;
  }
  if (options->preset && !load_preset (filter, options->preset, error))
    gst_clear_object (&filter);
  if (filter && options->device)
    set_device (filter, options->device);
  return filter;
}

/* Appends the properties of @object and of its children, except names, which
 * are numbered in each process. */
static void
describe_object (GString * text, GObject * object)
{
  guint n;
  g_autofree GParamSpec **pspecs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (object), &n);

  g_string_append_printf (text, "%s\n", G_OBJECT_TYPE_NAME (object));
  for (guint i = 0; i < n; i++) {
    g_auto (GValue) value = G_VALUE_INIT;
    g_autofree gchar *printed = NULL;

    if ((pspecs[i]->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE
        || pspecs[i]->owner_type == GST_TYPE_OBJECT)
      continue;
    g_value_init (&value, pspecs[i]->value_type);
    g_object_get_property (object, pspecs[i]->name, &value);
    printed = gst_value_serialize (&value);
    g_string_append_printf (text, "%s=%s\n", pspecs[i]->name,
        printed ? printed : "");
  }
  if (!GST_IS_CHILD_PROXY (object))
    return;
  n = gst_child_proxy_get_children_count (GST_CHILD_PROXY (object));
  for (guint i = 0; i < n; i++) {
    g_autoptr (GObject) child =
        gst_child_proxy_get_child_by_index (GST_CHILD_PROXY (object), i);

    describe_object (text, child);
  }
}

gchar *
denoise_filter_describe (GstElement * filter)
{
  GString *text = g_string_new (NULL);

  describe_object (text, G_OBJECT (filter));
  return g_string_free (text, FALSE);
}

gboolean
denoise_filter_is_own (GstElement * filter)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);
  gboolean is_own = TRUE;

  for (guint i = 0; i < elements->len; i++)
    is_own &= g_object_class_find_property
        (G_OBJECT_GET_CLASS (elements->pdata[i]), "active-device") != NULL;
  return is_own;
}

/* Adds the value of a property, if there is one. */
static void
add_value (GObject * object, const gchar * property, guint * sum)
{
  GParamSpec *pspec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (object), property);
  GValue value = G_VALUE_INIT;

  if (!pspec || (pspec->value_type != G_TYPE_INT
          && pspec->value_type != G_TYPE_UINT))
    return;
  g_value_init (&value, G_TYPE_INT);
  g_object_get_property (object, property, &value);
  *sum += MAX (g_value_get_int (&value), 0);
}

void
denoise_filter_get_reach (GstElement * filter, guint * n_before,
    guint * n_behind)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  *n_before = *n_behind = N_FIELDS;
  for (guint i = 0; i < elements->len; i++) {
    GstElement *element = elements->pdata[i];

    add_value (G_OBJECT (element), "lead", n_before);
    add_value (G_OBJECT (element), "lag", n_behind);
  }
}

/* Returns the statistics of an element of this plugin, or NULL. */
static GstStructure *
get_stats (GstElement * element)
{
  GObjectClass *class = G_OBJECT_GET_CLASS (element);
  GstStructure *stats = NULL;

  if (g_object_class_find_property (class, "stats")
      && g_object_class_find_property (class, "active-device"))
    g_object_get (element, "stats", &stats, NULL);
  return stats;
}

/* Returns the mean noise of the channels, or of luma for Y'CbCr. */
static gdouble
get_mean_noise (const GstStructure * noise)
{
  static const gchar *const names[] = { "luma", "red", "green", "blue" };
  gdouble sum = 0.0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    gdouble sigma;

    if (gst_structure_get_double (noise, names[i], &sigma)) {
      sum += sigma;
      n++;
    }
  }
  return n > 0 ? sum / n : -1.0;
}

gdouble
denoise_filter_get_noise (GstElement * filter)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    g_autoptr (GstStructure) stats = get_stats (elements->pdata[i]);
    g_autoptr (GstStructure) noise = NULL;

    if (stats && gst_structure_get (stats, "noise", GST_TYPE_STRUCTURE, &noise,
            NULL))
      return get_mean_noise (noise);
    if (stats && g_object_class_find_property (G_OBJECT_GET_CLASS
            (elements->pdata[i]), "noise")) {
      gdouble given;

      g_object_get (elements->pdata[i], "noise", &given, NULL);
      if (given >= 0.0)
        return given;
    }
  }
  return -1.0;
}

static void
note_element (GstElement * element, const GstStructure * stats,
    DenoiseReport * report)
{
  g_autofree gchar *device = NULL;
  g_autofree gchar *interop = NULL;
  GValue value = G_VALUE_INIT;
  guint64 frames = 0;
  guint64 kernel_time = 0;

  g_object_get (element, "active-device", &device, NULL);
  g_object_get_property (G_OBJECT (element), "active-interop", &value);
  interop = gst_value_serialize (&value);
  g_value_unset (&value);
  gst_structure_get_uint64 (stats, "frames", &frames);
  gst_structure_get_uint64 (stats, "kernel-time", &kernel_time);
  if (frames > 0)
    denoise_report_note (report, "%s: %s on %s, %s, %.2f ms of kernels a frame",
        GST_OBJECT_NAME (gst_element_get_factory (element)),
        gst_structure_get_string (stats, "variant"), device, interop,
        kernel_time / 1e6 / frames);
}

void
denoise_filter_note_stats (GstElement * filter, DenoiseReport * report)
{
  g_autoptr (GPtrArray) elements = list_elements (filter);

  for (guint i = 0; i < elements->len; i++) {
    g_autoptr (GstStructure) stats = get_stats (elements->pdata[i]);

    if (stats)
      note_element (elements->pdata[i], stats, report);
  }
}

/* Makes @pipeline use desktop OpenGL if available, because OpenGL ES, which
 * GStreamer may prefer, has no textures for more than 8 bits. If GST_GL_API is
 * set, or there is no desktop OpenGL, GStreamer chooses the API. Loads the
 * OpenCL drivers before the OpenGL drivers. Must be called before the pipeline
 * is started. */
static void
prepare_gl (GstElement * pipeline)
{
  cl_uint n_platforms;

  /* This loads the OpenCL drivers. PoCL and Mesa may load two versions of LLVM,
   * of which PoCL's must be loaded first. Elements report a failure. */
  (void) clGetPlatformIDs (0, NULL, &n_platforms);
  if (g_getenv ("GST_GL_API"))
    return;

  g_autoptr (GstGLDisplay) display = gst_gl_display_new ();
  g_autoptr (GstGLContext) gl_context = NULL;
  gboolean created;

  gst_gl_display_filter_gl_api (display, GST_GL_API_OPENGL3);
  GST_OBJECT_LOCK (display);
  created = gst_gl_display_create_context (display, NULL, &gl_context, NULL)
      && gst_gl_display_add_context (display, gl_context);
  GST_OBJECT_UNLOCK (display);
  if (!created)
    return;

  g_autoptr (GstContext) context =
      gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);
  gst_context_set_gl_display (context, display);
  gst_element_set_context (pipeline, context);
}

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

  /* The first structure excludes formats that are passed through. */
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);
  g_autoptr (GstCaps) own = gst_caps_copy_nth (all, 0);
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
  if (!append_filter (self, info) || !append_converter (self, encoder_caps))
    return FALSE;
  self->sink = append_new (self, "appsink");
  if (self->sink)
    g_object_set (self->sink, "sync", FALSE, "qos", FALSE, NULL);
  return self->sink != NULL;
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
  prepare_gl (self->pipeline);
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

void
denoise_pipeline_push (DenoisePipeline * self, GstBuffer * buffer)
{
  (void) gst_app_src_push_buffer (GST_APP_SRC (self->source), buffer);
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
