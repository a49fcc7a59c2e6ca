/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclbatch.h"

#include <gst/gl/gstglfuncs.h>
#include <string.h>

/* Passes arguments and results through gst_gl_context_thread_add(). */
typedef struct
{
  GstGLOpenCLBatch *batch;
  GstGLOpenCLAcquireSet *set;
  gboolean mapped;
  gboolean ok;
  GError **error;
} BatchCall;

gpointer
gst_gl_opencl_batch_new (gsize size, const GstGLOpenCLTextureBackend * backend,
    GstGLOpenCLContext * context)
{
  GstGLOpenCLBatch *self = g_malloc0 (size);

  self->backend = backend;
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

/* Acquires the textures, enqueues the commands of all sets, and releases the
 * textures. */
static gboolean
gst_gl_opencl_batch_run (GstGLOpenCLBatch * self, GError ** error)
{
  OclContext *ocl = self->context->ocl;
  cl_event released = NULL;
  gboolean ok = TRUE;

  /* A frame that failed since then may also have used textures of these
   * sets. */
  for (guint i = 0; i < self->n_sets; i++) {
    if (!self->backend->prepare (self, self->sets[i], error))
      return FALSE;
  }
  if (!self->backend->acquire (self, error))
    return FALSE;
  for (guint i = 0; ok && i < self->n_sets; i++) {
    GstGLOpenCLJob *job = self->sets[i]->job;
    OclFrame input = gst_gl_opencl_job_describe (job, OCL_STORAGE_IMAGE);
    OclFrame output = input;

    self->backend->describe (self, self->sets[i], &input, &output);
    ok = gst_gl_opencl_job_enqueue (job, ocl, &input,
        job->output_buffer ? &output : NULL, error);
  }
  ok = self->backend->release (self, &released, ok ? error : NULL) && ok;
  for (guint i = 0; ok && i < self->n_sets; i++) {
    ok = ocl_check (clRetainEvent (released), "clRetainEvent", error);
    if (ok)
      self->sets[i]->released = released;
  }
  g_clear_pointer (&released, clReleaseEvent);
  for (guint i = 0; ok && i < self->n_sets; i++)
    ok = gst_gl_opencl_job_enqueue_read (self->sets[i]->job, ocl, error);
  return ok && ocl_check (clFlush (ocl->queue), "clFlush", error);
}

/* Enqueues the commands of all sets in the batch, and empties the batch. On
 * failure no command is running, and the member failure of every set is
 * set. */
static void
gst_gl_opencl_batch_enqueue (GstGLOpenCLBatch * self)
{
  g_autoptr (GError) error = NULL;

  if (self->n_sets > 0 && !gst_gl_opencl_batch_run (self, &error)) {
    g_assert (error);
    ocl_context_finish (self->context->ocl, NULL);
    for (guint i = 0; i < self->n_sets; i++) {
      g_clear_pointer (&self->sets[i]->released, clReleaseEvent);
      self->sets[i]->failure = g_error_copy (error);
      self->backend->invalidate (self, self->sets[i]);
    }
  }
  self->n_sets = 0;
}

/* Adds the planes of a mapped frame. */
static gboolean
add_memories (GstGLOpenCLAcquireSet * set, GstVideoFrame * frame,
    GError ** error)
{
  for (guint i = 0; i < set->job->format->n_planes; i++) {
    GstMemory *memory = frame->map[i].memory;

    if (!gst_is_gl_memory (memory)) {
      g_set_error_literal (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_FAILED,
          "A frame is not an OpenGL texture. Put glupload before this "
          "element.");
      return FALSE;
    }
    set->memories[set->n_memories++] = GST_GL_MEMORY_CAST (memory);
  }
  return TRUE;
}

/* Runs on the GL thread, or on the streaming thread if memory belongs to
 * another GL context. */
static gboolean
map (BatchCall * call)
{
  GstGLOpenCLAcquireSet *set = call->set;
  GstGLOpenCLJob *job = set->job;

  call->mapped = gst_gl_opencl_job_map (job,
      call->batch->context->gl_context, GST_MAP_GL, call->error);
  if (!call->mapped)
    return FALSE;

  GstVideoFrame *output = gst_gl_opencl_job_get_output (job);
  return add_memories (set, &job->input, call->error)
      && (!output || output == &job->input
      || add_memories (set, output, call->error));
}

static void
begin_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  BatchCall *call = data;
  GstGLOpenCLBatch *batch = call->batch;
  GstGLOpenCLAcquireSet *set = call->set;

  call->ok = (call->mapped || map (call))
      && batch->backend->prepare (batch, set, call->error);
  if (!call->ok)
    return;
  g_assert (batch->n_sets < G_N_ELEMENTS (batch->sets));
  batch->sets[batch->n_sets++] = set;
  if (batch->n_sets >= set->job->n_together)
    gst_gl_opencl_batch_enqueue (batch);
  if (!set->failure)
    return;
  call->ok = FALSE;
  g_propagate_error (call->error, g_steal_pointer (&set->failure));
}

static void
enqueue_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  gst_gl_opencl_batch_enqueue (data);
}

static void
invalidate_on_gl_thread (G_GNUC_UNUSED GstGLContext * gl_context, gpointer data)
{
  const BatchCall *call = data;

  call->batch->backend->invalidate (call->batch, call->set);
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
  GstGLOpenCLAcquireSet *set = state;
  GstGLContext *gl_context = self->context->gl_context;
  BatchCall call = {.batch = self,.set = set,.error = error };
  gboolean goes_on = TRUE;

  memset (set, 0, sizeof (*set));
  set->job = job;
  if (!gst_gl_opencl_job_is_of_context (job, gl_context)) {
    /* Another GL context of the share group owns some of the memory. */
    goes_on = map (&call);
    /* Wait for the uploads that mapping started in the other context. */
    if (goes_on && set->memories[0]->mem.context != gl_context)
      gst_gl_context_thread_add (set->memories[0]->mem.context, finish_gl,
          NULL);
  }
  if (goes_on)
    gst_gl_context_thread_add (gl_context, begin_on_gl_thread, &call);
  if (!call.ok && call.mapped)
    gst_gl_opencl_job_unmap (job, gl_context);
  return call.ok;
}

/* Waits for the commands of @set. If they are not enqueued yet, first enqueues
 * the commands of all sets in the batch. */
static gboolean
gst_gl_opencl_batch_wait (GstGLOpenCLBatch * self, GstGLOpenCLAcquireSet * set,
    GError ** error)
{
  GstGLContext *gl_context = self->context->gl_context;
  BatchCall call = {.batch = self,.set = set,.error = error };

  if (!set->released && !set->failure)
    gst_gl_context_thread_add (gl_context, enqueue_on_gl_thread, self);
  if (!set->released) {
    if (set->failure)
      g_propagate_error (error, g_steal_pointer (&set->failure));
    else
      self->n_sets = 0;         /* the GL thread has ended */
    return FALSE;
  }
  if (ocl_check (clWaitForEvents (1, &set->released), "clWaitForEvents",
          error) && ocl_timer_wait (set->job->timer, error))
    return TRUE;
  ocl_context_finish (self->context->ocl, NULL);
  gst_gl_context_thread_add (gl_context, invalidate_on_gl_thread, &call);
  return FALSE;
}

gboolean
gst_gl_opencl_batch_finish (gpointer interop, gpointer state,
    GstGLOpenCLJob * job, GError ** error)
{
  GstGLOpenCLBatch *self = interop;
  GstGLOpenCLAcquireSet *set = state;
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = gst_gl_opencl_batch_wait (self, set, error);
  g_clear_pointer (&set->released, clReleaseEvent);
  job->wait_time += gst_util_get_timestamp () - start;
  gst_gl_opencl_job_unmap (job, self->context->gl_context);
  return ok;
}
