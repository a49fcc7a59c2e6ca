/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output queue: finishes the frames that the session holds back, and pushes
 * them downstream in order. If no further frame arrives, a thread of the outlet
 * pushes the frames held back, except frames that wait for later frames,
 * because the result must not depend on timing.
 *
 * Events between frames, such as tags, are held back with the previous frames.
 *
 * Unless noted otherwise, must be called from the streaming thread, or from
 * start and stop while no streaming thread runs. The outlet's thread takes the
 * stream lock of the sink pad, and so never runs at the same time as the
 * streaming thread. */

#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstglopenclsession.h"

G_BEGIN_DECLS

/* Number of frames that are held in an element, and the latency that this adds.
 * Unless noted otherwise, the functions take the object lock of the element,
 * and may be called from any thread. */

/**
 * GstGLOpenCLBacklog:
 * @element: the element, a GstBaseTransform (not owned)
 * @asked: the requested number of frames to hold back. -1 selects @best if
 *    upstream is not live, else 0
 * @best: the fastest number of frames to hold back. Its maximum until the
 *    stream is negotiated
 * @lookahead: the number of frames that wait for later frames, in addition to
 *    the frames held back
 * @live: whether upstream is live
 * @frame_duration: the duration of a frame, NONE if unknown
 */
typedef struct
{
  GstElement *element;
  gint asked;
  guint best;
  guint lookahead;
  gboolean live;
  GstClockTime frame_duration;
} GstGLOpenCLBacklog;

/* Initialises @backlog for a stream of @element that is not negotiated yet. */
void gst_gl_opencl_backlog_init (GstGLOpenCLBacklog * backlog,
    GstElement * element);

/* Resets @backlog after the end of a stream. Keeps the requested number of
 * frames. */
void gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * backlog);

/* Returns the number of frames to hold back. */
guint gst_gl_opencl_backlog_get (GstGLOpenCLBacklog * backlog);

/* Returns the number of frames in the element: frames held back and frames that
 * wait for later frames. */
guint gst_gl_opencl_backlog_count_frames (GstGLOpenCLBacklog * backlog);

/* Returns the batch size, the maximum number of frames that are enqueued
 * together: the number of frames to hold back plus one, or one for a live
 * stream, so that no frame waits for another. */
guint gst_gl_opencl_backlog_get_n_together (GstGLOpenCLBacklog * backlog);

/* Adds the latency of the frames in the element to a latency query that
 * upstream has answered. Stores the live flag of @query. */
void gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * backlog,
    GstQuery * query);

/* Stores the properties of the stream, and posts a message if the latency
 * changes. Must be called on the streaming thread. */
void gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * backlog,
    const GstVideoInfo * info, gboolean live, guint best);

/* Stores the requested number of frames, and the number that waits for later
 * frames. The caller must read both numbers and call this function under the
 * same object lock, so that the newest numbers are stored. Returns whether the
 * number of frames in the element has changed. If so, call
 * gst_gl_opencl_backlog_announce(). */
gboolean gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * backlog, gint asked,
    guint lookahead);

/* Posts a latency message, and requests new pools. The caller must not hold the
 * object lock. */
void gst_gl_opencl_backlog_announce (GstGLOpenCLBacklog * backlog);

/* Timer that calls a function on a separate thread at a given time, unless the
 * time is postponed first. Used to push the frames held back if no further
 * frame arrives. */

typedef struct _GstGLOpenCLDeadline GstGLOpenCLDeadline;

/* Called when the time has come. During the call the deadline is no longer
 * set. */
typedef void (*GstGLOpenCLDeadlineFunc) (gpointer data);

/* All functions may be called from any thread, but no function may run at the
 * same time as new, stop or free. */

/* Creates a deadline that is not set. The thread starts when the deadline is
 * set for the first time. */
GstGLOpenCLDeadline *gst_gl_opencl_deadline_new (GstGLOpenCLDeadlineFunc func,
    gpointer data);

/* Frees @deadline, which must be stopped. */
void gst_gl_opencl_deadline_free (GstGLOpenCLDeadline * deadline);

/* Sets the deadline to @wait microseconds from now, and replaces any previous
 * setting. Returns FALSE, without setting it, if no thread can be started. */
gboolean gst_gl_opencl_deadline_set (GstGLOpenCLDeadline * deadline,
    gint64 wait);

gboolean gst_gl_opencl_deadline_is_set (GstGLOpenCLDeadline * deadline);

/* Waits until a running call of the function has returned, and ends the thread.
 * The deadline may be set again afterwards. The caller must not hold a lock
 * that the function uses. */
void gst_gl_opencl_deadline_stop (GstGLOpenCLDeadline * deadline);

/* Returns whether @pad is flushing or is not active. May be called from any
 * thread. */
gboolean gst_gl_opencl_query_is_flushing (GstPad * pad);

/* Maximum time that a frame waits for the next frame, or its duration if that
 * is shorter. */
#define GST_GL_OPENCL_LONGEST_WAIT (40 * GST_MSECOND)

/**
 * GstGLOpenCLOutlet:
 * @transform: the element (not owned)
 * @session: the session of the element (not owned)
 * @deadline: the time when the outlet's thread pushes the frames held back
 *    (owned)
 * @wait: the maximum wait of the newest frame held back, in microseconds
 * @flow: the flow return that the outlet's thread got from downstream, until
 *    the streaming thread returns it
 * @failed: whether an error has been posted since the start
 * @events: the events held back, each with the number of frames added before it
 *    (owned)
 * @n_added: the number of frames added so far
 */
typedef struct
{
  GstBaseTransform *transform;
  GstGLOpenCLSession *session;
  GstGLOpenCLDeadline *deadline;
  gint64 wait;
  GstFlowReturn flow;
  gboolean failed;
  GQueue events;
  guint64 n_added;
} GstGLOpenCLOutlet;

/* Initialises @outlet. @transform and @session must outlive @outlet. May be
 * called from any thread. */
void gst_gl_opencl_outlet_init (GstGLOpenCLOutlet * outlet,
    GstBaseTransform * transform, GstGLOpenCLSession * session);

/* Clears @outlet, which must be stopped. May be called from any thread. */
void gst_gl_opencl_outlet_clear (GstGLOpenCLOutlet * outlet);

void gst_gl_opencl_outlet_start (GstGLOpenCLOutlet * outlet);

/* Ends the outlet's thread, and drops the frames held back. */
void gst_gl_opencl_outlet_stop (GstGLOpenCLOutlet * outlet);

/* Posts @error, but only one error between start and stop, because after a
 * failure GstBaseTransform negotiates again for the next frame. */
void gst_gl_opencl_outlet_post_error (GstGLOpenCLOutlet * outlet,
    const GError * error);

/* Holds back the session's next frame, to be pushed as @buffer. Takes ownership
 * of @buffer. */
void gst_gl_opencl_outlet_hold (GstGLOpenCLOutlet * outlet, GstBuffer * buffer);

/* If more than @most frames are held back, sets @buffer to the buffer of the
 * oldest frame. Otherwise @buffer stays NULL, and the frames held back wait for
 * the next frame or the deadline. */
GstFlowReturn gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * outlet,
    guint most, GstBuffer ** buffer);

/* Pushes all frames that are held back or wait for later frames, and the events
 * between them. */
void gst_gl_opencl_outlet_drain (GstGLOpenCLOutlet * outlet);

/* Must be called for every event on the sink pad. Pushes the frames that must
 * precede @event. A flush drops the frames, and the events between them that
 * are not sticky. Returns TRUE and takes ownership of @event if it is held
 * back, because it is between frames. Otherwise the caller must handle @event
 * now. */
gboolean gst_gl_opencl_outlet_take_event (GstGLOpenCLOutlet * outlet,
    GstEvent * event);

G_END_DECLS
