/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* FIFO of pending flights of a session, and pool of its idle flights.
 *
 * Must be used on the streaming thread, or in start and stop, while there is no
 * streaming thread. */

#pragma once

#include "gstglopenclflight.h"

G_BEGIN_DECLS

/* Maximum number of frames that are held back after they were begun. */
#define GST_GL_OPENCL_MAX_BACKLOG 4

/* Maximum number of frames in flight: the frames that are held back, the frames
 * that wait for later frames, and the next frame. */
#define GST_GL_OPENCL_MAX_FLIGHTS \
    (GST_GL_OPENCL_MAX_BACKLOG + OCL_MAX_LOOKAHEAD + 1)

/**
 * GstGLOpenCLRing:
 * @flights: all flights (owned)
 * @held: the flights that are held back
 * @first: the index of the oldest flight in @held
 * @n_held: the number of flights in @held
 * @n_waiting: number of the newest flights in @held that are not begun, because
 *    they wait for later frames
 * @idle: the other flights
 */
typedef struct
{
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLFlight *held[GST_GL_OPENCL_MAX_FLIGHTS];
  guint first;
  guint n_held;
  guint n_waiting;
  GstGLOpenCLFlight *idle[GST_GL_OPENCL_MAX_FLIGHTS];
} GstGLOpenCLRing;

/* Makes all flights idle. @ring must be zeroed memory. */
void gst_gl_opencl_ring_init (GstGLOpenCLRing * ring);

/* Returns an idle flight for the next frame. Reuses the same few flights while
 * few frames are held back, which saves memory. There is an idle flight while
 * fewer than GST_GL_OPENCL_MAX_FLIGHTS are held back. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_next (GstGLOpenCLRing * ring);

/* Holds back @flight, which must be idle, and which waits for later frames if
 * @waits is set. While flights wait, only flights that wait may be added. */
void gst_gl_opencl_ring_push (GstGLOpenCLRing * ring,
    GstGLOpenCLFlight * flight, gboolean waits);

/* Returns the oldest flight that waits for later frames, or NULL. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_waiting (GstGLOpenCLRing * ring);

/* Must be called when the oldest waiting flight has been begun. */
void gst_gl_opencl_ring_end_waiting (GstGLOpenCLRing * ring);

/* Returns the newest flight that is held back. The flight becomes idle, but
 * stays unchanged until the next frame uses it. Must be called only while
 * flights wait. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop_waiting (GstGLOpenCLRing * ring);

/* Returns the oldest flight that is held back and does not wait, or NULL. The
 * flight becomes idle, but stays unchanged until the next frame uses it. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop (GstGLOpenCLRing * ring);

G_END_DECLS
