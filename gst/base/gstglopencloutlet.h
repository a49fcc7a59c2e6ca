/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where frames leave an element: those that the session holds back are finished
 * and pushed in order. Where no further frame comes, they are pushed by a
 * thread of the outlet's.
 *
 * Streaming thread, and start and stop, which have none beside them, unless a
 * function says another. The outlet's thread takes the stream lock of the sink
 * pad, so that it never runs beside the streaming thread. */

#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstglopencldeadline.h"
#include "gstglopenclsession.h"

G_BEGIN_DECLS

/* As long may a frame wait for the next one, or as long as it lasts where that
 * is shorter. */
#define GST_GL_OPENCL_LONGEST_WAIT (40 * GST_MSECOND)

/**
 * GstGLOpenCLOutlet:
 * @transform: the element; not owned
 * @session: the element's; not owned
 * @deadline: when the frames that are held back are pushed; owned
 * @wait: how long the last of them may wait, in microseconds
 * @flow: what downstream answered to the outlet's thread, until the streaming
 *    thread takes it over
 * @failed: whether an error has been posted since the start
 */
typedef struct
{
  GstBaseTransform *transform;
  GstGLOpenCLSession *session;
  GstGLOpenCLDeadline *deadline;
  gint64 wait;
  GstFlowReturn flow;
  gboolean failed;
} GstGLOpenCLOutlet;

/* Both have to outlive it. Any thread. */
void gst_gl_opencl_outlet_init (GstGLOpenCLOutlet * outlet,
    GstBaseTransform * transform, GstGLOpenCLSession * session);

/* Stopped. Any thread. */
void gst_gl_opencl_outlet_clear (GstGLOpenCLOutlet * outlet);

void gst_gl_opencl_outlet_start (GstGLOpenCLOutlet * outlet);

/* The thread has ended afterwards, and what is held back is gone. */
void gst_gl_opencl_outlet_stop (GstGLOpenCLOutlet * outlet);

/* Posts @error, one from start to stop: GstBaseTransform negotiates again for
 * the frame after a failure. */
void gst_gl_opencl_outlet_post_error (GstGLOpenCLOutlet * outlet,
    const GError * error);

/* Holds back the session's next frame, which goes downstream as @buffer (takes
 * it). */
void gst_gl_opencl_outlet_hold (GstGLOpenCLOutlet * outlet, GstBuffer * buffer);

/* Gives the buffer of the oldest frame where more than @most are held back;
 * else NULL, and what is held back waits for the next frame, but not long. */
GstFlowReturn gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * outlet,
    guint most, GstBuffer ** buffer);

/* Pushes everything that is held back. */
void gst_gl_opencl_outlet_drain (GstGLOpenCLOutlet * outlet);

/* Frames of another stream or segment follow: forgets what downstream
 * answered. */
void gst_gl_opencl_outlet_begin_stream (GstGLOpenCLOutlet * outlet);

/* Forgets everything that is held back, and what downstream answered. */
void gst_gl_opencl_outlet_flush (GstGLOpenCLOutlet * outlet);

G_END_DECLS
