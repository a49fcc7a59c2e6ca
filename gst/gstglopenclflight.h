/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One frame on its way through OpenCL: what is to be done with it, its buffers
 * while they are mapped, and what its commands cost.
 *
 * Several may be on their way at a time, each in a slot of its own; their
 * commands run in the order in which they were begun. For the two ways of
 * interop, on the streaming thread or, where that waits for it, the GL
 * thread. */

#pragma once

#include <gst/video/video.h>

#include "opencl/oclframe.h"

G_BEGIN_DECLS

/* Slots: as many frames can be on their way at a time. */
#define GST_GL_OPENCL_MAX_FLIGHTS 5

/* Enqueues an operation from @input to @output, which never are the same; where
 * the frame is only read, @output is NULL. */
typedef gboolean (*GstGLOpenCLEnqueueFunc) (const OclFrame * input,
    const OclFrame * output, OclTimer * timer, gpointer user_data,
    GError ** error);

/* Enqueues reading to the host what the operation found out; it touches no
 * frame. */
typedef gboolean (*GstGLOpenCLReadFunc) (OclTimer * timer, gpointer user_data,
    GError ** error);

/**
 * GstGLOpenCLWork:
 * @info: of both buffers
 * @input: the frame to read
 * @output: the frame to write; the same as @input to work in place; NULL to
 *    only read @input
 * @enqueue: the operation
 * @enqueue_read: comes when the frames are on their way back: on some drivers
 *    a read makes the release of textures wait; may be NULL
 * @user_data: for both
 */
typedef struct
{
  const GstVideoInfo *info;
  GstBuffer *input;
  GstBuffer *output;
  GstGLOpenCLEnqueueFunc enqueue;
  GstGLOpenCLReadFunc enqueue_read;
  gpointer user_data;
} GstGLOpenCLWork;

/**
 * GstGLOpenCLFlight:
 * @slot: which one it is, below GST_GL_OPENCL_MAX_FLIGHTS
 * @work: what is done
 * @input: the input buffer, mapped, which keeps it alive
 * @output: likewise the output buffer, where that is another one
 * @timer: of its commands; owned
 */
typedef struct
{
  guint slot;
  GstGLOpenCLWork work;
  GstVideoFrame input;
  GstVideoFrame output;
  OclTimer *timer;
} GstGLOpenCLFlight;

/* The mapped frame that @flight writes: NULL where it only reads. */
GstVideoFrame *gst_gl_opencl_flight_get_output (GstGLOpenCLFlight * flight);

/* Maps the buffers with @flags beside those for reading and writing. Streaming
 * thread. */
gboolean gst_gl_opencl_flight_map (GstGLOpenCLFlight * flight,
    GstMapFlags flags, GError ** error);

/* Unmaps what gst_gl_opencl_flight_map() mapped. */
void gst_gl_opencl_flight_unmap (GstGLOpenCLFlight * flight);

/* Enqueues the operation; where both frames are the same it is copied to
 * @scratch first. @output is NULL where the frame is only read. */
gboolean gst_gl_opencl_flight_enqueue (GstGLOpenCLFlight * flight,
    OclContext * ocl, const OclFrame * input, const OclFrame * output,
    OclFrame * scratch, GError ** error);

/* Enqueues what the operation reads to the host, if anything. */
gboolean gst_gl_opencl_flight_enqueue_read (GstGLOpenCLFlight * flight,
    GError ** error);

G_END_DECLS
