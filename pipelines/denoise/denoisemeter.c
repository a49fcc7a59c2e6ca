/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "denoisemeter.h"

void
denoise_meter_init (DenoiseMeter * meter)
{
  g_mutex_init (&meter->mutex);
  gst_segment_init (&meter->segment, GST_FORMAT_TIME);
  meter->count.n_buffers = 0;
  meter->count.n_shown = 0;
  meter->count.n_headers = 0;
  meter->count.first = GST_CLOCK_TIME_NONE;
  meter->count.last = GST_CLOCK_TIME_NONE;
  meter->count.end = GST_CLOCK_TIME_NONE;
}

void
denoise_meter_clear (DenoiseMeter * meter)
{
  g_mutex_clear (&meter->mutex);
}

static void
raise_time (GstClockTime * time, GstClockTime other)
{
  if (GST_CLOCK_TIME_IS_VALID (other)
      && (!GST_CLOCK_TIME_IS_VALID (*time) || other > *time))
    *time = other;
}

/* Whether @segment shows what begins at @time and lasts for @duration. */
static gboolean
is_shown (const GstSegment * segment, GstClockTime time, GstClockTime duration)
{
  const GstClockTime end = time
      + (GST_CLOCK_TIME_IS_VALID (duration) ? MAX (duration, 1) : 1);

  return gst_segment_clip (segment, GST_FORMAT_TIME, time, end, NULL, NULL);
}

static void
count_buffer (DenoiseMeter * meter, GstBuffer * buffer)
{
  const GstSegment *segment = &meter->segment;
  DenoiseCount *count = &meter->count;
  GstClockTime time = GST_BUFFER_PTS_IS_VALID (buffer)
      ? GST_BUFFER_PTS (buffer) : GST_BUFFER_DTS (buffer);

  count->n_buffers++;
  count->n_headers += GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_HEADER);
  if (!GST_CLOCK_TIME_IS_VALID (time) || segment->format != GST_FORMAT_TIME) {
    count->n_shown++;
    return;
  }
  count->n_shown += is_shown (segment, time, GST_BUFFER_DURATION (buffer));

  const GstClockTime begin =
      gst_segment_to_running_time (segment, GST_FORMAT_TIME, time);
  /* NONE is the largest number. */
  count->first = MIN (count->first, begin);
  raise_time (&count->last, begin);
  if (GST_BUFFER_DURATION_IS_VALID (buffer))
    time += GST_BUFFER_DURATION (buffer);
  raise_time (&count->end, gst_segment_to_running_time (segment,
          GST_FORMAT_TIME, time));
}

static gboolean
count_of_list (GstBuffer ** buffer, guint index, gpointer user_data)
{
  (void) index;
  count_buffer (user_data, *buffer);
  return TRUE;
}

static GstPadProbeReturn
watch_pad (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  DenoiseMeter *meter = user_data;

  (void) pad;
  g_mutex_lock (&meter->mutex);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER)
    count_buffer (meter, GST_PAD_PROBE_INFO_BUFFER (info));
  else if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST)
    gst_buffer_list_foreach (GST_PAD_PROBE_INFO_BUFFER_LIST (info),
        count_of_list, meter);
  else if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info))
      == GST_EVENT_SEGMENT)
    gst_event_copy_segment (GST_PAD_PROBE_INFO_EVENT (info), &meter->segment);
  g_mutex_unlock (&meter->mutex);
  return GST_PAD_PROBE_OK;
}

void
denoise_meter_attach (DenoiseMeter * meter, GstPad * pad)
{
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER
      | GST_PAD_PROBE_TYPE_BUFFER_LIST | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
      watch_pad, meter, NULL);
}

DenoiseCount
denoise_meter_get (DenoiseMeter * meter)
{
  g_mutex_lock (&meter->mutex);
  DenoiseCount count = meter->count;
  g_mutex_unlock (&meter->mutex);
  return count;
}

GstClockTime
denoise_count_get_end (const DenoiseCount * count)
{
  return GST_CLOCK_TIME_IS_VALID (count->end) ? count->end : count->last;
}
