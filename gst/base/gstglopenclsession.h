/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A session contains all objects that exist from open to close: the OpenCL
 * context, the interop backend, the chain of operations, the histograms, and
 * the jobs of the frames. The other parts of an element belong to GStreamer.
 *
 * Steps for each frame:
 *
 *   gst_gl_opencl_session_snapshot()  copies parameters and settings
 *   gst_gl_opencl_session_settle()    selects the operations
 *   gst_gl_opencl_session_continue()  flushes frames of the previous sequence
 *   gst_gl_opencl_session_begin()     enqueues the commands of the frame
 *   gst_gl_opencl_session_hold()      holds the frame back
 *   gst_gl_opencl_session_finish()    returns the oldest frame
 *
 * If the first operation looks ahead, begin() passes the frame to the operation
 * and enqueues the commands of the earlier frame whose later frames are now
 * complete. The last frames wait for later frames. If there are none,
 * gst_gl_opencl_session_complete() begins the waiting frames.
 *
 * Unless noted otherwise, must be called from the streaming thread, from the
 * thread of the output queue while it holds the stream lock
 * (gstglopencloutputqueue.h), or from start and stop while neither thread
 * runs. */

#pragma once

#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/* Fastest pipeline depth on a GPU, see benchmarks/GPU-NOTES.md. */
#define GST_GL_OPENCL_BEST_PIPELINE_DEPTH 2

/* Returns whether @gl_context has textures for @format. Caps that were
 * negotiated before the context existed may have an unsupported format. If
 * there are no textures, sets @error to OCL_ERROR_NOT_SUPPORTED with a message
 * that includes the remedy. May be called from any thread. */
gboolean gst_gl_opencl_caps_check_format (const OclFormat * format,
    GstGLContext * gl_context, GError ** error);

typedef struct _GstGLOpenCLSession GstGLOpenCLSession;

/* Creates a session for @element, which must outlive the session. @changes:
 * whether its operations, or users' texts in them, may change while frames
 * flow. May be called from any thread. */
GstGLOpenCLSession *gst_gl_opencl_session_new (GstElement * element,
    gboolean changes);

/* Frees @session, which must be closed. May be called from any thread. */
void gst_gl_opencl_session_free (GstGLOpenCLSession * session);

/* Resets the statistics. */
void gst_gl_opencl_session_reset_stats (GstGLOpenCLSession * session);

/* Returns the number of filtered frames, their times, and the variant, see the
 * stats property. May be called from any thread. */
GstStructure *gst_gl_opencl_session_get_stats (GstGLOpenCLSession * session);

/* Returns whether @session is open on @gl_context. */
gboolean gst_gl_opencl_session_is_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context);

/* Opens @session: selects the device and an interop backend for @request, see
 * gst_gl_opencl_backends_open(). @session must not be open yet. @error must
 * not be NULL. */
gboolean gst_gl_opencl_session_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GError ** error);

/* Closes @session. No frame may be in flight. */
void gst_gl_opencl_session_close (GstGLOpenCLSession * session);

/* The functions below need an open session, except snapshot, flush and hold,
 * and also finish, continue and complete if nothing is in flight. */

/* Copies the operations with their parameters, for preparation before the first
 * frame. */
void gst_gl_opencl_session_set_operations (GstGLOpenCLSession * session,
    const OclOperationList * operations);

/* Prepares the interop backend, and the kernels for frames of @info and the
 * parameters that were copied last. If frames cannot be shared because of their
 * size or their format, sets @notice to a message for the user, which the
 * caller frees. */
gboolean gst_gl_opencl_session_set_info (GstGLOpenCLSession * session,
    const GstVideoInfo * info, gchar ** notice, GError ** error);

/* Returns the current interop backend. It is never AUTO. */
GstGLOpenCLInteropMode gst_gl_opencl_session_get_mode (GstGLOpenCLSession *
    session);

/* Returns the allocator for pools of frames, see GstGLOpenCLInterop. Returns
 * NULL if any allocator is suitable, and before the first set_info. The session
 * owns the allocator. */
GstAllocator *gst_gl_opencl_session_get_allocator (GstGLOpenCLSession *
    session);

/* Returns the fastest number of frames to hold back on this device. */
guint gst_gl_opencl_session_get_best_pipeline_depth (GstGLOpenCLSession *
    session);

/* Returns NULL if the session is not open. */
const gchar *gst_gl_opencl_session_get_device_name (GstGLOpenCLSession *
    session);

/* Copies the operations with their parameters and the settings for histograms
 * for the next frame, which is in @buffer and whose timestamps are in @segment.
 * Posts the report of an operation if @reports is TRUE. */
void gst_gl_opencl_session_snapshot (GstGLOpenCLSession * session,
    const OclOperationList * operations,
    const GstGLOpenCLHistogramSettings * histogram, gboolean reports,
    const GstSegment * segment, GstBuffer * buffer);

/* Selects the operations of the next frame, which is in @buffer and whose
 * snapshot was taken. Falls back to the previous operations if the new ones are
 * not built yet or cannot be built. If frames do not wait for the compiler,
 * also falls back to the previous parameters. May block while kernels are
 * compiled. Returns the work for the frame. */
GstGLOpenCLWork gst_gl_opencl_session_settle (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Begins the frames that wait for later frames, if the next frame, whose
 * snapshot was taken, starts a new sequence. On failure sets @error, which must
 * not be NULL, and the waiting frames are lost. */
gboolean gst_gl_opencl_session_continue (GstGLOpenCLSession * session,
    GError ** error);

/* Begins all frames that wait for later frames, at the end of a sequence. Fails
 * like gst_gl_opencl_session_continue(). */
gboolean gst_gl_opencl_session_complete (GstGLOpenCLSession * session,
    GError ** error);

/* Returns whether the next frame, which is in @buffer, may be overwritten. */
gboolean gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Begins the next frame, from @input to @output, with the parameters of the
 * last snapshot. @output is NULL to only read the frame, and equal to @input to
 * work in place. Does not wait for OpenCL. The commands of up to @n_together
 * frames may be enqueued together.
 *
 * With interop=auto, if OpenCL cannot acquire the texture of the frame, this
 * frame and all further frames use host memory. Returns DROPPED if the frame
 * can then no longer be filtered in place. On failure returns ERROR and sets
 * @error, which must not be NULL, and no command of the frame is running. */
GstFlowReturn gst_gl_opencl_session_begin (GstGLOpenCLSession * session,
    GstBuffer * input, GstBuffer * output, guint n_together, GError ** error);

/* Holds back the next frame, begun or not, to be pushed as @buffer. Takes
 * ownership of @buffer. */
void gst_gl_opencl_session_hold (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Returns the number of frames held back, excluding frames that wait for later
 * frames. */
guint gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * session);

/* Returns the number of frames that wait for later frames. */
guint gst_gl_opencl_session_get_n_waiting (GstGLOpenCLSession * session);

/* Waits for the oldest frame held back that does not wait for later frames,
 * emits its histograms, and sets @buffer to its buffer, which the caller owns.
 * On failure @buffer is NULL, and the frame is lost. */
gboolean gst_gl_opencl_session_finish (GstGLOpenCLSession * session,
    GstBuffer ** buffer, GError ** error);

/* Drops the frames held back. */
void gst_gl_opencl_session_discard (GstGLOpenCLSession * session);

/* Resets the state that depends on the timestamps of earlier frames. */
void gst_gl_opencl_session_flush (GstGLOpenCLSession * session);

G_END_DECLS
