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

#include "gstglopencldeadline.h"
#include "gstglopenclsession.h"

G_BEGIN_DECLS

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
