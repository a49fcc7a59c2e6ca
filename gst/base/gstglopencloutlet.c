/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencloutlet.h"

#include "gstglopenclerror.h"
#include "gstglopenclqueries.h"

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
