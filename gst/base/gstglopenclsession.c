/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsession.h"

#include <gst/base/gstbasetransform.h>

#include "gstglopenclerror.h"
#include "gstglopenclstats.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_session_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_session_debug

/* A shorter wait for the compiler is not announced. */
#define ANNOUNCED_AFTER GST_SECOND

struct _GstGLOpenCLSession
{
  GstElement *element;          /* not owned */
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLReport *report;
  GstGLOpenCLStats stats;

  /* The flights: of the next frame, of the frames held back from the oldest to
   * the newest, of which the newest may wait for later frames, and idle ones.
   * The last idle flight is used first, which saves memory. */
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLFlight *next;      /* or NULL */
  GQueue held;
  guint n_waiting;              /* not begun */
  GQueue idle;

  /* These members are valid from open to close. */
  GstGLOpenCLWays ways;
  gboolean uses_database;       /* kernels use its settings */
  gboolean quick;               /* frames do not wait for the compiler */
  OclFrame scratch;             /* copies of frames filtered in place */

  /* The chains, from open to close. If users change the operations or a text
   * while frames flow, the previous operations stay in use until the new ones
   * are built, or for good if this fails. */
  gboolean changes;             /* operations or texts may change */
  OclFilter *chain;             /* in use, or NULL (owned) */
  OclFilter *next_chain;        /* to use when it is built, or NULL (owned) */
  OclLinks good;                /* of the last graph, if @changes or @quick */
  OclLinks refused;             /* operations that cannot be built */

  /* These members are valid from set_info on. */
  GstVideoInfo info;
  const OclFormat *format;
  OclColorimetry colorimetry;
  gboolean bytes_swapped;       /* byte order of the last acquired textures */
  gboolean forgets;             /* start a new sequence */
  guint number;                 /* frames in the sequence so far */
  GstBuffer *newest;            /* the last input while frames wait (owned) */
};

/* GStreamer has textures of 16-bit components only for desktop OpenGL. */
gboolean
gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error)
{
  if (format->image_component_bytes == 1
      || gst_gl_context_get_gl_api (gl_context)
      & (GST_GL_API_OPENGL | GST_GL_API_OPENGL3))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "OpenGL ES has no textures for %s. Set GST_GL_API=opengl3, or put "
      "videoconvert and 8-bit caps such as video/x-raw,format=NV12 before "
      "glupload.", format->name);
  return FALSE;
}

GstGLOpenCLSession *
gst_gl_opencl_session_new (GstElement * element, gboolean changes)
{
  GstGLOpenCLSession *self = g_new0 (GstGLOpenCLSession, 1);

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_session_debug, "glopenclsession", 0,
      "frames of an element in OpenCL");
  self->element = element;
  self->changes = changes;
  self->histogram = gst_gl_opencl_histogram_new (element);
  self->report = gst_gl_opencl_report_new (element);
  gst_gl_opencl_stats_init (&self->stats);
  g_queue_init (&self->held);
  g_queue_init (&self->idle);
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    GstGLOpenCLFlight *flight = &self->flights[i];

    g_queue_push_tail (&self->idle, flight);
    flight->histogram = self->histogram;
    flight->scratch = &self->scratch;
    flight->timer = ocl_timer_new ();
  }
  return self;
}

void
gst_gl_opencl_session_free (GstGLOpenCLSession * self)
{
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    ocl_timer_free (self->flights[i].timer);
    ocl_links_clear (&self->flights[i].links);
  }
  g_queue_clear (&self->idle);
  gst_gl_opencl_histogram_free (self->histogram);
  gst_gl_opencl_report_free (self->report);
  gst_gl_opencl_stats_clear (&self->stats);
  g_free (self);
}

/* Returns the flight of the next frame. There is one while fewer than
 * GST_GL_OPENCL_MAX_FLIGHTS are held back. */
static GstGLOpenCLFlight *
gst_gl_opencl_session_get_next (GstGLOpenCLSession * self)
{
  if (!self->next)
    self->next = g_queue_pop_head (&self->idle);
  g_assert (self->next);
  return self->next;
}

void
gst_gl_opencl_session_reset_stats (GstGLOpenCLSession * self)
{
  gst_gl_opencl_stats_reset (&self->stats);
  gst_gl_opencl_report_reset_stats (self->report);
}

GstStructure *
gst_gl_opencl_session_get_stats (GstGLOpenCLSession * self)
{
  GstStructure *stats = gst_gl_opencl_stats_get (&self->stats);

  gst_gl_opencl_report_add_stats (self->report, stats);
  return stats;
}

gboolean
gst_gl_opencl_session_is_open (GstGLOpenCLSession * self,
    GstGLContext * gl_context)
{
  return self->ways.context && self->ways.context->gl_context == gl_context;
}

gboolean
gst_gl_opencl_session_open (GstGLOpenCLSession * self,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GError ** error)
{
  if (!gst_gl_opencl_ways_open (&self->ways, gl_context, request,
          GST_OBJECT (self->element), error))
    return FALSE;
  self->uses_database = request->uses_database;
  self->quick = request->quick;
  gst_gl_opencl_histogram_open (self->histogram, self->ways.context->ocl,
      request->uses_database);
  return TRUE;
}

void
gst_gl_opencl_session_close (GstGLOpenCLSession * self)
{
  if (!self->ways.context)
    return;
  OclContext *ocl = self->ways.context->ocl;
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    GstGLOpenCLFlight *flight = &self->flights[i];

    gst_gl_opencl_ways_clear_flight (&self->ways, flight);
    gst_gl_opencl_histogram_frame_clear (&flight->emission, ocl);
    gst_gl_opencl_report_frame_clear (&flight->report, ocl);
    ocl_graph_set (&flight->graph, NULL);
    ocl_filter_set (&flight->chain, NULL);
  }
  gst_gl_opencl_histogram_close (self->histogram);
  ocl_filter_set (&self->chain, NULL);
  ocl_filter_set (&self->next_chain, NULL);
  ocl_links_clear (&self->good);
  ocl_links_clear (&self->refused);
  ocl_frame_clear (&self->scratch);
  gst_gl_opencl_ways_close (&self->ways);
}

/* Returns whether a frame of @info consists of two interleaved fields. In a
 * mixed stream, this depends on the @flags of the buffer. */
static gboolean
is_interlaced (const GstVideoInfo * info, GstBufferFlags flags)
{
  switch (GST_VIDEO_INFO_INTERLACE_MODE (info)) {
    case GST_VIDEO_INTERLACE_MODE_INTERLEAVED:
      return TRUE;
    case GST_VIDEO_INTERLACE_MODE_MIXED:
      return (flags & (GstBufferFlags) GST_VIDEO_BUFFER_FLAG_INTERLACED) != 0;
    default:
      return FALSE;
  }
}

/* Returns the frame that is passed to the operation, without memory. */
static OclFrameInfo
gst_gl_opencl_session_describe (GstGLOpenCLSession * self, gboolean interlaced)
{
  const OclStorage storage = gst_gl_opencl_ways_get_storage (&self->ways);

  return (OclFrameInfo) {
  .format = self->format,.colorimetry = self->colorimetry,.interlaced =
        interlaced,.storage = storage,.width =
        GST_VIDEO_INFO_WIDTH (&self->info),.height =
        GST_VIDEO_INFO_HEIGHT (&self->info),.bytes_swapped =
        storage == OCL_STORAGE_IMAGE && self->bytes_swapped,};
}

/* Returns the chain for @flight, or creates it. A flight that waits for later
 * frames keeps its chain. */
static OclFilter *
gst_gl_opencl_session_find_chain (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight)
{
  const OclLinks *links = &flight->links;

  if (flight->chain && ocl_filter_get_id (flight->chain) == links->id)
    return flight->chain;
  if (self->chain && ocl_filter_get_id (self->chain) == links->id)
    return self->chain;
  if (!self->next_chain || ocl_filter_get_id (self->next_chain) != links->id) {
    g_clear_pointer (&self->next_chain, ocl_filter_unref);
    self->next_chain = ocl_filter_new (links, self->ways.context->ocl);
    ocl_filter_set_uses_database (self->next_chain, self->uses_database);
    ocl_filter_set_quick (self->next_chain, self->quick);
  }
  return self->next_chain;
}

/* Sets the chain in use to @chain with @links. Frames in flight have references
 * to the previous chain. */
static void
gst_gl_opencl_session_keep_chain (GstGLOpenCLSession * self, OclFilter * chain,
    const OclLinks * links)
{
  ocl_filter_set (&self->chain, chain);
  if (self->next_chain == chain)
    ocl_filter_set (&self->next_chain, NULL);
  if (self->changes || self->quick)
    ocl_links_copy (&self->good, links);
}

/* Returns whether the operations of @flight are built, or starts to build them.
 * If they cannot be built, posts one warning with the reason. */
static gboolean
gst_gl_opencl_session_build_chain (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight, const OclFrameInfo * info)
{
  OclFilter *chain = gst_gl_opencl_session_find_chain (self, flight);
  g_autoptr (GError) error = NULL;

  if (!ocl_filter_is_ready (chain, info, &flight->links))
    return FALSE;
  g_autoptr (OclGraph) graph =
      ocl_filter_get_graph (chain, info, &flight->links, &error);
  if (graph) {
    gst_gl_opencl_session_keep_chain (self, chain, &flight->links);
    return TRUE;
  }
  /* The error replaces the warning. */
  GError *warning = ocl_filter_take_warning (chain);
  g_clear_error (&warning);
  ocl_links_copy (&self->refused, &flight->links);
  gst_gl_opencl_error_warn (self->element, error);
  return FALSE;
}

/* Returns whether the parameters of @flight need kernels that the last graph
 * does not have and that are not compiled yet, in a stream that does not wait
 * for the compiler. Starts to build them. */
static gboolean
gst_gl_opencl_session_must_wait (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight, const OclFrameInfo * info)
{
  const OclLinks *links = &flight->links;
  gboolean alike = TRUE;

  if (!self->quick || self->good.id != links->id)
    return FALSE;
  for (guint i = 0; i < links->n; i++)
    alike &= ocl_operation_class_decide_alike (links->items[i].klass,
        links->items[i].params, self->good.items[i].params);
  return !alike
      && !ocl_filter_is_ready (gst_gl_opencl_session_find_chain (self, flight),
      info, links);
}

/* Selects the operations of the next flight. If they are not built yet or
 * cannot be built, falls back to the operations of the last graph, or to their
 * texts if only these changed. A quick stream falls back to the parameters of
 * the last graph, too. Sets the chain of the flight if there is one. */
static void
gst_gl_opencl_session_settle_flight (GstGLOpenCLSession * self,
    gboolean interlaced)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);
  OclLinks *links = &flight->links;

  if (self->format && self->ways.context) {
    const OclFrameInfo info = gst_gl_opencl_session_describe (self, interlaced);
    const gboolean falls_back = self->good.id != 0
        && !ocl_links_have_same_texts (&self->good, links)
        && (ocl_links_have_same_texts (&self->refused, links)
        || !gst_gl_opencl_session_build_chain (self, flight, &info));

    if ((falls_back && links->id != self->good.id)
        || (!falls_back && gst_gl_opencl_session_must_wait (self, flight,
                &info))) {
      ocl_links_copy (links, &self->good);
    } else if (falls_back) {
      for (guint i = 0; i < links->n; i++) {
        const OclLink *good = &self->good.items[i];

        if (good->klass->flags & OCL_OPERATION_IS_TEXT)
          ocl_params_copy (good->klass->params, good->klass->params_size,
              links->items[i].params, good->params);
      }
    }
    /* This chain may be replaced while the flight waits. */
    if (self->chain && ocl_filter_get_id (self->chain) == links->id)
      ocl_filter_set (&flight->chain, self->chain);
  }
  flight->waits = gst_gl_opencl_flight_get_lookahead (flight) > 0;
}

/* A wait for kernels, which is announced after a second. Drivers that have the
 * kernels from an earlier start are faster. */
typedef struct
{
  GMutex mutex;                 /* guards the members below */
  GstElement *element;          /* owned */
  gchar *device;                /* name, owned */
  gboolean is_announced;
  gboolean has_ended;
} Compilation;

static void
compilation_clear (gpointer data)
{
  Compilation *self = data;

  gst_object_unref (self->element);
  g_free (self->device);
  g_mutex_clear (&self->mutex);
}

static void
compilation_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, compilation_clear);
}

/* Called by the thread of the clock. */
static gboolean
compilation_announce (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer data)
{
  Compilation *self = data;

  (void) clock, (void) time, (void) id;
  g_mutex_lock (&self->mutex);
  if (!self->has_ended) {
    self->is_announced = TRUE;
    g_autofree gchar *text = g_strdup_printf ("Compiling kernels for %s. "
        "Later starts use the driver's copy", self->device);
    gst_element_post_message (self->element,
        gst_message_new_progress (GST_OBJECT (self->element),
            GST_PROGRESS_TYPE_START, "compile", text));
  }
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

/* Returns the graph for @flight, see ocl_filter_get_graph(). Posts a message
 * if this takes longer than a second. */
static OclGraph *
gst_gl_opencl_session_get_graph (GstGLOpenCLSession * self, OclFilter * chain,
    const GstGLOpenCLFlight * flight, const OclFrameInfo * info,
    GError ** error)
{
  if (ocl_filter_has_graph (chain, info, &flight->links))
    return ocl_filter_get_graph (chain, info, &flight->links, error);

  Compilation *compilation = g_atomic_rc_box_new0 (Compilation);
  g_autoptr (GstClock) clock = gst_system_clock_obtain ();
  const GstClockID id = gst_clock_new_single_shot_id (clock,
      gst_clock_get_time (clock) + ANNOUNCED_AFTER);

  g_mutex_init (&compilation->mutex);
  compilation->element = gst_object_ref (self->element);
  compilation->device = g_strdup (self->ways.context->ocl->device->name);
  gst_clock_id_wait_async (id, compilation_announce,
      g_atomic_rc_box_acquire (compilation), compilation_unref);
  OclGraph *graph = ocl_filter_get_graph (chain, info, &flight->links, error);
  g_mutex_lock (&compilation->mutex);
  compilation->has_ended = TRUE;
  const gboolean is_announced = compilation->is_announced;
  g_mutex_unlock (&compilation->mutex);
  gst_clock_id_unschedule (id);
  gst_clock_id_unref (id);
  compilation_unref (compilation);
  if (is_announced)
    gst_element_post_message (self->element,
        gst_message_new_progress (GST_OBJECT (self->element),
            graph ? GST_PROGRESS_TYPE_COMPLETE : GST_PROGRESS_TYPE_ERROR,
            "compile", graph ? "Kernels are compiled"
            : "Kernels cannot be compiled"));
  return graph;
}

/* Prepares @flight for interlaced or progressive frames. Returns at once if
 * everything is prepared. A frame that is not filtered needs no graph, but the
 * first graph is created before the first frame. */
static gboolean
gst_gl_opencl_session_prepare (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, gboolean interlaced, gboolean filters,
    GError ** error)
{
  const OclFrameInfo info = gst_gl_opencl_session_describe (self, interlaced);
  /* An operation that looks ahead keeps a copy of the frame. */
  const OclFrameInfo input =
      flight->waits ? ocl_frame_info_get_copy (&info) : info;
  OclContext *ocl = self->ways.context->ocl;
  g_autoptr (OclGraph) graph = NULL;

  gst_gl_opencl_ways_prepare (&self->ways, flight);
  if (filters) {
    OclFilter *chain = gst_gl_opencl_session_find_chain (self, flight);

    graph = gst_gl_opencl_session_get_graph (self, chain, flight, &info, error);
    if (!graph)
      return FALSE;
    ocl_filter_set (&flight->chain, chain);
    /* A flight that has waited may have the previous chain. */
    if (!self->chain || self->next_chain == chain || self->chain == chain)
      gst_gl_opencl_session_keep_chain (self, chain, &flight->links);
    g_autoptr (GError) warning = ocl_filter_take_warning (chain);
    if (warning)
      gst_gl_opencl_error_warn (self->element, warning);
  }
  ocl_graph_set (&flight->graph, graph);
  const gint n = ocl_links_find_report (&flight->links);
  return gst_gl_opencl_report_frame_prepare (&flight->report,
      n < 0 ? NULL : flight->links.items[n].klass->report, ocl, error)
      && gst_gl_opencl_histogram_prepare (self->histogram, &flight->emission,
      &info, &input, error);
}

void
gst_gl_opencl_session_set_links (GstGLOpenCLSession * self,
    const OclLinks * links)
{
  ocl_links_copy (&gst_gl_opencl_session_get_next (self)->links, links);
}

gboolean
gst_gl_opencl_session_set_info (GstGLOpenCLSession * self,
    const GstVideoInfo * info, gchar ** notice, GError ** error)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (info));
  const gboolean interlaced = is_interlaced (info, 0);
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  g_assert (format);            /* the caps include only known formats */
  if (self->format != format) {
    self->ways.fell_back = FALSE;
    ocl_links_clear (&self->refused);
    if (self->good.id != 0 && !ocl_links_check (&self->good, format, NULL))
      ocl_links_clear (&self->good);
  }
  if (!self->info.finfo || !gst_video_info_is_equal (&self->info, info))
    self->forgets = TRUE;
  self->info = *info;
  self->format = format;
  self->colorimetry = (OclColorimetry) {
  .full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255};
  /* If the matrix is unknown, kr and kb stay unchanged. */
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix,
      &self->colorimetry.kr, &self->colorimetry.kb);
  if (!gst_gl_opencl_caps_check_format (format, self->ways.context->gl_context,
          error)
      || !gst_gl_opencl_ways_choose (&self->ways, format,
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), notice,
          error))
    return FALSE;
  /* The trial of textures, which detects the byte order, has ended. */
  self->bytes_swapped = format->swapped && self->ways.context->bytes_swapped;
  gst_gl_opencl_session_settle_flight (self, interlaced);
  /* A mixed stream has two kinds of frames. The flight keeps the graph for
   * frames without flags. */
  if ((GST_VIDEO_INFO_INTERLACE_MODE (info) == GST_VIDEO_INTERLACE_MODE_MIXED
          && !gst_gl_opencl_session_prepare (self, flight, TRUE, TRUE, error))
      || !gst_gl_opencl_session_prepare (self, flight, interlaced, TRUE, error))
    return FALSE;
  gst_gl_opencl_stats_set_graph (&self->stats, &flight->links, flight->graph);
  GST_INFO_OBJECT (self->element, "%u operations on %s", flight->links.n,
      self->ways.context->ocl->device->name);
  return TRUE;
}

GstGLOpenCLInteropMode
gst_gl_opencl_session_get_mode (GstGLOpenCLSession * self)
{
  return self->ways.mode;
}

GstAllocator *
gst_gl_opencl_session_get_allocator (GstGLOpenCLSession * self)
{
  return gst_gl_opencl_ways_get_allocator (&self->ways);
}

guint
gst_gl_opencl_session_get_best_backlog (GstGLOpenCLSession * self)
{
  const OclDevice *device = self->ways.context->ocl->device;

  return device->type & CL_DEVICE_TYPE_CPU ? 0 : GST_GL_OPENCL_BEST_BACKLOG;
}

const gchar *
gst_gl_opencl_session_get_device_name (GstGLOpenCLSession * self)
{
  return self->ways.context ? self->ways.context->ocl->device->name : NULL;
}

void
gst_gl_opencl_session_snapshot (GstGLOpenCLSession * self,
    const OclLinks * links, const GstGLOpenCLHistogramSettings * histogram,
    gboolean reports, const GstSegment * segment, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  flight->mode = GST_GL_OPENCL_INTEROP_AUTO;
  flight->wait_time = 0;
  gst_gl_opencl_session_set_links (self, links);
  gst_gl_opencl_histogram_snapshot (self->histogram, &flight->emission,
      histogram, segment, buffer);
  flight->report.messages = reports;
  flight->report.times = gst_gl_opencl_times_get (segment, buffer);
  memset (flight->report.found, 0, sizeof (flight->report.found));
}

GstGLOpenCLWork
gst_gl_opencl_session_settle (GstGLOpenCLSession * self, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  gst_gl_opencl_session_settle_flight (self, self->info.finfo
      && is_interlaced (&self->info, GST_BUFFER_FLAGS (buffer)));
  if (GST_BUFFER_IS_DISCONT (buffer)
      || !gst_gl_opencl_flight_is_filtered (flight))
    self->forgets = TRUE;
  return gst_gl_opencl_flight_get_work (flight);
}

gboolean
gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * self,
    GstBuffer * buffer)
{
  const OclFrameInfo info = gst_gl_opencl_session_describe (self,
      is_interlaced (&self->info, GST_BUFFER_FLAGS (buffer)));

  /* A frame that waits for later frames cannot be overwritten when it is
   * read. */
  return gst_gl_opencl_flight_get_lookahead (gst_gl_opencl_session_get_next
      (self)) == 0
      && gst_gl_opencl_ways_can_work_in_place (&self->ways, buffer, &info);
}

/* Prepares and begins @flight. If textures have a different byte order, or
 * cannot be acquired, adapts and tries again. */
static GstFlowReturn
gst_gl_opencl_session_try_flight (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, GError ** error)
{
  gboolean learned = FALSE;

  while (gst_gl_opencl_session_prepare (self, flight, flight->interlaced,
          gst_gl_opencl_flight_is_filtered (flight), error)) {
    if (flight->input_buffer == flight->output_buffer
        && !gst_gl_opencl_session_can_work_in_place (self,
            flight->input_buffer))
      return GST_BASE_TRANSFORM_FLOW_DROPPED;
    flight->bytes_swapped = self->bytes_swapped;
    if (gst_gl_opencl_ways_begin (&self->ways, flight, error)) {
      GST_LOG_OBJECT (self->element, "flight %p begun, %u held back", flight,
          self->held.length);
      return GST_FLOW_OK;
    }
    /* Change the order only once per frame: the orders of its input and its
     * output may differ. */
    learned = !learned && flight->bytes_swapped != self->bytes_swapped;
    if (learned) {
      self->bytes_swapped = flight->bytes_swapped;
    } else if (gst_gl_opencl_ways_fall_back (&self->ways, *error)) {
      GST_INFO_OBJECT (self->element,
          "frames go through host memory from now on: %s", (*error)->message);
    } else {
      return GST_FLOW_ERROR;
    }
    g_clear_error (error);
  }
  return GST_FLOW_ERROR;
}

/* Drops the frames that wait for later frames. */
static void
gst_gl_opencl_session_drop_waiting (GstGLOpenCLSession * self)
{
  self->forgets |= self->n_waiting > 0;
  for (; self->n_waiting > 0; self->n_waiting--) {
    GstGLOpenCLFlight *flight = g_queue_pop_tail (&self->held);

    gst_clear_buffer (&flight->pushed);
    g_queue_push_head (&self->idle, flight);
  }
  gst_clear_buffer (&self->newest);
}

/* Returns the oldest flight that waits for later frames, or NULL. */
static GstGLOpenCLFlight *
gst_gl_opencl_session_get_waiting (GstGLOpenCLSession * self)
{
  return g_queue_peek_nth (&self->held, self->held.length - self->n_waiting);
}

/* Begins the oldest waiting frame. Passes the newest frame to the operation
 * with it, unless this was done before. */
static GstFlowReturn
gst_gl_opencl_session_begin_waiting (GstGLOpenCLSession * self,
    gboolean is_taken, GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_waiting (self);

  flight->input_buffer = self->newest;
  flight->forgets = FALSE;
  flight->is_taken = is_taken;
  flight->age = self->n_waiting - (is_taken ? 1 : 0);
  GstFlowReturn flow = gst_gl_opencl_session_try_flight (self, flight, error);
  if (flow == GST_FLOW_OK)
    self->n_waiting--;
  return flow;
}

/* Passes the frame of @flight to the operation, and waits until it is
 * copied. */
static GstFlowReturn
gst_gl_opencl_session_only_take (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, GError ** error)
{
  GstBuffer *output = flight->output_buffer;

  flight->output_buffer = NULL;
  GstFlowReturn flow = gst_gl_opencl_session_try_flight (self, flight, error);
  if (flow == GST_FLOW_OK && !gst_gl_opencl_ways_finish (&self->ways, flight,
          error))
    flow = GST_FLOW_ERROR;
  flight->output_buffer = output;
  flight->mode = GST_GL_OPENCL_INTEROP_AUTO;
  return flow;
}

gboolean
gst_gl_opencl_session_complete (GstGLOpenCLSession * self, GError ** error)
{
  while (self->n_waiting > 0) {
    if (gst_gl_opencl_session_begin_waiting (self, TRUE, error) != GST_FLOW_OK) {
      gst_gl_opencl_session_drop_waiting (self);
      return FALSE;
    }
  }
  gst_clear_buffer (&self->newest);
  return TRUE;
}

gboolean
gst_gl_opencl_session_continue (GstGLOpenCLSession * self, GError ** error)
{
  const GstGLOpenCLFlight *waiting = gst_gl_opencl_session_get_waiting (self);

  if (!waiting)
    return TRUE;
  const OclLinks *links = &gst_gl_opencl_session_get_next (self)->links;
  const OclNeighbours a = ocl_links_get_neighbours (&waiting->links);
  const OclNeighbours b = ocl_links_get_neighbours (links);
  if (!self->forgets && waiting->links.id == links->id
      && a.n_earlier == b.n_earlier && a.n_later == b.n_later)
    return TRUE;
  return gst_gl_opencl_session_complete (self, error);
}

GstFlowReturn
gst_gl_opencl_session_begin (GstGLOpenCLSession * self, GstBuffer * input,
    GstBuffer * output, guint n_together, GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  flight->info = &self->info;
  flight->format = self->format;
  flight->colorimetry = self->colorimetry;
  flight->interlaced = is_interlaced (&self->info, GST_BUFFER_FLAGS (input));
  flight->n_together = n_together;
  flight->forgets = self->forgets;
  flight->number = self->forgets ? 0 : self->number;
  flight->is_taken = FALSE;
  flight->age = 0;
  flight->input_buffer = input;
  flight->output_buffer = output;
  /* A frame that is only read may have newer parameters. */
  flight->waits &= output != NULL;
  GstFlowReturn flow;
  if (!flight->waits) {
    flow = gst_gl_opencl_session_try_flight (self, flight, error);
  } else {
    /* If all later frames of the oldest waiting frame are present, begin it. */
    gst_buffer_replace (&self->newest, input);
    flow = self->n_waiting < gst_gl_opencl_flight_get_lookahead (flight)
        ? gst_gl_opencl_session_only_take (self, flight, error)
        : gst_gl_opencl_session_begin_waiting (self, FALSE, error);
    if (flow != GST_FLOW_OK)
      gst_gl_opencl_session_drop_waiting (self);
  }
  if (flow != GST_FLOW_OK)
    return flow;
  self->forgets &= !gst_gl_opencl_flight_is_filtered (flight);
  self->number = flight->number + 1;
  gst_gl_opencl_histogram_begun (self->histogram, &flight->emission);
  return GST_FLOW_OK;
}

void
gst_gl_opencl_session_hold (GstGLOpenCLSession * self, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  /* The frames that wait are the newest ones. */
  g_assert (flight->waits || self->n_waiting == 0);
  flight->pushed = buffer;
  g_queue_push_tail (&self->held, flight);
  self->n_waiting += flight->waits ? 1 : 0;
  self->next = NULL;
}

guint
gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * self)
{
  return self->held.length - self->n_waiting;
}

guint
gst_gl_opencl_session_get_n_waiting (GstGLOpenCLSession * self)
{
  return self->n_waiting;
}

/* Returns the oldest flight that is held back and does not wait, or NULL. It
 * becomes idle, but stays unchanged until a next frame uses it. */
static GstGLOpenCLFlight *
gst_gl_opencl_session_pop (GstGLOpenCLSession * self)
{
  if (self->held.length == self->n_waiting)
    return NULL;

  GstGLOpenCLFlight *flight = g_queue_pop_head (&self->held);
  g_queue_push_head (&self->idle, flight);
  return flight;
}

/* Waits for a begun flight, and sets @times to the times of its commands. */
static gboolean
gst_gl_opencl_session_end_flight (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, guint64 times[OCL_TIMER_N_KINDS],
    GError ** error)
{
  return gst_gl_opencl_ways_finish (&self->ways, flight, error)
      && ocl_timer_read (flight->timer, times, error);
}

/* Releases a replaced chain when its frame is done. */
static void
gst_gl_opencl_session_release (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight)
{
  if (flight->chain == self->chain)
    return;
  ocl_graph_set (&flight->graph, NULL);
  ocl_filter_set (&flight->chain, NULL);
}

gboolean
gst_gl_opencl_session_finish (GstGLOpenCLSession * self, GstBuffer ** buffer,
    GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_pop (self);
  guint64 times[OCL_TIMER_N_KINDS] = { 0, };

  *buffer = g_steal_pointer (&flight->pushed);
  if (flight->mode == GST_GL_OPENCL_INTEROP_AUTO)
    return TRUE;
  if (!gst_gl_opencl_session_end_flight (self, flight, times, error)) {
    gst_clear_buffer (buffer);
    return FALSE;
  }
  gst_gl_opencl_stats_count (&self->stats, &flight->links, flight->graph, times,
      flight->timer, flight->wait_time);
  GST_LOG_OBJECT (self->element, "flight %p finished: kernels %"
      G_GUINT64_FORMAT " ns, transfers %" G_GUINT64_FORMAT " ns, waited %"
      G_GUINT64_FORMAT " ns", flight, times[OCL_TIMER_KERNEL],
      times[OCL_TIMER_TRANSFER], flight->wait_time);
  gst_gl_opencl_histogram_emit (self->histogram, &flight->emission, *buffer);
  gst_gl_opencl_report_emit (self->report, &flight->report, *buffer);
  gst_gl_opencl_session_release (self, flight);
  return TRUE;
}

void
gst_gl_opencl_session_discard (GstGLOpenCLSession * self)
{
  GstGLOpenCLFlight *flight;

  gst_gl_opencl_session_drop_waiting (self);
  while ((flight = gst_gl_opencl_session_pop (self))) {
    guint64 times[OCL_TIMER_N_KINDS] = { 0, };
    g_autoptr (GError) error = NULL;

    if (flight->mode != GST_GL_OPENCL_INTEROP_AUTO)
      gst_gl_opencl_session_end_flight (self, flight, times, &error);
    gst_clear_buffer (&flight->pushed);
    gst_gl_opencl_session_release (self, flight);
  }
}

void
gst_gl_opencl_session_flush (GstGLOpenCLSession * self)
{
  self->forgets = TRUE;
  gst_gl_opencl_histogram_flush (self->histogram);
}
