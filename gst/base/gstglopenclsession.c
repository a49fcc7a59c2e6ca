/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclsession.h"

#include <gst/base/gstbasetransform.h>
#include <string.h>

#include "gstglopenclbacklog.h"
#include "gstglopenclcaps.h"
#if GST_GL_OPENCL_EXTERNAL_MEMORY
#include "interop/gstglopenclexternalmemory.h"
#endif
#include "interop/gstglopenclglsharing.h"
#include "interop/gstglopenclhostcopy.h"

GST_DEBUG_CATEGORY_STATIC (gst_gl_opencl_session_debug);
#define GST_CAT_DEFAULT gst_gl_opencl_session_debug

#define OFFSET(member) G_STRUCT_OFFSET (GstGLOpenCLSettings, member)

/**
 * GstGLOpenCLBaseFilter:interop:
 *
 * How OpenCL accesses OpenGL's frames. With auto, OpenCL borrows the textures
 * if borrowing is proven to work. Otherwise pools get textures in memory that
 * OpenGL and OpenCL share, and frames in other textures are copied to and from
 * shared textures. If this does not work either, frames are mapped to the host.
 * #GstGLOpenCLBaseFilter:active-interop says which way is in use.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:in-place:
 *
 * Writes the result into the upstream texture if nobody else uses this texture.
 * No second texture is needed, but the pixels are copied once on the device.
 *
 * Since: 0.1
 */

/**
 * GstGLOpenCLBaseFilter:pipeline-depth:
 *
 * How many frames may be held back, so that a GPU works on several frames at a
 * time. Each frame held back adds a frame of latency, which the element
 * reports, and takes the memory of two frames. With -1, no frame is held back
 * if upstream is live or the device is a CPU; otherwise the fastest number is
 * held back, two at most. A frame waits for the next frame at most 40 ms, or
 * its own duration if the duration is shorter. An application that waits for
 * each frame before it sends the next one sets 0.
 *
 * Since: 0.1
 */

const OclParam gst_gl_opencl_settings_params[] = {
  {"interop", "How OpenCL accesses the frames of OpenGL; active-interop "
        "says which way is in use",
        OCL_PARAM_ENUM, OFFSET (interop),
        .values = &gst_gl_opencl_interop_modes,
      .default_value = GST_GL_OPENCL_INTEROP_AUTO,.at_start = TRUE},
  {"in-place", "Write the result into the texture from upstream if nobody "
        "else uses it: this saves a second texture and costs a "
        "copy on the device",
      OCL_PARAM_BOOLEAN, OFFSET (in_place),.fixed = TRUE},
  {"pipeline-depth", "How many frames may be held back so that a GPU works on "
        "several frames at a time. Each adds one frame of latency "
        "and needs the memory of two frames. -1 holds back no "
        "frame if upstream is live or the device is a CPU, and "
        "otherwise as many as is fastest, at most two. No frame "
        "waits for the next one longer than 40 ms or its own "
        "duration. An application that waits for each frame before "
        "it sends the next one sets 0",
        OCL_PARAM_INT, OFFSET (pipeline_depth),
        .minimum = -1,.maximum = GST_GL_OPENCL_MAX_FLIGHTS - 1,
      .default_value = -1,.fixed = TRUE},
  {NULL},
};

/* The index is a GstGLOpenCLInteropMode. */
static const GstGLOpenCLInterop *const
    interops[GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY + 1] = {
  [GST_GL_OPENCL_INTEROP_GL_SHARING] = &gst_gl_opencl_gl_sharing,
  [GST_GL_OPENCL_INTEROP_HOST_COPY] = &gst_gl_opencl_host_copy,
#if GST_GL_OPENCL_EXTERNAL_MEMORY
  [GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY] = &gst_gl_opencl_external_memory,
#endif
};

#define N_MODES (GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY + 1)

G_STATIC_ASSERT (G_N_ELEMENTS (((GstGLOpenCLFlight *) NULL)->states)
    == N_MODES);

struct _GstGLOpenCLSession
{
  GstElement *element;          /* not owned */
  const OclOperationClass *klass;
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLRing ring;
  GstGLOpenCLFlight *next;      /* set from snapshot to hold */

  /* These members are valid from open to close. */
  GstGLOpenCLContext *context;
  GstGLOpenCLInteropMode asked;
  GstGLOpenCLInteropMode mode;  /* for the frames in use */
  gboolean fell_back;           /* a frame of the format could not be shared */
  gpointer ways[N_MODES];       /* created when first needed */
  OclOperation *operation;
  OclFrame scratch;             /* copies of frames filtered in place */

  /* These members are valid from set_info on. */
  GstVideoInfo info;
  const OclFormat *format;
  OclColorimetry colorimetry;
  gboolean bytes_swapped;       /* byte order of the textures borrowed last */

  /* The lock protects the members below. */
  GMutex lock;
  guint64 n_frames;
  guint64 times[OCL_TIMER_N_KINDS];     /* nanoseconds */
  guint64 wait_time;
  OclPlan *plan;                /* owned; for the last or the first frame */
};

GstGLOpenCLSession *
gst_gl_opencl_session_new (GstElement * element,
    const OclOperationClass * operation)
{
  GstGLOpenCLSession *self = g_new0 (GstGLOpenCLSession, 1);

  GST_DEBUG_CATEGORY_INIT (gst_gl_opencl_session_debug, "glopenclsession", 0,
      "frames of an element in OpenCL");
  self->element = element;
  self->klass = operation;
  self->histogram = gst_gl_opencl_histogram_new (element);
  g_mutex_init (&self->lock);
  gst_gl_opencl_ring_init (&self->ring);
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    GstGLOpenCLFlight *flight = &self->ring.flights[i];

    flight->klass = operation;
    flight->histogram = self->histogram;
    flight->scratch = &self->scratch;
    flight->timer = ocl_timer_new ();
    flight->params = ocl_operation_class_create_params (operation);
  }
  return self;
}

void
gst_gl_opencl_session_free (GstGLOpenCLSession * self)
{
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++) {
    ocl_timer_free (self->ring.flights[i].timer);
    g_free (self->ring.flights[i].params);
  }
  gst_gl_opencl_histogram_free (self->histogram);
  g_clear_pointer (&self->plan, ocl_plan_unref);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Returns the flight of the current frame. If other frames are finished
 * meanwhile, the flight stays the same one. */
static GstGLOpenCLFlight *
gst_gl_opencl_session_get_next (GstGLOpenCLSession * self)
{
  return self->next ? self->next : gst_gl_opencl_ring_get_next (&self->ring);
}

void
gst_gl_opencl_session_reset_stats (GstGLOpenCLSession * self)
{
  g_mutex_lock (&self->lock);
  self->n_frames = 0;
  memset (self->times, 0, sizeof (self->times));
  self->wait_time = 0;
  ocl_plan_set (&self->plan, NULL);
  g_mutex_unlock (&self->lock);
}

GstStructure *
gst_gl_opencl_session_get_stats (GstGLOpenCLSession * self)
{
  g_mutex_lock (&self->lock);
  g_autofree gchar *variant = self->plan
      ? ocl_plan_get_label (self->plan) : g_strdup ("");
  GstStructure *stats = gst_structure_new ("application/x-glopencl-stats",
      "frames", G_TYPE_UINT64, self->n_frames,
      "kernel-time", G_TYPE_UINT64, self->times[OCL_TIMER_KERNEL],
      "transfer-time", G_TYPE_UINT64, self->times[OCL_TIMER_TRANSFER],
      "wait-time", G_TYPE_UINT64, self->wait_time,
      "variant", G_TYPE_STRING, variant, NULL);
  g_mutex_unlock (&self->lock);
  return stats;
}

gboolean
gst_gl_opencl_session_is_open (GstGLOpenCLSession * self,
    GstGLContext * gl_context)
{
  return self->context && self->context->gl_context == gl_context;
}

/* gst_gl_context_thread_add() passes this struct to open_on_gl_thread(). */
typedef struct
{
  GstGLOpenCLSession *session;
  const gchar *selector;
  GError **error;
} OpenJob;

static void
open_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  OpenJob *job = data;
  GstGLOpenCLSession *self = job->session;

  self->context = gst_gl_opencl_interop_choose (gl_context, self->asked,
      job->selector, GST_OBJECT (self->element), job->error);
}

gboolean
gst_gl_opencl_session_open (GstGLOpenCLSession * self,
    GstGLContext * gl_context, GstGLOpenCLInteropMode mode,
    const gchar * selector, GError ** error)
{
  OpenJob job = { self, selector, error };

  self->asked = mode;
  if (gl_context)
    gst_gl_context_thread_add (gl_context, open_on_gl_thread, &job);
  if (!self->context) {
    if (!*error)
      g_set_error_literal (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_FAILED,
          "There is no OpenGL context. Restart the pipeline.");
    return FALSE;
  }
  self->fell_back = FALSE;
  self->operation = ocl_operation_new (self->klass, self->context->ocl);
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++)
    self->ring.flights[i].operation = self->operation;
  gst_gl_opencl_histogram_open (self->histogram, self->context->ocl);
  return TRUE;
}

static void
gst_gl_opencl_session_close_flight (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight)
{
  for (guint mode = 0; mode < N_MODES; mode++) {
    if (flight->states[mode])
      interops[mode]->free_flight (self->ways[mode], flight->states[mode]);
    flight->states[mode] = NULL;
  }
  gst_gl_opencl_histogram_frame_clear (&flight->emission, self->context->ocl);
  ocl_plan_set (&flight->plan, NULL);
  flight->operation = NULL;
}

void
gst_gl_opencl_session_close (GstGLOpenCLSession * self)
{
  if (!self->context)
    return;
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++)
    gst_gl_opencl_session_close_flight (self, &self->ring.flights[i]);
  for (guint mode = 0; mode < N_MODES; mode++) {
    if (self->ways[mode])
      interops[mode]->free (self->ways[mode]);
    self->ways[mode] = NULL;
  }
  gst_gl_opencl_histogram_close (self->histogram);
  g_clear_pointer (&self->operation, ocl_operation_free);
  ocl_frame_clear (&self->scratch);
  g_clear_pointer (&self->context, gst_gl_opencl_context_unref);
}

/* Returns the object of the way of interop @mode. The first call for @mode
 * creates the object. */
static gpointer
gst_gl_opencl_session_get_way (GstGLOpenCLSession * self,
    GstGLOpenCLInteropMode mode)
{
  if (!self->ways[mode])
    self->ways[mode] = interops[mode]->new (self->context);
  return self->ways[mode];
}

static gboolean
gst_gl_opencl_session_check_format (GstGLOpenCLSession * self,
    GstGLOpenCLInteropMode mode, GError ** error)
{
  return
      interops[mode]->check_format (gst_gl_opencl_session_get_way (self, mode),
      self->format, GST_VIDEO_INFO_WIDTH (&self->info),
      GST_VIDEO_INFO_HEIGHT (&self->info), error);
}

/* Chooses the way of interop. Frames that cannot be shared because of their
 * size or their format go through host-copy, unless the user asked for another
 * way. */
static gboolean
gst_gl_opencl_session_choose_mode (GstGLOpenCLSession * self, gchar ** notice,
    GError ** error)
{
  const GstGLOpenCLInteropMode best = self->context->mode;
  g_autoptr (GError) reason = NULL;

  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  if (best != self->mode && !self->fell_back) {
    if (gst_gl_opencl_session_check_format (self, best, &reason)) {
      self->mode = best;
      return TRUE;
    }
    if (self->asked != GST_GL_OPENCL_INTEROP_AUTO) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "%s Set interop=auto, or scale or convert frames.", reason->message);
      return FALSE;
    }
    *notice = g_strdup_printf ("%s Frames go through host memory.",
        reason->message);
  }
  return gst_gl_opencl_session_check_format (self,
      GST_GL_OPENCL_INTEROP_HOST_COPY, error);
}

/* Returns a frame as the operation gets it, but without memory. */
static OclFrame
gst_gl_opencl_session_describe (GstGLOpenCLSession * self, gboolean interlaced)
{
  const OclStorage storage = interops[self->mode]->storage;

  const OclFrame frame = {
    .format = self->format,
    .colorimetry = self->colorimetry,
    .interlaced = interlaced,
    .storage = storage,
    .width = GST_VIDEO_INFO_WIDTH (&self->info),
    .height = GST_VIDEO_INFO_HEIGHT (&self->info),
    .bytes_swapped = storage == OCL_STORAGE_IMAGE && self->bytes_swapped,
  };

  return frame;
}

/* Prepares the next frame, or a frame like it. Returns at once if everything is
 * prepared. A frame that is not filtered needs no plan, but the first plan is
 * made before there is a frame. */
static gboolean
gst_gl_opencl_session_prepare (GstGLOpenCLSession * self, gboolean interlaced,
    gboolean filters, GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);
  const OclFrame like = gst_gl_opencl_session_describe (self, interlaced);
  g_autoptr (OclPlan) plan = NULL;

  if (!flight->states[self->mode]) {
    gst_gl_opencl_session_get_way (self, self->mode);
    flight->states[self->mode] = interops[self->mode]->new_flight ();
  }
  if (filters) {
    plan = ocl_operation_get_plan (self->operation, &like, flight->params,
        error);
    if (!plan)
      return FALSE;
  }
  ocl_plan_set (&flight->plan, plan);
  return gst_gl_opencl_histogram_prepare (self->histogram, &flight->emission,
      &like, error);
}

/* Returns whether a frame of @info is two pictures, interleaved row by row.
 * Frames differ from each other only in a mixed stream; there @flags decide. */
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

/* Prepares all frames of the stream. A mixed stream has two kinds of frames.
 * The flight keeps the plan for frames without flags. */
static gboolean
gst_gl_opencl_session_prepare_stream (GstGLOpenCLSession * self,
    GError ** error)
{
  return (GST_VIDEO_INFO_INTERLACE_MODE (&self->info)
      != GST_VIDEO_INTERLACE_MODE_MIXED
      || gst_gl_opencl_session_prepare (self, TRUE, TRUE, error))
      && gst_gl_opencl_session_prepare (self, is_interlaced (&self->info, 0),
      TRUE, error);
}

/* Makes the statistics name the variant that would filter the next frame. */
static void
gst_gl_opencl_session_announce (GstGLOpenCLSession * self)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  g_mutex_lock (&self->lock);
  ocl_plan_set (&self->plan, flight->plan);
  g_mutex_unlock (&self->lock);
  GST_INFO_OBJECT (self->element, "%s %s on %s", self->klass->name,
      ocl_plan_get_variant (flight->plan)->name,
      self->context->ocl->device->name);
}

static OclColorimetry
get_colorimetry (const GstVideoInfo * info)
{
  OclColorimetry colorimetry = {
    .full_range = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
  };

  /* If the matrix is not known, this call sets neither kr nor kb. */
  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix,
      &colorimetry.kr, &colorimetry.kb);
  return colorimetry;
}

void
gst_gl_opencl_session_set_params (GstGLOpenCLSession * self,
    gconstpointer params)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  if (self->klass->params_size)
    memcpy (flight->params, params, self->klass->params_size);
}

gboolean
gst_gl_opencl_session_set_info (GstGLOpenCLSession * self,
    const GstVideoInfo * info, gchar ** notice, GError ** error)
{
  const OclFormat *format = ocl_format_find (GST_VIDEO_INFO_NAME (info));

  g_assert (format);            /* the caps offer only known formats */
  if (self->format != format)
    self->fell_back = FALSE;
  self->info = *info;
  self->format = format;
  self->colorimetry = get_colorimetry (info);
  if (!gst_gl_opencl_caps_check_format (format, self->context->gl_context,
          error)
      || !gst_gl_opencl_session_choose_mode (self, notice, error))
    return FALSE;
  /* The trial of textures, which finds the byte order, is over. */
  self->bytes_swapped = format->swapped && self->context->bytes_swapped;
  if (!gst_gl_opencl_session_prepare_stream (self, error))
    return FALSE;
  gst_gl_opencl_session_announce (self);
  return TRUE;
}

GstGLOpenCLInteropMode
gst_gl_opencl_session_get_mode (GstGLOpenCLSession * self)
{
  return self->mode;
}

GstAllocator *
gst_gl_opencl_session_get_allocator (GstGLOpenCLSession * self)
{
  const GstGLOpenCLInterop *interop = interops[self->mode];

  return self->ways[self->mode] && interop->get_allocator
      ? interop->get_allocator (self->ways[self->mode]) : NULL;
}

guint
gst_gl_opencl_session_get_best_backlog (GstGLOpenCLSession * self)
{
  const OclDevice *device = self->context->ocl->device;

  return device->type & CL_DEVICE_TYPE_CPU ? 0 : GST_GL_OPENCL_BEST_BACKLOG;
}

const gchar *
gst_gl_opencl_session_get_device_name (GstGLOpenCLSession * self)
{
  return self->context->ocl->device->name;
}

GstGLOpenCLWork
gst_gl_opencl_session_snapshot (GstGLOpenCLSession * self,
    gconstpointer params, const GstGLOpenCLHistogramSettings * histogram,
    const GstSegment * segment, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_ring_get_next (&self->ring);

  self->next = flight;
  flight->mode = GST_GL_OPENCL_INTEROP_AUTO;
  gst_gl_opencl_session_set_params (self, params);
  gst_gl_opencl_histogram_snapshot (self->histogram, &flight->emission,
      histogram, segment, buffer);
  return gst_gl_opencl_flight_get_work (flight);
}

gboolean
gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * self,
    GstBuffer * buffer)
{
  const OclFrame like = gst_gl_opencl_session_describe (self,
      is_interlaced (&self->info, GST_BUFFER_FLAGS (buffer)));

  return gst_gl_opencl_interop_can_work_in_place (interops[self->mode],
      buffer, &like);
}

/* Returns whether the textures of a frame that failed have another byte order
 * than the plans were made for. If so, plans are made for the order of these
 * textures from now on. */
static gboolean
gst_gl_opencl_session_learn_order (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight)
{
  if (flight->bytes_swapped == self->bytes_swapped)
    return FALSE;
  self->bytes_swapped = flight->bytes_swapped;
  return TRUE;
}

/* Returns whether a frame that failed with @error can go through host memory
 * instead. This is possible if OpenCL could not borrow the texture of the
 * frame. */
static gboolean
gst_gl_opencl_session_fall_back (GstGLOpenCLSession * self,
    const GError * error)
{
  if (self->mode == GST_GL_OPENCL_INTEROP_HOST_COPY
      || self->asked != GST_GL_OPENCL_INTEROP_AUTO
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    return FALSE;
  GST_INFO_OBJECT (self->element,
      "frames go through host memory from now on: %s", error->message);
  self->fell_back = TRUE;
  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  return TRUE;
}

/* Discards the measured times, and sets @error if the call that failed did
 * not. */
static gboolean
fail_flight (GstGLOpenCLFlight * flight, GError ** error)
{
  ocl_timer_reset (flight->timer);
  if (!*error)
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED,
        "The OpenGL context is gone. Restart the pipeline.");
  return FALSE;
}

/* Begins @flight with the way of interop that is in use now. */
static gboolean
gst_gl_opencl_session_begin_flight (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, GError ** error)
{
  GstGLSyncMeta *sync = gst_buffer_get_gl_sync_meta (flight->input_buffer);

  if (sync)
    gst_gl_sync_meta_wait (sync, self->context->gl_context);
  if (!interops[self->mode]->begin (self->ways[self->mode],
          flight->states[self->mode], flight, error))
    return fail_flight (flight, error);
  flight->mode = self->mode;
  gst_gl_opencl_histogram_begun (self->histogram, &flight->emission);
  GST_LOG_OBJECT (self->element, "flight %p begun, %u held back", flight,
      self->ring.n_held);
  return TRUE;
}

GstFlowReturn
gst_gl_opencl_session_begin (GstGLOpenCLSession * self, GstBuffer * input,
    GstBuffer * output, guint n_together, GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);
  gboolean learned = FALSE;

  flight->info = &self->info;
  flight->format = self->format;
  flight->colorimetry = self->colorimetry;
  flight->interlaced = is_interlaced (&self->info, GST_BUFFER_FLAGS (input));
  flight->n_together = n_together;
  flight->input_buffer = input;
  flight->output_buffer = output;
  while (gst_gl_opencl_session_prepare (self, flight->interlaced,
          gst_gl_opencl_flight_is_filtered (flight), error)) {
    if (input == output
        && !gst_gl_opencl_session_can_work_in_place (self, input))
      return GST_BASE_TRANSFORM_FLOW_DROPPED;
    flight->bytes_swapped = self->bytes_swapped;
    if (gst_gl_opencl_session_begin_flight (self, flight, error))
      return GST_FLOW_OK;
    /* Learn the order only once per frame: the orders of its input and its
     * output may differ. */
    learned = !learned && gst_gl_opencl_session_learn_order (self, flight);
    if (!learned && !gst_gl_opencl_session_fall_back (self, *error))
      return GST_FLOW_ERROR;
    g_clear_error (error);
  }
  return GST_FLOW_ERROR;
}

void
gst_gl_opencl_session_hold (GstGLOpenCLSession * self, GstBuffer * buffer)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_session_get_next (self);

  flight->pushed = buffer;
  gst_gl_opencl_ring_push (&self->ring, flight);
  self->next = NULL;
}

guint
gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * self)
{
  return self->ring.n_held;
}

/* Waits for a flight that was begun. */
static gboolean
gst_gl_opencl_session_wait (GstGLOpenCLSession * self,
    GstGLOpenCLFlight * flight, guint64 times[OCL_TIMER_N_KINDS],
    guint64 * wait_time, GError ** error)
{
  return (interops[flight->mode]->finish (self->ways[flight->mode],
          flight->states[flight->mode], flight, wait_time, error)
      && ocl_timer_read (flight->timer, times, error))
      || fail_flight (flight, error);
}

static void
gst_gl_opencl_session_count (GstGLOpenCLSession * self,
    const GstGLOpenCLFlight * flight, const guint64 times[OCL_TIMER_N_KINDS],
    guint64 wait_time)
{
  g_mutex_lock (&self->lock);
  self->n_frames++;
  for (guint kind = 0; kind < OCL_TIMER_N_KINDS; kind++)
    self->times[kind] += times[kind];
  self->wait_time += wait_time;
  if (flight->plan)
    ocl_plan_set (&self->plan, flight->plan);
  g_mutex_unlock (&self->lock);
}

gboolean
gst_gl_opencl_session_finish (GstGLOpenCLSession * self, GstBuffer ** buffer,
    GError ** error)
{
  GstGLOpenCLFlight *flight = gst_gl_opencl_ring_pop (&self->ring);
  guint64 times[OCL_TIMER_N_KINDS] = { 0, };
  guint64 wait_time = 0;

  *buffer = g_steal_pointer (&flight->pushed);
  if (flight->mode == GST_GL_OPENCL_INTEROP_AUTO)
    return TRUE;
  if (!gst_gl_opencl_session_wait (self, flight, times, &wait_time, error)) {
    gst_clear_buffer (buffer);
    return FALSE;
  }
  gst_gl_opencl_session_count (self, flight, times, wait_time);
  GST_LOG_OBJECT (self->element, "flight %p finished: kernels %"
      G_GUINT64_FORMAT " ns, transfers %" G_GUINT64_FORMAT " ns, waited %"
      G_GUINT64_FORMAT " ns", flight, times[OCL_TIMER_KERNEL],
      times[OCL_TIMER_TRANSFER], wait_time);
  gst_gl_opencl_histogram_emit (self->histogram, &flight->emission, *buffer);
  return TRUE;
}

void
gst_gl_opencl_session_discard (GstGLOpenCLSession * self)
{
  GstGLOpenCLFlight *flight;

  while ((flight = gst_gl_opencl_ring_pop (&self->ring))) {
    guint64 times[OCL_TIMER_N_KINDS] = { 0, };
    guint64 wait_time = 0;
    g_autoptr (GError) error = NULL;

    if (flight->mode != GST_GL_OPENCL_INTEROP_AUTO)
      gst_gl_opencl_session_wait (self, flight, times, &wait_time, &error);
    gst_clear_buffer (&flight->pushed);
  }
}

void
gst_gl_opencl_session_flush (GstGLOpenCLSession * self)
{
  gst_gl_opencl_histogram_flush (self->histogram);
}
