/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstglopenclglsharing.h"

#include <CL/cl_gl.h>
#include <gst/gl/gstglfuncs.h>

/* The image of a texture in one OpenCL context. A GstGLMemory keeps an array of
 * them, one for every context that used it. */
typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
  cl_mem image;                 /* owned */
  gboolean bytes_swapped;       /* see OclFrame */
  cl_event given_back;          /* owned; of the last frame, or NULL */
} Texture;

typedef struct
{
  GstGLOpenCLContext *context;  /* owned */
} GLSharing;

/* What is kept for a flight. */
typedef struct
{
  GstGLOpenCLContext *context;
  GstGLOpenCLFlight *flight;
  GstGLMemory *input;           /* of the mapped buffers */
  GstGLMemory *output;          /* the same as input to work in place or read */
  cl_event given_back;          /* owned; from a begin that went well on */
  gboolean ok;
  GError **error;               /* while it begins */
} Job;

/* Guards the arrays: elements on several GL threads may use a memory. */
static GMutex textures_lock;

static GQuark
textures_quark (void)
{
  return g_quark_from_static_string ("gst-gl-opencl-textures");
}

static void
texture_free_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Texture *texture = data;

  (void) gl_context;
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  clReleaseMemObject (texture->image);
}

/* Called before the GstGLMemory deletes its texture, on any thread. */
static void
texture_free (gpointer data)
{
  Texture *texture = data;

  gst_gl_context_thread_add (texture->context->gl_context,
      texture_free_on_gl_thread, texture);
  gst_gl_opencl_context_unref (texture->context);
  g_free (texture);
}

/* With textures_lock; NULL where there are none yet. */
static GPtrArray *
get_textures (GstGLMemory * memory)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      textures_quark ());
}

/* With textures_lock; -1 where there is none. */
static gint
find_texture (GPtrArray * textures, GstGLOpenCLContext * context)
{
  for (guint i = 0; textures && i < textures->len; i++) {
    Texture *texture = g_ptr_array_index (textures, i);

    if (texture->context == context)
      return i;
  }
  return -1;
}

static Texture *
look_up_texture (GstGLOpenCLContext * context, GstGLMemory * memory)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  gint index = find_texture (textures, context);
  Texture *texture = index < 0 ? NULL : g_ptr_array_index (textures, index);
  g_mutex_unlock (&textures_lock);
  return texture;
}

static void
keep_texture (GstGLMemory * memory, Texture * texture)
{
  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  if (!textures) {
    textures = g_ptr_array_new_with_free_func (texture_free);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
        textures_quark (), textures, (GDestroyNotify) g_ptr_array_unref);
  }
  g_ptr_array_add (textures, texture);
  g_mutex_unlock (&textures_lock);
}

/* Frees the image of a memory: after a failure its state is not known. GL
 * thread. */
static void
forget_texture (GstGLOpenCLContext * context, GstGLMemory * memory)
{
  Texture *texture = NULL;

  g_mutex_lock (&textures_lock);
  GPtrArray *textures = get_textures (memory);
  gint index = find_texture (textures, context);
  if (index >= 0)
    texture = g_ptr_array_steal_index_fast (textures, index);
  g_mutex_unlock (&textures_lock);
  g_clear_pointer (&texture, texture_free);
}

/* Where this fails nothing was touched yet: OCL_ERROR_NOT_SUPPORTED. */
static Texture *
texture_new (GstGLOpenCLContext * context, GstGLMemory * memory,
    const OclFormat * format, GError ** error)
{
  g_autoptr (GError) reason = NULL;
  cl_int status = CL_SUCCESS;
  gboolean bytes_swapped = FALSE;
  cl_mem image = NULL;

  if (gst_gl_context_can_share (memory->mem.context, context->gl_context))
    image = clCreateFromGLTexture (context->ocl->context, CL_MEM_READ_WRITE,
        gst_gl_texture_target_to_gl (memory->tex_target), 0, memory->tex_id,
        &status);
  else
    status = CL_INVALID_GL_OBJECT;
  if (!ocl_check (status, "clCreateFromGLTexture", &reason)
      || !gst_gl_opencl_context_check_image (image, format, 0, &bytes_swapped,
          &reason)) {
    if (image)
      clReleaseMemObject (image);
    g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
        "A texture cannot be borrowed: %s Set interop=auto or host-copy.",
        reason->message);
    return NULL;
  }

  Texture *texture = g_new0 (Texture, 1);
  texture->context = gst_gl_opencl_context_ref (context);
  texture->image = image;
  texture->bytes_swapped = bytes_swapped;
  return texture;
}

/* The image of a texture; owned by the memory. GL thread. */
static Texture *
texture_get (GstGLOpenCLContext * context, GstGLMemory * memory,
    const OclFormat * format, GError ** error)
{
  Texture *texture = look_up_texture (context, memory);

  if (!texture) {
    texture = texture_new (context, memory, format, error);
    if (texture)
      keep_texture (memory, texture);
  }
  return texture;
}

static OclFrame
texture_describe (const Texture * texture, const GstGLOpenCLFlight * flight)
{
  OclFrame frame = gst_gl_opencl_flight_describe (flight, OCL_STORAGE_IMAGE);

  frame.planes[0].memory = texture->image;
  frame.bytes_swapped = texture->bytes_swapped;
  return frame;
}

/* Takes the textures from GL, after those who use them still: an element on
 * another branch of a tee may. */
static gboolean
textures_acquire (Job * job, Texture * input, Texture * output, GError ** error)
{
  const cl_mem images[2] = { input->image, output->image };
  const cl_uint n_images = input == output ? 1 : 2;
  cl_event users[2];
  cl_uint n_users = 0;

  if (input->given_back)
    users[n_users++] = input->given_back;
  if (output != input && output->given_back)
    users[n_users++] = output->given_back;

  /* No Linux desktop driver waits for GL by itself. */
  job->context->gl_context->gl_vtable->Finish ();
  return ocl_check (clEnqueueAcquireGLObjects (job->context->ocl->queue,
          n_images, images, n_users, n_users ? users : NULL,
          ocl_timer_add (job->flight->timer, OCL_TIMER_TRANSFER)),
      "clEnqueueAcquireGLObjects", error);
}

static gboolean
texture_keep_event (Texture * texture, cl_event event, GError ** error)
{
  g_clear_pointer (&texture->given_back, clReleaseEvent);
  if (!ocl_check (clRetainEvent (event), "clRetainEvent", error))
    return FALSE;
  texture->given_back = event;
  return TRUE;
}

/* Runs the operation between taking the textures and giving them back. */
static gboolean
texture_run (Job * job, Texture * input, Texture * output, GError ** error)
{
  OclContext *ocl = job->context->ocl;
  GstGLOpenCLFlight *flight = job->flight;
  const cl_mem images[2] = { input->image, output->image };
  const cl_uint n_images = input == output ? 1 : 2;
  const OclFrame input_frame = texture_describe (input, flight);
  const OclFrame output_frame = texture_describe (output, flight);

  if (!textures_acquire (job, input, output, error))
    return FALSE;

  gboolean ok = gst_gl_opencl_flight_enqueue (flight, ocl, &input_frame,
      flight->output_buffer ? &output_frame : NULL, error);
  ok = ocl_check (clEnqueueReleaseGLObjects (ocl->queue, n_images, images, 0,
          NULL, &job->given_back), "clEnqueueReleaseGLObjects",
      ok ? error : NULL) && ok;
  return ok && gst_gl_opencl_flight_enqueue_read (flight, ocl, error)
      && ocl_check (clFlush (ocl->queue), "clFlush", error)
      && texture_keep_event (input, job->given_back, error)
      && (input == output
      || texture_keep_event (output, job->given_back, error));
}

static void
forget_textures_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  (void) gl_context;
  forget_texture (job->context, job->input);
  forget_texture (job->context, job->output);
}

static void
texture_begin_on_gl_thread (GstGLContext * gl_context, gpointer data)
{
  Job *job = data;

  const OclFormat *format = job->flight->format;
  Texture *input = texture_get (job->context, job->input, format, job->error);
  Texture *output = input && job->output != job->input
      ? texture_get (job->context, job->output, format, job->error) : input;
  if (!input || !output)
    return;

  job->ok = texture_run (job, input, output, job->error);
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
gl_sharing_check_size (gpointer interop, const OclFormat * format, gint width,
    gint height, GError ** error)
{
  GLSharing *self = interop;
  const OclDevice *device = self->context->ocl->device;

  (void) format;
  if ((gsize) width <= device->image_max_width
      && (gsize) height <= device->image_max_height)
    return TRUE;
  g_set_error (error, OCL_ERROR, OCL_ERROR_NOT_SUPPORTED,
      "Frames of %dx%d are larger than the %" G_GSIZE_FORMAT "x%"
      G_GSIZE_FORMAT " that images of %s can be", width, height,
      device->image_max_width, device->image_max_height, device->name);
  return FALSE;
}

/* With the buffers mapped. */
static gboolean
gl_sharing_begin_mapped (Job * job, GError ** error)
{
  GstGLOpenCLFlight *flight = job->flight;
  GstVideoFrame *output = gst_gl_opencl_flight_get_output (flight);
  GstMemory *input_memory = flight->input.map[0].memory;
  GstMemory *output_memory = output ? output->map[0].memory : input_memory;

  if (!gst_is_gl_memory (input_memory) || !gst_is_gl_memory (output_memory)) {
    g_set_error_literal (error, OCL_ERROR, OCL_ERROR_FAILED,
        "A frame is not an OpenGL texture. Put glupload before this element.");
    return FALSE;
  }
  job->input = GST_GL_MEMORY_CAST (input_memory);
  job->output = GST_GL_MEMORY_CAST (output_memory);

  /* What mapping uploaded on another GL context of the share group. */
  if (job->input->mem.context != job->context->gl_context)
    gst_gl_context_thread_add (job->input->mem.context, finish_gl, NULL);
  gst_gl_context_thread_add (job->context->gl_context,
      texture_begin_on_gl_thread, job);
  return job->ok;
}

static gboolean
gl_sharing_begin (gpointer interop, gpointer state, GstGLOpenCLFlight * flight,
    GError ** error)
{
  GLSharing *self = interop;
  Job *job = state;

  *job = (Job) {.context = self->context,.flight = flight,.error = error };
  if (!gst_gl_opencl_flight_map (flight, GST_MAP_GL, error))
    return FALSE;
  if (gl_sharing_begin_mapped (job, error))
    return TRUE;
  gst_gl_opencl_flight_unmap (flight);
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
  gst_gl_opencl_flight_unmap (flight);
  return ok;
}

const GstGLOpenCLInterop gst_gl_opencl_gl_sharing = {
  .mode = GST_GL_OPENCL_INTEROP_GL_SHARING,
  .storage = OCL_STORAGE_IMAGE,
  .new = gl_sharing_new,
  .free = gl_sharing_free,
  .new_flight = gl_sharing_new_flight,
  .free_flight = gl_sharing_free_flight,
  .check_size = gl_sharing_check_size,
  .begin = gl_sharing_begin,
  .finish = gl_sharing_finish,
};
