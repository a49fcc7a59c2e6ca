/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencloutputqueue.h"

#include "gstglopenclerror.h"

#define NOT_SET G_MAXINT64

/* An event held back until @n_before frames have left. */
typedef struct
{
  GstEvent *event;
  guint64 n_before;
} HeldEvent;

/* Returns the number of frames to hold back. The caller of this function and of
 * the next two holds the object lock. */
static guint
count_held (const GstGLOpenCLOutputQueue * self)
{
  if (self->pipeline_depth >= 0)
    return self->pipeline_depth;
  return self->live ? 0 : self->best;
}

static guint
count_frames (const GstGLOpenCLOutputQueue * self)
{
  return count_held (self) + self->lookahead;
}

static GstClockTime
get_latency (const GstGLOpenCLOutputQueue * self)
{
  return GST_CLOCK_TIME_IS_VALID (self->frame_duration)
      ? count_frames (self) * self->frame_duration : 0;
}

guint
gst_gl_opencl_output_queue_count_frames (GstGLOpenCLOutputQueue * self)
{
  GST_OBJECT_LOCK (self->transform);
  const guint n_frames = count_frames (self);
  GST_OBJECT_UNLOCK (self->transform);
  return n_frames;
}

guint
gst_gl_opencl_output_queue_get_n_together (GstGLOpenCLOutputQueue * self)
{
  GST_OBJECT_LOCK (self->transform);
  const guint n_together = self->live ? 1 : count_held (self) + 1;
  GST_OBJECT_UNLOCK (self->transform);
  return n_together;
}

void
gst_gl_opencl_output_queue_answer_latency (GstGLOpenCLOutputQueue * self,
    GstQuery * query)
{
  GstClockTime minimum, maximum;

  GST_OBJECT_LOCK (self->transform);
  gst_query_parse_latency (query, &self->live, &minimum, &maximum);
  const GstClockTime more = get_latency (self);
  GST_OBJECT_UNLOCK (self->transform);
  if (GST_CLOCK_TIME_IS_VALID (maximum))
    maximum += more;
  gst_query_set_latency (query, self->live, minimum + more, maximum);
}

static void
post_latency (GstGLOpenCLOutputQueue * self)
{
  gst_element_post_message (GST_ELEMENT (self->transform),
      gst_message_new_latency (GST_OBJECT (self->transform)));
}

void
gst_gl_opencl_output_queue_set_stream (GstGLOpenCLOutputQueue * self,
    const GstVideoInfo * info, gboolean live)
{
  const guint best =
      gst_gl_opencl_session_get_best_pipeline_depth (self->session);

  GST_OBJECT_LOCK (self->transform);
  const GstClockTime before = get_latency (self);

  self->live = live;
  self->best = best;
  self->frame_duration = info->fps_n > 0
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : GST_CLOCK_TIME_NONE;
  const gboolean changed = get_latency (self) != before;
  GST_OBJECT_UNLOCK (self->transform);
  if (changed)
    post_latency (self);
}

gboolean
gst_gl_opencl_output_queue_set_pipeline_depth (GstGLOpenCLOutputQueue * self,
    gint pipeline_depth, guint lookahead)
{
  const guint before = count_frames (self);

  self->pipeline_depth = pipeline_depth;
  self->lookahead = lookahead;
  return count_frames (self) != before;
}

void
gst_gl_opencl_output_queue_announce (GstGLOpenCLOutputQueue * self)
{
  post_latency (self);          /* pools need a new size, too */
  gst_base_transform_reconfigure_sink (self->transform);
  gst_base_transform_reconfigure_src (self->transform);
}

gboolean
gst_gl_opencl_output_queue_is_flushing (GstGLOpenCLOutputQueue * self)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self->transform);

  GST_OBJECT_LOCK (pad);
  const gboolean flushing = GST_PAD_IS_FLUSHING (pad);
  GST_OBJECT_UNLOCK (pad);
  return flushing;
}

/* Returns the number of frames that have left or were dropped. */
static guint64
gst_gl_opencl_output_queue_count_left (GstGLOpenCLOutputQueue * self)
{
  return self->n_added - gst_gl_opencl_session_get_n_held (self->session)
      - gst_gl_opencl_session_get_n_waiting (self->session);
}

/* Pushes the events whose frames have all left. */
static void
gst_gl_opencl_output_queue_push_events (GstGLOpenCLOutputQueue * self)
{
  const guint64 n_left = gst_gl_opencl_output_queue_count_left (self);
  HeldEvent *held;

  while ((held = g_queue_peek_head (&self->events))
      && held->n_before <= n_left) {
    g_queue_pop_head (&self->events);
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self->transform),
        held->event);
    g_free (held);
  }
}

/* Drops all frames, and the events between them, except sticky events if @keeps
 * is set. */
static void
gst_gl_opencl_output_queue_discard (GstGLOpenCLOutputQueue * self,
    gboolean keeps)
{
  gst_gl_opencl_session_discard (self->session);
  for (guint n = g_queue_get_length (&self->events); n > 0; n--) {
    HeldEvent *held = g_queue_pop_head (&self->events);

    if (keeps && GST_EVENT_IS_STICKY (held->event)) {
      g_queue_push_tail (&self->events, held);
      continue;
    }
    gst_event_unref (held->event);
    g_free (held);
  }
}

void
gst_gl_opencl_output_queue_post_error (GstGLOpenCLOutputQueue * self,
    const GError * error)
{
  if (!self->failed)
    gst_gl_opencl_error_post (GST_ELEMENT (self->transform), error);
  self->failed = TRUE;
}

static GstFlowReturn
gst_gl_opencl_output_queue_finish (GstGLOpenCLOutputQueue * self,
    GstBuffer ** buffer)
{
  g_autoptr (GError) error = NULL;

  if (gst_gl_opencl_session_finish (self->session, buffer, &error))
    return GST_FLOW_OK;
  gst_gl_opencl_output_queue_post_error (self, error);
  return GST_FLOW_ERROR;
}

/* Pushes the begun frames, and the events after them. Drops all frames on
 * failure. */
static GstFlowReturn
gst_gl_opencl_output_queue_push_begun (GstGLOpenCLOutputQueue * self)
{
  GstFlowReturn flow = GST_FLOW_OK;

  while (gst_gl_opencl_session_get_n_held (self->session) > 0
      && flow == GST_FLOW_OK) {
    GstBuffer *buffer = NULL;

    flow = gst_gl_opencl_output_queue_finish (self, &buffer);
    if (flow == GST_FLOW_OK)
      flow = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->transform),
          buffer);
    gst_gl_opencl_output_queue_push_events (self);
  }
  if (flow != GST_FLOW_OK)
    gst_gl_opencl_session_discard (self->session);
  gst_gl_opencl_output_queue_push_events (self);
  return flow;
}

/* Runs on the queue's thread. If a frame arrived while this thread waited for
 * the stream lock, the frame has set a new deadline. */
static void
gst_gl_opencl_output_queue_push_late (GstGLOpenCLOutputQueue * self)
{
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self->transform);

  GST_PAD_STREAM_LOCK (pad);
  g_mutex_lock (&self->lock);
  const gboolean is_set = self->deadline != NOT_SET;
  g_mutex_unlock (&self->lock);
  if (!is_set && !gst_gl_opencl_output_queue_is_flushing (self))
    self->flow = gst_gl_opencl_output_queue_push_begun (self);
  GST_PAD_STREAM_UNLOCK (pad);
}

static gpointer
gst_gl_opencl_output_queue_run_thread (gpointer data)
{
  GstGLOpenCLOutputQueue *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stopping) {
    if (self->deadline == NOT_SET) {
      g_cond_wait (&self->changed, &self->lock);
    } else if (g_get_monotonic_time () < self->deadline) {
      g_cond_wait_until (&self->changed, &self->lock, self->deadline);
    } else {
      self->deadline = NOT_SET;
      g_mutex_unlock (&self->lock);
      gst_gl_opencl_output_queue_push_late (self);
      g_mutex_lock (&self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Sets the deadline to the maximum wait from now. A thread that waits for an
 * earlier time wakes up by itself and needs no signal, so that the usual call,
 * once per frame, wakes up no thread. Returns FALSE, without setting it, if no
 * thread can be started. */
static gboolean
gst_gl_opencl_output_queue_set_deadline (GstGLOpenCLOutputQueue * self)
{
  const gint64 time = g_get_monotonic_time () + self->wait;

  g_mutex_lock (&self->lock);
  if (time < self->deadline)
    g_cond_signal (&self->changed);
  /* Linux limits names to 15 bytes. */
  if (!self->thread)
    self->thread = g_thread_try_new ("glopencl-late",
        gst_gl_opencl_output_queue_run_thread, self, NULL);
  const gboolean ok = self->thread != NULL;
  self->deadline = ok ? time : NOT_SET;
  g_mutex_unlock (&self->lock);
  return ok;
}

static void
gst_gl_opencl_output_queue_reset_stream (GstGLOpenCLOutputQueue * self)
{
  GST_OBJECT_LOCK (self->transform);
  self->best = GST_GL_OPENCL_BEST_PIPELINE_DEPTH;
  self->live = FALSE;
  self->frame_duration = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self->transform);
}

void
gst_gl_opencl_output_queue_init (GstGLOpenCLOutputQueue * self,
    GstBaseTransform * transform, GstGLOpenCLSession * session)
{
  self->transform = transform;
  self->session = session;
  self->pipeline_depth = -1;
  gst_gl_opencl_output_queue_reset_stream (self);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->deadline = NOT_SET;
  g_queue_init (&self->events);
}

void
gst_gl_opencl_output_queue_clear (GstGLOpenCLOutputQueue * self)
{
  g_assert (!self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
}

void
gst_gl_opencl_output_queue_start (GstGLOpenCLOutputQueue * self)
{
  self->flow = GST_FLOW_OK;
  self->failed = FALSE;
}

/* Waits until the thread has pushed the frames that it is pushing. */
void
gst_gl_opencl_output_queue_stop (GstGLOpenCLOutputQueue * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->thread, g_thread_join);
  self->stopping = FALSE;
  self->deadline = NOT_SET;
  gst_gl_opencl_output_queue_discard (self, FALSE);
  gst_gl_opencl_output_queue_reset_stream (self);
}

void
gst_gl_opencl_output_queue_hold (GstGLOpenCLOutputQueue * self,
    GstBuffer * buffer)
{
  GstClockTime wait = GST_GL_OPENCL_LONGEST_WAIT;

  if (GST_BUFFER_DURATION_IS_VALID (buffer) && GST_BUFFER_DURATION (buffer) > 0)
    wait = MIN (wait, GST_BUFFER_DURATION (buffer));
  self->wait = GST_TIME_AS_USECONDS (wait);
  gst_gl_opencl_session_hold (self->session, buffer);
  self->n_added++;
}

GstFlowReturn
gst_gl_opencl_output_queue_take (GstGLOpenCLOutputQueue * self,
    GstBuffer ** buffer)
{
  const guint n_held = gst_gl_opencl_session_get_n_held (self->session);

  GST_OBJECT_LOCK (self->transform);
  const guint most = count_held (self);
  GST_OBJECT_UNLOCK (self->transform);
  gst_gl_opencl_output_queue_push_events (self);
  if (self->flow != GST_FLOW_OK) {
    GstFlowReturn flow = self->flow;

    self->flow = GST_FLOW_OK;
    return flow;
  }
  if (n_held > most
      || (n_held > 0 && !gst_gl_opencl_output_queue_set_deadline (self)))
    return gst_gl_opencl_output_queue_finish (self, buffer);
  return GST_FLOW_OK;
}

void
gst_gl_opencl_output_queue_drain (GstGLOpenCLOutputQueue * self)
{
  g_autoptr (GError) error = NULL;

  if (!gst_gl_opencl_session_complete (self->session, &error))
    gst_gl_opencl_output_queue_post_error (self, error);
  gst_gl_opencl_output_queue_push_begun (self);
}

/* Returns whether @event may pass between two frames of a sequence. All other
 * events end a sequence, so that the frames before them have no later
 * frames. */
static gboolean
is_passing (GstEvent * event)
{
  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_TAG:
    case GST_EVENT_TOC:
    case GST_EVENT_PROTECTION:
    case GST_EVENT_SINK_MESSAGE:
    case GST_EVENT_CUSTOM_DOWNSTREAM:
    case GST_EVENT_CUSTOM_DOWNSTREAM_STICKY:
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_gl_opencl_output_queue_take_event (GstGLOpenCLOutputQueue * self,
    GstEvent * event)
{
  const GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_FLUSH_STOP) {
    gst_gl_opencl_output_queue_discard (self, TRUE);
    gst_gl_opencl_session_flush (self->session);
    self->flow = GST_FLOW_OK;
    return FALSE;
  }
  if (is_passing (event)
      && gst_gl_opencl_output_queue_count_left (self) < self->n_added) {
    HeldEvent *held = g_new (HeldEvent, 1);

    held->event = event;
    held->n_before = self->n_added;
    g_queue_push_tail (&self->events, held);
    return TRUE;
  }
  if (!GST_EVENT_IS_SERIALIZED (event))
    return FALSE;
  gst_gl_opencl_output_queue_drain (self);
  if (type == GST_EVENT_STREAM_START || type == GST_EVENT_SEGMENT)
    self->flow = GST_FLOW_OK;
  return FALSE;
}
