/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclhistogram.h"

#include "opencl/histogram/oclhistogramoverlay.h"

#define OFFSET(member) G_STRUCT_OFFSET (GstGLOpenCLHistogramSettings, member)

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_histogram_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_histogram_debug

static const OclValue emissions[] = {
  {GST_GL_OPENCL_HISTOGRAM_EMISSION_NONE, "none", "No histogram is emitted"},
  {GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES, "messages",
      "Post an element message for each due frame, named after the "
        "factory, with -histogram appended"},
  {GST_GL_OPENCL_HISTOGRAM_EMISSION_META, "meta",
      "Attach a custom meta " GST_GL_OPENCL_HISTOGRAM_META_NAME
        " to the buffer of each due frame"},
  {0, NULL, NULL},
};

static const OclValue bins[] = {
  {GST_GL_OPENCL_HISTOGRAM_BINS_64, "64", "Four values of 8 bits per bin"},
  {GST_GL_OPENCL_HISTOGRAM_BINS_256, "256", "One bin per value of 8 bits"},
  {GST_GL_OPENCL_HISTOGRAM_BINS_1024, "1024",
      "One bin per value of 10 bits. 8-bit frames have 256 bins"},
  {0, NULL, NULL},
};

static const OclValue sources[] = {
  {GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT, "output", "The filtered frame"},
  {GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT, "input",
      "The frame before filtering"},
  {0, NULL, NULL},
};

static const OclValues emission_values = {
  "histogram-emission", emissions
};
static const OclValues bins_values = { "histogram-bins", bins };

static const OclValues source_values = {
  "histogram-source", sources
};

/**
 * GstGLOpenCLBaseFilter:histogram-emission:
 *
 * How histograms of the frames are emitted: as element messages, as metas on
 * the buffers, or both.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:histogram-bins:
 *
 * The number of bins of each channel of the emitted histograms. 1024 bins are
 * for formats of 10 bits and more. With 1024, other formats have 256 bins.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:histogram-source:
 *
 * Selects the picture that is counted: the filtered picture, or the picture
 * before the filter.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:histogram-interval:
 *
 * The interval between emitted histograms, in nanoseconds of running time. 0
 * emits a histogram for every frame.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:histogram-overlay:
 *
 * Draws the histogram of every frame into its upper right corner, after
 * counting. The full height stands for the count of the tallest bin. Bins of
 * clipped pixels are excluded, and the full height stands for at most a 32nd of
 * the frame's pixels.
 *
 * Since: 0.1
 */

const OclParam gst_gl_opencl_histogram_params[] = {
  {"histogram-emission", "How histograms are emitted. While "
        G_STRINGIFY (GST_GL_OPENCL_MAX_MESSAGES) " messages are "
        "unread on the bus, further messages are dropped",
        OCL_PARAM_FLAGS, OFFSET (emission),.values = &emission_values,
      .fixed = TRUE},
  {"histogram-bins", "Number of bins of each channel in the emitted histograms",
        OCL_PARAM_ENUM, OFFSET (bins),.values = &bins_values,
      .default_value = GST_GL_OPENCL_HISTOGRAM_BINS_256},
  {"histogram-source", "Frame that is counted",
      OCL_PARAM_ENUM, OFFSET (source),.values = &source_values},
  {"histogram-interval",
        "Interval between emitted histograms in nanoseconds of running "
        "time. The first frame of each interval is due. 0 emits a "
        "histogram for every frame",
      OCL_PARAM_UINT64, OFFSET (interval)},
  {"histogram-overlay",
        "Draw the histogram into the upper right corner of each frame: "
        "luma as a white line, all channels as areas",
      OCL_PARAM_BOOLEAN, OFFSET (overlay)},
  {NULL},
};

#define COUNTING OCL_SINGLE (&ocl_histogram_class, NULL)
#define DRAWING OCL_SINGLE (&ocl_histogram_overlay_class, NULL)

struct _GstGLOpenCLHistogram
{
  GstGLOpenCLMessages messages;

  /* Both operations exist from open to close. */
  OclFilter *counter;
  OclFilter *overlay;

  gboolean counts_wanted;       /* stays TRUE once it is set */
  gboolean overlay_wanted;
  GstGLOpenCLHistogramEmission emission;        /* of the last frame */
  GstClockTime span;            /* of the last frame emitted, or NONE */
};

void
gst_gl_opencl_histogram_frame_clear (GstGLOpenCLHistogramFrame * frame,
    OclContext * ocl)
{
  ocl_result_clear (&frame->result, ocl);
  ocl_graph_set (&frame->counter_graph, NULL);
  ocl_graph_set (&frame->overlay_graph, NULL);
}

GstGLOpenCLHistogram *
gst_gl_opencl_histogram_new (GstElement * element)
{
  static gsize registered = 0;
  static const gchar *tags[] = { NULL };
  GstGLOpenCLHistogram *self = g_new0 (GstGLOpenCLHistogram, 1);

  if (g_once_init_enter (&registered)) {
    /* The meta has no tags, because it depends neither on the size nor on the
     * memory of the frame. */
    gst_meta_register_custom (GST_GL_OPENCL_HISTOGRAM_META_NAME, tags, NULL,
        NULL, NULL);
    GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_histogram_debug,
        "glopenclhistogram", 0, "histograms of OpenCL filters");
    g_once_init_leave (&registered, 1);
  }
  self->messages.element = element;
  self->messages.subject = "histogram";
  self->messages.remedy = "histogram-emission to none";
  return self;
}

void
gst_gl_opencl_histogram_free (GstGLOpenCLHistogram * self)
{
  gst_gl_opencl_histogram_close (self);
  g_free (self);
}

void
gst_gl_opencl_histogram_open (GstGLOpenCLHistogram * self, OclContext * ocl,
    gboolean uses_database)
{
  const OclOperationList counting = COUNTING, drawing = DRAWING;

  self->counter = ocl_filter_new (&counting, ocl);
  self->overlay = ocl_filter_new (&drawing, ocl);
  ocl_filter_set_uses_database (self->counter, uses_database);
  ocl_filter_set_uses_database (self->overlay, uses_database);
  self->messages.dropped = FALSE;
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
  g_clear_pointer (&self->overlay, ocl_filter_unref);
  g_clear_pointer (&self->counter, ocl_filter_unref);
}

void
gst_gl_opencl_histogram_snapshot (GstGLOpenCLHistogram * self,
    GstGLOpenCLHistogramFrame * frame,
    const GstGLOpenCLHistogramSettings * settings,
    const GstGLOpenCLTimes * times)
{
  frame->settings = *settings;
  if (settings->emission != self->emission)
    gst_gl_opencl_histogram_flush (self);
  self->emission = settings->emission;
  self->counts_wanted |= settings->emission || settings->overlay;
  self->overlay_wanted |= settings->overlay;

  /* Intervals divide running time and do not depend on the last emitted frame,
   * so that the mean rate is correct even if frames do not match the
   * interval. */
  frame->span = settings->interval > 0
      && GST_CLOCK_TIME_IS_VALID (times->running_time)
      ? times->running_time / settings->interval : GST_CLOCK_TIME_NONE;
  frame->due = settings->emission
      && (!GST_CLOCK_TIME_IS_VALID (frame->span) || frame->span != self->span);
}

/* Sets @graph to the graph of @filter for frames like @info. */
static gboolean
set_graph (OclGraph ** graph, OclFilter * filter, const OclFrameInfo * info,
    GError ** error)
{
  const OclOperationList operations =
      OCL_SINGLE (ocl_filter_get_class (filter, 0), NULL);
  g_autoptr (OclGraph) found =
      ocl_filter_get_graph (filter, info, &operations, error);

  ocl_graph_set (graph, found);
  return found != NULL;
}

gboolean
gst_gl_opencl_histogram_prepare (GstGLOpenCLHistogram * self,
    GstGLOpenCLHistogramFrame * frame, const OclFrameInfo * info,
    const OclFrameInfo * input, GError ** error)
{
  const OclFrameInfo *counted =
      frame->settings.source == GST_GL_OPENCL_HISTOGRAM_SOURCE_INPUT
      ? input : info;

  if (self->counts_wanted
      && (!set_graph (&frame->counter_graph, self->counter, counted, error)
          || !ocl_result_ensure (&frame->result,
              ocl_filter_get_context (self->counter),
              sizeof (OclHistogramCounts), error)))
    return FALSE;
  return !self->overlay_wanted
      || set_graph (&frame->overlay_graph, self->overlay, info, error);
}

gboolean
gst_gl_opencl_histogram_frame_takes (const GstGLOpenCLHistogramFrame * frame,
    gboolean bytes_swapped)
{
  return (!frame->counter_graph
      || ocl_graph_takes (frame->counter_graph, bytes_swapped))
      && (!frame->overlay_graph
      || ocl_graph_takes (frame->overlay_graph, bytes_swapped));
}

gboolean
gst_gl_opencl_histogram_enqueue (GstGLOpenCLHistogram * self,
    GstGLOpenCLHistogramFrame * frame, const OclFrame * input,
    const OclFrame * output, OclTimer * timer, GError ** error)
{
  const GstGLOpenCLHistogramSettings *settings = &frame->settings;
  const OclFrame *counted =
      output && settings->source == GST_GL_OPENCL_HISTOGRAM_SOURCE_OUTPUT
      ? output : input;
  const OclOperationList counting = COUNTING, drawing = DRAWING;
  const OclRun count = {.input = counted,.result = &frame->result,
    .timer = timer
  };
  const OclRun draw = {.output = output,.result = &frame->result,
    .timer = timer
  };

  if (!frame->due && !settings->overlay)
    return TRUE;
  frame->format = counted->info.format;
  return ocl_filter_enqueue (self->counter, frame->counter_graph, &counting,
      &count, error)
      && (!settings->overlay
      || ocl_filter_enqueue (self->overlay, frame->overlay_graph, &drawing,
          &draw, error));
}

gboolean
gst_gl_opencl_histogram_frame_enqueue_read (GstGLOpenCLHistogramFrame * frame,
    OclContext * ocl, OclTimer * timer, GError ** error)
{
  if (!frame->due)
    return TRUE;
  return ocl_result_enqueue_read (&frame->result, ocl,
      sizeof (OclHistogramCounts), timer, error);
}

void
gst_gl_opencl_histogram_begun (GstGLOpenCLHistogram * self,
    const GstGLOpenCLHistogramFrame * frame)
{
  /* The interval is not set earlier, because a dropped frame emits nothing. */
  if (frame->due)
    self->span = frame->span;
}

/* Adds the number of bins and the counts of each channel to @structure: as
 * GBytes for metas, or as arrays of numbers. */
static void
add_counts (const GstGLOpenCLHistogramFrame * frame, GstStructure * structure,
    gboolean as_bytes)
{
  const OclHistogramCounts *result = frame->result.host.data;
  const guint n_channels = ocl_histogram_get_n_channels (frame->format);
  const guint n_all = ocl_histogram_get_n_bins (frame->format);
  /* A format may have fewer bins than the settings. */
  const guint bins = MIN ((guint) frame->settings.bins, n_all);

  gst_structure_set (structure, "bins", G_TYPE_UINT, bins, NULL);
  for (guint channel = 0; channel < n_channels; channel++) {
    const gchar *name = ocl_histogram_get_channel_name (frame->format, channel);
    guint32 counts[OCL_HISTOGRAM_MAX_BINS] = { 0, };

    for (guint i = 0; i < n_all; i++)
      counts[i / (n_all / bins)] += result->counts[channel][i];
    if (as_bytes) {
      g_autoptr (GBytes) bytes =
          g_bytes_new (counts, bins * sizeof (counts[0]));

      gst_structure_set (structure, name, G_TYPE_BYTES, bytes, NULL);
      continue;
    }
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
}

void
gst_gl_opencl_histogram_emit (GstGLOpenCLHistogram * self,
    const GstGLOpenCLHistogramFrame * frame, const GstGLOpenCLTimes * times,
    GstBuffer * buffer)
{
  GstStructure *structure;

  if (!frame->due)
    return;
  if (frame->settings.emission & GST_GL_OPENCL_HISTOGRAM_EMISSION_META) {
    GstCustomMeta *meta = gst_buffer_add_custom_meta (buffer,
        GST_GL_OPENCL_HISTOGRAM_META_NAME);
    g_autofree gchar *name = gst_element_get_name (self->messages.element);

    structure = gst_custom_meta_get_structure (meta);
    gst_structure_set (structure, "element", G_TYPE_STRING, name, NULL);
    add_counts (frame, structure, TRUE);
  }
  if (frame->settings.emission & GST_GL_OPENCL_HISTOGRAM_EMISSION_MESSAGES) {
    structure = gst_gl_opencl_messages_create (&self->messages, times, buffer);
    if (!structure)
      return;
    add_counts (frame, structure, FALSE);
    gst_gl_opencl_messages_post (&self->messages, structure);
  }
}
