/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbatch.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

#define MAX_TEXTURES (GST_GL_OPENCL_MAX_FLIGHTS * GST_GL_OPENCL_MAX_LENT)

/* The textures of a batch, each once: a frame may come several times. */
typedef struct
{
  GstGLOpenCLTexture *textures[MAX_TEXTURES];
  cl_mem images[MAX_TEXTURES];
  cl_uint n;
} Textures;

static GstGLOpenCLTexture *
get_texture (GstGLOpenCLBatch * self, const GstGLOpenCLLoan * loan, guint i,
    GError ** error)
{
  const OclFormat *format = loan->flight->format;

  return gst_gl_opencl_texture_get (self->context, loan->memories[i], format,
      i % format->n_planes, error);
}

gboolean
gst_gl_opencl_batch_add (GstGLOpenCLBatch * self, GstGLOpenCLLoan * loan,
    GError ** error)
{
  for (guint i = 0; i < loan->n_memories; i++) {
    if (!get_texture (self, loan, i, error))
      return FALSE;
  }
  g_assert (self->n_loans < G_N_ELEMENTS (self->loans));
  self->loans[self->n_loans++] = loan;
  return TRUE;
}

static void
add_texture (Textures * all, GstGLOpenCLTexture * texture)
{
  for (guint i = 0; i < all->n; i++) {
    if (all->textures[i] == texture)
      return;
  }
  all->textures[all->n] = texture;
  all->images[all->n++] = texture->image;
}

static gboolean
gst_gl_opencl_batch_get_textures (GstGLOpenCLBatch * self, Textures * all,
    GError ** error)
{
  for (guint i = 0; i < self->n_loans; i++) {
    for (guint j = 0; j < self->loans[i]->n_memories; j++) {
      GstGLOpenCLTexture *texture =
          get_texture (self, self->loans[i], j, error);

      if (!texture)
        return FALSE;
      add_texture (all, texture);
    }
  }
  return TRUE;
}

/* Takes the textures from GL, after those who use them still: an element on
 * another branch of a tee may. What this takes is not timed: NVIDIA's driver
 * gives for it what the kernels take. */
static gboolean
gst_gl_opencl_batch_acquire (GstGLOpenCLBatch * self, const Textures * all,
    GError ** error)
{
  cl_event users[MAX_TEXTURES];
  cl_uint n_users = 0;

  for (guint i = 0; i < all->n; i++) {
    if (all->textures[i]->given_back)
      users[n_users++] = all->textures[i]->given_back;
  }

  /* No Linux desktop driver waits for GL by itself. */
  self->context->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (self->context->ocl->queue,
          all->n, all->images, n_users, n_users ? users : NULL, NULL),
      "clEnqueueAcquireGLObjects", error);
}

/* The frame whose planes are the memories from @first on; they have their
 * images. */
static OclFrame
describe_textures (GstGLOpenCLBatch * self, const GstGLOpenCLLoan * loan,
    guint first)
{
  OclFrame frame =
      gst_gl_opencl_flight_describe (loan->flight, OCL_STORAGE_IMAGE);

  for (guint i = 0; i < loan->flight->format->n_planes; i++) {
    const GstGLOpenCLTexture *texture =
        get_texture (self, loan, first + i, NULL);

    frame.planes[i].memory = texture->image;
    frame.bytes_swapped = texture->bytes_swapped;
  }
  return frame;
}

static gboolean
gst_gl_opencl_batch_enqueue_loan (GstGLOpenCLBatch * self,
    const GstGLOpenCLLoan * loan, GError ** error)
{
  GstGLOpenCLFlight *flight = loan->flight;
  const OclFrame input = describe_textures (self, loan, 0);
  const OclFrame output = describe_textures (self, loan,
      loan->n_memories - flight->format->n_planes);

  return gst_gl_opencl_flight_enqueue (flight, self->context->ocl, &input,
      flight->output_buffer ? &output : NULL, error);
}

/* Gives the textures back, and lets everybody who has to wait know when. */
static gboolean
gst_gl_opencl_batch_release (GstGLOpenCLBatch * self, const Textures * all,
    GError ** error)
{
  cl_event given_back = NULL;
  gboolean ok = ocl_check (clEnqueueReleaseGLObjects
      (self->context->ocl->queue, all->n, all->images, 0, NULL, &given_back),
      "clEnqueueReleaseGLObjects", error);

  for (guint i = 0; ok && i < all->n; i++)
    ok = gst_gl_opencl_texture_keep_event (all->textures[i], given_back, error);
  for (guint i = 0; ok && i < self->n_loans; i++) {
    ok = ocl_check (clRetainEvent (given_back), "clRetainEvent", error);
    if (ok)
      self->loans[i]->given_back = given_back;
  }
  g_clear_pointer (&given_back, clReleaseEvent);
  return ok;
}

/* Everything between taking the textures and giving them back. */
static gboolean
gst_gl_opencl_batch_run (GstGLOpenCLBatch * self, GError ** error)
{
  OclContext *ocl = self->context->ocl;
  Textures all = {.n = 0 };
  gboolean ok = TRUE;

  if (!gst_gl_opencl_batch_get_textures (self, &all, error)
      || !gst_gl_opencl_batch_acquire (self, &all, error))
    return FALSE;
  for (guint i = 0; ok && i < self->n_loans; i++)
    ok = gst_gl_opencl_batch_enqueue_loan (self, self->loans[i], error);
  ok = gst_gl_opencl_batch_release (self, &all, ok ? error : NULL) && ok;
  for (guint i = 0; ok && i < self->n_loans; i++)
    ok = gst_gl_opencl_flight_enqueue_read (self->loans[i]->flight, ocl, error);
  return ok && ocl_check (clFlush (ocl->queue), "clFlush", error);
}

void
gst_gl_opencl_batch_forget (GstGLOpenCLBatch * self,
    const GstGLOpenCLLoan * loan)
{
  for (guint i = 0; i < loan->n_memories; i++)
    gst_gl_opencl_texture_forget (self->context, loan->memories[i]);
}

void
gst_gl_opencl_batch_enqueue (GstGLOpenCLBatch * self)
{
  g_autoptr (GError) error = NULL;

  if (self->n_loans > 0 && !gst_gl_opencl_batch_run (self, &error)) {
    g_assert (error);
    ocl_context_finish (self->context->ocl, NULL);
    for (guint i = 0; i < self->n_loans; i++) {
      g_clear_pointer (&self->loans[i]->given_back, clReleaseEvent);
      self->loans[i]->failure = g_error_copy (error);
      gst_gl_opencl_batch_forget (self, self->loans[i]);
    }
  }
  self->n_loans = 0;
}
