/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One frame in flight through OpenCL: what is to be done with it, its buffers
 * while they are mapped, its parameters, what its commands cost, and what comes
 * of it.
 *
 * A session has several, which it uses again; each is handed down from the
 * element to the way of interop to the operation, and nothing is called back
 * up. On the streaming thread or, where that waits for it, the GL thread. */

#pragma once

#include <gst/gl/gl.h>

#include "gstglopenclhistogram.h"
#include "opencl/operation/ocloperation.h"

G_BEGIN_DECLS

/**
 * GstGLOpenCLWork:
 * @GST_GL_OPENCL_WORK_NONE: the frame is handed on untouched
 * @GST_GL_OPENCL_WORK_READ: OpenCL reads the frame
 * @GST_GL_OPENCL_WORK_WRITE: OpenCL makes another frame of it
 * @GST_GL_OPENCL_WORK_ATTACH: metas are added to the buffer that goes on
 *
 * What a frame needs. Without WRITE the frame is handed on as it is, in a
 * buffer of its own where metas are added to one that is not ours.
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
 * @klass: the operation that makes the output of the input
 * @operation: that at work on the device; the session's
 * @params: its parameters for this frame; owned
 * @histogram: what counts; the session's
 * @emission: what it keeps for this frame
 * @scratch: where frames that are filtered in place are copied to, one after
 *    the other; the session's
 * @timer: of the commands; owned
 * @states: what every way of interop keeps, by GstGLOpenCLInteropMode; the
 *    session's
 * @format: of both buffers; this and what follows is set for each frame
 * @colorimetry: of both buffers
 * @interlaced: whether the frame is two pictures
 * @bytes_swapped: the order of bytes that its textures are expected in, see
 *    OclFrame; where the way of interop finds another one that matters, that
 * @info: of both buffers
 * @n_together: how many frames, this one and those begun before it, may share
 *    what is the same for one and for many: their commands may wait until they
 *    are so many
 * @input_buffer: the frame to read; not owned
 * @output_buffer: the frame to write; the same as @input_buffer to work in
 *    place; NULL to only read; not owned
 * @input: the input buffer, mapped, which keeps it alive
 * @output: likewise the output buffer, where that is another one
 * @mode: the way of interop that has it, or AUTO where none has
 * @plan: what it is filtered with, or NULL; owned
 * @pushed: the buffer that goes downstream, while the frame is held back; owned
 */
typedef struct
{
  const OclOperationClass *klass;
  OclOperation *operation;
  gpointer params;
  GstGLOpenCLHistogram *histogram;
  GstGLOpenCLHistogramFrame emission;
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
  OclPlan *plan;
  GstBuffer *pushed;
} GstGLOpenCLFlight;

/* What the frame needs, by its parameters and its emission. */
GstGLOpenCLWork gst_gl_opencl_flight_get_work (const GstGLOpenCLFlight *
    flight);

/* Whether the operation has anything to do, by its parameters. */
gboolean gst_gl_opencl_flight_is_filtered (const GstGLOpenCLFlight * flight);

/* The mapped frame that @flight writes: NULL where it only reads. */
GstVideoFrame *gst_gl_opencl_flight_get_output (GstGLOpenCLFlight * flight);

/* A frame of the flight's size and format, without memory. The size is that of
 * the caps: a mapped frame may be larger. */
OclFrame gst_gl_opencl_flight_describe (const GstGLOpenCLFlight * flight,
    OclStorage storage);

/* Whether what the flight is to be done with takes textures of @bytes_swapped,
 * see OclFrame. */
gboolean gst_gl_opencl_flight_takes (const GstGLOpenCLFlight * flight,
    gboolean bytes_swapped);

/* Whether all memory of both buffers is @gl_context's. */
gboolean gst_gl_opencl_flight_is_of_context (const GstGLOpenCLFlight * flight,
    GstGLContext * gl_context);

/* Maps the buffers with @flags beside those for reading and writing, in one go
 * to the GL thread of @gl_context where they are its. Streaming thread; where
 * they are the context's, also its GL thread. */
gboolean gst_gl_opencl_flight_map (GstGLOpenCLFlight * flight,
    GstGLContext * gl_context, GstMapFlags flags, GError ** error);

/* Unmaps what gst_gl_opencl_flight_map() mapped, likewise. */
void gst_gl_opencl_flight_unmap (GstGLOpenCLFlight * flight,
    GstGLContext * gl_context);

/* Enqueues everything that is done on the device between borrowing the frames
 * and giving them back. @output is NULL where the frame is only read, and the
 * same as @input to work in place. */
gboolean gst_gl_opencl_flight_enqueue (GstGLOpenCLFlight * flight,
    OclContext * ocl, const OclFrame * input, const OclFrame * output,
    GError ** error);

/* Enqueues what is read to the host, if anything. Comes behind giving the
 * frames back: on some drivers a read makes the release of textures wait. */
gboolean gst_gl_opencl_flight_enqueue_read (GstGLOpenCLFlight * flight,
    OclContext * ocl, GError ** error);

G_END_DECLS
