/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsession.h"

#include <gst/base/gstbasetransform.h>

#include "gstglopenclerror.h"
#include "gstglopenclstats.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_session_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_session_debug

/* FIFO of pending flights of a session, and pool of its idle flights.
 *
 * Must be used on the streaming thread, or in start and stop, while there is no
 * streaming thread. */

/**
 * GstGLOpenCLRing:
 * @flights: all flights (owned)
 * @held: the flights that are held back
 * @first: the index of the oldest flight in @held
 * @n_held: the number of flights in @held
 * @n_waiting: number of the newest flights in @held that are not begun, because
 *    they wait for later frames
 * @idle: the other flights
 */
typedef struct
{
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLFlight *held[GST_GL_OPENCL_MAX_FLIGHTS];
  guint first;
  guint n_held;
  guint n_waiting;
  GstGLOpenCLFlight *idle[GST_GL_OPENCL_MAX_FLIGHTS];
} GstGLOpenCLRing;

/* Makes all flights idle. @ring must be zeroed memory. */
void gst_gl_opencl_ring_init (GstGLOpenCLRing * ring);

/* Returns an idle flight for the next frame. Reuses the same few flights while
 * few frames are held back, which saves memory. There is an idle flight while
 * fewer than GST_GL_OPENCL_MAX_FLIGHTS are held back. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_next (GstGLOpenCLRing * ring);

/* Holds back @flight, which must be idle, and which waits for later frames if
 * @waits is set. While flights wait, only flights that wait may be added. */
void gst_gl_opencl_ring_push (GstGLOpenCLRing * ring,
    GstGLOpenCLFlight * flight, gboolean waits);

/* Returns the oldest flight that waits for later frames, or NULL. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_waiting (GstGLOpenCLRing * ring);

/* Must be called when the oldest waiting flight has been begun. */
void gst_gl_opencl_ring_end_waiting (GstGLOpenCLRing * ring);

/* Returns the newest flight that is held back. The flight becomes idle, but
 * stays unchanged until the next frame uses it. Must be called only while
 * flights wait. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop_waiting (GstGLOpenCLRing * ring);

/* Returns the oldest flight that is held back and does not wait, or NULL. The
 * flight becomes idle, but stays unchanged until the next frame uses it. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop (GstGLOpenCLRing * ring);

static guint
count_idle (const GstGLOpenCLRing * self)
{
  return GST_GL_OPENCL_MAX_FLIGHTS - self->n_held;
}

void
gst_gl_opencl_ring_init (GstGLOpenCLRing * self)
{
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++)
    self->idle[i] = &self->flights[i];
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_get_next (GstGLOpenCLRing * self)
{
  g_assert (count_idle (self) > 0);
  return self->idle[count_idle (self) - 1];
}

/* Returns the index of flight @n of the flights that are held back, where 0 is
 * the oldest one. */
static guint
get_place (const GstGLOpenCLRing * self, guint n)
{
  return (self->first + n) % GST_GL_OPENCL_MAX_FLIGHTS;
}

void
gst_gl_opencl_ring_push (GstGLOpenCLRing * self, GstGLOpenCLFlight * flight,
    gboolean waits)
{
  GstGLOpenCLFlight *last = gst_gl_opencl_ring_get_next (self);
  guint i = 0;

  g_assert (waits || self->n_waiting == 0);

  while (self->idle[i] != flight)
    i++;
  self->idle[i] = last;
  self->held[get_place (self, self->n_held)] = flight;
  self->n_held++;
  self->n_waiting += waits ? 1 : 0;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_get_waiting (GstGLOpenCLRing * self)
{
  return self->n_waiting == 0 ? NULL
      : self->held[get_place (self, self->n_held - self->n_waiting)];
}

void
gst_gl_opencl_ring_end_waiting (GstGLOpenCLRing * self)
{
  g_assert (self->n_waiting > 0);
  self->n_waiting--;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_pop_waiting (GstGLOpenCLRing * self)
{
  g_assert (self->n_waiting > 0);
  self->n_waiting--;
  self->n_held--;
  GstGLOpenCLFlight *flight = self->held[get_place (self, self->n_held)];

  self->idle[count_idle (self) - 1] = flight;
  return flight;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_pop (GstGLOpenCLRing * self)
{
  if (self->n_held == self->n_waiting)
    return NULL;

  GstGLOpenCLFlight *flight = self->held[self->first];
  self->first = get_place (self, 1);
  self->n_held--;
  self->idle[count_idle (self) - 1] = flight;
  return flight;
}

/* The chains of a session. If users change the operations or a text while
 * frames flow, the previous operations stay in use until the new ones are
 * built, or for good if this fails.
 *
 * The functions must be called on the streaming thread. */

/**
 * GstGLOpenCLChains:
 * @element: the element that posts warnings (not owned)
 * @changes: whether operations or texts may change while frames flow
 * @uses_database: whether new chains use the settings of the database
 * @chain: the chain in use, or NULL (owned)
 * @next: the chain to use when it is built, or NULL (owned)
 * @good: the operations of the last graph, if @changes
 * @refused: the operations whose kernels cannot be built
 *
 * Start with a zeroed struct, set @element and @changes, and end with
 * gst_gl_opencl_chains_clear().
 */
typedef struct
{
  GstElement *element;
  gboolean changes;
  gboolean uses_database;
  OclFilter *chain;
  OclFilter *next;
  OclLinks good;
  OclLinks refused;
} GstGLOpenCLChains;

/* Releases the chains. No command may be in flight. */
void gst_gl_opencl_chains_clear (GstGLOpenCLChains * chains);

/* If the operations of @flight, for a frame of @info, are not built yet or
 * cannot be built, falls back to the operations of the last graph. If they
 * cannot be built, posts one warning with the reason. Sets the chain of @flight
 * if there is one. */
void gst_gl_opencl_chains_settle (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info);

/* Must be called before the first frame of @format. Drops the refused
 * operations, and the last operations if they cannot process @format. */
void gst_gl_opencl_chains_set_format (GstGLOpenCLChains * chains,
    const OclFormat * format);

/* Returns the graph for @flight, whose frame is like @info, and sets the chain
 * of @flight. */
OclGraph *gst_gl_opencl_chains_get_graph (GstGLOpenCLChains * chains,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info,
    GError ** error);

void
gst_gl_opencl_chains_clear (GstGLOpenCLChains * self)
{
  ocl_filter_set (&self->chain, NULL);
  ocl_filter_set (&self->next, NULL);
  ocl_links_clear (&self->good);
  ocl_links_clear (&self->refused);
}

/* Returns the chain for @flight, or creates it. A flight that waits for later
 * frames keeps its chain. */
static OclFilter *
gst_gl_opencl_chains_find (GstGLOpenCLChains * self,
    const GstGLOpenCLFlight * flight, OclContext * ocl)
{
  const OclLinks *links = &flight->links;

  if (flight->chain && ocl_filter_get_id (flight->chain) == links->id)
    return flight->chain;
  if (self->chain && ocl_filter_get_id (self->chain) == links->id)
    return self->chain;
  if (!self->next || ocl_filter_get_id (self->next) != links->id) {
    g_clear_pointer (&self->next, ocl_filter_unref);
    self->next = ocl_filter_new (links, ocl);
    ocl_filter_set_uses_database (self->next, self->uses_database);
  }
  return self->next;
}

/* Copies the texts of the last graph to @links or, if it has other operations,
 * its operations. */
static void
gst_gl_opencl_chains_go_back (GstGLOpenCLChains * self, OclLinks * links)
{
  if (links->id != self->good.id) {
    ocl_links_copy (links, &self->good);
    return;
  }
  for (guint i = 0; i < links->n; i++) {
    const OclLink *good = &self->good.items[i];

    if (good->klass->flags & OCL_OPERATION_IS_TEXT)
      ocl_params_copy (good->klass->params, good->klass->params_size,
          links->items[i].params, good->params);
  }
}

/* Sets the chain in use to @chain with @links. Frames in flight have references
 * to the previous chain. */
static void
gst_gl_opencl_chains_keep (GstGLOpenCLChains * self, OclFilter * chain,
    const OclLinks * links)
{
  ocl_filter_set (&self->chain, chain);
  if (self->next == chain)
    ocl_filter_set (&self->next, NULL);
  if (self->changes)
    ocl_links_copy (&self->good, links);
}

/* Returns whether the operations of @flight are built, or starts to build
 * them. */
static gboolean
gst_gl_opencl_chains_build (GstGLOpenCLChains * self,
    const GstGLOpenCLFlight * flight, OclContext * ocl,
    const OclFrameInfo * info)
{
  OclFilter *chain = gst_gl_opencl_chains_find (self, flight, ocl);
  g_autoptr (GError) error = NULL;

  if (!ocl_filter_is_ready (chain, info, &flight->links))
    return FALSE;
  g_autoptr (OclGraph) graph =
      ocl_filter_get_graph (chain, info, &flight->links, &error);
  if (graph) {
    gst_gl_opencl_chains_keep (self, chain, &flight->links);
    return TRUE;
  }
  /* The error replaces the warning. */
  GError *warning = ocl_filter_take_warning (chain);
  g_clear_error (&warning);
  ocl_links_copy (&self->refused, &flight->links);
  gst_gl_opencl_error_warn (self->element, error);
  return FALSE;
}

void
gst_gl_opencl_chains_settle (GstGLOpenCLChains * self,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info)
{
  if (self->good.id != 0
      && !ocl_links_have_same_texts (&self->good, &flight->links)
      && (ocl_links_have_same_texts (&self->refused, &flight->links)
          || !gst_gl_opencl_chains_build (self, flight, ocl, info)))
    gst_gl_opencl_chains_go_back (self, &flight->links);
  /* This chain may be replaced while the flight waits. */
  if (self->chain && ocl_filter_get_id (self->chain) == flight->links.id)
    ocl_filter_set (&flight->chain, self->chain);
}

void
gst_gl_opencl_chains_set_format (GstGLOpenCLChains * self,
    const OclFormat * format)
{
  ocl_links_clear (&self->refused);
  if (self->good.id != 0 && !ocl_links_check (&self->good, format, NULL))
    ocl_links_clear (&self->good);
}

OclGraph *
gst_gl_opencl_chains_get_graph (GstGLOpenCLChains * self,
    GstGLOpenCLFlight * flight, OclContext * ocl, const OclFrameInfo * info,
    GError ** error)
{
  OclFilter *chain = gst_gl_opencl_chains_find (self, flight, ocl);
  OclGraph *graph = ocl_filter_get_graph (chain, info, &flight->links, error);
  g_autoptr (GError) warning = NULL;

  if (!graph)
    return NULL;
  ocl_filter_set (&flight->chain, chain);
  /* A flight that has waited may have the previous chain. */
  if (!self->chain || self->next == chain || self->chain == chain)
    gst_gl_opencl_chains_keep (self, chain, &flight->links);
  warning = ocl_filter_take_warning (chain);
  if (warning)
    gst_gl_opencl_error_warn (self->element, warning);
  return graph;
}

/* Returns whether a frame of @info consists of two interleaved fields. In a
 * mixed stream, this depends on the @flags of the buffer. May be called from
 * any thread. */
static gboolean
gst_gl_opencl_caps_is_interlaced (const GstVideoInfo * info,
    GstBufferFlags flags)
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

/* Returns the colorimetry of frames of @info. May be called from any thread. */
static OclColorimetry
gst_gl_opencl_caps_get_colorimetry (const GstVideoInfo * info)
{
  OclColorimetry colorimetry = {
    .full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
  };

  /* If the matrix is unknown, kr and kb stay unchanged. */
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix,
      &colorimetry.kr, &colorimetry.kb);
  return colorimetry;
}

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

struct _GstGLOpenCLSession
{
  GstElement *element;          /* not owned */
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLReport *report;
  GstGLOpenCLRing ring;
  GstGLOpenCLFlight *next;      /* set from snapshot to hold */

  /* These members are valid from open to close. */
  GstGLOpenCLWays ways;
  GstGLOpenCLChains chains;
  OclFrame scratch;             /* copies of frames filtered in place */

  /* These members are valid from set_info on. */
  GstVideoInfo info;
  const OclFormat *format;
  OclColorimetry colorimetry;
  gboolean bytes_swapped;       /* byte order of the last acquired textures */
  gboolean forgets;             /* start a new sequence */
  guint number;                 /* frames in the sequence so far */
  GstBuffer *newest;            /* the last input while frames wait (owned) */

  GstGLOpenCLStats stats;
};

GstGLOpenCLSession *
gst_gl_opencl_session_new (GstElement * element, gboolean changes)
{
  GstGLOpenCLSession *self = g_new0 (GstGLOpenCLSession, 1);

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_session_debug, "glopenclsession", 0,
      "frames of an element in OpenCL");
  self->element = element;
  self->chains.element = element;
  self->chains.changes = changes;
  self->histogram = gst_gl_opencl_histogram_new (element);
  self->report = gst_gl_opencl_report_new (element);
  gst_gl_opencl_stats_init (&self->stats);
  gst_gl_opencl_ring_init (&self->ring);
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    GstGLOpenCLFlight *flight = &self->ring.flights[i];

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
    ocl_timer_free (self->ring.flights[i].timer);
    ocl_links_clear (&self->ring.flights[i].links);
  }
  gst_gl_opencl_histogram_free (self->histogram);
  gst_gl_opencl_report_free (self->report);
  gst_gl_opencl_stats_clear (&self->stats);
  g_free (self);
}

/* Returns the flight of the current frame. It does not change while other
 * frames are finished. */
static GstGLOpenCLFlight *
gst_gl_opencl_session_get_next (GstGLOpenCLSession * self)
{
  return self->next ? self->next : gst_gl_opencl_ring_get_next (&self->ring);
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
  self->chains.uses_database = request->uses_database;
  gst_gl_opencl_histogram_open (self->histogram, self->ways.context->ocl,
      request->uses_database);
  return TRUE;
}

static void
gst_gl_opencl_session_close_flight (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight)
{
  gst_gl_opencl_ways_clear_flight (&self->ways, flight);
  gst_gl_opencl_histogram_frame_clear (&flight->emission,
      self->ways.context->ocl);
  gst_gl_opencl_report_frame_clear (&flight->report, self->ways.context->ocl);
  ocl_graph_set (&flight->graph, NULL);
  ocl_filter_set (&flight->chain, NULL);
}

void
gst_gl_opencl_session_close (GstGLOpenCLSession * self)
{
  if (!self->ways.context)
    return;
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++)
    gst_gl_opencl_session_close_flight (self, &self->ring.flights[i]);
  gst_gl_opencl_histogram_close (self->histogram);
  gst_gl_opencl_chains_clear (&self->chains);
  ocl_frame_clear (&self->scratch);
  gst_gl_opencl_ways_close (&self->ways);
}

/* Returns the frame that is passed to the operation, without memory. */
static OclFrameInfo
gst_gl_opencl_session_describe (GstGLOpenCLSession * self, gboolean interlaced)
{
  const OclStorage storage = gst_gl_opencl_ways_get (&self->ways)->storage;

  const OclFrameInfo info = {
    .format = self->format,
    .colorimetry = self->colorimetry,
    .interlaced = interlaced,
    .storage = storage,
    .width = GST_VIDEO_INFO_WIDTH (&self->info),
    .height = GST_VIDEO_INFO_HEIGHT (&self->info),
    .bytes_swapped = storage == OCL_STORAGE_IMAGE && self->bytes_swapped,
  };

  return info;
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
  g_autoptr (OclGraph) graph = NULL;

  gst_gl_opencl_ways_prepare (&self->ways, flight);
  if (filters) {
    graph = gst_gl_opencl_chains_get_graph (&self->chains, flight,
        self->ways.context->ocl, &info, error);
    if (!graph)
      return FALSE;
  }
  ocl_graph_set (&flight->graph, graph);
  const gint n = ocl_links_find_report (&flight->links);
  return gst_gl_opencl_report_frame_prepare (&flight->report,
      n < 0 ? NULL : flight->links.items[n].klass->report,
      self->ways.context->ocl, error)
      && gst_gl_opencl_histogram_prepare (self->histogram, &flight->emission,
      &info, &input, error);
}

/* Prepares all frames of the stream. A mixed stream has two kinds of frames.
 * The flight keeps the graph for frames without flags. */
static gboolean
gst_gl_opencl_session_prepare_stream (GstGLOpenCLSession * self,
    GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  return (GST_VIDEO_INFO_INTERLACE_MODE (&self->info)
      != GST_VIDEO_INTERLACE_MODE_MIXED
      || gst_gl_opencl_session_prepare (self, flight, TRUE, TRUE, error))
      && gst_gl_opencl_session_prepare (self, flight,
      gst_gl_opencl_caps_is_interlaced (&self->info, 0), TRUE, error);
}

/* Sets the variant of the statistics to the variant for the next frame. */
static void
gst_gl_opencl_session_announce (GstGLOpenCLSession * self)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  gst_gl_opencl_stats_set_graph (&self->stats, &flight->links, flight->graph);
  GST_INFO_OBJECT (self->element, "%u operations on %s", flight->links.n,
      self->ways.context->ocl->device->name);
}

void
gst_gl_opencl_session_set_links (GstGLOpenCLSession * self,
    const OclLinks * links)
{
  ocl_links_copy (&gst_gl_opencl_session_get_next (self)->links, links);
}

/* Selects the operations of the next flight. */
static void
gst_gl_opencl_session_settle_flight (GstGLOpenCLSession * self,
    gboolean interlaced)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  if (self->format && self->ways.context) {
    const OclFrameInfo info = gst_gl_opencl_session_describe (self, interlaced);

    gst_gl_opencl_chains_settle (&self->chains, flight,
        self->ways.context->ocl, &info);
  }
  flight->waits = gst_gl_opencl_flight_get_lookahead (flight) > 0;
}

gboolean
gst_gl_opencl_session_set_info (GstGLOpenCLSession * self,
    const GstVideoInfo * info, gchar ** notice, GError ** error)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (info));

  g_assert (format);            /* the caps include only known formats */
  if (self->format != format) {
    self->ways.fell_back = FALSE;
    gst_gl_opencl_chains_set_format (&self->chains, format);
  }
  if (!self->info.finfo || !gst_video_info_is_equal (&self->info, info))
    self->forgets = TRUE;
  self->info = *info;
  self->format = format;
  self->colorimetry = gst_gl_opencl_caps_get_colorimetry (info);
  if (!gst_gl_opencl_caps_check_format (format, self->ways.context->gl_context,
          error)
      || !gst_gl_opencl_ways_choose (&self->ways, format,
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), notice,
          error))
    return FALSE;
  /* The trial of textures, which detects the byte order, has ended. */
  self->bytes_swapped = format->swapped && self->ways.context->bytes_swapped;
  gst_gl_opencl_session_settle_flight (self,
      gst_gl_opencl_caps_is_interlaced (info, 0));
  if (!gst_gl_opencl_session_prepare_stream (self, error))
    return FALSE;
  gst_gl_opencl_session_announce (self);
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
  return self->ways.context->ocl->device->name;
}

void
gst_gl_opencl_session_snapshot (GstGLOpenCLSession * self,
    const OclLinks * links, const GstGLOpenCLHistogramSettings * histogram,
    gboolean reports, const GstSegment * segment, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_ring_get_next (&self->ring);

  self->next = flight;
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
      && gst_gl_opencl_caps_is_interlaced (&self->info,
          GST_BUFFER_FLAGS (buffer)));
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
      gst_gl_opencl_caps_is_interlaced (&self->info,
          GST_BUFFER_FLAGS (buffer)));

  /* A frame that waits for later frames cannot be overwritten when it is
   * read. */
  return gst_gl_opencl_flight_get_lookahead (gst_gl_opencl_session_get_next
      (self)) == 0
      &&
      gst_gl_opencl_interop_can_work_in_place (gst_gl_opencl_ways_get
      (&self->ways), buffer, &info);
}

/* Returns whether the textures of a failed frame have a different byte order
 * than the graphs were created for. If so, uses the order of these textures for
 * new graphs. */
static gboolean
gst_gl_opencl_session_learn_order (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight)
{
  if (flight->bytes_swapped == self->bytes_swapped)
    return FALSE;
  self->bytes_swapped = flight->bytes_swapped;
  return TRUE;
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
          self->ring.n_held);
      return GST_FLOW_OK;
    }
    /* Change the order only once per frame: the orders of its input and its
     * output may differ. */
    learned = !learned && gst_gl_opencl_session_learn_order (self, flight);
    if (!learned) {
      if (!gst_gl_opencl_ways_fall_back (&self->ways, *error))
        return GST_FLOW_ERROR;
      GST_INFO_OBJECT (self->element,
          "frames go through host memory from now on: %s", (*error)->message);
    }
    g_clear_error (error);
  }
  return GST_FLOW_ERROR;
}

/* Drops the frames that wait for later frames. */
static void
gst_gl_opencl_session_drop_waiting (GstGLOpenCLSession * self)
{
  self->forgets |= self->ring.n_waiting > 0;
  while (self->ring.n_waiting > 0)
    gst_clear_buffer (&gst_gl_opencl_ring_pop_waiting (&self->ring)->pushed);
  gst_clear_buffer (&self->newest);
}

/* Begins the oldest waiting frame. Passes the newest frame to the operation
 * with it, unless this was done before. */
static GstFlowReturn
gst_gl_opencl_session_begin_waiting (GstGLOpenCLSession * self,
    gboolean is_taken, GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_ring_get_waiting (&self->ring);

  flight->input_buffer = self->newest;
  flight->forgets = FALSE;
  flight->is_taken = is_taken;
  flight->age = self->ring.n_waiting - (is_taken ? 1 : 0);
  GstFlowReturn flow = gst_gl_opencl_session_try_flight (self, flight, error);
  if (flow == GST_FLOW_OK)
    gst_gl_opencl_ring_end_waiting (&self->ring);
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

/* Passes the frame of @flight, which waits for later frames, to the operation.
 * If all later frames of the oldest waiting frame are present, begins it. */
static GstFlowReturn
gst_gl_opencl_session_look_ahead (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, GError ** error)
{
  const guint lookahead = gst_gl_opencl_flight_get_lookahead (flight);

  gst_buffer_replace (&self->newest, flight->input_buffer);
  GstFlowReturn flow = self->ring.n_waiting < lookahead
      ? gst_gl_opencl_session_only_take (self, flight, error)
      : gst_gl_opencl_session_begin_waiting (self, FALSE, error);
  if (flow != GST_FLOW_OK)
    gst_gl_opencl_session_drop_waiting (self);
  return flow;
}

static gboolean
equals_neighbours (OclNeighbours a, OclNeighbours b)
{
  return a.n_earlier == b.n_earlier && a.n_later == b.n_later;
}

gboolean
gst_gl_opencl_session_complete (GstGLOpenCLSession * self, GError ** error)
{
  while (self->ring.n_waiting > 0) {
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
  const GstGLOpenCLFlight *waiting =
      gst_gl_opencl_ring_get_waiting (&self->ring);
  const GstGLOpenCLFlight *next = gst_gl_opencl_session_get_next (self);

  if (!waiting || (!self->forgets
          && waiting->links.id == next->links.id
          && equals_neighbours (ocl_links_get_neighbours (&waiting->links),
              ocl_links_get_neighbours (&next->links))))
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
  flight->interlaced =
      gst_gl_opencl_caps_is_interlaced (&self->info, GST_BUFFER_FLAGS (input));
  flight->n_together = n_together;
  flight->forgets = self->forgets;
  flight->number = self->forgets ? 0 : self->number;
  flight->is_taken = FALSE;
  flight->age = 0;
  flight->input_buffer = input;
  flight->output_buffer = output;
  /* A frame that is only read may have newer parameters. */
  flight->waits &= output != NULL;
  GstFlowReturn flow = flight->waits
      ? gst_gl_opencl_session_look_ahead (self, flight, error)
      : gst_gl_opencl_session_try_flight (self, flight, error);
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

  flight->pushed = buffer;
  gst_gl_opencl_ring_push (&self->ring, flight, flight->waits);
  self->next = NULL;
}

guint
gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * self)
{
  return self->ring.n_held - self->ring.n_waiting;
}

guint
gst_gl_opencl_session_get_n_waiting (GstGLOpenCLSession * self)
{
  return self->ring.n_waiting;
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
  if (flight->chain == self->chains.chain)
    return;
  ocl_graph_set (&flight->graph, NULL);
  ocl_filter_set (&flight->chain, NULL);
}

gboolean
gst_gl_opencl_session_finish (GstGLOpenCLSession * self, GstBuffer ** buffer,
    GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_ring_pop (&self->ring);
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
  while ((flight = gst_gl_opencl_ring_pop (&self->ring))) {
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
