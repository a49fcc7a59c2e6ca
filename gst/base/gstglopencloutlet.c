/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencloutlet.h"

#include "gstglopenclerror.h"

void
gst_gl_opencl_backlog_init (GstGLOpenCLBacklog * self, GstElement * element)
{
  self->element = element;
  self->asked = -1;
  gst_gl_opencl_backlog_reset (self);
}

void
gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * self)
{
  GST_OBJECT_LOCK (self->element);
  self->best = GST_GL_OPENCL_BEST_BACKLOG;
  self->live = FALSE;
  self->frame_duration = GST_CLOCK_TIME_NONE;
  GST_OBJECT_UNLOCK (self->element);
}

/* The caller of the next functions holds the object lock. */

static guint
count_held (const GstGLOpenCLBacklog * self)
{
  if (self->asked >= 0)
    return self->asked;
  return self->live ? 0 : self->best;
}

static guint
count_frames (const GstGLOpenCLBacklog * self)
{
  return count_held (self) + self->lookahead;
}

static GstClockTime
get_latency (const GstGLOpenCLBacklog * self)
{
  return GST_CLOCK_TIME_IS_VALID (self->frame_duration)
      ? count_frames (self) * self->frame_duration : 0;
}

guint
gst_gl_opencl_backlog_get (GstGLOpenCLBacklog * self)
{
  GST_OBJECT_LOCK (self->element);
  const guint n_held = count_held (self);
  GST_OBJECT_UNLOCK (self->element);
  return n_held;
}

guint
gst_gl_opencl_backlog_count_frames (GstGLOpenCLBacklog * self)
{
  GST_OBJECT_LOCK (self->element);
  const guint n_frames = count_frames (self);
  GST_OBJECT_UNLOCK (self->element);
  return n_frames;
}

guint
gst_gl_opencl_backlog_get_n_together (GstGLOpenCLBacklog * self)
{
  GST_OBJECT_LOCK (self->element);
  const guint n_together = self->live ? 1 : count_held (self) + 1;
  GST_OBJECT_UNLOCK (self->element);
  return n_together;
}

void
gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * self,
    GstQuery * query)
{
  GstClockTime minimum, maximum;

  GST_OBJECT_LOCK (self->element);
  gst_query_parse_latency (query, &self->live, &minimum, &maximum);
  const GstClockTime more = get_latency (self);
  GST_OBJECT_UNLOCK (self->element);
  if (GST_CLOCK_TIME_IS_VALID (maximum))
    maximum += more;
  gst_query_set_latency (query, self->live, minimum + more, maximum);
}

static void
post_latency (GstGLOpenCLBacklog * self)
{
  gst_element_post_message (self->element,
      gst_message_new_latency (GST_OBJECT (self->element)));
}

void
gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * self,
    const GstVideoInfo * info, gboolean live, guint best)
{
  GST_OBJECT_LOCK (self->element);
  const GstClockTime before = get_latency (self);

  self->live = live;
  self->best = best;
  self->frame_duration = info->fps_n > 0
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : GST_CLOCK_TIME_NONE;
  const gboolean changed = get_latency (self) != before;
  GST_OBJECT_UNLOCK (self->element);
  if (changed)
    post_latency (self);
}

gboolean
gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * self, gint asked,
    guint lookahead)
{
  const guint before = count_frames (self);

  self->asked = asked;
  self->lookahead = lookahead;
  return count_frames (self) != before;
}

void
gst_gl_opencl_backlog_announce (GstGLOpenCLBacklog * self)
{
  post_latency (self);          /* pools need a new size, too */
  gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self->element));
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self->element));
}

#define NOT_SET G_MAXINT64

struct _GstGLOpenCLDeadline
{
  GstGLOpenCLDeadlineFunc func;
  gpointer data;

  /* The lock protects the members below, except in new, stop and free. */
  GMutex lock;
  GThread *thread;              /* or NULL */
  GCond changed;
  gint64 time;                  /* monotonic, microseconds */
  gboolean stopping;
};

GstGLOpenCLDeadline *
gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func, gpointer data)
{
  GstGLOpenCLDeadline *self = g_new0 (GstGLOpenCLDeadline, 1);

  self->func = func;
  self->data = data;
  self->time = NOT_SET;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  return self;
}

void
gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * self)
{
  g_assert (!self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}

static gpointer
gst_gl_opencl_deadline_wait (gpointer data)
{
  GstGLOpenCLDeadline *self = data;

  g_mutex_lock (&self->lock);
  while (!self->stopping) {
    if (self->time == NOT_SET) {
      g_cond_wait (&self->changed, &self->lock);
    } else if (g_get_monotonic_time () < self->time) {
      g_cond_wait_until (&self->changed, &self->lock, self->time);
    } else {
      self->time = NOT_SET;
      g_mutex_unlock (&self->lock);
      self->func (self->data);
      g_mutex_lock (&self->lock);
    }
  }
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* A thread that waits for an earlier time wakes up by itself and needs no
 * signal, so that the usual call, once per frame, wakes up no thread. */
gboolean
gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * self, gint64 wait)
{
  const gint64 time = g_get_monotonic_time () + wait;

  g_mutex_lock (&self->lock);
  if (time < self->time)
    g_cond_signal (&self->changed);
  /* Linux limits names to 15 bytes. */
  if (!self->thread)
    self->thread = g_thread_try_new ("glopencl-late",
        gst_gl_opencl_deadline_wait, self, NULL);
  const gboolean ok = self->thread != NULL;
  self->time = ok ? time : NOT_SET;
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * self)
{
  g_mutex_lock (&self->lock);
  gboolean is_set = self->time != NOT_SET;
  g_mutex_unlock (&self->lock);
  return is_set;
}

void
gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * self)
{
  g_mutex_lock (&self->lock);
  self->stopping = TRUE;
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->thread, g_thread_join);
  self->stopping = FALSE;
  self->time = NOT_SET;
}

gboolean
gst_gl_opencl_query_is_flushing (GstPad * pad)
{
  GST_OBJECT_LOCK (pad);
  gboolean flushing = GST_PAD_IS_FLUSHING (pad);
  GST_OBJECT_UNLOCK (pad);
  return flushing;
}

/* An event held back until @n_before frames have left. */
typedef struct
{
  GstEvent *event;
  guint64 n_before;
} HeldEvent;

/* Returns the number of frames that have left or were dropped. */
static guint64
gst_gl_opencl_outlet_count_left (GstGLOpenCLOutlet * self)
{
  return self->n_added - gst_gl_opencl_session_get_n_held (self->session)
      - gst_gl_opencl_session_get_n_waiting (self->session);
}

/* Pushes the events whose frames have all left. */
static void
gst_gl_opencl_outlet_push_events (GstGLOpenCLOutlet * self)
{
  const guint64 n_left = gst_gl_opencl_outlet_count_left (self);
  HeldEvent *held;

  while ((held = g_queue_peek_head (&self->events))
      && held->n_before <= n_left) {
    g_queue_pop_head (&self->events);
    gst_pad_push_event (GST_BASE_TRANSFORM_SRC_PAD (self->transform),
        held->event);
    g_free (held);
  }
}

/* Drops the events held back, except sticky events if @keeps is set. */
static void
gst_gl_opencl_outlet_drop_events (GstGLOpenCLOutlet * self, gboolean keeps)
{
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

static GstFlowReturn
gst_gl_opencl_outlet_finish (GstGLOpenCLOutlet * self, GstBuffer ** buffer)
{
  g_autoptr (GError) error = NULL;

  if (gst_gl_opencl_session_finish (self->session, buffer, &error))
    return GST_FLOW_OK;
  gst_gl_opencl_outlet_post_error (self, error);
  return GST_FLOW_ERROR;
}

/* Pushes the begun frames, and the events after them. Drops all frames on
 * failure. */
static GstFlowReturn
gst_gl_opencl_outlet_push_begun (GstGLOpenCLOutlet * self)
{
  GstFlowReturn flow = GST_FLOW_OK;

  while (gst_gl_opencl_session_get_n_held (self->session) > 0
      && flow == GST_FLOW_OK) {
    GstBuffer *buffer = NULL;

    flow = gst_gl_opencl_outlet_finish (self, &buffer);
    if (flow == GST_FLOW_OK)
      flow = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->transform),
          buffer);
    gst_gl_opencl_outlet_push_events (self);
  }
  if (flow != GST_FLOW_OK)
    gst_gl_opencl_session_discard (self->session);
  gst_gl_opencl_outlet_push_events (self);
  return flow;
}

/* Runs on the outlet's thread. If a frame arrived while this thread waited for
 * the stream lock, the frame has set a new deadline. */
static void
gst_gl_opencl_outlet_push_late (gpointer data)
{
  GstGLOpenCLOutlet *self = data;
  GstPad *pad = GST_BASE_TRANSFORM_SINK_PAD (self->transform);

  GST_PAD_STREAM_LOCK (pad);
  if (!gst_gl_opencl_query_is_flushing (pad)
      && !gst_gl_opencl_deadline_is_set (self->deadline))
    self->flow = gst_gl_opencl_outlet_push_begun (self);
  GST_PAD_STREAM_UNLOCK (pad);
}

void
gst_gl_opencl_outlet_init (GstGLOpenCLOutlet * self,
    GstBaseTransform * transform, GstGLOpenCLSession * session)
{
  self->transform = transform;
  self->session = session;
  self->deadline =
      gst_gl_opencl_deadline_new (gst_gl_opencl_outlet_push_late, self);
  g_queue_init (&self->events);
}

void
gst_gl_opencl_outlet_clear (GstGLOpenCLOutlet * self)
{
  g_clear_pointer (&self->deadline, gst_gl_opencl_deadline_free);
}

void
gst_gl_opencl_outlet_start (GstGLOpenCLOutlet * self)
{
  self->flow = GST_FLOW_OK;
  self->failed = FALSE;
}

void
gst_gl_opencl_outlet_stop (GstGLOpenCLOutlet * self)
{
  gst_gl_opencl_deadline_stop (self->deadline);
  gst_gl_opencl_session_discard (self->session);
  gst_gl_opencl_outlet_drop_events (self, FALSE);
}

void
gst_gl_opencl_outlet_post_error (GstGLOpenCLOutlet * self, const GError * error)
{
  if (!self->failed)
    gst_gl_opencl_error_post (GST_ELEMENT (self->transform), error);
  self->failed = TRUE;
}

void
gst_gl_opencl_outlet_hold (GstGLOpenCLOutlet * self, GstBuffer * buffer)
{
  GstClockTime wait = GST_GL_OPENCL_LONGEST_WAIT;

  if (GST_BUFFER_DURATION_IS_VALID (buffer) && GST_BUFFER_DURATION (buffer) > 0)
    wait = MIN (wait, GST_BUFFER_DURATION (buffer));
  self->wait = GST_TIME_AS_USECONDS (wait);
  gst_gl_opencl_session_hold (self->session, buffer);
  self->n_added++;
}

GstFlowReturn
gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * self, guint most,
    GstBuffer ** buffer)
{
  const guint n_held = gst_gl_opencl_session_get_n_held (self->session);

  gst_gl_opencl_outlet_push_events (self);
  if (self->flow != GST_FLOW_OK) {
    GstFlowReturn flow = self->flow;

    self->flow = GST_FLOW_OK;
    return flow;
  }
  if (n_held > most || (n_held > 0
          && !gst_gl_opencl_deadline_set (self->deadline, self->wait)))
    return gst_gl_opencl_outlet_finish (self, buffer);
  return GST_FLOW_OK;
}

void
gst_gl_opencl_outlet_drain (GstGLOpenCLOutlet * self)
{
  g_autoptr (GError) error = NULL;

  if (!gst_gl_opencl_session_complete (self->session, &error))
    gst_gl_opencl_outlet_post_error (self, error);
  gst_gl_opencl_outlet_push_begun (self);
}

/* Holds back @event until the frames before it have left. Takes ownership of
 * @event. */
static void
gst_gl_opencl_outlet_hold_event (GstGLOpenCLOutlet * self, GstEvent * event)
{
  HeldEvent *held = g_new (HeldEvent, 1);

  held->event = event;
  held->n_before = self->n_added;
  g_queue_push_tail (&self->events, held);
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

/* Drops all frames, and the events between them that are not sticky. */
static void
gst_gl_opencl_outlet_flush (GstGLOpenCLOutlet * self)
{
  gst_gl_opencl_session_discard (self->session);
  gst_gl_opencl_outlet_drop_events (self, TRUE);
  gst_gl_opencl_session_flush (self->session);
  self->flow = GST_FLOW_OK;
}

gboolean
gst_gl_opencl_outlet_take_event (GstGLOpenCLOutlet * self, GstEvent * event)
{
  const GstEventType type = GST_EVENT_TYPE (event);

  if (type == GST_EVENT_FLUSH_STOP) {
    gst_gl_opencl_outlet_flush (self);
    return FALSE;
  }
  if (is_passing (event)
      && gst_gl_opencl_outlet_count_left (self) < self->n_added) {
    gst_gl_opencl_outlet_hold_event (self, event);
    return TRUE;
  }
  if (!GST_EVENT_IS_SERIALIZED (event))
    return FALSE;
  gst_gl_opencl_outlet_drain (self);
  if (type == GST_EVENT_STREAM_START || type == GST_EVENT_SEGMENT)
    self->flow = GST_FLOW_OK;
  return FALSE;
}
