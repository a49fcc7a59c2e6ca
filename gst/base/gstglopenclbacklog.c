/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbacklog.h"

void
gst_gl_opencl_backlog_init (GstGLOpenCLBacklog * self)
{
  self->asked = -1;
  gst_gl_opencl_backlog_reset (self);
}

void
gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * self)
{
  self->best = GST_GL_OPENCL_BEST_BACKLOG;
  self->live = FALSE;
  self->frame_duration = GST_CLOCK_TIME_NONE;
}

guint
gst_gl_opencl_backlog_get (const GstGLOpenCLBacklog * self)
{
  if (self->asked >= 0)
    return self->asked;
  return self->live ? 0 : self->best;
}

guint
gst_gl_opencl_backlog_get_n_together (const GstGLOpenCLBacklog * self)
{
  return self->live ? 1 : gst_gl_opencl_backlog_get (self) + 1;
}

GstClockTime
gst_gl_opencl_backlog_get_latency (const GstGLOpenCLBacklog * self)
{
  return GST_CLOCK_TIME_IS_VALID (self->frame_duration)
      ? gst_gl_opencl_backlog_get (self) * self->frame_duration : 0;
}

void
gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * self,
    GstQuery * query)
{
  GstClockTime minimum, maximum;

  gst_query_parse_latency (query, &self->live, &minimum, &maximum);
  const GstClockTime more = gst_gl_opencl_backlog_get_latency (self);
  if (GST_CLOCK_TIME_IS_VALID (maximum))
    maximum += more;
  gst_query_set_latency (query, self->live, minimum + more, maximum);
}

gboolean
gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * self,
    const GstVideoInfo * info, gboolean live, guint best)
{
  const GstClockTime before = gst_gl_opencl_backlog_get_latency (self);

  self->live = live;
  self->best = best;
  self->frame_duration = info->fps_n > 0
      ? gst_util_uint64_scale (GST_SECOND, info->fps_d, info->fps_n)
      : GST_CLOCK_TIME_NONE;
  return gst_gl_opencl_backlog_get_latency (self) != before;
}

gboolean
gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * self, gint asked)
{
  const guint before = gst_gl_opencl_backlog_get (self);

  self->asked = asked;
  return gst_gl_opencl_backlog_get (self) != before;
}
