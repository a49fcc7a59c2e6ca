/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The flights of a session: those that are held back, in the order in which
 * they were begun, and those that are idle.
 *
 * Streaming thread, and start and stop, which have none beside them. */

#pragma once

#include "gstglopenclflight.h"

G_BEGIN_DECLS

/* As many frames can be in flight at a time. */
#define GST_GL_OPENCL_MAX_FLIGHTS 5

/**
 * GstGLOpenCLRing:
 * @flights: all; owned
 * @held: those held back
 * @first: the oldest of them
 * @n_held: how many they are
 * @idle: the others
 */
typedef struct
{
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLFlight *held[GST_GL_OPENCL_MAX_FLIGHTS];
  guint first;
  guint n_held;
  GstGLOpenCLFlight *idle[GST_GL_OPENCL_MAX_FLIGHTS];
} GstGLOpenCLRing;

/* All idle; on zeroed memory. */
void gst_gl_opencl_ring_init (GstGLOpenCLRing * ring);

/* An idle flight for the next frame. Few are used where few frames are held
 * back, and with them little memory. There is one as long as fewer than
 * GST_GL_OPENCL_MAX_FLIGHTS are held. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_next (GstGLOpenCLRing * ring);

/* Holds back @flight, which is idle. */
void gst_gl_opencl_ring_push (GstGLOpenCLRing * ring,
    GstGLOpenCLFlight * flight);

/* The oldest flight that is held back, or NULL; it is idle from now on, but
 * stays as it is until the next frame takes it. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop (GstGLOpenCLRing * ring);

G_END_DECLS
