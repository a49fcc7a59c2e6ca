/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The backlog: how many frames an element holds back, and how much latency this
 * adds. The element's object lock protects the backlog. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* This backlog is the fastest on a GPU, see benchmarks/GPU-NOTES.md. */
#define GST_GL_OPENCL_BEST_BACKLOG 2

/**
 * GstGLOpenCLBacklog:
 * @asked: the wanted number of frames to hold back; -1 selects @best if
 *    upstream is not live, else 0
 * @best: the fastest number of frames to hold back; until the stream is
 *    negotiated, the largest number that it can become
 * @live: whether upstream is live, so that latency matters
 * @frame_duration: the duration of a frame; NONE if it is not known
 */
typedef struct
{
  gint asked;
  guint best;
  gboolean live;
  GstClockTime frame_duration;
} GstGLOpenCLBacklog;

/* Initialises @backlog for a stream that is not negotiated yet. */
void gst_gl_opencl_backlog_init (GstGLOpenCLBacklog * backlog);

/* Resets @backlog after the end of a stream. The wanted number of frames is
 * kept. */
void gst_gl_opencl_backlog_reset (GstGLOpenCLBacklog * backlog);

/* Returns the number of frames to hold back. */
guint gst_gl_opencl_backlog_get (const GstGLOpenCLBacklog * backlog);

/* Returns the batch size: how many frames may be enqueued together. The batch
 * size is the number of frames to hold back plus one. For a live stream the
 * batch size is one, so that no frame waits for another. */
guint gst_gl_opencl_backlog_get_n_together (const GstGLOpenCLBacklog * backlog);

/* Returns the latency that the backlog adds. */
GstClockTime gst_gl_opencl_backlog_get_latency (const GstGLOpenCLBacklog *
    backlog);

/* Adds the latency of the backlog to a latency query that upstream has
 * answered. Copies from @query whether upstream is live. */
void gst_gl_opencl_backlog_answer_latency (GstGLOpenCLBacklog * backlog,
    GstQuery * query);

/* Stores what is known about the stream. Returns whether the latency has
 * changed. */
gboolean gst_gl_opencl_backlog_set_stream (GstGLOpenCLBacklog * backlog,
    const GstVideoInfo * info, gboolean live, guint best);

/* Stores the wanted number of frames. Returns whether the number of frames to
 * hold back has changed. */
gboolean gst_gl_opencl_backlog_ask (GstGLOpenCLBacklog * backlog, gint asked);

G_END_DECLS
