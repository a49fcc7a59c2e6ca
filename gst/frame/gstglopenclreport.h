/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages about frames, and reports of operations.
 *
 * A message is named after the element's factory and its subject
 * (`glopenclfilter-histogram`), and has the fields
 *
 *   timestamp, stream-time, running-time, duration    guint64, of the frame, or
 *                                  GST_CLOCK_TIME_NONE
 *
 * If many messages wait to be read, further messages are dropped, so that a bus
 * without a reader does not exhaust the memory.
 *
 * A report describes the results of an operation (see OclReport), such as the
 * noise of denoising, to applications: as a field of the element's statistics
 * and, on request, as a message for each frame (`glopencldenoise-noise`) with
 * the fields of the report. A session owns one. */

#pragma once

#include <gst/gst.h>

#include "opencl/graph/oclfilter.h"

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

/**
 * GstGLOpenCLReportFrame:
 * @messages: whether a message is posted for this frame
 * @report: the report on the results of the frame, or NULL
 * @found: whether there is a result of this frame, in the order of @report
 * @format: the format of the frame
 * @results: copies of all results, in the order of @report
 *
 * Report state of one frame in flight. Start with a zeroed struct, end with
 * gst_gl_opencl_report_frame_clear().
 */
typedef struct
{
  gboolean messages;
  const OclReport *report;
  gboolean found[OCL_MAX_NEEDS];
  const OclFormat *format;
  OclResult results;
} GstGLOpenCLReportFrame;

typedef struct _GstGLOpenCLReport GstGLOpenCLReport;

/* Messages come from @element, which must outlive the object. May be called
 * from any thread. */
GstGLOpenCLReport *gst_gl_opencl_report_new (GstElement * element);
void gst_gl_opencl_report_free (GstGLOpenCLReport * self);

/* Allocates memory for the results that @report reads. @report may be NULL.
 * Must be called on the streaming thread. */
gboolean gst_gl_opencl_report_frame_prepare (GstGLOpenCLReportFrame * frame,
    const OclReport * report, OclContext * ocl, GError ** error);

/* Releases the memory. No command may be in flight. */
void gst_gl_opencl_report_frame_clear (GstGLOpenCLReportFrame * frame,
    OclContext * ocl);

/* Enqueues copies of the results that @filter has for a frame of @format. Does
 * not wait. May also be called on the GL thread. */
gboolean gst_gl_opencl_report_frame_enqueue (GstGLOpenCLReportFrame * frame,
    OclFilter * filter, const OclFormat * format, OclTimer * timer,
    GError ** error);

/* Enqueues the read of the copies to the host. May also be called on the GL
 * thread. */
gboolean gst_gl_opencl_report_frame_enqueue_read (GstGLOpenCLReportFrame *
    frame, OclContext * ocl, OclTimer * timer, GError ** error);

/* Keeps the report of @frame for the statistics, and posts the message. OpenCL
 * must have finished the frame. @buffer is pushed downstream. Must be called on
 * the streaming thread. */
void gst_gl_opencl_report_emit (GstGLOpenCLReport * self,
    const GstGLOpenCLReportFrame * frame, const GstGLOpenCLTimes * times,
    GstBuffer * buffer);

/* Adds the report of the last frame to @stats, as a structure. Adds nothing if
 * there is none. May be called from any thread. */
void gst_gl_opencl_report_add_stats (GstGLOpenCLReport * self,
    GstStructure * stats);

/* Clears the report of the last frame. May be called from any thread. */
void gst_gl_opencl_report_reset_stats (GstGLOpenCLReport * self);

G_END_DECLS
