/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbatch.h"

#include <gst/gl/gstglfuncs.h>
#include <string.h>

/* Passes arguments and results through gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLBatch *batch;
  GstGLOpenCLLoan *loan;
  gboolean mapped;
  gboolean ok;
  GError **error;
} BatchCall;

gpointer
gst_gl_opencl_batch_new (gsize size, const GstGLOpenCLLender * lender,
    GstGLOpenCLContext * context)
{
  GstGLOpenCLBatch *self = g_malloc0 (size);

  self->lender = lender;
  self->context = gst_gl_opencl_context_ref (context);
  return self;
}

void
gst_gl_opencl_batch_free (gpointer interop)
{
  GstGLOpenCLBatch *self = interop;

  gst_gl_opencl_context_unref (self->context);
  g_free (self);
}

/* Acquires the textures, enqueues the commands of all loans, and releases the
 * textures. */
static gboolean
gst_gl_opencl_batch_run (GstGLOpenCLBatch * self, GError ** error)
{
  OclContext *ocl = self->context->ocl;
  cl_event given_back = NULL;
  gboolean ok = TRUE;

  /* A frame that failed since then may also have used textures of these
   * loans. */
  for (guint i = 0; i < self->n_loans; i++) {
    if (!self->lender->prepare (self, self->loans[i], error))
      return FALSE;
  }
  if (!self->lender->take (self, error))
    return FALSE;
  for (guint i = 0; ok && i < self->n_loans; i++) {
    GstGLOpenCLJob *job = self->loans[i]->job;
    OclFrame input = gst_gl_opencl_job_describe (job, OCL_STORAGE_IMAGE);
    OclFrame output = input;

    self->lender->describe (self, self->loans[i], &input, &output);
    ok = gst_gl_opencl_job_enqueue (job, ocl, &input,
        job->output_buffer ? &output : NULL, error);
  }
  ok = self->lender->give_back (self, &given_back, ok ? error : NULL) && ok;
  for (guint i = 0; ok && i < self->n_loans; i++) {
    ok = ocl_check (clRetainEvent (given_back), "clRetainEvent", error);
    if (ok)
      self->loans[i]->given_back = given_back;
  }
  g_clear_pointer (&given_back, clReleaseEvent);
  for (guint i = 0; ok && i < self->n_loans; i++)
    ok = gst_gl_opencl_job_enqueue_read (self->loans[i]->job, ocl, error);
  return ok && ocl_check (clFlush (ocl->queue), "clFlush", error);
}

/* Enqueues the commands of all loans in the batch, and empties the batch. On
 * failure no command is running, and the member failure of every loan is
 * set. */
static void
gst_gl_opencl_batch_enqueue (GstGLOpenCLBatch * self)
{
  g_autoptr (GError) error = NULL;

  if (self->n_loans > 0 && !gst_gl_opencl_batch_run (self, &error)) {
    g_assert (error);
    ocl_context_finish (self->context->ocl, NULL);
    for (guint i = 0; i < self->n_loans; i++) {
      g_clear_pointer (&self->loans[i]->given_back, clReleaseEvent);
      self->loans[i]->failure = g_error_copy (error);
      self->lender->forget (self, self->loans[i]);
    }
  }
  self->n_loans = 0;
}

/* Adds the planes of a mapped frame. */
static gboolean
add_memories (GstGLOpenCLLoan * loan, GstVideoFrame * frame, GError ** error)
{
  for (guint i = 0; i < loan->job->format->n_planes; i++) {
    GstMemory *memory = frame->map[i].memory;

    if (!gst_is_gl_memory (memory)) {
      g_set_error_literal (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_FAILED,
          "A frame is not an OpenGL texture. Put glupload before this "
          "element.");
      return FALSE;
    }
    loan->memories[loan->n_memories++] = GST_GL_MEMORY_CAST (memory);
  }
  return TRUE;
}

/* Runs on the GL thread, or on the streaming thread if memory belongs to
 * another GL context. */
static gboolean
map (BatchCall * call)
{
  GstGLOpenCLLoan *loan = call->loan;
  GstGLOpenCLJob *job = loan->job;

  call->mapped = gst_gl_opencl_job_map (job,
      call->batch->context->gl_context, GST_MAP_GL, call->error);
  if (!call->mapped)
    return FALSE;

  GstVideoFrame *output = gst_gl_opencl_job_get_output (job);
  return add_memories (loan, &job->input, call->error)
      && (!output || output == &job->input
      || add_memories (loan, output, call->error));
}

static void
begin_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  BatchCall *call = data;
  GstGLOpenCLBatch *batch = call->batch;
  GstGLOpenCLLoan *loan = call->loan;

  call->ok = (call->mapped || map (call))
      && batch->lender->prepare (batch, loan, call->error);
  if (!call->ok)
    return;
  g_assert (batch->n_loans < G_N_ELEMENTS (batch->loans));
  batch->loans[batch->n_loans++] = loan;
  if (batch->n_loans >= loan->job->n_together)
    gst_gl_opencl_batch_enqueue (batch);
  if (!loan->failure)
    return;
  call->ok = FALSE;
  g_propagate_error (call->error, g_steal_pointer (&loan->failure));
}

static void
enqueue_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  gst_gl_opencl_batch_enqueue (data);
}

static void
forget_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  const BatchCall *call = data;

  call->batch->lender->forget (call->batch, call->loan);
}

static void
finish_gl (GstGLContext * gl_context, G_GNUC_UNUSED gpointer data)
{
  gl_context->gl_vtable->Finish ();
}

gboolean
gst_gl_opencl_batch_begin (gpointer interop, gpointer state,
    GstGLOpenCLJob * job, GError ** error)
{
  GstGLOpenCLBatch *self = interop;
  GstGLOpenCLLoan *loan = state;
  GstGLContext *gl_context = self->context->gl_context;
  BatchCall call = {.batch = self,.loan = loan,.error = error };
  gboolean goes_on = TRUE;

  memset (loan, 0, sizeof (*loan));
  loan->job = job;
  if (!gst_gl_opencl_job_is_of_context (job, gl_context)) {
    /* Another GL context of the share group owns some of the memory. */
    goes_on = map (&call);
    /* Wait for the uploads that mapping started in the other context. */
    if (goes_on && loan->memories[0]->mem.context != gl_context)
      gst_gl_context_thread_add (loan->memories[0]->mem.context, finish_gl,
          NULL);
  }
  if (goes_on)
    gst_gl_context_thread_add (gl_context, begin_on_gl_thread, &call);
  if (!call.ok && call.mapped)
    gst_gl_opencl_job_unmap (job, gl_context);
  return call.ok;
}

/* Waits for the commands of @loan. If they are not enqueued yet, first enqueues
 * the commands of all loans in the batch. */
static gboolean
gst_gl_opencl_batch_wait (GstGLOpenCLBatch * self, GstGLOpenCLLoan * loan,
    GError ** error)
{
  GstGLContext *gl_context = self->context->gl_context;
  BatchCall call = {.batch = self,.loan = loan,.error = error };

  if (!loan->given_back && !loan->failure)
    gst_gl_context_thread_add (gl_context, enqueue_on_gl_thread, self);
  if (!loan->given_back) {
    if (loan->failure)
      g_propagate_error (error, g_steal_pointer (&loan->failure));
    else
      self->n_loans = 0;        /* the GL thread has ended */
    return FALSE;
  }
  if (ocl_check (clWaitForEvents (1, &loan->given_back), "clWaitForEvents",
          error) && ocl_timer_wait (loan->job->timer, error))
    return TRUE;
  ocl_context_finish (self->context->ocl, NULL);
  gst_gl_context_thread_add (gl_context, forget_on_gl_thread, &call);
  return FALSE;
}

gboolean
gst_gl_opencl_batch_finish (gpointer interop, gpointer state,
    GstGLOpenCLJob * job, GError ** error)
{
  GstGLOpenCLBatch *self = interop;
  GstGLOpenCLLoan *loan = state;
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = gst_gl_opencl_batch_wait (self, loan, error);
  g_clear_pointer (&loan->given_back, clReleaseEvent);
  job->wait_time += gst_util_get_timestamp () - start;
  gst_gl_opencl_job_unmap (job, self->context->gl_context);
  return ok;
}
