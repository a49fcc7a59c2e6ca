/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopencloutlet.h"

#include "gstglopenclerror.h"
#include "gstglopenclqueries.h"

static GstFlowReturn
gst_gl_opencl_outlet_finish (GstGLOpenCLOutlet * self, GstBuffer ** buffer)
{
  g_autoptr (GError) error = NULL;

  if (gst_gl_opencl_session_finish (self->session, buffer, &error))
    return GST_FLOW_OK;
  gst_gl_opencl_outlet_post_error (self, error);
  return GST_FLOW_ERROR;
}

static GstFlowReturn
gst_gl_opencl_outlet_push_all (GstGLOpenCLOutlet * self)
{
  GstFlowReturn flow = GST_FLOW_OK;

  while (gst_gl_opencl_session_get_n_held (self->session) > 0
      && flow == GST_FLOW_OK) {
    GstBuffer *buffer = NULL;

    flow = gst_gl_opencl_outlet_finish (self, &buffer);
    if (flow == GST_FLOW_OK)
      flow = gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self->transform),
          buffer);
  }
  gst_gl_opencl_session_discard (self->session);
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
    self->flow = gst_gl_opencl_outlet_push_all (self);
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
}

GstFlowReturn
gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * self, guint most,
    GstBuffer ** buffer)
{
  const guint n_held = gst_gl_opencl_session_get_n_held (self->session);

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
  gst_gl_opencl_outlet_push_all (self);
}

void
gst_gl_opencl_outlet_begin_stream (GstGLOpenCLOutlet * self)
{
  self->flow = GST_FLOW_OK;
}

void
gst_gl_opencl_outlet_flush (GstGLOpenCLOutlet * self)
{
  gst_gl_opencl_session_discard (self->session);
  gst_gl_opencl_session_flush (self->session);
  self->flow = GST_FLOW_OK;
}
