/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Number of frames that are held in an element, and the latency that this adds.
 * Unless noted otherwise, the functions take the object lock of the element,
 * and may be called from any thread. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Fastest backlog on a GPU, see benchmarks/GPU-NOTES.md. */
#define GST_GL_OPENCL_BEST_BACKLOG 2

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

G_END_DECLS
