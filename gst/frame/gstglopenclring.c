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

void
gst_gl_opencl_ring_push (GstGLOpenCLRing * self, GstGLOpenCLFlight * flight)
{
  GstGLOpenCLFlight *last = gst_gl_opencl_ring_get_next (self);
  guint i = 0;

  while (self->idle[i] != flight)
    i++;
  self->idle[i] = last;
  self->held[(self->first + self->n_held) % GST_GL_OPENCL_MAX_FLIGHTS] = flight;
  self->n_held++;
}

GstGLOpenCLFlight *
gst_gl_opencl_ring_pop (GstGLOpenCLRing * self)
{
  if (self->n_held == 0)
    return NULL;

  GstGLOpenCLFlight *flight = self->held[self->first];
  self->first = (self->first + 1) % GST_GL_OPENCL_MAX_FLIGHTS;
  self->n_held--;
  self->idle[count_idle (self) - 1] = flight;
  return flight;
}
