/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output queue: finishes the frames that the session holds back, and pushes
 * them downstream in order. If no further frame arrives, a thread of the queue
 * pushes the frames held back, except frames that wait for later frames,
 * because the result must not depend on timing.
 *
 * Events between frames, such as tags, are held back with the previous frames.
 * The queue also controls the number of frames that are held in the element,
 * and the latency that this adds.
 *
 * Unless noted otherwise, must be called from the streaming thread, or from
 * start and stop while no streaming thread runs. The queue's thread takes the
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
 * GstGLOpenCLOutputQueue:
 * @transform: the element (not owned)
 * @session: the session of the element (not owned)
 * @pipeline_depth: the requested number of frames to hold back. -1 selects
 *    @best if upstream is not live, else 0. This member and the next four are
 *    protected by the object lock of the element
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
 * @flow: the flow return that the queue's thread got from downstream, until
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

  gint pipeline_depth;
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
} GstGLOpenCLOutputQueue;

/* Initialises @queue for a stream that is not negotiated yet. @transform and
 * @session must outlive @queue. May be called from any thread. */
void gst_gl_opencl_output_queue_init (GstGLOpenCLOutputQueue * queue,
    GstBaseTransform * transform, GstGLOpenCLSession * session);

/* Clears @queue, which must be stopped. May be called from any thread. */
void gst_gl_opencl_output_queue_clear (GstGLOpenCLOutputQueue * queue);

void gst_gl_opencl_output_queue_start (GstGLOpenCLOutputQueue * queue);

/* Ends the queue's thread, drops the frames held back, and resets the
 * properties of the stream. Keeps the requested number of frames. */
void gst_gl_opencl_output_queue_stop (GstGLOpenCLOutputQueue * queue);

/* Posts @error, but only one error between start and stop, because after a
 * failure GstBaseTransform negotiates again for the next frame. */
void gst_gl_opencl_output_queue_post_error (GstGLOpenCLOutputQueue * queue,
    const GError * error);

/* Stores the properties of the stream, for which the session is prepared, and
 * posts a message if the latency changes. */
void gst_gl_opencl_output_queue_set_stream (GstGLOpenCLOutputQueue * queue,
    const GstVideoInfo * info, gboolean live);

/* Stores the requested number of frames to hold back, and the number that waits
 * for later frames. The caller must read both numbers and call this function
 * under the same object lock, so that the newest numbers are stored. Returns
 * whether the number of frames in the element has changed. If so, call
 * gst_gl_opencl_output_queue_announce(). May be called from any thread. */
gboolean gst_gl_opencl_output_queue_set_pipeline_depth (GstGLOpenCLOutputQueue *
    queue, gint pipeline_depth, guint lookahead);

/* Posts a latency message, and requests new pools. The caller must not hold the
 * object lock. May be called from any thread. */
void gst_gl_opencl_output_queue_announce (GstGLOpenCLOutputQueue * queue);

/* Returns the number of frames in the element: frames held back and frames that
 * wait for later frames. May be called from any thread. */
guint gst_gl_opencl_output_queue_count_frames (GstGLOpenCLOutputQueue * queue);

/* Returns the batch size, the maximum number of frames that are enqueued
 * together: the number of frames to hold back plus one, or one for a live
 * stream, so that no frame waits for another. */
guint gst_gl_opencl_output_queue_get_n_together (GstGLOpenCLOutputQueue *
    queue);

/* Adds the latency of the frames in the element to a latency query that
 * upstream has answered. Stores the live flag of @query. May be called from any
 * thread. */
void gst_gl_opencl_output_queue_answer_latency (GstGLOpenCLOutputQueue * queue,
    GstQuery * query);

/* Returns whether the sink pad is flushing or is not active. May be called from
 * any thread. */
gboolean gst_gl_opencl_output_queue_is_flushing (GstGLOpenCLOutputQueue *
    queue);

/* Holds back the session's next frame, to be pushed as @buffer. Takes ownership
 * of @buffer. */
void gst_gl_opencl_output_queue_hold (GstGLOpenCLOutputQueue * queue,
    GstBuffer * buffer);

/* If more frames are held back than may be, sets @buffer to the buffer of the
 * oldest frame. Otherwise @buffer stays NULL, and the frames held back wait for
 * the next frame or the deadline. */
GstFlowReturn gst_gl_opencl_output_queue_take (GstGLOpenCLOutputQueue * queue,
    GstBuffer ** buffer);

/* Pushes all frames that are held back or wait for later frames, and the events
 * between them. */
void gst_gl_opencl_output_queue_drain (GstGLOpenCLOutputQueue * queue);

/* Must be called for every event on the sink pad. Pushes the frames that must
 * precede @event. A flush drops the frames, and the events between them that
 * are not sticky. Returns TRUE and takes ownership of @event if it is held
 * back, because it is between frames. Otherwise the caller must handle @event
 * now. */
gboolean gst_gl_opencl_output_queue_take_event (GstGLOpenCLOutputQueue * queue,
    GstEvent * event);

G_END_DECLS
