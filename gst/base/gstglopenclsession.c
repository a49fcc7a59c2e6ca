/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsession.h"

#include <gst/base/gstbasetransform.h>

#include "gstglopenclerror.h"
#include "gstglopenclstats.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_session_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_session_debug

/* A shorter wait for the compiler is not announced. */
#define ANNOUNCED_AFTER GST_SECOND

/* The commands of this many frames are measured after a start and after a
 * change of the operations, and then those of one frame in as many, because
 * measuring slows down a frame. */
#define MEASURED_INTERVAL 16

struct _GstGLOpenCLSession
{
  GstElement *element;          /* not owned */
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLReport *report;
  GstGLOpenCLStats stats;

  /* The jobs: of the next frame, of the frames held back from the oldest to
   * the newest, of which the newest may wait for later frames, and idle ones.
   * The last idle job is used first, which saves memory. */
  GstGLOpenCLJob jobs[GST_GL_OPENCL_MAX_JOBS];
  GstGLOpenCLJob *next;         /* or NULL */
  GQueue held;
  guint n_waiting;              /* not begun */
  GQueue idle;

  /* These members are valid from open to close. */
  GstGLOpenCLBackends backends;
  gboolean uses_database;       /* kernels use its settings */
  gboolean quick;               /* frames do not wait for the compiler */
  OclFrame scratch;             /* copies of frames filtered in place */
  struct _Compilation *compilation;     /* not ended, or NULL (owned) */

  /* The chains, from open to close. If users change the operations or a text
   * while frames flow, the previous operations stay in use until the new ones
   * are built, or for good if this fails. */
  gboolean changes;             /* operations or texts may change */
  OclFilter *chain;             /* in use, or NULL (owned) */
  OclFilter *next_chain;        /* to use when it is built, or NULL (owned) */
  OclOperationList good;        /* of the last graph, if @changes or @quick */
  OclOperationList refused;     /* operations that cannot be built */

  /* These members are valid from set_info on. */
  GstVideoInfo info;
  const OclFormat *format;
  OclColorimetry colorimetry;
  gboolean bytes_swapped;       /* byte order of the last acquired textures */
  gboolean reset_history;       /* start a new sequence */
  guint number;                 /* frames in the sequence so far */
  gboolean has_passed;          /* a frame since the start, filtered or not */
  guint64 n_begun;              /* frames since the start or a new chain */
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
  for (guint i = 0; i < GST_GL_OPENCL_MAX_JOBS; i++) {
    GstGLOpenCLJob *job = &self->jobs[i];

    g_queue_push_tail (&self->idle, job);
    job->histogram = self->histogram;
    job->scratch = &self->scratch;
    job->timer = ocl_timer_new ();
  }
  return self;
}

void
gst_gl_opencl_session_free (GstGLOpenCLSession * self)
{
  for (guint i = 0; i < GST_GL_OPENCL_MAX_JOBS; i++) {
    ocl_timer_free (self->jobs[i].timer);
    ocl_operation_list_clear (&self->jobs[i].operations);
  }
  g_queue_clear (&self->idle);
  gst_gl_opencl_histogram_free (self->histogram);
  gst_gl_opencl_report_free (self->report);
  gst_gl_opencl_stats_clear (&self->stats);
  g_free (self);
}

/* Returns the job of the next frame. There is one while fewer than
 * GST_GL_OPENCL_MAX_JOBS are held back. */
static GstGLOpenCLJob *
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
  self->has_passed = FALSE;
  self->n_begun = 0;
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
  return self->backends.context
      && self->backends.context->gl_context == gl_context;
}

gboolean
gst_gl_opencl_session_open (GstGLOpenCLSession * self,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GError ** error)
{
  if (!gst_gl_opencl_backends_open (&self->backends, gl_context, request,
          GST_OBJECT (self->element), error))
    return FALSE;
  self->uses_database = request->uses_database;
  self->quick = request->quick;
  gst_gl_opencl_histogram_open (self->histogram, self->backends.context->ocl,
      request->uses_database);
  return TRUE;
}

void
gst_gl_opencl_session_close (GstGLOpenCLSession * self)
{
  if (!self->backends.context)
    return;
  OclContext *ocl = self->backends.context->ocl;
  for (guint i = 0; i < GST_GL_OPENCL_MAX_JOBS; i++) {
    GstGLOpenCLJob *job = &self->jobs[i];

    gst_gl_opencl_backends_clear_job (&self->backends, job);
    gst_gl_opencl_histogram_frame_clear (&job->emission, ocl);
    gst_gl_opencl_report_frame_clear (&job->report, ocl);
    ocl_graph_set (&job->graph, NULL);
    ocl_filter_set (&job->chain, NULL);
  }
  gst_gl_opencl_histogram_close (self->histogram);
  ocl_filter_set (&self->chain, NULL);
  ocl_filter_set (&self->next_chain, NULL);
  ocl_operation_list_clear (&self->good);
  ocl_operation_list_clear (&self->refused);
  ocl_frame_clear (&self->scratch);
  gst_gl_opencl_backends_close (&self->backends);
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
  const OclStorage storage =
      gst_gl_opencl_backends_get_storage (&self->backends);

  return (OclFrameInfo) {
  .format = self->format,.colorimetry = self->colorimetry,.interlaced =
        interlaced,.storage = storage,.width =
        GST_VIDEO_INFO_WIDTH (&self->info),.height =
        GST_VIDEO_INFO_HEIGHT (&self->info),.bytes_swapped =
        storage == OCL_STORAGE_IMAGE && self->bytes_swapped,};
}

/* A wait for kernels, which is announced after a second. It is shorter if the
 * driver has the kernels from an earlier start. */
typedef struct _Compilation
{
  GWeakRef element;             /* the clock keeps the entry for some time */
  gchar *device;                /* name, owned */
  GstClockID announcement;      /* owned by the session */
  GMutex mutex;                 /* guards the members below */
  gboolean is_announced;
  GstProgressType result;       /* START until the wait has ended */
} Compilation;

static void
compilation_clear (gpointer data)
{
  Compilation *self = data;

  g_weak_ref_clear (&self->element);
  g_free (self->device);
  g_mutex_clear (&self->mutex);
}

static void
compilation_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, compilation_clear);
}

static void
compilation_post (Compilation * self, GstProgressType type)
{
  static const gchar *const texts[] = {
    [GST_PROGRESS_TYPE_START] = "Compiling kernels for %s. Later starts use "
        "the driver's copy",
    [GST_PROGRESS_TYPE_COMPLETE] = "Kernels are compiled for %s",
    [GST_PROGRESS_TYPE_ERROR] = "Kernels cannot be compiled for %s",
  };
  g_autofree gchar *text = g_strdup_printf (texts[type], self->device);
  g_autoptr (GstElement) element = g_weak_ref_get (&self->element);

  if (element)
    gst_element_post_message (element,
        gst_message_new_progress (GST_OBJECT (element), type, "compile", text));
}

/* Called by the thread of the clock. If the wait ends during this call, also
 * posts its end, so that the messages are in order. Applications may wait for
 * the streaming thread in a sync handler, so no lock is held. */
static gboolean
compilation_announce (GstClock * clock, GstClockTime time, GstClockID id,
    gpointer data)
{
  Compilation *self = data;

  (void) clock, (void) time, (void) id;
  g_mutex_lock (&self->mutex);
  const gboolean is_late = self->result != GST_PROGRESS_TYPE_START;
  g_mutex_unlock (&self->mutex);
  if (is_late)
    return TRUE;
  compilation_post (self, GST_PROGRESS_TYPE_START);
  g_mutex_lock (&self->mutex);
  self->is_announced = TRUE;
  const GstProgressType result = self->result;
  g_mutex_unlock (&self->mutex);
  if (result != GST_PROGRESS_TYPE_START)
    compilation_post (self, result);
  return TRUE;
}

/* Called before the streaming thread waits for the compiler. */
static void
gst_gl_opencl_session_begin_compilation (gpointer data)
{
  GstGLOpenCLSession *self = data;

  if (self->compilation)
    return;
  g_autoptr (GstClock) clock = gst_system_clock_obtain ();
  self->compilation = g_atomic_rc_box_new0 (Compilation);
  g_weak_ref_init (&self->compilation->element, self->element);
  self->compilation->device =
      g_strdup (self->backends.context->ocl->device->name);
  self->compilation->result = GST_PROGRESS_TYPE_START;
  g_mutex_init (&self->compilation->mutex);
  self->compilation->announcement = gst_clock_new_single_shot_id (clock,
      gst_clock_get_time (clock) + ANNOUNCED_AFTER);
  gst_clock_id_wait_async (self->compilation->announcement,
      compilation_announce, g_atomic_rc_box_acquire (self->compilation),
      compilation_unref);
}

/* Returns the graph for @job, see ocl_filter_get_graph(). Posts messages about
 * a long wait for the compiler. */
static OclGraph *
gst_gl_opencl_session_get_graph (GstGLOpenCLSession * self, OclFilter * chain,
    const GstGLOpenCLJob * job, const OclFrameInfo * info, GError ** error)
{
  OclGraph *graph = ocl_filter_get_graph (chain, info, &job->operations, error);
  Compilation *compilation = g_steal_pointer (&self->compilation);

  if (!compilation)
    return graph;
  /* The clock's entry has a reference to the compilation. */
  gst_clock_id_unschedule (compilation->announcement);
  gst_clock_id_unref (compilation->announcement);
  g_mutex_lock (&compilation->mutex);
  compilation->result = graph ? GST_PROGRESS_TYPE_COMPLETE
      : GST_PROGRESS_TYPE_ERROR;
  const gboolean is_announced = compilation->is_announced;
  g_mutex_unlock (&compilation->mutex);
  if (is_announced)
    compilation_post (compilation, compilation->result);
  compilation_unref (compilation);
  return graph;
}

/* Returns the chain for @job, or creates it. A job that waits for later
 * frames keeps its chain. */
static OclFilter *
gst_gl_opencl_session_find_chain (GstGLOpenCLSession * self,
    const GstGLOpenCLJob * job)
{
  const OclOperationList *operations = &job->operations;

  if (job->chain && ocl_filter_get_id (job->chain) == operations->id)
    return job->chain;
  if (self->chain && ocl_filter_get_id (self->chain) == operations->id)
    return self->chain;
  if (!self->next_chain
      || ocl_filter_get_id (self->next_chain) != operations->id) {
    g_clear_pointer (&self->next_chain, ocl_filter_unref);
    self->next_chain = ocl_filter_new (operations, self->backends.context->ocl);
    ocl_filter_set_uses_database (self->next_chain, self->uses_database);
    ocl_filter_set_quick (self->next_chain, self->quick);
    ocl_filter_set_wait_func (self->next_chain,
        gst_gl_opencl_session_begin_compilation, self);
  }
  return self->next_chain;
}

/* Sets the chain in use to @chain with @operations. Frames in flight have
 * references to the previous chain. */
static void
gst_gl_opencl_session_keep_chain (GstGLOpenCLSession * self, OclFilter * chain,
    const OclOperationList * operations)
{
  if (self->chain != chain)
    self->n_begun = 0;
  ocl_filter_set (&self->chain, chain);
  if (self->next_chain == chain)
    ocl_filter_set (&self->next_chain, NULL);
  if (self->changes || self->quick)
    ocl_operation_list_copy (&self->good, operations);
}

/* Returns whether the operations of @job are built, or starts to build them.
 * The first frame waits for them. If they cannot be built, posts one warning
 * with the reason. */
static gboolean
gst_gl_opencl_session_build_chain (GstGLOpenCLSession * self,
    const GstGLOpenCLJob * job, const OclFrameInfo * info)
{
  OclFilter *chain = gst_gl_opencl_session_find_chain (self, job);
  g_autoptr (GError) error = NULL;

  if (self->has_passed && !ocl_filter_is_ready (chain, info, &job->operations))
    return FALSE;
  g_autoptr (OclGraph) graph =
      gst_gl_opencl_session_get_graph (self, chain, job, info, &error);
  if (graph) {
    gst_gl_opencl_session_keep_chain (self, chain, &job->operations);
    return TRUE;
  }
  /* The error replaces the warning. */
  GError *warning = ocl_filter_take_warning (chain);
  g_clear_error (&warning);
  ocl_operation_list_copy (&self->refused, &job->operations);
  gst_gl_opencl_error_warn (self->element, error);
  return FALSE;
}

/* Returns whether the parameters of @job need kernels that are not compiled
 * yet, in a stream that does not wait for the compiler and has a graph for the
 * previous parameters. Starts to build the kernels. A change of lookahead
 * waits, because it changes the latency that downstream knows. So does a frame
 * of a paused stream, which shows the effect of new parameters. */
static gboolean
gst_gl_opencl_session_keeps_params (GstGLOpenCLSession * self,
    const GstGLOpenCLJob * job, const OclFrameInfo * info)
{
  const OclOperationList *operations = &job->operations;

  if (!self->quick || GST_STATE (self->element) != GST_STATE_PLAYING
      || self->good.id != operations->id
      || ocl_operation_list_is_neutral (operations))
    return FALSE;
  OclFilter *chain = gst_gl_opencl_session_find_chain (self, job);
  return !ocl_filter_has_graph (chain, info, operations)
      && ocl_operation_list_get_neighbours (operations).n_later
      == ocl_operation_list_get_neighbours (&self->good).n_later
      && ocl_filter_has_graph (chain, info, &self->good)
      && !ocl_filter_is_ready (chain, info, operations);
}

/* Selects the operations of the next job. If they are not built yet or
 * cannot be built, falls back to the operations of the last graph, or to their
 * texts if only these changed. A quick stream falls back to the parameters of
 * the last graph, too. Sets the chain of the job if there is one. */
static void
gst_gl_opencl_session_settle_job (GstGLOpenCLSession * self,
    gboolean interlaced)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);
  OclOperationList *operations = &job->operations;

  if (self->format && self->backends.context) {
    const OclFrameInfo info = gst_gl_opencl_session_describe (self, interlaced);
    const gboolean falls_back = self->good.id != 0
        && !ocl_operation_list_has_same_texts (&self->good, operations)
        && (ocl_operation_list_has_same_texts (&self->refused, operations)
        || !gst_gl_opencl_session_build_chain (self, job, &info));

    if ((falls_back && operations->id != self->good.id)
        || (!falls_back && gst_gl_opencl_session_keeps_params (self, job,
                &info))) {
      ocl_operation_list_copy (operations, &self->good);
    } else if (falls_back) {
      for (guint i = 0; i < operations->n; i++) {
        const OclOperation *good = &self->good.items[i];

        if (good->klass->flags & OCL_OPERATION_IS_TEXT)
          ocl_params_copy (good->klass->params, good->klass->params_size,
              operations->items[i].params, good->params);
      }
    }
    /* This chain may be replaced while the job waits. */
    if (self->chain && ocl_filter_get_id (self->chain) == operations->id)
      ocl_filter_set (&job->chain, self->chain);
  }
  job->needs_lookahead = gst_gl_opencl_job_get_lookahead (job) > 0;
}

/* Prepares @job for interlaced or progressive frames. Returns at once if
 * everything is prepared. A frame that is not filtered needs no graph, but the
 * first graph is created before the first frame. */
static gboolean
gst_gl_opencl_session_prepare (GstGLOpenCLSession * self,
    GstGLOpenCLJob * job, gboolean interlaced, gboolean filters,
    GError ** error)
{
  const OclFrameInfo info = gst_gl_opencl_session_describe (self, interlaced);
  /* An operation that looks ahead keeps a copy of the frame. */
  const OclFrameInfo input =
      job->needs_lookahead ? ocl_frame_info_get_copy (&info) : info;
  OclContext *ocl = self->backends.context->ocl;
  g_autoptr (OclGraph) graph = NULL;

  gst_gl_opencl_backends_prepare (&self->backends, job);
  if (filters) {
    OclFilter *chain = gst_gl_opencl_session_find_chain (self, job);

    graph = gst_gl_opencl_session_get_graph (self, chain, job, &info, error);
    if (!graph)
      return FALSE;
    ocl_filter_set (&job->chain, chain);
    /* A job that has waited may have the previous chain. */
    if (!self->chain || self->next_chain == chain || self->chain == chain)
      gst_gl_opencl_session_keep_chain (self, chain, &job->operations);
    g_autoptr (GError) warning = ocl_filter_take_warning (chain);
    if (warning)
      gst_gl_opencl_error_warn (self->element, warning);
  }
  ocl_graph_set (&job->graph, graph);
  const gint n = ocl_operation_list_find_report (&job->operations);
  return gst_gl_opencl_report_frame_prepare (&job->report,
      n < 0 ? NULL : job->operations.items[n].klass->report, ocl, error)
      && gst_gl_opencl_histogram_prepare (self->histogram, &job->emission,
      &info, &input, error);
}

void
gst_gl_opencl_session_set_operations (GstGLOpenCLSession * self,
    const OclOperationList * operations)
{
  ocl_operation_list_copy (&gst_gl_opencl_session_get_next (self)->operations,
      operations);
}

gboolean
gst_gl_opencl_session_set_info (GstGLOpenCLSession * self,
    const GstVideoInfo * info, gchar ** notice, GError ** error)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (info));
  const gboolean interlaced = is_interlaced (info, 0);
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);

  g_assert (format);            /* the caps include only known formats */
  if (self->format != format) {
    self->backends.fell_back = FALSE;
    ocl_operation_list_clear (&self->refused);
    if (self->good.id != 0
        && !ocl_operation_list_check (&self->good, format, NULL))
      ocl_operation_list_clear (&self->good);
  }
  if (!self->info.finfo || !gst_video_info_is_equal (&self->info, info))
    self->reset_history = TRUE;
  self->info = *info;
  self->format = format;
  self->colorimetry = (OclColorimetry) {
  .full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255};
  /* If the matrix is unknown, kr and kb stay unchanged. */
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix,
      &self->colorimetry.kr, &self->colorimetry.kb);
  if (!gst_gl_opencl_caps_check_format (format,
          self->backends.context->gl_context, error)
      || !gst_gl_opencl_backends_choose (&self->backends, format,
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), notice,
          error))
    return FALSE;
  /* The trial of textures, which detects the byte order, has ended. */
  self->bytes_swapped = format->swapped
      && self->backends.context->bytes_swapped;
  gst_gl_opencl_session_settle_job (self, interlaced);
  /* A mixed stream has two kinds of frames. The job keeps the graph for
   * frames without flags. */
  if ((GST_VIDEO_INFO_INTERLACE_MODE (info) == GST_VIDEO_INTERLACE_MODE_MIXED
          && !gst_gl_opencl_session_prepare (self, job, TRUE, TRUE, error))
      || !gst_gl_opencl_session_prepare (self, job, interlaced, TRUE, error))
    return FALSE;
  gst_gl_opencl_stats_set_graph (&self->stats, &job->operations, job->graph);
  GST_INFO_OBJECT (self->element, "%u operations on %s", job->operations.n,
      self->backends.context->ocl->device->name);
  return TRUE;
}

GstGLOpenCLInteropMode
gst_gl_opencl_session_get_mode (GstGLOpenCLSession * self)
{
  return self->backends.mode;
}

GstAllocator *
gst_gl_opencl_session_get_allocator (GstGLOpenCLSession * self)
{
  return gst_gl_opencl_backends_get_allocator (&self->backends);
}

guint
gst_gl_opencl_session_get_best_pipeline_depth (GstGLOpenCLSession * self)
{
  const OclDevice *device = self->backends.context->ocl->device;

  return device->type & CL_DEVICE_TYPE_CPU ? 0 :
      GST_GL_OPENCL_BEST_PIPELINE_DEPTH;
}

const gchar *
gst_gl_opencl_session_get_device_name (GstGLOpenCLSession * self)
{
  return self->backends.context ? self->backends.context->ocl->
      device->name : NULL;
}

void
gst_gl_opencl_session_snapshot (GstGLOpenCLSession * self,
    const OclOperationList * operations,
    const GstGLOpenCLHistogramSettings * histogram, gboolean reports,
    const GstSegment * segment, GstBuffer * buffer)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);

  job->mode = GST_GL_OPENCL_INTEROP_AUTO;
  job->wait_time = 0;
  gst_gl_opencl_session_set_operations (self, operations);
  job->times = gst_gl_opencl_times_get (segment, buffer);
  gst_gl_opencl_histogram_snapshot (self->histogram, &job->emission, histogram,
      &job->times);
  job->report.messages = reports;
  memset (job->report.found, 0, sizeof (job->report.found));
}

GstGLOpenCLWork
gst_gl_opencl_session_settle (GstGLOpenCLSession * self, GstBuffer * buffer)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);

  gst_gl_opencl_session_settle_job (self, self->info.finfo
      && is_interlaced (&self->info, GST_BUFFER_FLAGS (buffer)));
  if (GST_BUFFER_IS_DISCONT (buffer)
      || !gst_gl_opencl_job_is_filtered (job))
    self->reset_history = TRUE;
  self->has_passed = TRUE;
  return gst_gl_opencl_job_get_work (job);
}

gboolean
gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * self,
    GstBuffer * buffer)
{
  const OclFrameInfo info = gst_gl_opencl_session_describe (self,
      is_interlaced (&self->info, GST_BUFFER_FLAGS (buffer)));

  /* A frame that waits for later frames cannot be overwritten when it is
   * read. */
  return gst_gl_opencl_job_get_lookahead (gst_gl_opencl_session_get_next
      (self)) == 0
      && gst_gl_opencl_backends_can_work_in_place (&self->backends, buffer,
      &info);
}

/* Prepares and begins @job. If textures have a different byte order, or
 * cannot be acquired, adapts and tries again. */
static GstFlowReturn
gst_gl_opencl_session_try_job (GstGLOpenCLSession * self,
    GstGLOpenCLJob * job, GError ** error)
{
  gboolean learned = FALSE;

  while (gst_gl_opencl_session_prepare (self, job, job->interlaced,
          gst_gl_opencl_job_is_filtered (job), error)) {
    if (job->input_buffer == job->output_buffer
        && !gst_gl_opencl_session_can_work_in_place (self, job->input_buffer))
      return GST_BASE_TRANSFORM_FLOW_DROPPED;
    job->bytes_swapped = self->bytes_swapped;
    if (gst_gl_opencl_backends_begin (&self->backends, job, error)) {
      GST_LOG_OBJECT (self->element, "job %p begun, %u held back", job,
          self->held.length);
      return GST_FLOW_OK;
    }
    /* Change the order only once per frame: the orders of its input and its
     * output may differ. */
    learned = !learned && job->bytes_swapped != self->bytes_swapped;
    if (learned) {
      self->bytes_swapped = job->bytes_swapped;
    } else if (gst_gl_opencl_backends_fall_back (&self->backends, *error)) {
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
  self->reset_history |= self->n_waiting > 0;
  for (; self->n_waiting > 0; self->n_waiting--) {
    GstGLOpenCLJob *job = g_queue_pop_tail (&self->held);

    gst_clear_buffer (&job->out_buffer);
    g_queue_push_head (&self->idle, job);
  }
  gst_clear_buffer (&self->newest);
}

/* Returns the oldest job that waits for later frames, or NULL. */
static GstGLOpenCLJob *
gst_gl_opencl_session_get_waiting (GstGLOpenCLSession * self)
{
  return g_queue_peek_nth (&self->held, self->held.length - self->n_waiting);
}

/* Begins the oldest waiting frame. Passes the newest frame to the operation
 * with it, unless this was done before. */
static GstFlowReturn
gst_gl_opencl_session_begin_waiting (GstGLOpenCLSession * self,
    gboolean input_in_history, GError ** error)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_waiting (self);

  job->input_buffer = self->newest;
  job->reset_history = FALSE;
  job->input_in_history = input_in_history;
  job->delay = self->n_waiting - (input_in_history ? 1 : 0);
  GstFlowReturn flow = gst_gl_opencl_session_try_job (self, job, error);
  if (flow == GST_FLOW_OK)
    self->n_waiting--;
  return flow;
}

/* Passes the frame of @job to the operation, and waits until it is
 * copied. */
static GstFlowReturn
gst_gl_opencl_session_only_take (GstGLOpenCLSession * self,
    GstGLOpenCLJob * job, GError ** error)
{
  GstBuffer *output = job->output_buffer;

  job->output_buffer = NULL;
  GstFlowReturn flow = gst_gl_opencl_session_try_job (self, job, error);
  if (flow == GST_FLOW_OK
      && !gst_gl_opencl_backends_finish (&self->backends, job, error))
    flow = GST_FLOW_ERROR;
  job->output_buffer = output;
  job->mode = GST_GL_OPENCL_INTEROP_AUTO;
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
  const GstGLOpenCLJob *waiting = gst_gl_opencl_session_get_waiting (self);

  if (!waiting)
    return TRUE;
  const OclOperationList *operations =
      &gst_gl_opencl_session_get_next (self)->operations;
  const OclNeighbours a =
      ocl_operation_list_get_neighbours (&waiting->operations);
  const OclNeighbours b = ocl_operation_list_get_neighbours (operations);
  if (!self->reset_history && waiting->operations.id == operations->id
      && a.n_earlier == b.n_earlier && a.n_later == b.n_later)
    return TRUE;
  return gst_gl_opencl_session_complete (self, error);
}

GstFlowReturn
gst_gl_opencl_session_begin (GstGLOpenCLSession * self, GstBuffer * input,
    GstBuffer * output, guint n_together, GError ** error)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);

  job->info = &self->info;
  job->format = self->format;
  job->colorimetry = self->colorimetry;
  job->interlaced = is_interlaced (&self->info, GST_BUFFER_FLAGS (input));
  job->n_together = n_together;
  job->reset_history = self->reset_history;
  job->number = self->reset_history ? 0 : self->number;
  job->is_measured = self->n_begun < MEASURED_INTERVAL
      || self->n_begun % MEASURED_INTERVAL == 0;
  ocl_timer_set_measures (job->timer, job->is_measured);
  job->input_in_history = FALSE;
  job->delay = 0;
  job->input_buffer = input;
  job->output_buffer = output;
  /* A frame that is only read may have newer parameters. */
  job->needs_lookahead &= output != NULL;
  GstFlowReturn flow;
  if (!job->needs_lookahead) {
    flow = gst_gl_opencl_session_try_job (self, job, error);
  } else {
    /* If all later frames of the oldest waiting frame are present, begin it. */
    gst_buffer_replace (&self->newest, input);
    flow = self->n_waiting < gst_gl_opencl_job_get_lookahead (job)
        ? gst_gl_opencl_session_only_take (self, job, error)
        : gst_gl_opencl_session_begin_waiting (self, FALSE, error);
    if (flow != GST_FLOW_OK)
      gst_gl_opencl_session_drop_waiting (self);
  }
  if (flow != GST_FLOW_OK)
    return flow;
  self->reset_history &= !gst_gl_opencl_job_is_filtered (job);
  self->number = job->number + 1;
  self->n_begun++;
  gst_gl_opencl_histogram_begun (self->histogram, &job->emission);
  return GST_FLOW_OK;
}

void
gst_gl_opencl_session_hold (GstGLOpenCLSession * self, GstBuffer * buffer)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_get_next (self);

  /* The frames that wait are the newest ones. */
  g_assert (job->needs_lookahead || self->n_waiting == 0);
  job->out_buffer = buffer;
  g_queue_push_tail (&self->held, job);
  self->n_waiting += job->needs_lookahead ? 1 : 0;
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

/* Returns the oldest job that is held back and does not wait, or NULL. It
 * becomes idle, but stays unchanged until a next frame uses it. */
static GstGLOpenCLJob *
gst_gl_opencl_session_pop (GstGLOpenCLSession * self)
{
  if (self->held.length == self->n_waiting)
    return NULL;

  GstGLOpenCLJob *job = g_queue_pop_head (&self->held);
  g_queue_push_head (&self->idle, job);
  return job;
}

/* Waits for a begun job, and sets @times to the times of its commands. */
static gboolean
gst_gl_opencl_session_end_job (GstGLOpenCLSession * self,
    GstGLOpenCLJob * job, guint64 times[OCL_TIMER_N_KINDS], GError ** error)
{
  return gst_gl_opencl_backends_finish (&self->backends, job, error)
      && ocl_timer_read (job->timer, times, error);
}

/* Releases a replaced chain when its frame is done. */
static void
gst_gl_opencl_session_release (GstGLOpenCLSession * self, GstGLOpenCLJob * job)
{
  if (job->chain == self->chain)
    return;
  ocl_graph_set (&job->graph, NULL);
  ocl_filter_set (&job->chain, NULL);
}

gboolean
gst_gl_opencl_session_finish (GstGLOpenCLSession * self, GstBuffer ** buffer,
    GError ** error)
{
  GstGLOpenCLJob *job = gst_gl_opencl_session_pop (self);
  guint64 times[OCL_TIMER_N_KINDS] = { 0, };

  *buffer = g_steal_pointer (&job->out_buffer);
  if (job->mode == GST_GL_OPENCL_INTEROP_AUTO)
    return TRUE;
  if (!gst_gl_opencl_session_end_job (self, job, times, error)) {
    gst_clear_buffer (buffer);
    return FALSE;
  }
  gst_gl_opencl_stats_count (&self->stats, &job->operations, job->graph, times,
      job->timer, job->is_measured, job->wait_time);
  GST_LOG_OBJECT (self->element, "job %p finished%s: kernels %"
      G_GUINT64_FORMAT " ns, transfers %" G_GUINT64_FORMAT " ns, waited %"
      G_GUINT64_FORMAT " ns", job, job->is_measured ? "" : ", not measured",
      times[OCL_TIMER_KERNEL], times[OCL_TIMER_TRANSFER], job->wait_time);
  gst_gl_opencl_histogram_emit (self->histogram, &job->emission, &job->times,
      *buffer);
  gst_gl_opencl_report_emit (self->report, &job->report, &job->times, *buffer);
  gst_gl_opencl_session_release (self, job);
  return TRUE;
}

void
gst_gl_opencl_session_discard (GstGLOpenCLSession * self)
{
  GstGLOpenCLJob *job;

  gst_gl_opencl_session_drop_waiting (self);
  while ((job = gst_gl_opencl_session_pop (self))) {
    guint64 times[OCL_TIMER_N_KINDS] = { 0, };
    g_autoptr (GError) error = NULL;

    if (job->mode != GST_GL_OPENCL_INTEROP_AUTO)
      gst_gl_opencl_session_end_job (self, job, times, &error);
    gst_clear_buffer (&job->out_buffer);
    gst_gl_opencl_session_release (self, job);
  }
}

void
gst_gl_opencl_session_flush (GstGLOpenCLSession * self)
{
  self->reset_history = TRUE;
  gst_gl_opencl_histogram_flush (self->histogram);
}
