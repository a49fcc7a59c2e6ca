/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclways.h"

#if GST_GL_OPENCL_EXTERNAL_MEMORY
#include "gstglopenclexternalmemory.h"
#endif
#include "gstglopenclglsharing.h"
#include "gstglopenclhostcopy.h"

/* Indexed by GstGLOpenCLInteropMode. */
static const GstGLOpenCLInterop *const interops[GST_GL_OPENCL_N_MODES] = {
  [GST_GL_OPENCL_INTEROP_GL_SHARING] = &gst_gl_opencl_gl_sharing,
  [GST_GL_OPENCL_INTEROP_HOST_COPY] = &gst_gl_opencl_host_copy,
#if GST_GL_OPENCL_EXTERNAL_MEMORY
  [GST_GL_OPENCL_INTEROP_EXTERNAL_MEMORY] = &gst_gl_opencl_external_memory,
#endif
};

G_STATIC_ASSERT (G_N_ELEMENTS (((GstGLOpenCLFlight *) NULL)->states)
    == GST_GL_OPENCL_N_MODES);

/* gst_gl_context_thread_add() passes this struct to open_on_gl_thread(). */
typedef struct
{
  GstGLOpenCLWays *ways;
  const GstGLOpenCLRequest *request;
  GstObject *owner;
  GError **error;
} OpenJob;

static void
open_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  OpenJob *job = data;

  job->ways->context = gst_gl_opencl_interop_choose (gl_context,
      job->request, job->owner, job->error);
}

gboolean
gst_gl_opencl_ways_open (GstGLOpenCLWays * self, GstGLContext * gl_context,
    const GstGLOpenCLRequest * request, GstObject * owner, GError ** error)
{
  OpenJob job = { self, request, owner, error };

  self->asked = request->mode;
  self->fell_back = FALSE;
  if (gl_context)
    gst_gl_context_thread_add (gl_context, open_on_gl_thread, &job);
  if (!self->context && !*error)
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
        "There is no OpenGL context. Restart the pipeline.");
  return self->context != NULL;
}

void
gst_gl_opencl_ways_close (GstGLOpenCLWays * self)
{
  for (guint mode = 0; mode < GST_GL_OPENCL_N_MODES; mode++) {
    if (self->ways[mode])
      interops[mode]->free (self->ways[mode]);
    self->ways[mode] = NULL;
  }
  g_clear_pointer (&self->context, gst_gl_opencl_context_unref);
}

const GstGLOpenCLInterop *
gst_gl_opencl_ways_get (const GstGLOpenCLWays * self)
{
  return interops[self->mode];
}

/* Returns the instance of the interop backend @mode. The first call for @mode
 * creates the instance. */
static gpointer
gst_gl_opencl_ways_ensure (GstGLOpenCLWays * self, GstGLOpenCLInteropMode mode)
{
  if (!self->ways[mode])
    self->ways[mode] = interops[mode]->new (self->context);
  return self->ways[mode];
}

static gboolean
gst_gl_opencl_ways_check_format (GstGLOpenCLWays * self,
    GstGLOpenCLInteropMode mode, const OclFormat * format, gint width,
    gint height, GError ** error)
{
  return interops[mode]->check_format (gst_gl_opencl_ways_ensure (self, mode),
      format, width, height, error);
}

gboolean
gst_gl_opencl_ways_choose (GstGLOpenCLWays * self, const OclFormat * format,
    gint width, gint height, gchar ** notice, GError ** error)
{
  const GstGLOpenCLInteropMode best = self->context->mode;
  g_autoptr (GError) reason = NULL;

  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  if (best != self->mode && !self->fell_back) {
    if (gst_gl_opencl_ways_check_format (self, best, format, width, height,
            &reason)) {
      self->mode = best;
      return TRUE;
    }
    if (self->asked != GST_GL_OPENCL_INTEROP_AUTO) {
      g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
          "%s Set interop=auto, or scale or convert frames.", reason->message);
      return FALSE;
    }
    *notice = g_strdup_printf ("%s Frames go through host memory.",
        reason->message);
  }
  return gst_gl_opencl_ways_check_format (self,
      GST_GL_OPENCL_INTEROP_HOST_COPY, format, width, height, error);
}

gboolean
gst_gl_opencl_ways_fall_back (GstGLOpenCLWays * self, const GError * error)
{
  if (self->mode == GST_GL_OPENCL_INTEROP_HOST_COPY
      || self->asked != GST_GL_OPENCL_INTEROP_AUTO
      || !g_error_matches (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED))
    return FALSE;
  self->fell_back = TRUE;
  self->mode = GST_GL_OPENCL_INTEROP_HOST_COPY;
  return TRUE;
}

GstAllocator *
gst_gl_opencl_ways_get_allocator (GstGLOpenCLWays * self)
{
  const GstGLOpenCLInterop *interop = interops[self->mode];

  return self->ways[self->mode] && interop->get_allocator
      ? interop->get_allocator (self->ways[self->mode]) : NULL;
}

void
gst_gl_opencl_ways_prepare (GstGLOpenCLWays * self, GstGLOpenCLFlight * flight)
{
  if (flight->states[self->mode])
    return;
  gst_gl_opencl_ways_ensure (self, self->mode);
  flight->states[self->mode] = interops[self->mode]->new_flight ();
}

void
gst_gl_opencl_ways_clear_flight (GstGLOpenCLWays * self,
    GstGLOpenCLFlight * flight)
{
  for (guint mode = 0; mode < GST_GL_OPENCL_N_MODES; mode++) {
    if (flight->states[mode])
      interops[mode]->free_flight (self->ways[mode], flight->states[mode]);
    flight->states[mode] = NULL;
  }
}

/* Discards the measured times, and sets @error if the failed call did not. */
static gboolean
fail_flight (GstGLOpenCLFlight * flight, GError ** error)
{
  ocl_timer_reset (flight->timer);
  if (!*error)
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_FAILED,
        "The OpenGL context is gone. Restart the pipeline.");
  return FALSE;
}

gboolean
gst_gl_opencl_ways_begin (GstGLOpenCLWays * self, GstGLOpenCLFlight * flight,
    GError ** error)
{
  GstGLSyncMeta *sync = gst_buffer_get_gl_sync_meta (flight->input_buffer);

  if (sync)
    gst_gl_sync_meta_wait (sync, self->context->gl_context);
  if (!interops[self->mode]->begin (self->ways[self->mode],
          flight->states[self->mode], flight, error))
    return fail_flight (flight, error);
  flight->mode = self->mode;
  return TRUE;
}

gboolean
gst_gl_opencl_ways_finish (GstGLOpenCLWays * self, GstGLOpenCLFlight * flight,
    GError ** error)
{
  return interops[flight->mode]->finish (self->ways[flight->mode],
      flight->states[flight->mode], flight, &flight->wait_time, error)
      || fail_flight (flight, error);
}
