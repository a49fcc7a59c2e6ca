/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many frames an element holds back, and how late they are by that. Under
 * the element's object lock. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/**
 * GstGLOpenCLDepth:
 * @asked: frames to hold back; -1 for @best, where upstream is not live
 * @best: what is fastest
 * @live: whether upstream is live, and latency matters
 * @frame_duration: NONE where it is not known
 */
typedef struct
{
  gint asked;
  guint best;
  gboolean live;
  GstClockTime frame_duration;
} GstGLOpenCLDepth;

/* For a stream that is not negotiated yet. */
void gst_gl_opencl_depth_init (GstGLOpenCLDepth * depth);

/* Frames to hold back. */
guint gst_gl_opencl_depth_get (const GstGLOpenCLDepth * depth);

/* How many frames may be enqueued together: as many as there can be at a time,
 * but of a live stream one, so that none waits for another. */
guint gst_gl_opencl_depth_get_n_together (const GstGLOpenCLDepth * depth);

/* How late frames are. */
GstClockTime gst_gl_opencl_depth_get_latency (const GstGLOpenCLDepth * depth);

/* Takes over what is known of the stream. Whether the latency has changed. */
gboolean gst_gl_opencl_depth_set_stream (GstGLOpenCLDepth * depth,
    const GstVideoInfo * info, gboolean live, guint best);

/* Takes over what is asked for. Whether the latency has changed. */
gboolean gst_gl_opencl_depth_ask (GstGLOpenCLDepth * depth, gint asked);

G_END_DECLS
