/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Per-frame job: the work, parameters, mapped buffers, timer and results of one
 * frame while it is processed.
 *
 * A session has several jobs and reuses them. The element passes a job to
 * the interop backend, which passes it to the operation, without callbacks. A
 * job is used on the streaming thread, or on the GL thread while the
 * streaming thread waits for it. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclhistogram.h"
#include "opencl/graph/oclfilter.h"

G_BEGIN_DECLS

/* Maximum number of frames that are held back after they were begun. */
#define GST_GL_OPENCL_MAX_PIPELINE_DEPTH 4

/* Maximum number of frames in flight: the frames that are held back, the frames
 * that wait for later frames, and the next frame. */
#define GST_GL_OPENCL_MAX_JOBS \
    (GST_GL_OPENCL_MAX_PIPELINE_DEPTH + OCL_MAX_LOOKAHEAD + 1)

/**
 * GstGLOpenCLWork:
 * @GST_GL_OPENCL_WORK_NONE: the frame passes through unchanged
 * @GST_GL_OPENCL_WORK_READ: OpenCL reads the frame
 * @GST_GL_OPENCL_WORK_WRITE: OpenCL writes a new picture, computed from the
 *    frame
 * @GST_GL_OPENCL_WORK_ATTACH: metas are added to the output buffer
 *
 * The work that a frame needs. Without WRITE the picture passes through
 * unchanged. If metas are added and the buffer is not ours, the frame is pushed
 * in a separate buffer.
 */
typedef enum
{
  GST_GL_OPENCL_WORK_NONE = 0,
  GST_GL_OPENCL_WORK_READ = 1 << 0,
  GST_GL_OPENCL_WORK_WRITE = 1 << 1,
  GST_GL_OPENCL_WORK_ATTACH = 1 << 2,
} GstGLOpenCLWork;

/**
 * GstGLOpenCLJob:
 * @operations: the operations that compute the output from the input, with
 *    their parameters for this frame (owned copy)
 * @chain: the object that runs @operations on the device (owned), or NULL
 * @histogram: the object that counts (owned by the session)
 * @times: the times of the frame
 * @emission: the data that @histogram keeps for this frame
 * @report: the report of an operation about this frame
 * @scratch: the copy of each frame that is filtered in place (owned by the
 *    session)
 * @timer: the timer of the commands (owned)
 * @states: the state of each interop backend, by GstGLOpenCLInteropMode (owned
 *    by the session)
 * @format: the format of both buffers. This member and all members below are
 *    set for each frame
 * @colorimetry: the colorimetry of both buffers
 * @interlaced: whether the frame consists of two fields
 * @bytes_swapped: the expected byte order of the textures of the frame, see
 *    OclFrame. If the interop backend finds another byte order that matters, it
 *    stores it here
 * @info: the video info of both buffers
 * @n_together: batch size: the commands of up to this many consecutive frames
 *    may be submitted together
 * @input_buffer: the frame to read, or the newest frame if the first operation
 *    looks ahead (not owned)
 * @output_buffer: the frame to write, @input_buffer to work in place, or NULL
 *    to only read (not owned)
 * @input: the mapped input buffer, kept alive by the mapping
 * @output: the mapped output buffer, if it is not the input buffer, kept alive
 *    by the mapping
 * @mode: the interop backend that processes the frame, or AUTO if none does
 * @graph: the graph that filters the frame, or NULL (owned)
 * @reset_history: whether temporal operations drop their previous frames before
 *    they copy the input
 * @input_in_history: whether the input is already in the history of the first
 *    operation, because no further frame has arrived
 * @number: number of frames filtered before, since the start or the last
 *    discontinuity
 * @is_measured: whether the commands of this frame are measured
 * @delay: number of frames that the first operation received, including the
 *    input, after the frame that the job filters
 * @wait_time: time in nanoseconds that the streaming thread has waited for the
 *    job
 * @needs_lookahead: whether the frame waits for later frames before it is begun
 * @out_buffer: the output buffer, while the frame is held back (owned)
 */
typedef struct
{
  OclOperationList operations;
  OclFilter *chain;
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLTimes times;
  GstGLOpenCLHistogramFrame emission;
  GstGLOpenCLReportFrame report;
  OclFrame *scratch;
  OclTimer *timer;
  gpointer states[4];

  const OclFormat *format;
  OclColorimetry colorimetry;
  gboolean interlaced;
  gboolean bytes_swapped;
  const GstVideoInfo *info;
  guint n_together;
  GstBuffer *input_buffer;
  GstBuffer *output_buffer;
  GstVideoFrame input;
  GstVideoFrame output;
  guint mode;
  OclGraph *graph;
  gboolean reset_history;
  gboolean input_in_history;
  guint number;
  gboolean is_measured;
  guint delay;
  guint64 wait_time;
  gboolean needs_lookahead;
  GstBuffer *out_buffer;
} GstGLOpenCLJob;

/* Returns the work for the frame, by its parameters and its emission. */
GstGLOpenCLWork gst_gl_opencl_job_get_work (const GstGLOpenCLJob *
    job);

/* Returns whether any operation changes the frame, by the parameters of
 * @job. */
gboolean gst_gl_opencl_job_is_filtered (const GstGLOpenCLJob * job);

/* Returns the number of later frames that the first operation reads, by the
 * parameters of @job. */
guint gst_gl_opencl_job_get_lookahead (const GstGLOpenCLJob * job);

/* Returns the mapped frame that @job writes, or NULL if it only reads. */
GstVideoFrame *gst_gl_opencl_job_get_output (GstGLOpenCLJob * job);

/* Returns a frame of the job's size and format, without memory. The size is
 * the size in the caps: a mapped frame may be larger. */
OclFrame gst_gl_opencl_job_describe (const GstGLOpenCLJob * job,
    OclStorage storage);

/* Returns whether the graphs of the job support textures with
 * @bytes_swapped, see OclFrame. */
gboolean gst_gl_opencl_job_takes (const GstGLOpenCLJob * job,
    gboolean bytes_swapped);

/* Returns whether all memory of both buffers belongs to @gl_context. */
gboolean gst_gl_opencl_job_is_of_context (const GstGLOpenCLJob * job,
    GstGLContext * gl_context);

/* Maps the buffers with @flags and the flags for reading and writing. If the
 * buffers belong to @gl_context, they are mapped together on its GL thread.
 * Must be called on the streaming thread or, if the buffers belong to
 * @gl_context, on its GL thread. */
gboolean gst_gl_opencl_job_map (GstGLOpenCLJob * job,
    GstGLContext * gl_context, GstMapFlags flags, GError ** error);

/* Unmaps the buffers that gst_gl_opencl_job_map() mapped. Must be called on
 * a thread that may call gst_gl_opencl_job_map(). */
void gst_gl_opencl_job_unmap (GstGLOpenCLJob * job,
    GstGLContext * gl_context);

/* Enqueues all work on the device between acquire and release of the frames.
 * @output is NULL if the frame is only read. To work in place, @output has the
 * memory of @input. */
gboolean gst_gl_opencl_job_enqueue (GstGLOpenCLJob * job,
    OclContext * ocl, const OclFrame * input, const OclFrame * output,
    GError ** error);

/* Enqueues the read of results to the host, if there are any. Must be called
 * after the release of the frames, because on some drivers a read delays the
 * release of textures. */
gboolean gst_gl_opencl_job_enqueue_read (GstGLOpenCLJob * job,
    OclContext * ocl, GError ** error);

G_END_DECLS
