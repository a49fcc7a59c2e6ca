/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclhistogram.h"

#include "opencl/oclhistogramoverlay.h"

#define MESSAGE_NAME "glopenclfilter-histogram"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_histogram_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_histogram_debug

static const gchar *const channel_names[OCL_HISTOGRAM_N_CHANNELS] = {
  [OCL_HISTOGRAM_RED] = "red",
  [OCL_HISTOGRAM_GREEN] = "green",
  [OCL_HISTOGRAM_BLUE] = "blue",
  [OCL_HISTOGRAM_LUMA] = "luma",
};

/* A frame on its way. */
typedef struct
{
  guint slot;
  GstGLOpenCLHistogramSettings settings;
  gboolean due;
  GstClockTime stream_time;
  GstClockTime running_time;
} Frame;

struct _GstGLOpenCLHistogram
{
  GstElement *element;          /* not owned */
  gint n_messages;              /* atomic; those that exist, and hold element */

  /* From open to close. */
  OclHistogram *histogram;
  OclHistogramOverlay *overlay;

  Frame frames[GST_GL_OPENCL_MAX_FLIGHTS];
  gboolean counts_wanted;       /* once, and from then on */
  gboolean overlay_wanted;
  GstGLOpenCLHistogramEmission emission;        /* of the last frame */
  GstClockTime span;            /* of the last frame told; NONE before it */
  gboolean dropped;             /* a message, and it has been said */
};

GType
gst_gl_opencl_histogram_emission_get_type (void)
{
  static gsize type = 0;
  static const GFlagsValue values[] = {
    {GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE, "Nothing is told", "none"},
    {GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES,
        "An element message " MESSAGE_NAME " for every frame due", "messages"},
    {GST_GL_OPENCL_HISTOGRAM_EMISSION_META,
          "A custom meta " GST_GL_OPENCL_HISTOGRAM_META_NAME
          " on the buffer of every frame due", "meta"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_flags_register_static ("GstGLOpenCLHistogramEmission", values));
  return type;
}

GType
gst_gl_opencl_histogram_bins_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_GL_OPENCL_HISTOGRAM_BINS_64, "Four values a bin", "64"},
    {GST_GL_OPENCL_HISTOGRAM_BINS_256, "A bin for each value", "256"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLHistogramBins", values));
  return type;
}

GType
gst_gl_opencl_histogram_source_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT, "The filtered picture", "output"},
    {GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT, "The picture before the filter",
        "input"},
    {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstGLOpenCLHistogramSource", values));
  return type;
}

/* The meta has no tags: it depends neither on the size nor on the memory of the
 * frame that it travels with. */
static void
register_once (void)
{
  static gsize registered = 0;
  static const gchar *tags[] = { NULL };

  if (g_once_init_enter (&registered)) {
    gst_meta_register_custom (GST_GL_OPENCL_HISTOGRAM_META_NAME, tags, NULL,
        NULL, NULL);
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_histogram_debug,
        "glopenclhistogram", 0, "histograms of OpenCL filters");
    g_once_init_leave (&registered, 1);
  }
}

GstGLOpenCLHistogram *
gst_gl_opencl_histogram_new (GstElement * element)
{
  GstGLOpenCLHistogram *self = g_new0 (GstGLOpenCLHistogram, 1);

  register_once ();
  self->element = element;
  for (guint slot = 0; slot < G_N_ELEMENTS (self->frames); slot++)
    self->frames[slot].slot = slot;
  return self;
}

void
gst_gl_opencl_histogram_free (GstGLOpenCLHistogram * self)
{
  gst_gl_opencl_histogram_close (self);
  g_free (self);
}

void
gst_gl_opencl_histogram_open (GstGLOpenCLHistogram * self, OclContext * context)
{
  self->histogram = ocl_histogram_new (context, OCL_HISTOGRAM_VARIANT_AUTO,
      GST_GL_OPENCL_MAX_FLIGHTS);
  self->overlay = ocl_histogram_overlay_new (context);
  self->dropped = FALSE;
  gst_gl_opencl_histogram_flush (self);
}

void
gst_gl_opencl_histogram_flush (GstGLOpenCLHistogram * self)
{
  self->span = GST_CLOCK_TIME_NONE;
}

void
gst_gl_opencl_histogram_close (GstGLOpenCLHistogram * self)
{
  g_clear_pointer (&self->overlay, ocl_histogram_overlay_free);
  g_clear_pointer (&self->histogram, ocl_histogram_free);
}

gboolean
gst_gl_opencl_histogram_prepare (GstGLOpenCLHistogram * self,
    OclStorage storage, GError ** error)
{
  return (!self->counts_wanted
      || ocl_histogram_prepare (self->histogram, storage, error))
      && (!self->overlay_wanted
      || ocl_histogram_overlay_prepare (self->overlay, error));
}

/* The span of time that @frame is in; NONE where it has no time, or all frames
 * are told. Spans of running time rather than of time since the last frame
 * told: the mean rate is right also where frames don't fall on the interval. */
static GstClockTime
get_span (const Frame * frame)
{
  if (frame->settings.interval == 0
      || !GST_CLOCK_TIME_IS_VALID (frame->running_time))
    return GST_CLOCK_TIME_NONE;
  return frame->running_time / frame->settings.interval;
}

GstGLOpenCLWorkFlags
gst_gl_opencl_histogram_snapshot (GstGLOpenCLHistogram * self, guint slot,
    const GstGLOpenCLHistogramSettings * settings, const GstSegment * segment,
    GstBuffer * buffer)
{
  GstGLOpenCLWorkFlags flags = GST_GL_OPENCL_WORK_NONE;
  Frame *frame = &self->frames[slot];

  frame->settings = *settings;
  frame->stream_time = GST_CLOCK_TIME_NONE;
  frame->running_time = GST_CLOCK_TIME_NONE;
  if (segment->format == GST_FORMAT_TIME) {
    frame->stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer));
    frame->running_time = gst_segment_to_running_time (segment,
        GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  }

  if (settings->emission != self->emission)
    gst_gl_opencl_histogram_flush (self);
  self->emission = settings->emission;
  self->counts_wanted |= settings->emission || settings->overlay;
  self->overlay_wanted |= settings->overlay;

  GstClockTime span = get_span (frame);
  frame->due = settings->emission
      && (!GST_CLOCK_TIME_IS_VALID (span) || span != self->span);
  if (frame->due)
    flags |= GST_GL_OPENCL_WORK_READ;
  if (frame->due && settings->emission & GST_GL_OPENCL_HISTOGRAM_EMISSION_META)
    flags |= GST_GL_OPENCL_WORK_ATTACH;
  if (settings->overlay)
    flags |= GST_GL_OPENCL_WORK_READ | GST_GL_OPENCL_WORK_WRITE;
  return flags;
}

gboolean
gst_gl_opencl_histogram_enqueue (GstGLOpenCLHistogram * self, guint slot,
    const OclFrame * input, const OclFrame * output, OclTimer * timer,
    GError ** error)
{
  const Frame *frame = &self->frames[slot];
  const GstGLOpenCLHistogramSettings *settings = &frame->settings;
  const OclFrame *counted =
      output && settings->source == GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT
      ? output : input;

  if (!frame->due && !settings->overlay)
    return TRUE;
  if (!ocl_histogram_enqueue (self->histogram, counted, timer, error))
    return FALSE;
  return !settings->overlay
      || ocl_histogram_overlay_enqueue (self->overlay,
      ocl_histogram_get_memory (self->histogram), output, timer, error);
}

gboolean
gst_gl_opencl_histogram_enqueue_read (GstGLOpenCLHistogram * self, guint slot,
    OclTimer * timer, GError ** error)
{
  const Frame *frame = &self->frames[slot];

  if (!frame->due)
    return TRUE;
  /* Not before: a frame that is dropped is not told. */
  self->span = get_span (frame);
  return ocl_histogram_enqueue_read (self->histogram, slot, timer, error);
}

/* The counts of a channel in as many bins as the settings say. */
static void
gst_gl_opencl_histogram_fold (GstGLOpenCLHistogram * self, const Frame * frame,
    OclHistogramChannel channel, guint32 counts[OCL_HISTOGRAM_BINS])
{
  const guint32 *all =
      ocl_histogram_get_counts (self->histogram, frame->slot)->counts[channel];
  guint values_of_bin = OCL_HISTOGRAM_BINS / frame->settings.bins;

  memset (counts, 0, frame->settings.bins * sizeof (counts[0]));
  for (guint value = 0; value < OCL_HISTOGRAM_BINS; value++)
    counts[value / values_of_bin] += all[value];
}

static void
take_counts (GstStructure * structure, const gchar * name,
    const guint32 * counts, guint bins)
{
  GValue array = G_VALUE_INIT;

  gst_value_array_init (&array, bins);
  for (guint i = 0; i < bins; i++) {
    GValue value = G_VALUE_INIT;

    g_value_init (&value, G_TYPE_UINT);
    g_value_set_uint (&value, counts[i]);
    gst_value_array_append_and_take_value (&array, &value);
  }
  gst_structure_take_value (structure, name, &array);
}

static GstMessage *
gst_gl_opencl_histogram_create_message (GstGLOpenCLHistogram * self,
    const Frame * frame, GstBuffer * buffer)
{
  const guint bins = frame->settings.bins;
  guint32 counts[OCL_HISTOGRAM_BINS];
  GstStructure *structure = gst_structure_new (MESSAGE_NAME,
      "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (buffer),
      "stream-time", G_TYPE_UINT64, frame->stream_time,
      "running-time", G_TYPE_UINT64, frame->running_time,
      "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (buffer),
      "bins", G_TYPE_UINT, bins, NULL);

  for (guint channel = 0; channel < OCL_HISTOGRAM_N_CHANNELS; channel++) {
    gst_gl_opencl_histogram_fold (self, frame, channel, counts);
    take_counts (structure, channel_names[channel], counts, bins);
  }
  return gst_message_new_element (GST_OBJECT (self->element), structure);
}

/* Any thread. The message still holds the element. */
static void
message_freed (gpointer user_data, GstMiniObject * message)
{
  GstGLOpenCLHistogram *self = user_data;

  (void) message;
  g_atomic_int_add (&self->n_messages, -1);
}

static void
gst_gl_opencl_histogram_post (GstGLOpenCLHistogram * self, const Frame * frame,
    GstBuffer * buffer)
{
  if (g_atomic_int_get (&self->n_messages)
      >= GST_GL_OPENCL_HISTOGRAM_MAX_MESSAGES) {
    if (!self->dropped)
      GST_ELEMENT_WARNING (self->element, CORE, TOO_LAZY,
          ("Histogram messages are dropped because %d of them have not been "
              "read. Read the bus, or set histogram-emission to none.",
              GST_GL_OPENCL_HISTOGRAM_MAX_MESSAGES), (NULL));
    self->dropped = TRUE;
    return;
  }

  GstMessage *message = gst_gl_opencl_histogram_create_message (self, frame,
      buffer);
  g_atomic_int_inc (&self->n_messages);
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (message), message_freed,
      self);
  gst_element_post_message (self->element, message);
}

static void
gst_gl_opencl_histogram_attach (GstGLOpenCLHistogram * self,
    const Frame * frame, GstBuffer * buffer)
{
  GstCustomMeta *meta = gst_buffer_add_custom_meta (buffer,
      GST_GL_OPENCL_HISTOGRAM_META_NAME);
  GstStructure *structure = gst_custom_meta_get_structure (meta);
  const guint bins = frame->settings.bins;
  guint32 counts[OCL_HISTOGRAM_BINS];
  g_autofree gchar *name = gst_element_get_name (self->element);

  gst_structure_set (structure, "element", G_TYPE_STRING, name,
      "bins", G_TYPE_UINT, bins, NULL);
  for (guint channel = 0; channel < OCL_HISTOGRAM_N_CHANNELS; channel++) {
    gst_gl_opencl_histogram_fold (self, frame, channel, counts);
    g_autoptr (GBytes) bytes =
        g_bytes_new (counts, bins * sizeof (counts[0]));
    gst_structure_set (structure, channel_names[channel], G_TYPE_BYTES, bytes,
        NULL);
  }
}

void
gst_gl_opencl_histogram_finish (GstGLOpenCLHistogram * self, guint slot,
    GstBuffer * buffer)
{
  const Frame *frame = &self->frames[slot];

  if (!frame->due)
    return;
  if (frame->settings.emission & GST_GL_OPENCL_HISTOGRAM_EMISSION_META)
    gst_gl_opencl_histogram_attach (self, frame, buffer);
  if (frame->settings.emission & GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES)
    gst_gl_opencl_histogram_post (self, frame, buffer);
}
