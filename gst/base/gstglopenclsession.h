/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Everything that lives from open to close: the OpenCL context, the way of
 * interop, the operation, the histograms, and the flights of the frames. What
 * an element has beside it is GStreamer's.
 *
 * A frame takes these steps:
 *
 *   gst_gl_opencl_session_snapshot()  parameters and settings are taken over
 *   gst_gl_opencl_session_begin()     its commands are enqueued
 *   gst_gl_opencl_session_hold()      it is held back
 *   gst_gl_opencl_session_finish()    the oldest goes on
 *
 * All functions: the streaming thread, or the outlet's while it has the stream
 * lock (gstglopencloutlet.h), and start and stop, which have none of these
 * beside them, unless they say another. */

#pragma once

#include "frame/gstglopenclring.h"
#include "interop/gstglopenclinterop.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLSettings:
 * @interop: which way is asked for
 * @in_place: whether frames are written into upstream's texture
 * @pipeline_depth: frames that may be held back, less than
 *    GST_GL_OPENCL_MAX_FLIGHTS; -1 for gst_gl_opencl_session_get_best_backlog()
 *    where upstream is not live, else 0
 *
 * What every element has, beside its operation's parameters. The element
 * decides about the last two, frame by frame.
 */
typedef struct
{
  GstGLOpenCLInteropMode interop;
  gboolean in_place;
  gint pipeline_depth;
} GstGLOpenCLSettings;

/* The table of the settings. */
extern const OclParam gst_gl_opencl_settings_params[];

typedef struct _GstGLOpenCLSession GstGLOpenCLSession;

/* For @operation in @element, which has to outlive it. Any thread. */
GstGLOpenCLSession *gst_gl_opencl_session_new (GstElement * element,
    const OclOperationClass * operation);

/* Closed. Any thread. */
void gst_gl_opencl_session_free (GstGLOpenCLSession * session);

/* Statistics start anew. */
void gst_gl_opencl_session_reset_stats (GstGLOpenCLSession * session);

/* Frames filtered, what they took, the variant: see the stats property. Any
 * thread. */
GstStructure *gst_gl_opencl_session_get_stats (GstGLOpenCLSession * session);

/* Whether it is open, on @gl_context. */
gboolean gst_gl_opencl_session_is_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context);

/* Chooses the device and a way of interop, see gst_gl_opencl_interop_choose().
 * Nothing is open before. @error must not be NULL. */
gboolean gst_gl_opencl_session_open (GstGLOpenCLSession * session,
    GstGLContext * gl_context, GstGLOpenCLInteropMode mode,
    const gchar * selector, GError ** error);

/* No frame may be in flight. */
void gst_gl_opencl_session_close (GstGLOpenCLSession * session);

/* The rest is for a session that is open, but for snapshot, flush, hold, and
 * finish where nothing is in flight. */

/* Takes over the operation's parameters for what is settled before there is a
 * frame. */
void gst_gl_opencl_session_set_params (GstGLOpenCLSession * session,
    gconstpointer params);

/* Settles everything that frames like @info need: the way of interop, the
 * kernels for the parameters that were taken over last. Where frames
 * cannot be shared, for their size or for their format, @notice gets a sentence
 * for the user; free it. */
gboolean gst_gl_opencl_session_set_info (GstGLOpenCLSession * session,
    const GstVideoInfo * info, gchar ** notice, GError ** error);

/* That of frames now; not AUTO. */
GstGLOpenCLInteropMode gst_gl_opencl_session_get_mode (GstGLOpenCLSession *
    session);

/* What pools of frames allocate with, see GstGLOpenCLInterop; NULL where any
 * will do, and before the first set_info. Owned by the session. */
GstAllocator *gst_gl_opencl_session_get_allocator (GstGLOpenCLSession *
    session);

/* How many frames should be held back where their latency does not matter, by
 * the device. */
guint gst_gl_opencl_session_get_best_backlog (GstGLOpenCLSession * session);

const gchar *gst_gl_opencl_session_get_device_name (GstGLOpenCLSession *
    session);

/* Takes over the operation's parameters and the histogram's settings for the
 * next frame, which is in @buffer with times in @segment, and returns what it
 * needs. */
GstGLOpenCLWork gst_gl_opencl_session_snapshot (GstGLOpenCLSession * session,
    gconstpointer params, const GstGLOpenCLHistogramSettings * histogram,
    const GstSegment * segment, GstBuffer * buffer);

/* Whether the next frame may be written over. */
gboolean gst_gl_opencl_session_can_work_in_place (GstGLOpenCLSession * session,
    GstBuffer * buffer);

/* Begins the next frame, from @input to @output (NULL to only read, the same to
 * work in place), with the parameters of the last snapshot; does not wait for
 * OpenCL. The commands of @n_together frames may be enqueued together. Where
 * interop=auto and OpenCL cannot borrow its texture, it and all further ones go
 * through host memory. DROPPED where it can no longer be filtered in place
 * because of that; ERROR with @error, which must not be NULL: no command of the
 * frame is running. */
GstFlowReturn gst_gl_opencl_session_begin (GstGLOpenCLSession * session,
    GstBuffer * input, GstBuffer * output, guint n_together, GError ** error);

/* Holds back the next frame, begun or not, which goes downstream as @buffer
 * (takes it). */
void gst_gl_opencl_session_hold (GstGLOpenCLSession * session,
    GstBuffer * buffer);

guint gst_gl_opencl_session_get_n_held (GstGLOpenCLSession * session);

/* Waits for the oldest frame that is held back, emits its histograms, and gives
 * its buffer; the caller owns it. Where that fails @buffer is NULL, and the
 * frame is gone. */
gboolean gst_gl_opencl_session_finish (GstGLOpenCLSession * session,
    GstBuffer ** buffer, GError ** error);

/* Forgets the frames that are held back. */
void gst_gl_opencl_session_discard (GstGLOpenCLSession * session);

/* The frames before are forgotten for what depends on time. */
void gst_gl_opencl_session_flush (GstGLOpenCLSession * session);

G_END_DECLS
