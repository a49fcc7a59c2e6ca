/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclmessages.h"

GstGLOpenCLTimes
gst_gl_opencl_times_get (const GstSegment * segment, GstBuffer * buffer)
{
  GstGLOpenCLTimes times = { GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE };

  if (segment->format == GST_FORMAT_TIME) {
    times.stream_time = gst_segment_to_stream_time (segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (buffer));
    times.running_time = gst_segment_to_running_time (segment,
        GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  }
  return times;
}

GstStructure *
gst_gl_opencl_messages_create (GstGLOpenCLMessages * self,
    const GstGLOpenCLTimes * times, GstBuffer * buffer)
{
  GstElementFactory *factory = gst_element_get_factory (self->element);
  g_autofree gchar *name = g_strdup_printf ("%s-%s",
      factory ? GST_OBJECT_NAME (factory) : G_OBJECT_TYPE_NAME (self->element),
      self->subject);

  if (g_atomic_int_get (&self->n) < GST_GL_OPENCL_MAX_MESSAGES)
    return gst_structure_new (name,
        "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (buffer),
        "stream-time", G_TYPE_UINT64, times->stream_time,
        "running-time", G_TYPE_UINT64, times->running_time,
        "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (buffer), NULL);
  if (!self->dropped)
    GST_ELEMENT_WARNING (self->element, CORE, TOO_LAZY,
        ("Messages of type %s are dropped because %d of them have not been "
            "read. Read the bus, or set %s.", name, GST_GL_OPENCL_MAX_MESSAGES,
            self->remedy), (NULL));
  self->dropped = TRUE;
  return NULL;
}

/* Runs on any thread. The message still has a reference to the element. */
static void
message_freed (gpointer user_data, GstMiniObject * message)
{
  GstGLOpenCLMessages *self = user_data;

  (void) message;
  g_atomic_int_add (&self->n, -1);
}

void
gst_gl_opencl_messages_post (GstGLOpenCLMessages * self,
    GstStructure * structure)
{
  GstMessage *message =
      gst_message_new_element (GST_OBJECT (self->element), structure);

  g_atomic_int_inc (&self->n);
  gst_mini_object_weak_ref (GST_MINI_OBJECT_CAST (message), message_freed,
      self);
  gst_element_post_message (self->element, message);
}
