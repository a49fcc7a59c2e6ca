/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many frames an element holds back, and how late they are by that. Under
 * the element's object lock. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* What is fastest on a GPU: benchmarks/GPU-NOTES.md. */
#define GST_GL_OPENCL_BEST_BACKLOG 2

/**
 * GstGLOpenCLBacklog:
 * @asked: frames to hold back; -1 for @best, where upstream is not live
 * @best: what is fastest; before the stream is negotiated, the most that may be
 * @live: whether upstream is live, and latency matters
 * @frame_duration: NONE where it is not known
 */
typedef struct
{
  gint asked;
  guint best;
  gboolean live;
  GstClockTime frame_duration;
} GstGLOpenCLBacklog;

/* For a stream that is not negotiated yet. */
void gst_gl_opencl_backlog_init (GstGLOpenCLBacklog * backlog);

/* The stream has ended; what is asked for stays. */
void gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * backlog);

/* Frames to hold back. */
guint gst_gl_opencl_backlog_get (const GstGLOpenCLBacklog * backlog);

/* How many frames may be enqueued together: those held back and one more, but
 * of a live stream one, so that none waits for another. */
guint gst_gl_opencl_backlog_get_n_together (const GstGLOpenCLBacklog * backlog);

/* How late frames are. */
GstClockTime gst_gl_opencl_backlog_get_latency (const GstGLOpenCLBacklog *
    backlog);

/* Adds how late frames are to a latency query that upstream has answered, and
 * takes over whether it is live. */
void gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * backlog,
    GstQuery * query);

/* Takes over what is known of the stream. Whether the latency has changed. */
gboolean gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * backlog,
    const GstVideoInfo * info, gboolean live, guint best);

/* Takes over what is asked for. Whether other frames are held back now. */
gboolean gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * backlog, gint asked);

G_END_DECLS
