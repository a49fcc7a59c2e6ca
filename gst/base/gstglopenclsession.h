/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A session is everything that lives from open to close: the OpenCL context,
 * the way of interop, the chain of operations, the histograms, and the flights
 * of the frames. The other parts of an element belong to GStreamer.
 *
 * A frame takes these steps:
 *
 *   gst_gl_opencl_session_snapshot()  copies parameters and settings
 *   gst_gl_opencl_session_settle()    chooses the operations
 *   gst_gl_opencl_session_continue()  ends what the frame does not continue
 *   gst_gl_opencl_session_begin()     enqueues the commands of the frame
 *   gst_gl_opencl_session_hold()      holds the frame back
 *   gst_gl_opencl_session_finish()    hands out the oldest frame
 *
 * If the first operation looks ahead, begin() gives the operation the frame and
 * enqueues the commands of an earlier frame: the one that has all its later
 * frames then. The last frames wait for later ones; if none come,
 * gst_gl_opencl_session_complete() begins the frames that wait.
 *
 * Call the functions from the streaming thread, from the outlet's thread while
 * it holds the stream lock (gstglopencloutlet.h), or from start and stop while
 * neither thread runs, unless a function says otherwise. */

#pragma once

#include "frame/gstglopenclring.h"
#include "interop/gstglopenclways.h"

G_BEGIN_DECLS

typedef struct _GstGLOpenCLSession GstGLOpenCLSession;

/* Creates a session for @element, which must outlive the session. @changes:
 * whether its operations, or texts of users in them, may change while frames
 * flow. May be called from any thread. */
GstGLOpenCLSession *gst_gl_opencl_session_new (GstElement * element,
    gboolean changes);

/* Frees @session, which must be closed. May be called from any thread. */
void gst_gl_opencl_session_free (GstGLOpenCLSession * session);

/* Resets the statistics. */
void gst_gl_opencl_session_reset_stats (GstGLOpenCLSession * session);

/* Returns the number of filtered frames, the times that they took, and the
 * variant, see the stats property. May be called from any thread. */
GstStructure *gst_gl_opencl_session_get_stats (GstGLOpenCLSession * session);

/* Returns whether @session is open on @gl_context. */
gboolean gst_gl_opencl_session_is_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context);

/* Opens @session: chooses the device and a way of interop for @request, see
 * gst_gl_opencl_interop_choose(). @session must not be open yet. @error must
 * not be NULL. */
gboolean gst_gl_opencl_session_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GError ** error);

/* Closes @session. No frame may be in flight. */
void gst_gl_opencl_session_close (GstGLOpenCLSession * session);

/* The functions below need an open session. The exceptions are snapshot, flush
 * and hold, and also finish, continue and complete if nothing is in flight. */

/* Copies the operations with their parameters for everything that is prepared
 * before there is a frame. */
void gst_gl_opencl_session_set_links (GstGLOpenCLSession * session,
    const OclLinks * links);

/* Prepares everything that frames like @info need: the way of interop, and the
 * kernels for the parameters that were copied last. If frames cannot be shared
 * because of their size or their format, sets @notice to a sentence for the
 * user, which the caller frees. */
gboolean gst_gl_opencl_session_set_info (GstGLOpenCLSession * session,
    const GstVideoInfo * info, gchar ** notice, GError ** error);

/* Returns the way of interop that frames use now. It is never AUTO. */
GstGLOpenCLInteropMode gst_gl_opencl_session_get_mode (GstGLOpenCLSession *
    session);

/* Returns the allocator for pools of frames, see GstGLOpenCLInterop. Returns
 * NULL if any allocator will do, and before the first set_info. The session
 * owns the allocator. */
GstAllocator *gst_gl_opencl_session_get_allocator (GstGLOpenCLSession *
    session);

/* Returns how many frames should be held back on this device if their latency
 * does not matter. */
guint gst_gl_opencl_session_get_best_backlog (GstGLOpenCLSession * session);

const gchar *gst_gl_opencl_session_get_device_name (GstGLOpenCLSession *
    session);

/* Copies the operations with their parameters and the settings for histograms
 * for the next frame, which is in @buffer and has its times in @segment. Posts
 * the report of an operation if @reports is TRUE. */
void gst_gl_opencl_session_snapshot (GstGLOpenCLSession * session,
    const OclLinks * links, const GstGLOpenCLHistogramSettings * histogram,
    gboolean reports, const GstSegment * segment, GstBuffer * buffer);

/* Makes the next frame, which is in @buffer and whose snapshot was taken, use
 * the operations before if its own are not ready or cannot be built. May take a
 * compiler's time. Returns the work that the frame needs. */
GstGLOpenCLWork gst_gl_opencl_session_settle (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Begins the frames that wait for later ones, if the next frame, whose snapshot
 * was taken, does not continue them. On failure sets @error, which must not be
 * NULL, and the frames that wait are lost. */
gboolean gst_gl_opencl_session_continue (GstGLOpenCLSession * session,
    GError ** error);

/* Begins all frames that wait for later ones, because none will come. Fails
 * like gst_gl_opencl_session_continue(). */
gboolean gst_gl_opencl_session_complete (GstGLOpenCLSession * session,
    GError ** error);

/* Returns whether the next frame, which is in @buffer, may be overwritten. */
gboolean gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Begins the next frame, from @input to @output, with the parameters of the
 * last snapshot. @output is NULL to only read the frame, and equals @input to
 * work in place. Does not wait for OpenCL. The commands of up to @n_together
 * frames may be enqueued together.
 *
 * With interop=auto, if OpenCL cannot borrow the texture of the frame, this
 * frame and all further ones go through host memory. Returns DROPPED if the
 * frame can then no longer be filtered in place. On failure returns ERROR and
 * sets @error, which must not be NULL; no command of the frame is running
 * then. */
GstFlowReturn gst_gl_opencl_session_begin (GstGLOpenCLSession * session,
    GstBuffer * input, GstBuffer * output, guint n_together, GError ** error);

/* Holds back the next frame, which may have been begun or not, and which goes
 * downstream as @buffer. Takes ownership of @buffer. */
void gst_gl_opencl_session_hold (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Returns how many frames are held back, without those that wait for later
 * ones. */
guint gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * session);

/* Returns how many frames wait for later ones. */
guint gst_gl_opencl_session_get_n_waiting (GstGLOpenCLSession * session);

/* Waits for the oldest frame that is held back and does not wait for later
 * ones, emits its histograms, and sets @buffer to its buffer, which the caller
 * owns. On failure @buffer is NULL, and the frame is lost. */
gboolean gst_gl_opencl_session_finish (GstGLOpenCLSession * session,
    GstBuffer ** buffer, GError ** error);

/* Drops the frames that are held back. */
void gst_gl_opencl_session_discard (GstGLOpenCLSession * session);

/* Resets everything that depends on the times of earlier frames. */
void gst_gl_opencl_session_flush (GstGLOpenCLSession * session);

G_END_DECLS
