/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output queue: finishes the frames that the session holds back, and pushes
 * them downstream in order. If no further frame arrives, a thread of the outlet
 * pushes the frames held back, except frames that wait for later frames,
 * because the result must not depend on timing.
 *
 * Events between frames, such as tags, are held back with the previous frames.
 * The outlet also controls the number of frames that are held in the element,
 * and the latency that this adds.
 *
 * Unless noted otherwise, must be called from the streaming thread, or from
 * start and stop while no streaming thread runs. The outlet's thread takes the
 * stream lock of the sink pad, and so never runs at the same time as the
 * streaming thread. */

#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstglopenclsession.h"

G_BEGIN_DECLS

/* Maximum time that a frame waits for the next frame, or its duration if that
 * is shorter. */
#define GST_GL_OPENCL_LONGEST_WAIT (40 * GST_MSECOND)

/**
 * GstGLOpenCLOutlet:
 * @transform: the element (not owned)
 * @session: the session of the element (not owned)
 * @asked: the requested number of frames to hold back. -1 selects @best if
 *    upstream is not live, else 0. This member and the next four are protected
 *    by the object lock of the element
 * @best: the fastest number of frames to hold back. Its maximum until the
 *    stream is negotiated
 * @lookahead: the number of frames that wait for later frames, in addition to
 *    the frames held back
 * @live: whether upstream is live
 * @frame_duration: the duration of a frame, NONE if unknown
 * @lock: protects the next four members, except while @thread does not run
 * @changed: signals @thread
 * @thread: pushes the frames held back at @deadline, or NULL until a deadline
 *    is set for the first time (owned)
 * @deadline: the time when @thread pushes the frames held back, in microseconds
 *    of the monotonic clock, or G_MAXINT64 if none is set
 * @stopping: whether @thread ends
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

  gint asked;
  guint best;
  guint lookahead;
  gboolean live;
  GstClockTime frame_duration;

  GMutex lock;
  GCond changed;
  GThread *thread;
  gint64 deadline;
  gboolean stopping;

  gint64 wait;
  GstFlowReturn flow;
  gboolean failed;
  GQueue events;
  guint64 n_added;
} GstGLOpenCLOutlet;

/* Initialises @outlet for a stream that is not negotiated yet. @transform and
 * @session must outlive @outlet. May be called from any thread. */
void gst_gl_opencl_outlet_init (GstGLOpenCLOutlet * outlet,
    GstBaseTransform * transform, GstGLOpenCLSession * session);

/* Clears @outlet, which must be stopped. May be called from any thread. */
void gst_gl_opencl_outlet_clear (GstGLOpenCLOutlet * outlet);

void gst_gl_opencl_outlet_start (GstGLOpenCLOutlet * outlet);

/* Ends the outlet's thread, drops the frames held back, and resets the
 * properties of the stream. Keeps the requested number of frames. */
void gst_gl_opencl_outlet_stop (GstGLOpenCLOutlet * outlet);

/* Posts @error, but only one error between start and stop, because after a
 * failure GstBaseTransform negotiates again for the next frame. */
void gst_gl_opencl_outlet_post_error (GstGLOpenCLOutlet * outlet,
    const GError * error);

/* Stores the properties of the stream, for which the session is prepared, and
 * posts a message if the latency changes. */
void gst_gl_opencl_outlet_set_stream (GstGLOpenCLOutlet * outlet,
    const GstVideoInfo * info, gboolean live);

/* Stores the requested number of frames to hold back, and the number that waits
 * for later frames. The caller must read both numbers and call this function
 * under the same object lock, so that the newest numbers are stored. Returns
 * whether the number of frames in the element has changed. If so, call
 * gst_gl_opencl_outlet_announce(). May be called from any thread. */
gboolean gst_gl_opencl_outlet_ask (GstGLOpenCLOutlet * outlet, gint asked,
    guint lookahead);

/* Posts a latency message, and requests new pools. The caller must not hold the
 * object lock. May be called from any thread. */
void gst_gl_opencl_outlet_announce (GstGLOpenCLOutlet * outlet);

/* Returns the number of frames in the element: frames held back and frames that
 * wait for later frames. May be called from any thread. */
guint gst_gl_opencl_outlet_count_frames (GstGLOpenCLOutlet * outlet);

/* Returns the batch size, the maximum number of frames that are enqueued
 * together: the number of frames to hold back plus one, or one for a live
 * stream, so that no frame waits for another. */
guint gst_gl_opencl_outlet_get_n_together (GstGLOpenCLOutlet * outlet);

/* Adds the latency of the frames in the element to a latency query that
 * upstream has answered. Stores the live flag of @query. May be called from any
 * thread. */
void gst_gl_opencl_outlet_answer_latency (GstGLOpenCLOutlet * outlet,
    GstQuery * query);

/* Returns whether the sink pad is flushing or is not active. May be called from
 * any thread. */
gboolean gst_gl_opencl_outlet_is_flushing (GstGLOpenCLOutlet * outlet);

/* Holds back the session's next frame, to be pushed as @buffer. Takes ownership
 * of @buffer. */
void gst_gl_opencl_outlet_hold (GstGLOpenCLOutlet * outlet, GstBuffer * buffer);

/* If more frames are held back than may be, sets @buffer to the buffer of the
 * oldest frame. Otherwise @buffer stays NULL, and the frames held back wait for
 * the next frame or the deadline. */
GstFlowReturn gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * outlet,
    GstBuffer ** buffer);

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
