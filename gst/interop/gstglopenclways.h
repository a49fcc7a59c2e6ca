/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ways of interop of a session: which one frames use, and which one takes
 * its place where frames cannot be shared.
 *
 * Call the functions from the streaming thread, or from start and stop while it
 * does not run. */

#pragma once

#include "gstglopenclinterop.h"

G_BEGIN_DECLS

#define GST_GL_OPENCL_N_MODES (GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY + 1)

/**
 * GstGLOpenCLWays:
 * @context: what OpenGL and OpenCL have in common, or NULL while closed; owned
 * @asked: the way of interop that the user asks for
 * @mode: the way of interop of the frames now; never AUTO after
 *    gst_gl_opencl_ways_choose()
 * @fell_back: whether a frame of the format could not be shared
 * @ways: the objects of the ways of interop, made when first needed; owned
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

/* Chooses the device and a way of interop, see gst_gl_opencl_interop_choose().
 * @gl_context may be NULL, which is an error. @error must not be NULL. */
gboolean gst_gl_opencl_ways_open (GstGLOpenCLWays * ways,
    GstGLContext * gl_context, const GstGLOpenCLRequest * request,
    GstObject * owner, GError ** error);

/* Frees everything. No flight may have a state any more. */
void gst_gl_opencl_ways_close (GstGLOpenCLWays * ways);

/* Returns the way of interop of the frames now. */
const GstGLOpenCLInterop *gst_gl_opencl_ways_get (const GstGLOpenCLWays * ways);

/* Chooses the way of interop for frames of @format. Frames that cannot be
 * shared because of their size or their format go through host-copy, unless the
 * user asked for another way; then sets @notice to a sentence for the user,
 * which the caller frees. */
gboolean gst_gl_opencl_ways_choose (GstGLOpenCLWays * ways,
    const OclFormat * format, gint width, gint height, gchar ** notice,
    GError ** error);

/* Returns whether a frame that failed with @error can go through host memory
 * instead, as all further ones then do. This is possible if OpenCL could not
 * borrow the texture of the frame. */
gboolean gst_gl_opencl_ways_fall_back (GstGLOpenCLWays * ways,
    const GError * error);

/* Returns the allocator for pools of frames, see GstGLOpenCLInterop. Returns
 * NULL if any allocator will do, and before a way is prepared. */
GstAllocator *gst_gl_opencl_ways_get_allocator (GstGLOpenCLWays * ways);

/* Makes the state that the way of interop keeps for @flight, if there is none
 * yet. */
void gst_gl_opencl_ways_prepare (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight);

/* Frees the states of @flight, which must not be begun. */
void gst_gl_opencl_ways_clear_flight (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight);

/* Begins @flight, which must be prepared, and finishes it, see
 * GstGLOpenCLInterop. The time that this takes is added to the flight's. Sets
 * @error, which must not be NULL, in every failure. */
gboolean gst_gl_opencl_ways_begin (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight, GError ** error);
gboolean gst_gl_opencl_ways_finish (GstGLOpenCLWays * ways,
    GstGLOpenCLFlight * flight, GError ** error);

G_END_DECLS
