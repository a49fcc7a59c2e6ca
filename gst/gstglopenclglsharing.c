/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclglsharing.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>
#include <string.h>

#include "gstglopencltexture.h"

#define MAX_MEMORIES (2 * OCL_MAX_PLANES)

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
} GLSharing;

/* What is kept for a flight. */
typedef struct
{
  GstGLOpenCLContext *context;
  GstGLOpenCLFlight *flight;
  /* Of the mapped buffers: the planes of the input, then, where that is another
   * one, of the output. */
  GstGLMemory *memories[MAX_MEMORIES];
  guint n_memories;
  cl_event given_back;          /* owned; from a begin that went well on */
  gboolean ok;
  GError **error;               /* while it begins */
} Job;

/* The frame whose planes are those from @textures on. */
static OclFrame
describe_textures (const GstGLOpenCLFlight * flight,
    GstGLOpenCLTexture * const *textures)
{
  OclFrame frame = gst_gl_opencl_flight_describe (flight, OCL_STORAGE_IMAGE);

  for (guint i = 0; i < flight->format->n_planes; i++)
    frame.planes[i].memory = textures[i]->image;
  frame.bytes_swapped = textures[0]->bytes_swapped;
  return frame;
}

/* Takes the textures from GL, after those who use them still: an element on
 * another branch of a tee may. */
static gboolean
acquire_textures (Job * job, GstGLOpenCLTexture * const *textures,
    const cl_mem * images, GError ** error)
{
  cl_event users[MAX_MEMORIES];
  cl_uint n_users = 0;

  for (guint i = 0; i < job->n_memories; i++) {
    if (textures[i]->given_back)
      users[n_users++] = textures[i]->given_back;
  }

  /* No Linux desktop driver waits for GL by itself. */
  job->context->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (job->context->ocl->queue,
          job->n_memories, images, n_users, n_users ? users : NULL,
          ocl_timer_add (job->flight->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueAcquireGLObjects", error);
}

/* Runs everything between taking the textures and giving them back. */
static gboolean
run_with_textures (Job * job, GstGLOpenCLTexture * const *textures,
    GError ** error)
{
  OclContext *ocl = job->context->ocl;
  GstGLOpenCLFlight *flight = job->flight;
  const guint n_planes = flight->format->n_planes;
  const OclFrame input = describe_textures (flight, textures);
  const OclFrame output = describe_textures (flight,
      textures + job->n_memories - n_planes);
  cl_mem images[MAX_MEMORIES];

  for (guint i = 0; i < job->n_memories; i++)
    images[i] = textures[i]->image;
  if (!acquire_textures (job, textures, images, error))
    return FALSE;

  gboolean ok = gst_gl_opencl_flight_enqueue (flight, ocl, &input,
      flight->output_buffer ? &output : NULL, error);
  ok = ocl_check (clEnqueueReleaseGLObjects (ocl->queue, job->n_memories,
          images, 0, NULL, &job->given_back), "clEnqueueReleaseGLObjects",
      ok ? error : NULL) && ok;
  ok = ok && gst_gl_opencl_flight_enqueue_read (flight, ocl, error)
      && ocl_check (clFlush (ocl->queue), "clFlush", error);
  for (guint i = 0; ok && i < job->n_memories; i++)
    ok = gst_gl_opencl_texture_keep_event (textures[i], job->given_back, error);
  return ok;
}

static void
forget_textures_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  (void) gl_context;
  for (guint i = 0; i < job->n_memories; i++)
    gst_gl_opencl_texture_forget (job->context, job->memories[i]);
}

static void
begin_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;
  const OclFormat *format = job->flight->format;
  GstGLOpenCLTexture *textures[MAX_MEMORIES];

  for (guint i = 0; i < job->n_memories; i++) {
    textures[i] = gst_gl_opencl_texture_get (job->context, job->memories[i],
        format, i % format->n_planes, job->error);
    if (!textures[i])
      return;
  }

  job->ok = run_with_textures (job, textures, job->error);
  if (job->ok)
    return;
  ocl_context_finish (job->context->ocl, NULL);
  g_clear_pointer (&job->given_back, clReleaseEvent);
  forget_textures_on_gl_thread (gl_context, job);
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
  return g_new0 (Job, 1);
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
add_memories (Job * job, GstVideoFrame * frame, GError ** error)
{
  for (guint i = 0; i < job->flight->format->n_planes; i++) {
    GstMemory *memory = frame->map[i].memory;

    if (!gst_is_gl_memory (memory)) {
      g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
          "A frame is not an OpenGL texture. Put glupload before this "
          "element.");
      return FALSE;
    }
    job->memories[job->n_memories++] = GST_GL_MEMORY_CAST (memory);
  }
  return TRUE;
}

/* With the buffers mapped. */
static gboolean
gl_sharing_begin_mapped (Job * job, GError ** error)
{
  GstGLOpenCLFlight *flight = job->flight;
  GstVideoFrame *output = gst_gl_opencl_flight_get_output (flight);

  if (!add_memories (job, &flight->input, error)
      || (output && output != &flight->input
          && !add_memories (job, output, error)))
    return FALSE;

  /* What mapping uploaded on another GL context of the share group. */
  if (job->memories[0]->mem.context != job->context->gl_context)
    gst_gl_context_thread_add (job->memories[0]->mem.context, finish_gl, NULL);
  gst_gl_context_thread_add (job->context->gl_context, begin_on_gl_thread, job);
  return job->ok;
}

static gboolean
gl_sharing_begin (gpointer interop, gpointer state, GstGLOpenCLFlight * flight,
    GError ** error)
{
  GLSharing *self = interop;
  Job *job = state;

  memset (job, 0, sizeof (*job));
  job->context = self->context;
  job->flight = flight;
  job->error = error;
  if (!gst_gl_opencl_flight_map (flight, self->context->gl_context, GST_MAP_GL,
          error))
    return FALSE;
  if (gl_sharing_begin_mapped (job, error))
    return TRUE;
  gst_gl_opencl_flight_unmap (flight, self->context->gl_context);
  return FALSE;
}

static gboolean
gl_sharing_finish (gpointer interop, gpointer state,
    GstGLOpenCLFlight * flight, guint64 * wait_time, GError ** error)
{
  GLSharing *self = interop;
  Job *job = state;
  GstClockTime start = gst_util_get_timestamp ();

  gboolean ok = ocl_check (clWaitForEvents (1, &job->given_back),
      "clWaitForEvents", error)
      && ocl_timer_wait (flight->timer, error);
  if (!ok) {
    ocl_context_finish (self->context->ocl, NULL);
    gst_gl_context_thread_add (self->context->gl_context,
        forget_textures_on_gl_thread, job);
  }
  g_clear_pointer (&job->given_back, clReleaseEvent);
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
