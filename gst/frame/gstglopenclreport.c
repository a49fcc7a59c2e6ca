/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclreport.h"

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
message_freed (gpointer user_data, G_GNUC_UNUSED GstMiniObject * message)
{
  GstGLOpenCLMessages *self = user_data;

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

struct _GstGLOpenCLReport
{
  GstGLOpenCLMessages messages;
  GMutex lock;
  /* The report of the last frame, protected by the lock. */
  const OclReport *report;      /* NULL if there is none */
  OclReportField fields[OCL_MAX_REPORT_FIELDS];
  guint n_fields;
};

GstGLOpenCLReport *
gst_gl_opencl_report_new (GstElement * element)
{
  GstGLOpenCLReport *self = g_new0 (GstGLOpenCLReport, 1);

  self->messages.element = element;
  g_mutex_init (&self->lock);
  return self;
}

void
gst_gl_opencl_report_free (GstGLOpenCLReport * self)
{
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Returns the offset of the copy of result @n in bytes. */
static gsize
get_offset (const OclReport * report, guint n)
{
  gsize offset = 0;

  for (guint i = 0; i < n; i++)
    offset += report->results[i].size;
  return offset;
}

gboolean
gst_gl_opencl_report_frame_prepare (GstGLOpenCLReportFrame * frame,
    const OclReport * report, OclContext * ocl, GError ** error)
{
  guint n = 0;

  frame->report = report;
  while (report && report->results[n].klass)
    n++;
  return n == 0 || ocl_result_ensure (&frame->results, ocl,
      get_offset (report, n), error);
}

void
gst_gl_opencl_report_frame_clear (GstGLOpenCLReportFrame * frame,
    OclContext * ocl)
{
  ocl_result_clear (&frame->results, ocl);
}

gboolean
gst_gl_opencl_report_frame_enqueue (GstGLOpenCLReportFrame * frame,
    OclFilter * filter, const OclFormat * format, OclTimer * timer,
    GError ** error)
{
  const OclReport *report = frame->report;
  gboolean ok = TRUE;

  frame->format = format;
  for (guint i = 0; ok && report && report->results[i].klass; i++) {
    OclResult *found =
        ocl_filter_find_result (filter, report->results[i].klass);

    frame->found[i] = found != NULL;
    /* The next frame may overwrite the result before it is read. */
    ok = !found || ocl_result_enqueue_copy (found, &frame->results,
        ocl_filter_get_context (filter), get_offset (report, i),
        report->results[i].size, timer, error);
  }
  return ok;
}

gboolean
gst_gl_opencl_report_frame_enqueue_read (GstGLOpenCLReportFrame * frame,
    OclContext * ocl, OclTimer * timer, GError ** error)
{
  const OclReport *report = frame->report;
  gsize end = 0;

  for (guint i = 0; report && report->results[i].klass; i++) {
    if (frame->found[i])
      end = get_offset (report, i + 1);
  }
  return end == 0
      || ocl_result_enqueue_read (&frame->results, ocl, end, timer, error);
}

static void
add_fields (GstStructure * structure, const OclReportField * fields, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (fields[i].text)
      gst_structure_set (structure, fields[i].name, G_TYPE_STRING,
          fields[i].text, NULL);
    else
      gst_structure_set (structure, fields[i].name, G_TYPE_DOUBLE,
          fields[i].number, NULL);
  }
}

void
gst_gl_opencl_report_emit (GstGLOpenCLReport * self,
    const GstGLOpenCLReportFrame * frame, const GstGLOpenCLTimes * times,
    GstBuffer * buffer)
{
  const OclReport *report = frame->report;
  gconstpointer results[OCL_MAX_NEEDS] = { NULL, };
  OclReportField fields[OCL_MAX_REPORT_FIELDS];
  guint n = 0;

  for (guint i = 0; report && report->results[i].klass; i++)
    results[i] = frame->found[i] ? (const guint8 *) frame->results.host.data
        + get_offset (report, i) : NULL;
  if (results[0])
    n = report->describe (results, frame->format, fields);
  g_mutex_lock (&self->lock);
  self->report = report;
  self->n_fields = n;
  for (guint i = 0; i < n; i++)
    self->fields[i] = fields[i];
  g_mutex_unlock (&self->lock);
  if (n == 0 || !frame->messages)
    return;

  self->messages.subject = report->name;
  self->messages.remedy = report->remedy;
  GstStructure *structure =
      gst_gl_opencl_messages_create (&self->messages, times, buffer);
  if (structure) {
    add_fields (structure, fields, n);
    gst_gl_opencl_messages_post (&self->messages, structure);
  }
}

void
gst_gl_opencl_report_add_stats (GstGLOpenCLReport * self, GstStructure * stats)
{
  g_mutex_lock (&self->lock);
  if (self->n_fields > 0) {
    GstStructure *structure = gst_structure_new_empty (self->report->name);

    add_fields (structure, self->fields, self->n_fields);
    gst_structure_set (stats, self->report->name, GST_TYPE_STRUCTURE,
        structure, NULL);
    gst_structure_free (structure);
  }
  g_mutex_unlock (&self->lock);
}

void
gst_gl_opencl_report_reset_stats (GstGLOpenCLReport * self)
{
  g_mutex_lock (&self->lock);
  self->n_fields = 0;
  g_mutex_unlock (&self->lock);
  self->messages.dropped = FALSE;
}
