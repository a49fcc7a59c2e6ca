/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclring.h"

static guint
count_idle (const GstGLOpenCLRing * self)
{
  return GST_GL_OPENCL_MAX_FLIGHTS - self->n_held;
}

void
gst_gl_opencl_ring_init (GstGLOpenCLRing * self)
{
  for (guint i = 0; i < GST_GL_OPENCL_MAX_FLIGHTS; i++)
    self->idle[i] = &self->flights[i];
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_get_next (GstGLOpenCLRing * self)
{
  g_assert (count_idle (self) > 0);
  return self->idle[count_idle (self) - 1];
}

/* Returns the index of flight @n of the flights that are held back, where 0 is
 * the oldest one. */
static guint
get_place (const GstGLOpenCLRing * self, guint n)
{
  return (self->first + n) % GST_GL_OPENCL_MAX_FLIGHTS;
}

void
gst_gl_opencl_ring_push (GstGLOpenCLRing * self, GstGLOpenCLFlight * flight,
    gboolean waits)
{
  GstGLOpenCLFlight *last = gst_gl_opencl_ring_get_next (self);
  guint i = 0;

  g_assert (waits || self->n_waiting == 0);

  while (self->idle[i] != flight)
    i++;
  self->idle[i] = last;
  self->held[get_place (self, self->n_held)] = flight;
  self->n_held++;
  self->n_waiting += waits ? 1 : 0;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_get_waiting (GstGLOpenCLRing * self)
{
  return self->n_waiting == 0 ? NULL
      : self->held[get_place (self, self->n_held - self->n_waiting)];
}

void
gst_gl_opencl_ring_end_waiting (GstGLOpenCLRing * self)
{
  g_assert (self->n_waiting > 0);
  self->n_waiting--;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_pop_waiting (GstGLOpenCLRing * self)
{
  g_assert (self->n_waiting > 0);
  self->n_waiting--;
  self->n_held--;
  GstGLOpenCLFlight *flight = self->held[get_place (self, self->n_held)];

  self->idle[count_idle (self) - 1] = flight;
  return flight;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_pop (GstGLOpenCLRing * self)
{
  if (self->n_held == self->n_waiting)
    return NULL;

  GstGLOpenCLFlight *flight = self->held[self->first];
  self->first = get_place (self, 1);
  self->n_held--;
  self->idle[count_idle (self) - 1] = flight;
  return flight;
}
