/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posts element messages about frames. A message is named after the element's
 * factory and its subject (`glopenclfilter-histogram`), and has the fields
 *
 *   timestamp, stream-time, running-time, duration    guint64, of the frame;
 *                                  GST_CLOCK_TIME_NONE where it has none
 *
 * If many messages wait to be read, further messages are dropped, so that a bus
 * that nobody reads does not take all memory. */

#pragma once

#include <gst/gst.h>

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* At most this many messages of one subject may wait to be read. */
#define GST_GL_OPENCL_MAX_MESSAGES OCL_MAX_REPORT_MESSAGES

/**
 * GstGLOpenCLTimes:
 * @stream_time: the stream time of a frame, or NONE
 * @running_time: the running time of a frame, or NONE
 */
typedef struct
{
  GstClockTime stream_time;
  GstClockTime running_time;
} GstGLOpenCLTimes;

/* Returns the times of @buffer, which are in @segment. */
GstGLOpenCLTimes gst_gl_opencl_times_get (const GstSegment * segment,
    GstBuffer * buffer);

/**
 * GstGLOpenCLMessages:
 * @element: the element that posts; not owned. It must outlive the messages,
 *    which hold it
 * @subject: the second part of the name
 * @remedy: what stops the messages, for people
 * @n: live messages; atomic
 * @dropped: whether a message was dropped, and a warning was posted
 *
 * All functions are called on the streaming thread, or when there is no
 * streaming.
 */
typedef struct
{
  GstElement *element;
  const gchar *subject;
  const gchar *remedy;
  gint n;
  gboolean dropped;
} GstGLOpenCLMessages;

/* Makes a message about the frame in @buffer, or returns NULL if it would be
 * dropped. Give it to gst_gl_opencl_messages_post(). */
GstStructure *gst_gl_opencl_messages_create (GstGLOpenCLMessages * messages,
    const GstGLOpenCLTimes * times, GstBuffer * buffer);

/* Posts @structure, which is taken. */
void gst_gl_opencl_messages_post (GstGLOpenCLMessages * messages,
    GstStructure * structure);

G_END_DECLS
