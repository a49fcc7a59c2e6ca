/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbacklog.h"

#include <gst/base/gstbasetransform.h>

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
