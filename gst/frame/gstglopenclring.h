/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring has the flights of a session: the flights that are held back, in the
 * order in which they were begun, and the idle flights.
 *
 * The ring is used on the streaming thread, and in start and stop, when there
 * is no streaming thread. */

#pragma once

#include "gstglopenclflight.h"

G_BEGIN_DECLS

/* At most this many frames can be in flight at a time. */
#define GST_GL_OPENCL_MAX_FLIGHTS 5

/**
 * GstGLOpenCLRing:
 * @flights: all flights; owned
 * @held: the flights that are held back
 * @first: the index of the oldest flight in @held
 * @n_held: the number of flights in @held
 * @idle: the other flights
 */
typedef struct
{
  GstGLOpenCLFlight flights[GST_GL_OPENCL_MAX_FLIGHTS];
  GstGLOpenCLFlight *held[GST_GL_OPENCL_MAX_FLIGHTS];
  guint first;
  guint n_held;
  GstGLOpenCLFlight *idle[GST_GL_OPENCL_MAX_FLIGHTS];
} GstGLOpenCLRing;

/* Makes all flights idle. @ring must be zeroed memory. */
void gst_gl_opencl_ring_init (GstGLOpenCLRing * ring);

/* Returns an idle flight for the next frame. If few frames are held back, few
 * flights and little memory are used. There is an idle flight as long as fewer
 * than GST_GL_OPENCL_MAX_FLIGHTS are held back. */
GstGLOpenCLFlight *gst_gl_opencl_ring_get_next (GstGLOpenCLRing * ring);

/* Holds back @flight, which must be idle. */
void gst_gl_opencl_ring_push (GstGLOpenCLRing * ring,
    GstGLOpenCLFlight * flight);

/* Returns the oldest flight that is held back, or NULL. The flight is idle from
 * now on, but stays unchanged until the next frame takes it. */
GstGLOpenCLFlight *gst_gl_opencl_ring_pop (GstGLOpenCLRing * ring);

G_END_DECLS
