/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclglsharing.h"

#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "gstglopenclbatch.h"

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  GstGLOpenCLBatch batch;
} GLSharing;

/* For gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLBatch *batch;
  GstGLOpenCLLoan *loan;
  gboolean ok;
  GError **error;
} LoanJob;

static void
begin_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  LoanJob *job = data;
  GstGLOpenCLBatch *batch = job->batch;

  (void) gl_context;
  job->ok = gst_gl_opencl_batch_add (batch, job->loan, job->error);
  if (job->ok && batch->n_loans >= job->loan->flight->n_together)
    gst_gl_opencl_batch_enqueue (batch);
  if (!job->loan->failure)
    return;
  job->ok = FALSE;
  g_propagate_error (job->error, g_steal_pointer (&job->loan->failure));
}

static void
enqueue_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  (void) gl_context;
  gst_gl_opencl_batch_enqueue (data);
}

static void
forget_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  const LoanJob *job = data;

  (void) gl_context;
  gst_gl_opencl_batch_forget (job->batch, job->loan);
}

static void
finish_gl (GstGLContext * gl_context, gpointer data)
{
  (void) data;
  gl_context->gl_vtable->Finish ();
}

static gpointer
gl_sharing_new (GstGLOpenCLContext * context)
{
  GLSharing *self = g_new0 (GLSharing, 1);

  self->context = gst_gl_opencl_context_ref (context);
  self->batch.context = context;
  return self;
}

static void
gl_sharing_free (gpointer interop)
{
  GLSharing *self = interop;

  gst_gl_opencl_context_unref (self->context);
  g_free (self);
}

static gpointer
gl_sharing_new_flight (void)
{
  return g_new0 (GstGLOpenCLLoan, 1);
}

static void
gl_sharing_free_flight (gpointer interop, gpointer state)
{
  (void) interop;
  g_free (state);
}

static gboolean
gl_sharing_check_format (gpointer interop, const OclFormat * format,
    gint width, gint height, GError ** error)
{
  GLSharing *self = interop;
  OclContext *ocl = self->context->ocl;
  const OclDevice *device = ocl->device;

  gboolean supported = ocl_format_has_images (format);

  for (guint plane = 0; supported && plane < format->n_planes; plane++) {
    if (!ocl_context_supports_image (ocl,
            ocl_format_get_image_format (format, plane), &supported, error))
      return FALSE;
  }
  if (!supported) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "%s has no images for %s.", device->name, format->name);
    return FALSE;
  }
  if ((gsize) width > device->image_max_width
      || (gsize) height > device->image_max_height) {
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "Frames of %dx%d are larger than the %" G_GSIZE_FORMAT "x%"
        G_GSIZE_FORMAT " that images of %s can be.", width, height,
        device->image_max_width, device->image_max_height, device->name);
    return FALSE;
  }

  g_autoptr (GError) reason = NULL;
  if (gst_gl_opencl_context_shares (self->context, format, &reason))
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "The driver of %s does not share %s frames with OpenGL: %s",
      device->name, format->name, reason ? reason->message
      : "the OpenGL context is gone");
  return FALSE;
}

/* Adds the planes of a mapped frame. */
static gboolean
add_memories (GstGLOpenCLLoan * loan, GstVideoFrame * frame, GError ** error)
{
  for (guint i = 0; i < loan->flight->format->n_planes; i++) {
    GstMemory *memory = frame->map[i].memory;

    if (!gst_is_gl_memory (memory)) {
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
          "A frame is not an OpenGL texture. Put glupload before this "
          "element.");
      return FALSE;
    }
    loan->memories[loan->n_memories++] = GST_GL_MEMORY_CAST (memory);
  }
  return TRUE;
}

/* With the buffers mapped. */
static gboolean
gl_sharing_begin_mapped (GLSharing * self, GstGLOpenCLLoan * loan,
    GError ** error)
{
  GstGLOpenCLFlight *flight = loan->flight;
  GstVideoFrame *output = gst_gl_opencl_flight_get_output (flight);
  GstGLContext *gl_context = self->context->gl_context;
  LoanJob job = { &self->batch, loan, FALSE, error };

  if (!add_memories (loan, &flight->input, error)
      || (output && output != &flight->input
          && !add_memories (loan, output, error)))
    return FALSE;

  /* What mapping uploaded on another GL context of the share group. */
  if (loan->memories[0]->mem.context != gl_context)
    gst_gl_context_thread_add (loan->memories[0]->mem.context, finish_gl, NULL);
  gst_gl_context_thread_add (gl_context, begin_on_gl_thread, &job);
  return job.ok;
}

static gboolean
gl_sharing_begin (gpointer interop, gpointer state, GstGLOpenCLFlight * flight,
    GError ** error)
{
  GLSharing *self = interop;
  GstGLOpenCLLoan *loan = state;

  memset (loan, 0, sizeof (*loan));
  loan->flight = flight;
  if (!gst_gl_opencl_flight_map (flight, self->context->gl_context, GST_MAP_GL,
          error))
    return FALSE;
  if (gl_sharing_begin_mapped (self, loan, error))
    return TRUE;
  gst_gl_opencl_flight_unmap (flight, self->context->gl_context);
  return FALSE;
}

/* Waits for the commands of a loan, and enqueues them before, with all that
 * were added since, where that was not done. */
static gboolean
gl_sharing_wait (GLSharing * self, GstGLOpenCLLoan * loan, GError ** error)
{
  GstGLContext *gl_context = self->context->gl_context;
  LoanJob job = { &self->batch, loan, FALSE, error };

  if (!loan->given_back && !loan->failure)
    gst_gl_context_thread_add (gl_context, enqueue_on_gl_thread, &self->batch);
  if (!loan->given_back) {
    if (loan->failure)
      g_propagate_error (error, g_steal_pointer (&loan->failure));
    else
      self->batch.n_loans = 0;  /* the GL thread has ended */
    return FALSE;
  }
  if (ocl_check (clWaitForEvents (1, &loan->given_back), "clWaitForEvents",
          error) && ocl_timer_wait (loan->flight->timer, error))
    return TRUE;
  ocl_context_finish (self->context->ocl, NULL);
  gst_gl_context_thread_add (gl_context, forget_on_gl_thread, &job);
  return FALSE;
}

static gboolean
gl_sharing_finish (gpointer interop, gpointer state,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error)
{
  GLSharing *self = interop;
  GstGLOpenCLLoan *loan = state;
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = gl_sharing_wait (self, loan, error);
  g_clear_pointer (&loan->given_back, clReleaseEvent);
  *wait_time += gst_util_get_timestamp () - start;
  gst_gl_opencl_flight_unmap (flight, self->context->gl_context);
  return ok;
}

const GstGLOpenCLInterop gst_gl_opencl_gl_sharing = {
  .mode = GST_GL_OPENCL_INTEROP_GL_SHARING,
  .storage = OCL_STORAGE_IMAGE,
  .new = gl_sharing_new,
  .free = gl_sharing_free,
  .new_flight = gl_sharing_new_flight,
  .free_flight = gl_sharing_free_flight,
  .check_format = gl_sharing_check_format,
  .begin = gl_sharing_begin,
  .finish = gl_sharing_finish,
};
