/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posts element messages about frames. A message is named after the element's
 * factory and its subject (`glopenclfilter-histogram`), and has the fields
 *
 *   timestamp, stream-time, running-time, duration    guint64, of the frame, or
 *                                  GST_CLOCK_TIME_NONE
 *
 * If many messages wait to be read, further messages are dropped, so that a bus
 * without a reader does not exhaust the memory. */

#pragma once

#include <gst/gst.h>

#include "opencl/operation/ocloperationclass.h"

G_BEGIN_DECLS

/* Maximum number of unread messages of one subject. */
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
 * @element: the element that posts (not owned). It must outlive the messages,
 *    which refer to it
 * @subject: the second part of the name
 * @remedy: how to stop the messages, for users
 * @n: live messages (atomic)
 * @dropped: whether a message was dropped, and a warning was posted
 *
 * All functions must be called on the streaming thread, or while there is no
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

/* Creates a message about the frame in @buffer for
 * gst_gl_opencl_messages_post(), or returns NULL if it would be dropped. */
GstStructure *gst_gl_opencl_messages_create (GstGLOpenCLMessages * messages,
    const GstGLOpenCLTimes * times, GstBuffer * buffer);

/* Posts @structure. Takes ownership of it. */
void gst_gl_opencl_messages_post (GstGLOpenCLMessages * messages,
    GstStructure * structure);

G_END_DECLS
