/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames leave an element through the outlet. The outlet finishes the frames
 * that the session holds back, and pushes them in order. If no further frame
 * arrives, a thread of the outlet pushes the frames that are held back. Frames
 * that wait for later ones stay: the picture must not depend on the time.
 *
 * Events that come between frames, such as tags, are held back with the frames
 * before them.
 *
 * Call the functions from the streaming thread, or from start and stop while no
 * streaming thread runs, unless a function says otherwise. The outlet's thread
 * takes the stream lock of the sink pad, so that it never runs at the same time
 * as the streaming thread. */

#pragma once

#include <gst/base/gstbasetransform.h>

#include "gstglopencldeadline.h"
#include "gstglopenclsession.h"

G_BEGIN_DECLS

/* A frame waits for the next frame at most this long, or for its own duration
 * if the duration is shorter. */
#define GST_GL_OPENCL_LONGEST_WAIT (40 * GST_MSECOND)

/**
 * GstGLOpenCLOutlet:
 * @transform: the element; not owned
 * @session: the session of the element; not owned
 * @deadline: the time when the outlet's thread pushes the frames that are held
 *    back; owned
 * @wait: how long the newest frame that is held back may wait, in microseconds
 * @flow: the flow return that the outlet's thread got from downstream, until
 *    the streaming thread returns it
 * @failed: whether an error has been posted since the start
 * @events: the events that are held back, with the number of frames that were
 *    added before each; owned
 * @n_added: how many frames were added so far
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

/* Ends the outlet's thread, and drops the frames that are held back. */
void gst_gl_opencl_outlet_stop (GstGLOpenCLOutlet * outlet);

/* Posts @error, but only one error between start and stop: after a failure
 * GstBaseTransform negotiates again for the next frame. */
void gst_gl_opencl_outlet_post_error (GstGLOpenCLOutlet * outlet,
    const GError * error);

/* Holds back the session's next frame, which goes downstream as @buffer. Takes
 * ownership of @buffer. */
void gst_gl_opencl_outlet_hold (GstGLOpenCLOutlet * outlet, GstBuffer * buffer);

/* If more than @most frames are held back, sets @buffer to the buffer of the
 * oldest frame. Otherwise @buffer stays NULL, and the frames that are held back
 * wait for the next frame, but not for long. */
GstFlowReturn gst_gl_opencl_outlet_take (GstGLOpenCLOutlet * outlet,
    guint most, GstBuffer ** buffer);

/* Pushes all frames that are held back or wait for later ones, and the events
 * between them. */
void gst_gl_opencl_outlet_drain (GstGLOpenCLOutlet * outlet);

/* Must be called for every event that comes to the sink pad. Frames that have
 * to leave before @event are pushed; a flush drops the frames, and of the
 * events between them those that do not stay with the stream. Returns TRUE if
 * @event is held back, because it comes between frames. Takes ownership of
 * @event then. Otherwise @event is to be handled now. */
gboolean gst_gl_opencl_outlet_take_event (GstGLOpenCLOutlet * outlet,
    GstEvent * event);

G_END_DECLS
