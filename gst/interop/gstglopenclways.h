/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Selects the interop backend of a session and falls back to host copies.
 *
 * Must be called from the streaming thread, or from start and stop while it
 * does not run. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

#define GST_GL_OPENCL_N_MODES (GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY + 1)

/**
 * GstGLOpenCLWays:
 * @context: the context of OpenGL and OpenCL, or NULL while closed (owned)
 * @asked: the interop backend that the user requested
 * @mode: the interop backend of the current frames, never AUTO after
 *    gst_gl_opencl_ways_choose()
 * @fell_back: whether a frame of the format could not be shared
 * @ways: the instances of the interop backends, created on first use (owned)
 *
 * Start with a zeroed struct and end with gst_gl_opencl_ways_close().
 */
typedef struct
{
  GstGLOpenCLContext *context;
  GstGLOpenCLInteropMode asked;
  GstGLOpenCLInteropMode mode;
  gboolean fell_back;
  gpointer ways[GST_GL_OPENCL_N_MODES];
} GstGLOpenCLWays;

/* Chooses the device and an interop backend, see
 * gst_gl_opencl_interop_choose(). Fails if @gl_context is NULL. @error must not
 * be NULL. */
gboolean gst_gl_opencl_ways_open (GstGLOpenCLWays * ways,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GstObject * owner, GError ** error);

/* Frees everything. The states of all flights must have been freed. */
void gst_gl_opencl_ways_close (GstGLOpenCLWays * ways);

/* Returns the interop backend of the current frames. */
const GstGLOpenCLInterop *gst_gl_opencl_ways_get (const GstGLOpenCLWays * ways);

/* Chooses the interop backend for frames of @format. If their size or their
 * format cannot be shared, selects host-copy and sets @notice to a message for
 * the user, which the caller frees, or fails if the user requested another
 * backend. */
gboolean gst_gl_opencl_ways_choose (GstGLOpenCLWays * ways,
    const OclFormat * format, gint width, gint height, gchar ** notice,
    GError ** error);

/* Returns whether a frame that failed with @error can use host-copy instead,
 * and selects host-copy for all further frames. This is possible if OpenCL
 * could not acquire the texture of the frame. */
gboolean gst_gl_opencl_ways_fall_back (GstGLOpenCLWays * ways,
    const GError * error);

/* Returns the allocator for pools of frames, see GstGLOpenCLInterop. Returns
 * NULL if any allocator can be used, and before a backend is prepared. */
GstAllocator *gst_gl_opencl_ways_get_allocator (GstGLOpenCLWays * ways);

/* Creates the state of the interop backend for @flight, if there is none
 * yet. */
void gst_gl_opencl_ways_prepare (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight);

/* Frees the states of @flight, which must not have been begun. */
void gst_gl_opencl_ways_clear_flight (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight);

/* Begin @flight, which must be prepared, and finish it, see GstGLOpenCLInterop.
 * Add the duration to the wait time of @flight. Set @error, which must not be
 * NULL, on every failure. */
gboolean gst_gl_opencl_ways_begin (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight, GError ** error);
gboolean gst_gl_opencl_ways_finish (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight, GError ** error);

G_END_DECLS
