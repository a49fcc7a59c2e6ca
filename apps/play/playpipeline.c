/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "playpipeline.h"

#include <gst/pbutils/pbutils.h>
#include <gst/video/video.h>
#include <string.h>

#define FIRST "play-first"
#define LAST "play-last"
#define SAVE_TIMEOUT (10 * GST_SECOND)
/* Delay after the last change until the previous frames are filtered. */
#define RUN_UP_DELAY_MS 200

struct _PlayPipeline
{
  GstElement *pipeline;
  GstElement *convert;          /* first element after the decoder */
  GstElement *sink;
  GstElement *sound;            /* in the pipeline if the input has audio, or
                                 * NULL */
  GstElement *volume;           /* its volume element */
  GstBin *filter;
  GList *elements;              /* of the text, in the order of frames */
  GstElement *first;            /* identity elements before and after them */
  GstElement *last;
  PlayView *view;
  gchar *uri;
  PlayPipelineMessage message;
  gpointer data;
  gchar *missing;               /* missing element, before the error that
                                 * follows */
  guint watch;
  GHashTable *disabled;         /* elements, under the pipeline's object lock */
  gboolean playing;
  gboolean loop;
  gboolean is_seeking;
  gboolean is_stale;            /* seek again to @target after the current
                                 * seek */
  gboolean is_ahead;            /* audio position, in steps */
  GstClockTime target;          /* stream time to seek to */
  GstClockTime run_up;          /* length of the run-up before it */
  guint run_up_timer;
  /* Set by the decoder's threads, atomic. */
  gint has_other_links;         /* differs from @disabled */
  gint is_still;
  gint has_video;
  gint has_sound;
};

static void
have_type (GstElement * typefind G_GNUC_UNUSED,
    guint probability G_GNUC_UNUSED, GstCaps * caps, gpointer data)
{
  PlayPipeline *self = data;
  const gchar *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));

  if (g_str_has_prefix (name, "image/") && !g_str_equal (name, "image/gif"))
    g_atomic_int_set (&self->is_still, TRUE);
}

static void
look_at_element (GstBin * bin G_GNUC_UNUSED,
    GstBin * child_bin G_GNUC_UNUSED, GstElement * element, gpointer data)
{
  GstElementFactory *factory = gst_element_get_factory (element);

  if (factory && g_str_equal (GST_OBJECT_NAME (factory), "typefind"))
    g_signal_connect (element, "have-type", G_CALLBACK (have_type), data);
}

/* Links the first video and the first audio track. A still image is linked
 * through imagefreeze. */
static void
add_pad (GstElement * decoder G_GNUC_UNUSED, GstPad * pad, gpointer data)
{
  PlayPipeline *self = data;
  g_autoptr (GstPad) target = gst_element_get_static_pad (self->convert,
      "sink");
  g_autoptr (GstCaps) caps = gst_pad_query_caps (pad, NULL);

  if (gst_caps_is_empty (caps))
    return;
  const gchar *name = gst_structure_get_name (gst_caps_get_structure (caps, 0));
  if (g_str_has_prefix (name, "audio/") && self->sound
      && g_atomic_int_compare_and_exchange (&self->has_sound, FALSE, TRUE)) {
    g_autoptr (GstPad) in = gst_element_get_static_pad (self->sound, "sink");

    gst_bin_add (GST_BIN (self->pipeline), self->sound);
    gst_element_sync_state_with_parent (self->sound);
    gst_pad_link (pad, in);
  }
  if (gst_pad_is_linked (target) || !g_str_has_prefix (name, "video/"))
    return;
  g_atomic_int_set (&self->has_video, TRUE);
  if (g_atomic_int_get (&self->is_still)) {
    GstElement *freeze = gst_element_factory_make ("imagefreeze", NULL);
    g_autoptr (GstPad) in = NULL;

    if (freeze) {
      gst_bin_add (GST_BIN (self->pipeline), freeze);
      gst_element_link (freeze, self->convert);
      gst_element_sync_state_with_parent (freeze);
      in = gst_element_get_static_pad (freeze, "sink");
      gst_pad_link (pad, in);
      return;
    }
  }
  gst_pad_link (pad, target);
}

static void
no_more_pads (GstElement * decoder, gpointer data)
{
  PlayPipeline *self = data;

  if (!g_atomic_int_get (&self->has_video))
    GST_ELEMENT_ERROR (decoder, STREAM, WRONG_TYPE, ("%s has no video",
            self->uri), (NULL));
}

/* Makes the audio start @run_up after a seek, as the frames do. */
static void
start_sound_at (PlayPipeline * self, GstClockTime run_up)
{
  if (!self->sound)
    return;
  g_autoptr (GstPad) pad = gst_element_get_static_pad (self->volume, "src");
  gst_pad_set_offset (pad, -(gint64) run_up);
}

/* Shows the first frame from @target on, after the frames within @run_up before
 * it have been filtered. Cancels a seek in progress. */
static gboolean
seek_to (PlayPipeline * self, GstClockTime target, GstClockTime run_up)
{
  g_clear_handle_id (&self->run_up_timer, g_source_remove);
  self->is_stale = self->is_ahead = FALSE;
  run_up = MIN (run_up, target);
  play_view_start_at (self->view, target, run_up);
  start_sound_at (self, run_up);
  if (!gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, target - run_up)) {
    play_view_start_at (self->view, 0, 0);
    start_sound_at (self, 0);
    return FALSE;
  }
  self->is_seeking = TRUE;
  self->target = target;
  self->run_up = run_up;
  return TRUE;
}

/* Returns the number of previous frames that the elements depend on. */
static guint
get_lead (PlayPipeline * self)
{
  guint sum = 0;

  for (const GList * l = self->elements; l; l = l->next) {
    GParamSpec *pspec = g_object_class_find_property
        (G_OBJECT_GET_CLASS (l->data), "lead");
    guint lead = 0;

    if (pspec && pspec->value_type == G_TYPE_UINT
        && play_pipeline_is_enabled (self, l->data))
      g_object_get (l->data, "lead", &lead, NULL);
    sum += lead;
  }
  return sum;
}

/* Returns the duration of the shown frame. */
static GstClockTime
get_frame_time (PlayPipeline * self)
{
  GstSample *sample = NULL;
  gint fps_n, fps_d;

  g_object_get (self->sink, "last-sample", &sample, NULL);
  if (sample) {
    g_autoptr (GstSample) shown = sample;
    GstBuffer *buffer = gst_sample_get_buffer (shown);

    if (gst_structure_get_fraction (gst_caps_get_structure
            (gst_sample_get_caps (shown), 0), "framerate", &fps_n, &fps_d)
        && fps_n > 0)
      return gst_util_uint64_scale_int (GST_SECOND, fps_d, fps_n);
    if (GST_BUFFER_DURATION_IS_VALID (buffer))
      return GST_BUFFER_DURATION (buffer);
  }
  return GST_SECOND / 25;
}

/* Seeks back by the duration of the previous frames that the shown one depends
 * on, or twice as far as the last time if there were fewer, for instance with a
 * variable frame rate. */
static gboolean
run_up (gpointer data)
{
  PlayPipeline *self = data;
  const GstClockTime frame_time = get_frame_time (self);

  self->run_up_timer = 0;
  seek_to (self, self->target, MAX (2 * self->run_up,
          get_lead (self) * frame_time + frame_time / 2));
  return G_SOURCE_REMOVE;
}

/* First shows the frame without its previous frames, so that a held key has a
 * visible effect. */
static void
finish_seek (PlayPipeline * self)
{
  guint n_before;

  /* The message may be from a cancelled seek. */
  if (!self->is_seeking || play_view_is_waiting (self->view, &n_before))
    return;
  self->is_seeking = FALSE;
  if (self->is_stale)
    seek_to (self, self->target, 0);
  else if (!self->playing && n_before < get_lead (self)
      && self->run_up < self->target)
    self->run_up_timer = g_timeout_add (self->run_up > 0 ? 0
        : RUN_UP_DELAY_MS, run_up, self);
}

/* Returns the text of a warning or an error, including compiler messages for a
 * custom kernel. Removes the source position and the element's name that
 * GStreamer prepends. */
static gchar *
print_message (const GError * error, const gchar * debug)
{
  const gchar *details = debug ? strstr (debug, ":\n") : NULL;

  return details && g_error_matches (error, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS) ? g_strdup_printf ("%s%s", error->message,
      details + 1) : g_strdup (error->message);
}

/* Reports a missing decoder, and the package that usually contains it. */
static void
report_missing (PlayPipeline * self, GstMessage * message)
{
  g_autofree gchar *what = gst_missing_plugin_message_get_description (message);
  const gboolean is_decoder = g_str_has_suffix (what, "decoder");

  g_free (self->missing);
  self->missing = g_strdup_printf ("The %s is not installed. %s", what,
      is_decoder ? "Most decoders are in the package gstreamer1.0-libav"
      : "Install the packages gstreamer1.0-plugins-good and "
      "gstreamer1.0-plugins-bad");
  self->message (GST_MESSAGE_WARNING, self->missing, self->data);
}

static gboolean
handle_message (GstBus * bus G_GNUC_UNUSED, GstMessage * message, gpointer data)
{
  PlayPipeline *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *debug = NULL, *text = NULL, *code = NULL;
  GstProgressType progress;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, &debug);
      text = self->missing && !g_atomic_int_get (&self->has_video)
          ? g_strdup (self->missing) : print_message (error, debug);
      self->watch = 0;
      g_clear_handle_id (&self->run_up_timer, g_source_remove);
      self->playing = FALSE;
      self->message (GST_MESSAGE_ERROR, text, self->data);
      return G_SOURCE_REMOVE;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, &debug);
      text = print_message (error, debug);
      if (self->sound && gst_object_has_as_ancestor (GST_MESSAGE_SRC (message),
              GST_OBJECT (self->sound))) {
        g_autofree gchar *reason = g_steal_pointer (&text);

        text = g_strconcat ("No audio output: ", reason, NULL);
      }
      self->message (GST_MESSAGE_WARNING, text, self->data);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_ELEMENT:
      if (gst_is_missing_plugin_message (message))
        report_missing (self, message);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_PROGRESS:
      gst_message_parse_progress (message, &progress, &code, &text);
      if (g_strcmp0 (code, "compile") == 0)
        self->message (GST_MESSAGE_PROGRESS,
            progress == GST_PROGRESS_TYPE_START ? text : NULL, self->data);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_EOS:
      if (!self->loop || !play_pipeline_seek (self, 0))
        self->message (GST_MESSAGE_EOS, NULL, self->data);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (self->pipeline));
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_CLOCK_LOST:
      gst_element_set_state (self->pipeline, GST_STATE_PAUSED);
      play_pipeline_set_playing (self, self->playing);
      return G_SOURCE_CONTINUE;
    case GST_MESSAGE_ASYNC_DONE:
      finish_seek (self);
      return G_SOURCE_CONTINUE;
    default:
      return G_SOURCE_CONTINUE;
  }
}

static gchar *
make_uri (const gchar * input, GError ** error)
{
  if (g_str_has_prefix (input, "/dev/video"))
    return g_strconcat ("v4l2://", input, NULL);
  if (gst_uri_is_valid (input))
    return g_strdup (input);
  if (!g_file_test (input, G_FILE_TEST_EXISTS)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "No such file: %s", input);
    return NULL;
  }
  return gst_filename_to_uri (input, error);
}

/* Elements whose quick-start has no value of the user do not wait for the
 * compiler. */
static void
set_quick_start (const GValue * item, gpointer data G_GNUC_UNUSED)
{
  GObject *element = g_value_get_object (item);
  gint quick_start = 0;

  if (!g_object_class_find_property (G_OBJECT_GET_CLASS (element),
          "quick-start"))
    return;
  g_object_get (element, "quick-start", &quick_start, NULL);
  if (quick_start == 0)
    gst_util_set_object_arg (element, "quick-start", "on");
}

/* Returns a bin with the elements of the text between two identity elements.
 * These are linked if the first or the last element of the text is disabled. */
static GstBin *
make_filter (const gchar * text, GError ** error)
{
  g_autofree gchar *chain = g_strdup_printf
      ("identity name=" FIRST " ! %s ! identity name=" LAST, text);
  GstElement *bin = gst_parse_bin_from_description_full (chain, TRUE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS,
      error);

  if (!bin)
    return NULL;
  g_autoptr (GstIterator) elements = gst_bin_iterate_recurse (GST_BIN (bin));
  gst_iterator_foreach (elements, set_quick_start, NULL);
  return GST_BIN (bin);
}

static void
unlink_behind (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "src");
  g_autoptr (GstPad) peer = gst_pad_get_peer (pad);

  if (peer)
    gst_pad_unlink (pad, peer);
}

/* Links the enabled elements. Sends a missed flush to an element that was
 * disabled. */
static GstPadProbeReturn
link_again (GstPad * pad G_GNUC_UNUSED, GstPadProbeInfo * info, gpointer data)
{
  PlayPipeline *self = data;
  GstElement *before = self->first;

  if ((info->type & GST_PAD_PROBE_TYPE_EVENT_FLUSH)
      && GST_EVENT_TYPE (info->data) != GST_EVENT_FLUSH_STOP)
    return GST_PAD_PROBE_OK;
  if (g_atomic_int_compare_and_exchange (&self->has_other_links, TRUE, FALSE)) {
    unlink_behind (self->first);
    for (const GList * l = self->elements; l; l = l->next)
      unlink_behind (l->data);
    for (const GList * l = self->elements; l; l = l->next) {
      g_autoptr (GstPad) in = gst_element_get_static_pad (l->data, "sink");

      if (!play_pipeline_is_enabled (self, l->data))
        continue;
      if (GST_PAD_IS_FLUSHING (in))
        gst_pad_send_event (in, gst_event_new_flush_stop (FALSE));
      gst_element_link_pads (before, "src", l->data, "sink");
      before = l->data;
    }
    gst_element_link_pads (before, "src", self->last, "sink");
  }
  return info->type & GST_PAD_PROBE_TYPE_EVENT_FLUSH ? GST_PAD_PROBE_OK
      : GST_PAD_PROBE_REMOVE;
}

/* Lists the elements of the text, without the identity elements. */
static void
list_elements (PlayPipeline * self)
{
  g_autoptr (GstIterator) iterator = gst_bin_iterate_sorted (self->filter);
  GValue item = G_VALUE_INIT;

  self->first = gst_bin_get_by_name (self->filter, FIRST);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (self->first, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_FLUSH, link_again, self,
      NULL);
  self->last = gst_bin_get_by_name (self->filter, LAST);
  /* Sinks come first. No other thread changes the bin yet. */
  while (gst_iterator_next (iterator, &item) == GST_ITERATOR_OK) {
    GstElement *element = g_value_get_object (&item);

    if (element != self->first && element != self->last)
      self->elements = g_list_prepend (self->elements,
          gst_object_ref (element));
    g_value_unset (&item);
  }
}

/* Returns a new element, which the pipeline owns. */
static GstElement *
add (PlayPipeline * self, const gchar * factory, GError ** error)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element)
    gst_bin_add (GST_BIN (self->pipeline), element);
  else
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "The element %s is not installed", factory);
  return element;
}

/* OpenGL for filtering needs neither a window nor a display, unless the user
 * sets one. */
static void
use_no_window (PlayPipeline * self)
{
  if (g_getenv ("GST_GL_WINDOW"))
    return;

  g_autoptr (GstGLDisplay) display =
      gst_gl_display_new_with_type (GST_GL_DISPLAY_TYPE_EGL_DEVICE);
  if (!display)
    return;

  g_autoptr (GstContext) context =
      gst_context_new (GST_GL_DISPLAY_CONTEXT_TYPE, TRUE);
  gst_context_set_gl_display (context, display);
  gst_element_set_context (self->pipeline, context);
}

/* A queue makes another thread draw the frames. */
static gboolean
link_sink (PlayPipeline * self, GError ** error)
{
  GstElement *view = GST_ELEMENT (self->view);
  GstElement *queue = add (self, "queue", error);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (self->sink, "sink");
  g_autoptr (GstCaps) accepted = gst_pad_get_pad_template_caps (pad);
  const gboolean takes_textures = gst_caps_features_contains
      (gst_caps_get_features (accepted, 0), GST_CAPS_FEATURE_MEMORY_GL_MEMORY);
  GstElement *flip = add (self, takes_textures ? "glvideoflip" : "videoflip",
      error);
  GstElement *download, *convert;

  if (!queue || !flip)
    return FALSE;
  gst_util_set_object_arg (G_OBJECT (flip), "video-direction", "auto");
  g_object_set (queue, "max-size-buffers", 2, "max-size-time",
      G_GUINT64_CONSTANT (0), "max-size-bytes", 0, NULL);
  if (takes_textures)
    return gst_element_link_many (view, flip, queue, self->sink, NULL);
  use_no_window (self);
  /* One format for all views, because a sink combines its last frame with its
   * newest caps. */
  g_autoptr (GstCaps) caps = gst_caps_from_string
      ("video/x-raw, format = { BGRx, xRGB }");
  return (download = add (self, "gldownload", error))
      && (convert = add (self, "videoconvert", error))
      && gst_element_link_many (view, download, queue, convert, NULL)
      && gst_element_link_filtered (convert, flip, caps)
      && gst_element_link (flip, self->sink);
}

/* Creates the audio sink. It is added to the pipeline if there is audio. */
static gboolean
make_sound (PlayPipeline * self, const gchar * text, GError ** error)
{
  g_autofree gchar *chain = g_strdup_printf ("audioconvert ! audioresample ! "
      "volume name=play-volume ! %s", text);

  self->sound = gst_parse_bin_from_description_full (chain, TRUE, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS | GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS,
      error);
  if (!self->sound) {
    g_prefix_error (error, "Audio cannot be played: ");
    return FALSE;
  }
  gst_object_ref_sink (self->sound);
  self->volume = gst_bin_get_by_name (GST_BIN (self->sound), "play-volume");
  return TRUE;
}

static gboolean
build (PlayPipeline * self, GError ** error)
{
  GstElement *decoder, *upload;

  if (!(decoder = add (self, "uridecodebin", error))
      || !(self->convert = add (self, "videoconvert", error))
      || !(upload = add (self, "glupload", error)))
    return FALSE;
  gst_bin_add_many (GST_BIN (self->pipeline), GST_ELEMENT (self->filter),
      GST_ELEMENT (self->view), self->sink, NULL);

  g_object_set (decoder, "uri", self->uri, NULL);
  g_signal_connect (decoder, "pad-added", G_CALLBACK (add_pad), self);
  g_signal_connect (decoder, "no-more-pads", G_CALLBACK (no_more_pads), self);
  g_signal_connect (self->pipeline, "deep-element-added",
      G_CALLBACK (look_at_element), self);
  g_object_set (self->convert, "n-threads", 0, NULL);
  gst_util_set_object_arg (G_OBJECT (self->convert), "dither", "none");
  if (!link_sink (self, error))
    return FALSE;
  if (!gst_element_link_many (self->convert, upload,
          GST_ELEMENT (self->filter), GST_ELEMENT (self->view), NULL)) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "The filter does not accept OpenGL frames, or does not output them");
    return FALSE;
  }
  return TRUE;
}

PlayPipeline *
play_pipeline_new (const gchar * input, const gchar * filter,
    GstElement * sink, const gchar * sound, PlayPipelineMessage message,
    gpointer data, GError ** error)
{
  PlayPipeline *self = g_new0 (PlayPipeline, 1);

  self->pipeline = gst_pipeline_new (NULL);
  self->sink = gst_object_ref_sink (sink);
  self->view = gst_object_ref_sink (play_view_new ());
  self->message = message;
  self->data = data;
  self->loop = TRUE;
  self->disabled = g_hash_table_new (NULL, NULL);
  if (!(self->uri = make_uri (input, error))
      || !(self->filter = make_filter (filter, error))
      || (sound && !make_sound (self, sound, error))) {
    play_pipeline_free (self);
    return NULL;
  }
  gst_object_ref_sink (self->filter);
  list_elements (self);
  if (!build (self, error)) {
    play_pipeline_free (self);
    return NULL;
  }
  g_autoptr (GstPad) pad = gst_element_get_static_pad
      (GST_ELEMENT (self->filter), "sink");
  play_view_watch (self->view, pad);

  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  self->watch = gst_bus_add_watch (bus, handle_message, self);
  return self;
}

void
play_pipeline_free (PlayPipeline * self)
{
  if (self->watch)
    g_source_remove (self->watch);
  g_clear_handle_id (&self->run_up_timer, g_source_remove);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  g_hash_table_unref (self->disabled);
  g_list_free_full (self->elements, gst_object_unref);
  gst_clear_object (&self->first);
  gst_clear_object (&self->last);
  gst_object_unref (self->view);
  g_clear_pointer (&self->filter, gst_object_unref);
  gst_object_unref (self->sink);
  gst_clear_object (&self->volume);
  if (self->sound)
    gst_element_set_state (self->sound, GST_STATE_NULL);
  gst_clear_object (&self->sound);
  gst_object_unref (self->pipeline);
  g_free (self->uri);
  g_free (self->missing);
  g_free (self);
}

const GList *
play_pipeline_get_elements (PlayPipeline * self)
{
  return self->elements;
}

PlayView *
play_pipeline_get_view (PlayPipeline * self)
{
  return self->view;
}

gboolean
play_pipeline_is_still (PlayPipeline * self)
{
  return g_atomic_int_get (&self->is_still);
}

const gchar *
play_pipeline_get_uri (PlayPipeline * self)
{
  return self->uri;
}

void
play_pipeline_set_playing (PlayPipeline * self, gboolean playing)
{
  self->playing = playing;
  if (playing)
    g_clear_handle_id (&self->run_up_timer, g_source_remove);
  /* Steps do not move the audio. */
  if (playing && self->is_ahead && play_pipeline_has_sound (self))
    seek_to (self, play_pipeline_get_position (self), 0);
  gst_element_set_state (self->pipeline,
      playing ? GST_STATE_PLAYING : GST_STATE_PAUSED);
}

gboolean
play_pipeline_is_playing (PlayPipeline * self)
{
  return self->playing;
}

void
play_pipeline_set_loop (PlayPipeline * self, gboolean loop)
{
  self->loop = loop;
}

gboolean
play_pipeline_get_loop (PlayPipeline * self)
{
  return self->loop;
}

gboolean
play_pipeline_has_sound (PlayPipeline * self)
{
  return g_atomic_int_get (&self->has_sound);
}

void
play_pipeline_set_mute (PlayPipeline * self, gboolean mute)
{
  if (self->volume)
    g_object_set (self->volume, "mute", mute, NULL);
}

gboolean
play_pipeline_is_mute (PlayPipeline * self)
{
  gboolean mute = TRUE;

  if (self->volume)
    g_object_get (self->volume, "mute", &mute, NULL);
  return mute;
}

GstClockTime
play_pipeline_get_duration (PlayPipeline * self)
{
  gint64 time;

  return gst_element_query_duration (self->pipeline, GST_FORMAT_TIME, &time)
      ? (GstClockTime) time : GST_CLOCK_TIME_NONE;
}

/* The audio may be at another time, so query the video sink. */
GstClockTime
play_pipeline_get_position (PlayPipeline * self)
{
  gint64 time;

  if (self->is_seeking)
    return self->target;
  return gst_element_query_position (self->sink, GST_FORMAT_TIME, &time)
      ? (GstClockTime) time : GST_CLOCK_TIME_NONE;
}

gboolean
play_pipeline_seek (PlayPipeline * self, GstClockTime time)
{
  if (!self->is_seeking || self->run_up > 0)
    return seek_to (self, time, 0);
  self->target = time;
  self->is_stale = TRUE;
  return TRUE;
}

void
play_pipeline_refresh (PlayPipeline * self)
{
  const GstClockTime time = play_pipeline_get_position (self);

  if (self->playing || !GST_CLOCK_TIME_IS_VALID (time))
    return;
  /* Waits for one frame, so that a held key shows some. */
  if (self->is_seeking && self->run_up == 0)
    self->is_stale = TRUE;
  else
    seek_to (self, time, 0);
}

gboolean
play_pipeline_is_running_up (PlayPipeline * self)
{
  return self->run_up_timer > 0 || (self->is_seeking && self->run_up > 0);
}

void
play_pipeline_step (PlayPipeline * self)
{
  /* A step would continue from a frame without its previous frames. */
  if (!self->playing && (self->is_seeking || self->run_up_timer > 0)) {
    seek_to (self, self->target + get_frame_time (self), 0);
    return;
  }
  play_pipeline_set_playing (self, FALSE);
  self->is_ahead = TRUE;
  gst_element_send_event (self->sink,
      gst_event_new_step (GST_FORMAT_BUFFERS, 1, 1.0, TRUE, FALSE));
}

/* Seeks to the shown frame again, because the frames held back in an element
 * are lost. There must be no thread boundary between the elements when the
 * flush of the seek ends, because they are relinked then. */
gboolean
play_pipeline_set_enabled (PlayPipeline * self, GstElement * element,
    gboolean enabled)
{
  const GstClockTime time = play_pipeline_get_position (self);

  if (enabled == play_pipeline_is_enabled (self, element))
    return TRUE;
  for (const GList * l = self->elements; l; l = l->next) {
    g_autoptr (GstPad) in = gst_element_get_static_pad (l->data, "sink");
    g_autoptr (GstPad) out = gst_element_get_static_pad (l->data, "src");

    if (!in || !out)
      return FALSE;
  }
  GST_OBJECT_LOCK (self->pipeline);
  if (enabled)
    g_hash_table_remove (self->disabled, element);
  else
    g_hash_table_add (self->disabled, element);
  GST_OBJECT_UNLOCK (self->pipeline);
  g_atomic_int_set (&self->has_other_links, TRUE);
  if (!GST_CLOCK_TIME_IS_VALID (time) || !seek_to (self, time, 0)) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (self->first, "src");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_IDLE, link_again, self, NULL);
  }
  return TRUE;
}

gboolean
play_pipeline_is_enabled (PlayPipeline * self, GstElement * element)
{
  GST_OBJECT_LOCK (self->pipeline);
  const gboolean enabled = !g_hash_table_contains (self->disabled, element);
  GST_OBJECT_UNLOCK (self->pipeline);
  return enabled;
}

/* Returns the last frame with caps of system memory. Mapping the buffer
 * downloads it. */
static GstSample *
get_sample (PlayPipeline * self)
{
  GstSample *sample = NULL;

  g_object_get (self->sink, "last-sample", &sample, NULL);
  if (!sample)
    return NULL;
  g_autoptr (GstSample) shown = sample;
  g_autoptr (GstCaps) caps = gst_caps_copy (gst_sample_get_caps (shown));

  gst_caps_set_features_simple (caps, NULL);
  gst_structure_remove_field (gst_caps_get_structure (caps, 0),
      "texture-target");
  return gst_sample_new (gst_sample_get_buffer (shown), caps, NULL, NULL);
}

gboolean
play_pipeline_save (PlayPipeline * self, const gchar * location,
    GError ** error)
{
  g_autoptr (GstSample) sample = get_sample (self);
  g_autoptr (GstCaps) png = gst_caps_new_empty_simple ("image/png");

  if (!sample) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        "No frame yet");
    return FALSE;
  }
  g_autoptr (GstSample) picture = gst_video_convert_sample (sample, png,
      SAVE_TIMEOUT, error);
  if (!picture)
    return FALSE;
  GstMapInfo map;
  GstBuffer *buffer = gst_sample_get_buffer (picture);

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_set_error (error, GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        "Cannot read the frame");
    return FALSE;
  }
  const gboolean ok = g_file_set_contents (location, (gchar *) map.data,
      map.size, error);
  gst_buffer_unmap (buffer, &map);
  return ok;
}

gboolean
play_pipeline_get_size (PlayPipeline * self, gint * width, gint * height)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (self->sink, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  GstVideoInfo info;

  if (!caps || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  *width = gst_util_uint64_scale_int_round (GST_VIDEO_INFO_WIDTH (&info),
      GST_VIDEO_INFO_PAR_N (&info), GST_VIDEO_INFO_PAR_D (&info));
  *height = GST_VIDEO_INFO_HEIGHT (&info);
  return TRUE;
}
