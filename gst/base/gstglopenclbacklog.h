/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The backlog: how many frames stay in an element, and how much latency this
 * adds. The functions take the object lock of the element, and may be called
 * from any thread, unless a function says otherwise. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* This backlog is the fastest on a GPU, see benchmarks/GPU-NOTES.md. */
#define GST_GL_OPENCL_BEST_BACKLOG 2

/**
 * GstGLOpenCLBacklog:
 * @element: the element, a GstBaseTransform; not owned
 * @asked: the wanted number of frames to hold back; -1 selects @best if
 *    upstream is not live, else 0
 * @best: the fastest number of frames to hold back; until the stream is
 *    negotiated, the largest number that it can become
 * @lookahead: how many frames wait for later ones beside those held back
 * @live: whether upstream is live, so that latency matters
 * @frame_duration: the duration of a frame; NONE if it is not known
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

/* Resets @backlog after the end of a stream. The wanted number of frames is
 * kept. */
void gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * backlog);

/* Returns the number of frames to hold back. */
guint gst_gl_opencl_backlog_get (GstGLOpenCLBacklog * backlog);

/* Returns how many frames stay in the element: those that are held back, and
 * those that wait for later ones. */
guint gst_gl_opencl_backlog_count_frames (GstGLOpenCLBacklog * backlog);

/* Returns the batch size: how many frames may be enqueued together. The batch
 * size is the number of frames to hold back plus one. For a live stream the
 * batch size is one, so that no frame waits for another. */
guint gst_gl_opencl_backlog_get_n_together (GstGLOpenCLBacklog * backlog);

/* Adds the latency of the frames in the element to a latency query that
 * upstream has answered. Copies from @query whether upstream is live. */
void gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * backlog,
    GstQuery * query);

/* Stores what is known about the stream, and posts a message if the latency
 * changes. Call it on the streaming thread. */
void gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * backlog,
    const GstVideoInfo * info, gboolean live, guint best);

/* Stores the wanted number of frames, and how many wait for later ones. The
 * caller holds the object lock, under which it has read both numbers, so that
 * of two threads the last one counts. Returns whether the number of frames in
 * the element has changed; call gst_gl_opencl_backlog_announce() then. */
gboolean gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * backlog, gint asked,
    guint lookahead);

/* Posts a message about the latency, and asks for other pools. The caller must
 * not hold the object lock. */
void gst_gl_opencl_backlog_announce (GstGLOpenCLBacklog * backlog);

G_END_DECLS
