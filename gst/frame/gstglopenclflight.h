/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A flight is one frame on its way through OpenCL. It holds the work to do, the
 * mapped buffers, the parameters, the cost of the commands, and the results.
 *
 * A session has several flights and uses them again. A flight is handed down
 * from the element to the way of interop to the operation; nothing is called
 * back up. A flight is used on the streaming thread, or on the GL thread while
 * the streaming thread waits for it. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclhistogram.h"
#include "gstglopenclreport.h"
#include "opencl/graph/oclfilter.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLWork:
 * @GST_GL_OPENCL_WORK_NONE: the frame passes through untouched
 * @GST_GL_OPENCL_WORK_READ: OpenCL reads the frame
 * @GST_GL_OPENCL_WORK_WRITE: OpenCL writes a new picture that it makes from the
 *    frame
 * @GST_GL_OPENCL_WORK_ATTACH: metas are added to the buffer that goes
 *    downstream
 *
 * A GstGLOpenCLWork says what a frame needs. Without WRITE the picture passes
 * through unchanged. If metas are added and the buffer is not ours, the frame
 * goes downstream in a buffer of its own.
 */
typedef enum
{
  GST_GL_OPENCL_WORK_NONE = 0,
  GST_GL_OPENCL_WORK_READ = 1 << 0,
  GST_GL_OPENCL_WORK_WRITE = 1 << 1,
  GST_GL_OPENCL_WORK_ATTACH = 1 << 2,
} GstGLOpenCLWork;

/**
 * GstGLOpenCLFlight:
 * @links: the operations that make the output from the input, with their
 *    parameters for this frame; a copy, owned
 * @chain: the object that runs @links on the device; owned, or NULL
 * @histogram: the object that counts; belongs to the session
 * @emission: the data that @histogram keeps for this frame
 * @report: what an operation reports about this frame
 * @scratch: the frame to which frames that are filtered in place are copied,
 *    one after the other; belongs to the session
 * @timer: the timer of the commands; owned
 * @states: the state of each way of interop, by GstGLOpenCLInteropMode; belongs
 *    to the session
 * @format: the format of both buffers; this member and all members below are
 *    set for each frame
 * @colorimetry: the colorimetry of both buffers
 * @interlaced: whether the frame is two pictures
 * @bytes_swapped: the byte order in which the textures of the frame are
 *    expected, see OclFrame. If the way of interop finds another byte order
 *    that matters, it stores this byte order here
 * @info: the video info of both buffers
 * @n_together: batch size: the commands of up to this many consecutive frames
 *    may be submitted together
 * @input_buffer: the frame to read; if the first operation looks ahead, the
 *    newest frame; not owned
 * @output_buffer: the frame to write; @input_buffer to work in place, or NULL
 *    to only read; not owned
 * @input: the mapped input buffer; the mapping keeps the buffer alive
 * @output: the mapped output buffer, if it is not the input buffer; the mapping
 *    keeps the buffer alive
 * @mode: the way of interop that has the frame, or AUTO if none has it
 * @graph: the graph that filters the frame, or NULL; owned
 * @forgets: whether operations that filter over time forget their frames before
 *    they take the input
 * @is_taken: whether the first operation has taken the input already, because
 *    no further frame has come
 * @number: how many frames were filtered before, since the start or the last
 *    discontinuity
 * @age: how many frames the first operation was given, with the input, after
 *    the one that the flight filters
 * @wait_time: how long the streaming thread has waited for the flight, in
 *    nanoseconds
 * @waits: whether the frame waits for later frames before it is begun
 * @pushed: the buffer that goes downstream, while the frame is held back; owned
 */
typedef struct
{
  OclLinks links;
  OclFilter *chain;
  GstGLOpenCLHistogram *histogram;
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
  gboolean forgets;
  gboolean is_taken;
  guint number;
  guint age;
  guint64 wait_time;
  gboolean waits;
  GstBuffer *pushed;
} GstGLOpenCLFlight;

/* Returns what the frame needs, by its parameters and its emission. */
GstGLOpenCLWork gst_gl_opencl_flight_get_work (const GstGLOpenCLFlight *
    flight);

/* Returns whether any operation has something to do, by the parameters of
 * @flight. */
gboolean gst_gl_opencl_flight_is_filtered (const GstGLOpenCLFlight * flight);

/* Returns how many later frames the first operation reads, by the parameters of
 * @flight. */
guint gst_gl_opencl_flight_get_lookahead (const GstGLOpenCLFlight * flight);

/* Returns the mapped frame that @flight writes, or NULL if it only reads. */
GstVideoFrame *gst_gl_opencl_flight_get_output (GstGLOpenCLFlight * flight);

/* Returns a frame of the flight's size and format, without memory. The size is
 * the size in the caps: a mapped frame may be larger. */
OclFrame gst_gl_opencl_flight_describe (const GstGLOpenCLFlight * flight,
    OclStorage storage);

/* Returns whether the graphs of the flight take textures with @bytes_swapped,
 * see OclFrame. */
gboolean gst_gl_opencl_flight_takes (const GstGLOpenCLFlight * flight,
    gboolean bytes_swapped);

/* Returns whether all memory of both buffers belongs to @gl_context. */
gboolean gst_gl_opencl_flight_is_of_context (const GstGLOpenCLFlight * flight,
    GstGLContext * gl_context);

/* Maps the buffers with @flags and the flags for reading and writing. If the
 * buffers belong to @gl_context, they are mapped in one go on its GL thread.
 * Call it on the streaming thread or, if the buffers belong to @gl_context, on
 * its GL thread. */
gboolean gst_gl_opencl_flight_map (GstGLOpenCLFlight * flight,
    GstGLContext * gl_context, GstMapFlags flags, GError ** error);

/* Unmaps the buffers that gst_gl_opencl_flight_map() mapped. Call it on a
 * thread that may call gst_gl_opencl_flight_map(). */
void gst_gl_opencl_flight_unmap (GstGLOpenCLFlight * flight,
    GstGLContext * gl_context);

/* Enqueues all work on the device between borrowing the frames and giving them
 * back. @output is NULL if the frame is only read. To work in place, @output
 * has the memory of @input. */
gboolean gst_gl_opencl_flight_enqueue (GstGLOpenCLFlight * flight,
    OclContext * ocl, const OclFrame * input, const OclFrame * output,
    GError ** error);

/* Enqueues the read of results to the host, if there are any. Call it after the
 * frames are given back: on some drivers a read makes the release of textures
 * wait. */
gboolean gst_gl_opencl_flight_enqueue_read (GstGLOpenCLFlight * flight,
    OclContext * ocl, GError ** error);

G_END_DECLS
